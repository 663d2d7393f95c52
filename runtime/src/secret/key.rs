//! The API key: what is accepted as one, and where the service repeats it. No error of this module shows the key.

use std::iter::successors;

use secrecy::{ExposeSecret, SecretString};

use crate::secret::{base64, spelling};

pub(crate) struct ApiKey {
    secret: SecretString,
    /// What to look for in texts of the service's: the key, and after it its Base64.
    traces: Vec<SecretString>,
    /// The same in lower case, as HTTP has the names of headers.
    lower_case: Vec<SecretString>,
}

/// What is wrong with a text that was given as a key, as the end of a sentence.
#[derive(Debug)]
pub(crate) struct NoKey(pub(crate) &'static str);

impl ApiKey {
    /// Accepts printable ASCII without spaces: what else a header may hold is, in a key, a slip in copying.
    pub(crate) fn parse(secret: SecretString) -> Result<Self, NoKey> {
        let text = secret.expose_secret();
        if text.is_empty() {
            return Err(NoKey("is empty"));
        }
        if !text.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(NoKey(
                "holds a space, a line break or another character that cannot stand in it",
            ));
        }
        let base64 = base64::traces(text.as_bytes());
        let traces: Vec<SecretString> = std::iter::once(text.to_owned())
            .chain(base64)
            .map(SecretString::from)
            .collect();
        let lower_case = |trace: &SecretString| trace.expose_secret().to_ascii_lowercase().into();
        Ok(Self {
            lower_case: traces.iter().map(lower_case).collect(),
            traces,
            secret,
        })
    }

    /// The key itself, for the header that carries it.
    pub(crate) fn expose(&self) -> &str {
        self.secret.expose_secret()
    }

    /// Whether a service repeats the key here, in any [spelling](crate::spelling).
    pub(crate) fn is_in(&self, bytes: &[u8]) -> bool {
        (0..bytes.len()).any(|at| self.end_at(bytes, at).is_some())
    }

    /// Whether the name of a header, which is in lower case, holds the key.
    pub(crate) fn is_in_name(&self, name: &str) -> bool {
        let name = name.as_bytes();
        (0..name.len()).any(|at| end_of_any(&self.lower_case, name, at).is_some())
    }

    /// Where a repetition of the key ends that begins here.
    pub(crate) fn end_at(&self, bytes: &[u8], at: usize) -> Option<usize> {
        end_of_any(&self.traces, bytes, at)
    }

    /// The most bytes that a repetition of the key takes.
    pub(crate) fn longest(&self) -> usize {
        let lengths = self.traces.iter().map(|trace| trace.expose_secret().len());
        spelling::longest(lengths.max().unwrap_or_default())
    }
}

fn end_of_any(traces: &[SecretString], bytes: &[u8], at: usize) -> Option<usize> {
    let byte = *bytes.get(at)?;
    let traces = || traces.iter().map(|trace| trace.expose_secret().as_bytes());
    let is_first = |code| traces().any(|trace| trace.first().copied().map(u32::from) == Some(code));
    // Nearly everywhere, nothing begins.
    let may_begin = match spelling::is_escape(byte) {
        true => spelling::end_of_one(bytes, at, is_first).is_some(),
        false => is_first(byte.into()),
    };
    if !may_begin {
        return None;
    }
    let mut traces = traces();
    let key = traces
        .next()
        .and_then(|key| spelling::end_of(bytes, at, key));
    let base64 = traces.filter_map(|trace| spelling::end_of(bytes, at, trace));
    // The rest of a group holds the last bits of the key, or is padding.
    let after = |end: &usize| base64::end_of_next(bytes, *end);
    let base64 = base64.filter_map(|end| successors(Some(end), after).take(1 + 3).last());
    key.into_iter().chain(base64).max()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::secret::quotation::redact;

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
    fn the_name_of_a_header_holds_the_key_in_lower_case() {
        let key = ApiKey::parse("Canary-4711".into()).unwrap();
        assert!(key.is_in_name("x-canary-4711"));
        assert!(!key.is_in_name("x-canary-471"));
        assert!(!key.is_in(b"x-canary-4711"));
        assert!(key.is_in(b"x-Canary%2D4711"));
    }
}
