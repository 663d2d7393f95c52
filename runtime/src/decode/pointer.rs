//! Decoding that says where it fails, as a JSON Pointer (RFC 6901).

use serde::de::DeserializeOwned;
use serde_path_to_error::{Path, Segment};

use crate::decode::explain::plain;
use crate::decode::tolerant::Tolerant;
use crate::secret::conceal::{concealed, message};

/// Where and why a decode failed. Both may be as long as the text: what keeps them shortens them, once they are free of the key.
#[derive(Debug)]
pub(crate) struct Located {
    /// Pointer to the value that does not fit; empty for the whole text.
    pub(crate) pointer: String,
    pub(crate) message: String,
}

impl Located {
    /// A failure of the text as a whole.
    pub(crate) fn of_the_whole(message: String) -> Self {
        Self {
            pointer: String::new(),
            message,
        }
    }
}

/// Decodes a text that has already failed a plain decode: notes the path on the way, takes whole numbers however they are
/// spelled, and numbers as texts.
pub(crate) fn decode_located<T: DeserializeOwned>(text: &str) -> Result<T, Located> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let tolerant = Tolerant(&mut deserializer);
    let value = serde_path_to_error::deserialize(tolerant).map_err(|error| Located {
        pointer: pointer(error.path()),
        message: message(&plain(&error.inner().to_string())),
    })?;
    deserializer
        .end()
        .map_err(|error| Located::of_the_whole(plain(&error.to_string())))?;
    Ok(value)
}

fn pointer(path: &Path) -> String {
    let mut pointer = String::new();
    for segment in path {
        let step = match segment {
            Segment::Seq { index } => index.to_string(),
            Segment::Map { key } => escape(key),
            Segment::Enum { variant } => escape(variant),
            // The rest would point somewhere else.
            Segment::Unknown => break,
        };
        pointer.push('/');
        pointer.push_str(&step);
    }
    pointer
}

/// A name as a step of a pointer, without the API key.
pub(crate) fn escape(name: &str) -> String {
    let name = concealed(name);
    name.replace('~', "~0").replace('/', "~1")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn a_failure_is_located_by_an_escaped_pointer() {
        type Nested = BTreeMap<String, Vec<u8>>;
        for (text, expected) in [
            (r#"{"a": [1, 2, "x"]}"#, "/a/2"),
            (r#"{"a/b~c": [true]}"#, "/a~1b~0c/0"),
            (r#"[]"#, ""),
            (r#"{} trailing"#, ""),
        ] {
            let located = decode_located::<Nested>(text).unwrap_err();
            assert_eq!(located.pointer, expected, "{text}");
        }
        assert_eq!(decode_located::<Nested>("{}").unwrap(), Nested::new());
    }
}
