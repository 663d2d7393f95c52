//! A serialized argument for the styles of parameters: nothing, one value, a list or an object, in the order of its type.
//!
//! `serde_json::Value` sorts the members of objects, and its numbers change with a feature that any crate of a program may turn on.

use serde::Serialize;
use serde::de::Error as _;
#[cfg(not(feature = "checks"))]
use serde_json::to_string as argument_json;
use serde_json::value::RawValue;

use crate::decode::member::Members;
#[cfg(feature = "checks")]
use crate::request::argument_json::argument_json;

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
    /// Serializes a value; `Err` says, as the end of a sentence, why it has no JSON.
    pub(crate) fn of(value: &(impl Serialize + ?Sized)) -> Result<Self, String> {
        let tree = argument_json(value).and_then(|json| Self::read(&json));
        tree.map_err(|error| format!("cannot be written: {error}"))
    }

    fn read(json: &str) -> serde_json::Result<Self> {
        Ok(match json.bytes().next() {
            Some(b'n') => Self::Nothing,
            Some(b'"') => Self::Scalar {
                text: serde_json::from_str(json)?,
                is_text: true,
            },
            Some(b'[') => {
                let items: Vec<&RawValue> = serde_json::from_str(json)?;
                let items = items.iter().map(|item| Self::read(item.get()));
                Self::List(items.collect::<Result<_, _>>()?)
            }
            Some(b'{') => {
                let members =
                    Members::read(json).ok_or_else(|| serde_json::Error::custom("no object"))?;
                let members = members.0.into_iter();
                let members = members.map(|(name, value)| Ok((name, Self::read(value.get())?)));
                Self::Object(members.collect::<serde_json::Result<_>>()?)
            }
            _ => Self::Scalar {
                text: plain(json),
                is_text: false,
            },
        })
    }

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

/// Returns a number or a boolean as it is written in an address: without an exponent, and a whole number without a fraction.
fn plain(json: &str) -> String {
    match json.parse::<f64>() {
        Ok(float) if float.is_finite() && (json.ends_with(".0") || json.contains(['e', 'E'])) => {
            float.to_string()
        }
        _ => json.to_owned(),
    }
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

#[cfg(test)]
mod tests;
