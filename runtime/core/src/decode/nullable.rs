//! A value, `null`, or absent: the states of an optional nullable property.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::failure::Failure;
use super::read::Read;
use super::reader::Reader;
use crate::document::shape::{Shape, Shaped};

/// A value that a request sets, clears with `null`, or leaves unchanged.
///
/// A struct with a field of this type leaves an [absent](Self::Absent) member out. Elsewhere, it is written as `null`.
///
/// ```
/// use generated_client::values::Nullable;
/// use serde::Serialize;
///
/// #[derive(Default, Serialize)]
/// struct Change {
///     #[serde(skip_serializing_if = "Nullable::is_absent")]
///     note: Nullable<String>,
/// }
///
/// let json = |note| serde_json::to_string(&Change { note });
/// assert_eq!(json(Nullable::Absent)?, "{}");
/// assert_eq!(json(Nullable::Null)?, r#"{"note":null}"#);
/// assert_eq!(json("new".to_owned().into())?, r#"{"note":"new"}"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Nullable<T> {
    /// Not sent.
    #[default]
    Absent,
    /// Sent as `null`.
    Null,
    /// Sent as this value.
    Value(T),
}

impl<T> Nullable<T> {
    /// Returns whether the value is absent, so that it is not sent.
    pub fn is_absent(&self) -> bool {
        matches!(self, Self::Absent)
    }

    /// Returns whether it is `null`.
    pub fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }

    /// Returns the value, if there is one.
    pub fn value(&self) -> Option<&T> {
        match self {
            Self::Value(value) => Some(value),
            Self::Absent | Self::Null => None,
        }
    }
}

/// Makes a present value.
impl<T> From<T> for Nullable<T> {
    fn from(value: T) -> Self {
        Self::Value(value)
    }
}

/// Converts `None` to `null`.
impl<T> From<Option<T>> for Nullable<T> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Self::Value)
    }
}

impl<T: Shaped> Shaped for Nullable<T> {
    const SHAPE: &'static Shape = T::SHAPE;
    const ELEMENT: &'static Shape = Option::<T>::ELEMENT;
}

impl<T: Read> Read for Nullable<T> {
    fn read(reader: &mut Reader<'_>) -> Result<Self, Failure> {
        Option::read(reader).map(Self::from)
    }
}

/// Never reads absent: the struct does, with `serde(default)`.
impl<'de, T: Deserialize<'de>> Deserialize<'de> for Nullable<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Option::deserialize(deserializer).map(Self::from)
    }
}

impl<T: Serialize> Serialize for Nullable<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.value().serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
    #[serde(default)]
    struct Change {
        #[serde(skip_serializing_if = "Nullable::is_absent")]
        count: Nullable<u8>,
        #[serde(skip_serializing_if = "Nullable::is_absent")]
        tags: Nullable<Vec<String>>,
    }

    #[test]
    fn each_state_is_written_and_read_back() {
        let counts = [Nullable::Absent, Nullable::Null, Nullable::Value(0)];
        let tags = [Nullable::Absent, Nullable::Null, Vec::new().into()];
        let members = [["", "null", "0"], ["", "null", "[]"]];
        for (count, first) in counts.into_iter().zip(members[0]) {
            for (tags, second) in tags.iter().cloned().zip(members[1]) {
                let change = Change { count, tags };
                let members = [("count", first), ("tags", second)];
                let members = members.iter().filter(|(_, text)| !text.is_empty());
                let members: Vec<_> = members
                    .map(|(name, text)| format!("\"{name}\":{text}"))
                    .collect();
                let text = format!("{{{}}}", members.join(","));
                assert_eq!(serde_json::to_string(&change).unwrap(), text);
                assert_eq!(serde_json::from_str::<Change>(&text).unwrap(), change);
            }
        }
        assert!(serde_json::from_str::<Change>(r#"{"count":"many"}"#).is_err());
    }
}
