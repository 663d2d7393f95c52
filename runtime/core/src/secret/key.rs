//! The secrets of a client: the check of a key, and the search for secrets in data of the service. No error of this module shows a secret.

use std::iter::successors;

use secrecy::{ExposeSecret, SecretString};

use crate::secret::base64;
use crate::secret::spelling::{self, is_same};

/// The strings that must never be shown: an API key, or all credentials of a client together.
pub(crate) struct ApiKey {
    /// The strings to search for.
    traces: Vec<Trace>,
    /// True for each byte with which one of them may begin. Most positions match none.
    begins: [bool; 256],
}

/// A string that reveals a secret.
struct Trace {
    text: SecretString,
    /// True if it is Base64 of the secret, so that the rest of a group may follow it.
    is_base64: bool,
}

/// The problem of a string that was given as a key, as the end of a sentence.
#[derive(Debug)]
pub(crate) struct InvalidKey(pub(crate) &'static str);

/// Refuses everything but printable ASCII without spaces: other valid header characters are copying errors in a key.
pub(crate) fn check(text: &str) -> Result<(), InvalidKey> {
    if text.is_empty() {
        return Err(InvalidKey("is empty"));
    }
    if !text.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(InvalidKey(
            "contains a space, a line break or another invalid character",
        ));
    }
    Ok(())
}

impl ApiKey {
    /// Guards all of these strings; empty ones are left out.
    pub(crate) fn guarding<'t>(texts: impl IntoIterator<Item = &'t SecretString>) -> Self {
        let texts = texts.into_iter().map(SecretString::expose_secret);
        let texts: Vec<&str> = texts.filter(|text| !text.is_empty()).collect();
        let traces: Vec<Trace> = texts.into_iter().flat_map(traces_of).collect();
        let begins = begins(&traces);
        Self { traces, begins }
    }

    /// Returns whether a service repeats a secret here, in any spelling.
    pub(crate) fn is_in(&self, bytes: &[u8]) -> bool {
        (0..bytes.len()).any(|at| self.end_at(bytes, at).is_some())
    }

    /// Returns the end of the longest repetition of a secret that begins here.
    pub(crate) fn end_at(&self, bytes: &[u8], at: usize) -> Option<usize> {
        let byte = *bytes.get(at)?;
        if !*self.begins.get(usize::from(byte))? {
            return None;
        }
        let ends = self.traces.iter();
        ends.filter_map(|trace| trace.end_at(bytes, at)).max()
    }
}

/// Returns the strings that reveal a secret.
fn traces_of(secret: &str) -> Vec<Trace> {
    let mut plain = vec![secret.to_owned()];
    // Services percent-encode bytes, and escape characters.
    if !secret.is_ascii() {
        plain.push(secret.bytes().map(char::from).collect());
    }
    let base64 = base64::traces(secret.as_bytes());
    let all = plain.into_iter().map(|text| (text, false));
    let all = all.chain(base64.into_iter().map(|text| (text, true)));
    all.map(|(text, is_base64)| Trace {
        text: text.into(),
        is_base64,
    })
    .collect()
}

/// Returns for each byte whether a spelling of one of these strings may begin with it.
fn begins(traces: &[Trace]) -> [bool; 256] {
    std::array::from_fn(|code| {
        let byte = u8::try_from(code).unwrap_or_default();
        !byte.is_ascii()
            || b"%\\".contains(&byte)
            || traces.iter().any(|trace| trace.begins_with(byte.into()))
    })
}

impl Trace {
    fn begins_with(&self, code: u32) -> bool {
        let first = self.text.expose_secret().chars().next();
        first.is_some_and(|first| is_same(code, first))
    }

