//! A serialized argument for the styles of parameters: nothing, one value, a list or an object, in the order of its type.
//!
//! `serde_json::Value` sorts the members of objects, and its numbers change with a feature that any crate of a program may turn on.

use serde::Serialize;
use serde_json::value::RawValue;

use super::amend::Members;

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
    /// Serializes a value; `Err` says, as the end of a sentence, why that fails. A number that is not finite is absent, as in JSON.
    pub(crate) fn of(value: &(impl Serialize + ?Sized)) -> Result<Self, String> {
        let read = serde_json::to_string(value).and_then(|json| Self::read(&json));
        read.map_err(|error| format!("cannot be written: {error}"))
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
                let items = items.into_iter().map(|item| Self::read(item.get()));
                Self::List(items.collect::<Result<_, _>>()?)
            }
            Some(b'{') => {
                let Members(members) = serde_json::from_str(json)?;
                let members = members
                    .into_iter()
                    .map(|(name, value)| Ok((name, Self::read(value.get())?)));
                Self::Object(members.collect::<serde_json::Result<_>>()?)
            }
            // As `Display` writes a whole `f64`.
            _ => Self::Scalar {
                text: json.strip_suffix(".0").unwrap_or(json).to_owned(),
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

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[derive(Serialize)]
    struct Colour {
        #[serde(rename = "R")]
        red: u8,
        #[serde(rename = "G")]
        green: f64,
        #[serde(skip_serializing_if = "Option::is_none")]
        alpha: Option<u8>,
        name: Option<&'static str>,
        kind: Kind,
    }

    #[derive(Serialize)]
    #[serde(rename_all = "lowercase")]
    enum Kind {
        Plain,
        Mixed(u8),
        Pair(u8, char),
        Struct { part: bool },
    }

    fn json(value: &impl Serialize) -> String {
        Tree::of(value).unwrap().json()
    }

    #[test]
    fn a_tree_has_the_json_of_its_value_in_the_order_of_the_type() {
        let colour = Colour {
            red: 100,
            green: 0.5,
            alpha: None,
            name: None,
            kind: Kind::Plain,
        };
        assert_eq!(
            json(&colour),
            r#"{"R":100,"G":0.5,"name":null,"kind":"plain"}"#
        );
        for value in [
            Kind::Mixed(1),
            Kind::Pair(1, 'c'),
            Kind::Struct { part: true },
        ] {
            assert_eq!(json(&value), serde_json::to_string(&value).unwrap());
        }
        let map = BTreeMap::from([(2, ["a\"b", "é\n"])]);
        assert_eq!(json(&map), serde_json::to_string(&map).unwrap());
    }

    #[test]
    fn values_of_serde_json_become_trees() {
        let raw: Box<RawValue> = serde_json::from_str(r#"{"a": [1, "2"]}"#).unwrap();
        assert_eq!(json(&raw), r#"{"a":[1,"2"]}"#);
        assert_eq!(
            json(&serde_json::json!([1.5, null, "x"])),
            r#"[1.5,null,"x"]"#
        );
    }

    #[test]
    fn a_value_without_json_is_absent_or_refused() {
        assert_eq!(Tree::of(&f64::NAN), Ok(Tree::Nothing));
        assert_eq!(
            Tree::of(&BTreeMap::from([([1], 2)])),
            Err("cannot be written: key must be a string".to_owned())
        );
        assert_eq!(json(&[1.0, 2.5, -0.0]), "[1,2.5,-0]");
    }
}
