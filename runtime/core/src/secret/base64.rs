//! Base64 of a key, as in HTTP's `Basic` credentials: alone, or behind a user name of any length.

use crate::secret::spelling;

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
/// Shorter strings occur in the Base64 of anything.
const SHORTEST: usize = 8;

/// Returns the characters of Base64 that depend only on these bytes, for each of the three alignments and both alphabets. One of the
/// results occurs in the Base64 of any data that contains the bytes.
pub(super) fn traces(text: &[u8]) -> Vec<String> {
    let mut traces = Vec::new();
    for before in 0..3 {
        let trace = inside(text, before);
        if trace.len() < SHORTEST {
            continue;
        }
        if trace.contains(['+', '/']) {
            traces.push(trace.replace('+', "-").replace('/', "_"));
        }
        traces.push(trace);
    }
    traces
}

/// Encodes bytes as Base64 with padding.
pub(crate) fn encode(text: &[u8]) -> String {
    let padding = (3 - text.len() % 3) % 3;
    let padded: Vec<u8> = text.iter().copied().chain([0, 0, 0]).collect();
    let length = text.len() + padding;
    let padded = padded.get(..length).unwrap_or_default();
    let encoded = inside(padded, 0);
    let end = encoded.len() - padding;
    encoded
        .chars()
        .take(end)
        .chain(std::iter::repeat_n('=', padding))
        .collect()
}

/// Returns the end of the next character, if it is one of Base64, padding included.
pub(super) fn end_of_next(text: &[u8], at: usize) -> Option<usize> {
    let is_base64 = |code: u32| {
        let byte = u8::try_from(code).unwrap_or_default();
        ALPHABET.contains(&byte) || b"-_=".contains(&byte)
    };
    spelling::end_of_one(text, at, is_base64)
}

/// Returns the characters whose 6 bits depend only on the given bytes, and not on their neighbours.
fn inside(text: &[u8], before: usize) -> String {
    let first = (8 * before).div_ceil(6);
    let end = 8 * (before + text.len()) / 6;
    let bit = |at: usize| {
        let byte = (at / 8).checked_sub(before).and_then(|byte| text.get(byte));
        byte.is_some_and(|byte| byte >> (7 - at % 8) & 1 == 1)
    };
    let sextet =
        |at: usize| (6 * at..6 * at + 6).fold(0, |bits, at| bits << 1 | usize::from(bit(at)));
    let characters = (first..end).filter_map(|at| ALPHABET.get(sextet(at)));
    characters.map(|byte| char::from(*byte)).collect()
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
    fn the_examples_of_the_specification_are_encoded() {
        // RFC 4648, section 10, and RFC 7617, section 2.
        for (text, base64) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("Aladdin:open sesame", "QWxhZGRpbjpvcGVuIHNlc2FtZQ=="),
            ("test:123£", "dGVzdDoxMjPCow=="),
        ] {
            assert_eq!(encode(text.as_bytes()), base64);
        }
    }

    #[test]
    fn a_short_key_has_no_traces() {
        assert!(traces(b"abcd").is_empty());
    }
}
