//! A serialized argument for the styles of parameters: nothing, one value, a list or an object, in the order of its type.
//!
//! `serde_json::Value` sorts the members of objects, and its numbers change with a feature that any crate of a program may turn on.

/// A value with the details that determine its wire form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Tree {
    /// An absent value: `None` or a unit.
    Nothing,
    /// One value.
    Scalar {
        /// The value in its wire form.
        text: String,
        /// True if JSON quotes it.
        is_text: bool,
    },
    /// Several values.
    List(Vec<Tree>),
    /// Members by name, in the order in which they were written.
    Object(Vec<(String, Tree)>),
}

impl Tree {
    /// Returns the value as JSON.
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

    /// Returns all strings in it, including names of members.
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

    /// Returns the string of a scalar; `None` for anything else.
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
