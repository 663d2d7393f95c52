//! A serialised argument as the styles of parameters need it: nothing, one value, a list or an object, in the order of its type.
//!
//! `serde_json::Value` sorts the members of objects, and its numbers change with a feature that any crate of a program may turn on.

/// A value with what the wire form of a parameter depends on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Tree {
    /// `None` or a unit: a value that is not there.
    Nothing,
    /// One value.
    Scalar {
        /// The value as a parameter has it.
        text: String,
        /// Whether JSON writes it in quotation marks.
        is_text: bool,
    },
    /// Several values.
    List(Vec<Tree>),
    /// Members by name, in the order in which they were written.
    Object(Vec<(String, Tree)>),
}

impl Tree {
    /// The value as JSON.
    pub(crate) fn json(&self) -> String {
        match self {
            Self::Nothing => "null".to_owned(),
            Self::Scalar {
                text,
                is_text: false,
            } => text.clone(),
            Self::Scalar { text, .. } => quoted(text),
            Self::List(items) => {
                let items: Vec<String> = items.iter().map(Self::json).collect();
                format!("[{}]", items.join(","))
            }
            Self::Object(members) => {
                let members = members.iter();
                let members =
                    members.map(|(name, value)| format!("{}:{}", quoted(name), value.json()));
                format!("{{{}}}", members.collect::<Vec<_>>().join(","))
            }
        }
    }

    /// All texts in it, names of members among them.
    pub(crate) fn texts(&self) -> Vec<&str> {
        match self {
            Self::Nothing => Vec::new(),
            Self::Scalar { text, .. } => vec![text],
            Self::List(items) => items.iter().flat_map(Self::texts).collect(),
            Self::Object(members) => {
                let members = members.iter();
                members
                    .flat_map(|(name, value)| std::iter::once(name.as_str()).chain(value.texts()))
                    .collect()
            }
        }
    }

    /// The text of one value; `None` of anything else.
    pub(crate) fn scalar(&self) -> Option<&str> {
        match self {
            Self::Scalar { text, .. } => Some(text),
            Self::Nothing | Self::List(_) | Self::Object(_) => None,
        }
    }
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
