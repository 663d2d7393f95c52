//! Base64 of a key, as in HTTP's `Basic` credentials: alone, or behind a user name of any length.

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD};

use crate::secret::spelling::readings;

/// Shorter strings occur in the Base64 of anything.
const SHORTEST: usize = 8;

/// Returns the characters of Base64 that depend only on these bytes, for each of the three alignments and both alphabets. One of the
/// results occurs in the Base64 of any data that contains the bytes.
pub(super) fn traces(text: &[u8]) -> Vec<String> {
    let mut traces = Vec::new();
    for before in 0..3 {
        let all = STANDARD_NO_PAD.encode([vec![0; before], text.to_vec()].concat());
        let inside = (8 * before).div_ceil(6)..8 * (before + text.len()) / 6;
        let Some(trace) = all.get(inside).filter(|trace| trace.len() >= SHORTEST) else {
            continue;
        };
        if trace.contains(['+', '/']) {
            traces.push(trace.replace('+', "-").replace('/', "_"));
        }
        traces.push(trace.to_owned());
    }
    traces
}

/// Encodes bytes as Base64 with padding.
pub(crate) fn encode(bytes: &[u8]) -> String {
    STANDARD.encode(bytes)
}

/// Returns the end of the next character, if it is one of Base64, padding included.
pub(super) fn end_of_next(text: &[u8], at: usize) -> Option<usize> {
    let mut readings = readings(text, at);
    let is_base64 = |code: u32| {
        let byte = u8::try_from(code).unwrap_or_default();
        byte.is_ascii_alphanumeric() || b"+/-_=".contains(&byte)
    };
    readings.find_map(|(code, end)| is_base64(code).then_some(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trace_occurs_in_any_base64_that_contains_the_string() {
        // `canary-4711`, alone and behind `:`, `k:`, `me:` and before `:x`.
        let known = [
            "Y2FuYXJ5LTQ3MTE=",
            "OmNhbmFyeS00NzEx",
            "azpjYW5hcnktNDcxMQ==",
            "bWU6Y2FuYXJ5LTQ3MTE=",
            "Y2FuYXJ5LTQ3MTE6eA==",
        ];
        let traces = traces(b"canary-4711");
        assert_eq!(traces.len(), 3);
        for base64 in known {
            assert!(
                traces.iter().any(|trace| base64.contains(trace)),
                "{base64}"
            );
        }
    }

    #[test]
    fn credentials_are_written_as_rfc_7617_shows() {
        assert_eq!(
            encode(b"Aladdin:open sesame"),
            "QWxhZGRpbjpvcGVuIHNlc2FtZQ=="
        );
    }

    #[test]
    fn both_alphabets_are_searched() {
        let traces = traces(b"????>>>>");
        for base64 in ["Pz8/Pz4+Pj4=", "Pz8_Pz4-Pj4="] {
            assert!(
                traces.iter().any(|trace| base64.contains(trace)),
                "{base64}"
            );
        }
    }

    #[test]
    fn a_short_key_has_no_traces() {
        assert!(traces(b"abcd").is_empty());
    }
}
