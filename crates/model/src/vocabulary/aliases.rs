//! `x-aliases`: other names of a property, and other spellings of enum values.

use serde_json::Value;

/// `x-aliases`, unchanged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Aliases {
    /// Other names of a property.
    Names(Vec<String>),
    /// Other spellings of enum values; `None` for what is no list of strings.
    Spellings(Vec<(String, Option<Vec<String>>)>),
    /// Neither of them.
    Malformed,
}

impl Aliases {
    /// Reads the extension.
    pub fn of(value: &Value) -> Self {
        match (texts(value), value) {
            (Some(names), _) => Self::Names(names),
            (None, Value::Object(map)) => {
                let spellings = map
                    .iter()
                    .map(|(value, others)| (value.clone(), texts(others)));
                Self::Spellings(spellings.collect())
            }
            (None, _) => Self::Malformed,
        }
    }

    /// The other names of a property.
    pub fn names(&self) -> &[String] {
        match self {
            Self::Names(names) => names,
            Self::Spellings(_) | Self::Malformed => &[],
        }
    }

    /// The enum values that have other spellings, with them.
    pub fn spellings(&self) -> impl Iterator<Item = (&str, &[String])> {
        let all: &[_] = match self {
            Self::Spellings(all) => all,
            Self::Names(_) | Self::Malformed => &[],
        };
        all.iter()
            .map(|(value, others)| (value.as_str(), others.as_deref().unwrap_or_default()))
    }
}

fn texts(value: &Value) -> Option<Vec<String>> {
    let texts = value.as_array()?.iter();
    texts.map(|one| one.as_str().map(str::to_owned)).collect()
}
