//! Decoding that reports where it fails.

use serde::de::DeserializeOwned;

use crate::decode::decoder::{read_tolerantly, read_tolerantly_watched};
use crate::decode::explain::plain;
use crate::decode::pointer::Located;
use crate::decode::set_aside::Inner;
use crate::decode::watch::Watch;
use crate::secret::conceal::message;

/// Decodes a string that failed a plain decode: tracks the path, and accepts whole numbers in any spelling, numbers for strings, and
/// strings for numbers.
pub(crate) fn decode_located<T: DeserializeOwned>(text: &str) -> Result<T, Located> {
    let inner = Inner::begin()?;
    match read_tolerantly(text) {
        Ok(value) => Ok(value),
        Err(error) => Err(failure(&inner, &error)),
    }
}

/// Decodes a body as [`decode_located`] does, and lets the watch notice its member.
pub(crate) fn decode_located_watching<T: DeserializeOwned>(
    text: &str,
    watch: &mut Watch,
) -> Result<T, Located> {
    if watch.is_idle() {
        return decode_located(text);
    }
    let inner = Inner::begin()?;
    watch
        .during(|| read_tolerantly_watched(text))
        .map_err(|error| failure(&inner, &error))
}

fn failure(inner: &Inner, error: &serde_json::Error) -> Located {
    inner.failed(message(&plain(&error.to_string())))
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
