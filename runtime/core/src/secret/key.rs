//! The secrets of a client: the check of a key, and the search for secrets in data of the service. No error of this module shows a secret.

use std::iter::successors;

use secrecy::{ExposeSecret, SecretString};

use crate::secret::base64;
use crate::secret::spelling::{self, is_escape, is_same};

/// The strings that must never be shown: an API key, or all credentials of a client together.
pub(crate) struct ApiKey {
    /// The strings to search for.
    traces: Traces,
    /// The same in lower case, including Base64, because HTTP header names are in lower case.
    lower_case: Traces,
}

/// Strings that are searched for together.
struct Traces {
    texts: Vec<Trace>,
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
        let plain = texts.iter().flat_map(|text| {
            // Services percent-encode bytes, and escape characters.
            let bytes = || text.bytes().map(char::from).collect::<String>();
            [(*text).to_owned()]
                .into_iter()
                .chain((!text.is_ascii()).then(bytes))
                .map(|text| (text, false))
        });
        let base64 = texts.iter().flat_map(|text| {
            let traces = base64::traces(text.as_bytes());
            traces.into_iter().map(|trace| (trace, true))
        });
        let traces: Vec<Trace> = plain.chain(base64).map(Trace::of).collect();
        let lower_case = |trace: &Trace| {
            Trace::of((
                trace.text.expose_secret().to_ascii_lowercase(),
                trace.is_base64,
            ))
        };
        Self {
            lower_case: Traces::of(traces.iter().map(lower_case).collect()),
            traces: Traces::of(traces),
        }
    }

    /// Returns whether a service repeats a secret here, in any [spelling](crate::spelling).
    pub(crate) fn is_in(&self, bytes: &[u8]) -> bool {
        (0..bytes.len()).any(|at| self.end_at(bytes, at).is_some())
    }

    /// Returns whether a header name, which is in lower case, contains a secret.
    pub(crate) fn is_in_name(&self, name: &str) -> bool {
        let name = name.as_bytes();
        (0..name.len()).any(|at| self.lower_case.end_at(name, at).is_some())
    }

    /// Returns the end of a repetition of a secret that begins here.
    pub(crate) fn end_at(&self, bytes: &[u8], at: usize) -> Option<usize> {
        self.traces.end_at(bytes, at)
    }

    /// Returns the maximum length of a repetition of a secret, in bytes.
    pub(crate) fn longest(&self) -> usize {
        let texts = self.traces.texts.iter();
        let lengths = texts.map(|trace| trace.text.expose_secret().len());
        spelling::longest(lengths.max().unwrap_or_default())
    }
}

impl Trace {
    fn of((text, is_base64): (String, bool)) -> Self {
        Self {
            text: text.into(),
            is_base64,
        }
    }

    /// Services change the case of names and hosts. In Base64, a change of case destroys the secret.
    fn has_any_case(&self) -> bool {
        !self.is_base64
    }

    fn begins_with(&self, code: u32) -> bool {
        let first = self.text.expose_secret().chars().next();
        first.is_some_and(|first| is_same(code, first, self.has_any_case()))
    }

    fn end_at(&self, bytes: &[u8], at: usize) -> Option<usize> {
        let end = spelling::end_of(bytes, at, self.text.expose_secret(), self.has_any_case())?;
        if !self.is_base64 {
            return Some(end);
        }
        // The rest of a group contains the last bits of the secret, or is padding.
        let after = |end: &usize| base64::end_of_next(bytes, *end);
        successors(Some(end), after).take(1 + 3).last()
    }
}

impl Traces {
    fn of(texts: Vec<Trace>) -> Self {
        let begins = std::array::from_fn(|byte| {
            let is_of =
                |trace: &Trace| u32::try_from(byte).is_ok_and(|byte| trace.begins_with(byte));
            let is_first = texts.iter().any(is_of);
            is_first || u8::try_from(byte).is_ok_and(|byte| !byte.is_ascii() || is_escape(byte))
        });
        Self { texts, begins }
    }

    /// Returns the end of the longest string that begins here.
    fn end_at(&self, bytes: &[u8], at: usize) -> Option<usize> {
        let byte = *bytes.get(at)?;
        if !*self.begins.get(usize::from(byte))? {
            return None;
        }
        let is_first = |code| self.texts.iter().any(|trace| trace.begins_with(code));
        if is_escape(byte) && spelling::end_of_one(bytes, at, is_first).is_none() {
            return None;
        }
        let ends = self.texts.iter();
        ends.filter_map(|trace| trace.end_at(bytes, at)).max()
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
    fn header_names_are_searched_for_the_key_in_lower_case() {
        let key = ApiKey::parse("Canary-4711".into()).unwrap();
        // `Canary-4711` in Base64
        for name in ["x-canary-4711", "x-q2fuyxj5ltq3mte"] {
            assert!(key.is_in_name(name), "{name}");
        }
        assert!(!key.is_in_name("x-canary-471"));
        assert!(!key.is_in(b"x-q2fuyxj5ltq3mte"));
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
            "&#99;anary-4711@&#x5b;X",
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
            "p&#228;ssword-&#xe9;",
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