    fn end_at(&self, bytes: &[u8], at: usize) -> Option<usize> {
        let end = spelling::end_of(bytes, at, self.text.expose_secret())?;
        if !self.is_base64 {
            return Some(end);
        }
        // The rest of a group contains the last bits of the secret, or is padding.
        let ends = successors(Some(end), |end| base64::end_of_next(bytes, *end));
        ends.take(1 + 3).last()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::secret::quotation::redact;

    impl ApiKey {
        /// Makes the key alone.
        pub(crate) fn parse(secret: SecretString) -> Result<Self, InvalidKey> {
            check(secret.expose_secret())?;
            Ok(Self::guarding([&secret]))
        }
    }

    #[test]
    fn base64_is_redacted_to_its_end() {
        for (key, text, redacted) in [
            // Alone, with and without padding, and behind a user name.
            ("canary-47", "Basic Y2FuYXJ5LTQ3", "Basic [key]"),
            ("canary-471", "Basic Y2FuYXJ5LTQ3MQ==.", "Basic [key]."),
            ("canary-4711", "Basic Y2FuYXJ5LTQ3MTE=.", "Basic [key]."),
            ("canary-4711", "Basic Y2FuYXJ5LTQ3MTE%3D.", "Basic [key]."),
            ("canary-47", "Basic bWU6Y2FuYXJ5LTQ3.", "Basic bWU6[key]."),
            ("canary-47", "Basic Y2FuYXJ5LTQ4.", "Basic Y2FuYXJ5LTQ4."),
        ] {
            let key = ApiKey::parse(key.into()).unwrap();
            assert_eq!(redact(text, Some(&key)), redacted);
        }
    }

    #[test]
    fn a_key_is_found_in_the_lower_case_of_header_names() {
        let key = ApiKey::parse("Canary-4711".into()).unwrap();
        // `Canary-4711` in Base64
        for name in ["x-canary-4711", "x-q2fuyxj5ltq3mte"] {
            assert!(key.is_in(name.as_bytes()), "{name}");
        }
        assert!(!key.is_in(b"x-canary-471"));
    }

    #[test]
    fn a_key_is_found_in_any_case() {
        let key = ApiKey::parse("Canary-4711@[x".into()).unwrap();
        for text in [
            "CANARY-4711@[X",
            "canary-4711@[x",
            "cAnArY-4711@[X",
            "%43ANARY%2D4711%40%5BX",
            r"\u0063anary-4711@[\u0058",
        ] {
            assert_eq!(
                redact(&format!("a {text}."), Some(&key)),
                "a [key].",
                "{text}"
            );
        }
        // Punctuation has no case: `@` and `[` are 0x20 below a backquote and a brace.
        for other in ["canary-4711`[x", "canary-4711@{x", "canary\r4711@[x"] {
            assert_eq!(redact(other, Some(&key)), other);
        }
        let one = ApiKey::parse("ß".into());
        assert!(one.is_err());
        let password = ApiKey::guarding(&["pÄss-é".into()]);
        assert_eq!(redact("PÄSS-é", Some(&password)), "[key]");
    }

    #[test]
    fn a_password_that_is_not_ascii_is_found_as_characters_and_as_bytes() {
        let key = ApiKey::guarding([&"pässword-é".into()]);
        for text in [
            "pässword-é",
            "p%C3%A4ssword-%C3%A9",
            r"p\u00e4ssword-\u00e9",
            // `me:pässword-é`
            "bWU6cMOkc3N3b3JkLcOp",
        ] {
            let shown = redact(&format!("<{text}>"), Some(&key));
            assert!(shown.contains("[key]"), "{text}: {shown}");
            assert!(
                !shown.contains("word") && !shown.contains("3N3b3"),
                "{shown}"
            );
        }
        assert_eq!(redact("é passwörd", Some(&key)), "é passwörd");
    }

    #[test]
    fn several_secrets_are_found_and_empty_ones_are_ignored() {
        let key = ApiKey::guarding(&["one-1".into(), "".into(), "one-12".into(), "two-2".into()]);
        let shown = redact("one-12 two%2D2 b25lLTE one", Some(&key));
        assert_eq!(shown, "[key] [key] b25lLTE one");
    }
}
