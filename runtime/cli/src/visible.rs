//! Makes data from the service safe to show: no character moves the cursor, sets a colour, changes the direction of the text, or says what
//! nobody sees.

use std::borrow::Cow;

use serde::de::IgnoredAny;

use generated_client::internal::{base64, marked};

/// Escapes each deceptive character as JSON does. JSON in one line stays the same JSON.
pub(crate) fn visible(text: &str) -> Cow<'_, str> {
    if marked(text).all(|(_, deceives)| !deceives) {
        return text.into();
    }
    let mut escaped = String::with_capacity(text.len());
    for (c, deceives) in marked(text) {
        push(&mut escaped, c, deceives);
    }
    escaped.into()
}

/// Escapes the deceptive characters of several lines, but not what separates lines and words.
pub(crate) fn visible_lines(text: &str) -> Cow<'_, str> {
    if !is_hidden(text) {
        return text.into();
    }
    let mut escaped = String::with_capacity(text.len());
    let mut rest = marked(text).peekable();
    while let Some((c, deceives)) = rest.next() {
        match c {
            '\n' | '\t' => escaped.push(c),
            '\r' if rest.peek().is_some_and(|(next, _)| *next == '\n') => escaped.push(c),
            c => push(&mut escaped, c, deceives),
        }
    }
    escaped.into()
}

/// Returns whether a string has deceptive characters. Line breaks and tabs are harmless, and a carriage return is if it is a part of one.
fn is_hidden(text: &str) -> bool {
    let text = text.replace("\r\n", "\n");
    marked(&text).any(|(c, deceives)| deceives && c != '\n' && c != '\t')
}

/// Returns bytes in a readable, reversible form, and the name of that form. Deceptive characters in JSON are escaped. Other data is
/// unchanged if nothing in it is hidden, and Base64 otherwise.
pub(crate) fn legible(bytes: &[u8]) -> (&'static str, String) {
    let text = match str::from_utf8(bytes) {
        Ok(text) => Cow::from(text),
        // It broke off within a character.
        Err(error) if error.error_len().is_none() => String::from_utf8_lossy(bytes),
        Err(_) => return (", in Base64", base64(bytes)),
    };
    if !is_hidden(&text) {
        return ("", text.into_owned());
    }
    if serde_json::from_str::<IgnoredAny>(&text).is_err() {
        return (", in Base64", base64(bytes));
    }
    // A carriage return is between the parts of JSON alone.
    let lines = text.replace('\r', "\n");
    (", with escapes", visible_lines(&lines).into_owned())
}

fn push(text: &mut String, c: char, deceives: bool) {
    match c {
        '\n' => text.push_str("\\n"),
        '\t' => text.push_str("\\t"),
        c if deceives => {
            for unit in c.encode_utf16(&mut [0; 2]) {
                text.push_str(&format!("\\u{unit:04x}"));
            }
        }
        c => text.push(c),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SENT: &str =
        "a\u{1b}[2J\u{9b}31m\u{85}\u{202e}b\u{2067}\u{61c}\u{7f}é\u{200b}\u{e0041}\u{fe0f}";

    #[test]
    fn deceptive_characters_are_escapes_and_json_stays_the_same() {
        let shown = r"a\u001b[2J\u009b31m\u0085\u202eb\u2067\u061c\u007fé\u200b\udb40\udc41\ufe0f";
        assert_eq!(visible(SENT), shown);
        assert_eq!(visible("a\r\n\tb"), r"a\u000d\n\tb");
        for plain in ["plain é 👩\u{200d}🚒 ❤\u{fe0f}", "می\u{200c}خواهم"] {
            assert!(matches!(visible(plain), Cow::Borrowed(_)));
        }
        let json = serde_json::to_string(SENT).unwrap();
        assert_ne!(visible(&json), json);
        assert_eq!(
            serde_json::from_str::<String>(&visible(&json)).unwrap(),
            SENT
        );
    }

    #[test]
    fn lines_stay_lines() {
        let lines = "a\tb\r\nc\u{1b}[2J\rd\n\u{202e}";
        assert_eq!(visible_lines(lines), "a\tb\r\nc\\u001b[2J\\u000dd\n\\u202e");
        assert!(matches!(visible_lines("a\tb\r\nc\n"), Cow::Borrowed(_)));
    }

    #[test]
    fn all_bytes_can_be_read_again() {
        for plain in ["", "a\tb\r\nc\n", "{\"a\": \"é\"}"] {
            assert_eq!(legible(plain.as_bytes()), ("", plain.to_owned()));
        }
        let json = format!(
            "{{\r\n\t\"a\":\r{}}}\r",
            serde_json::to_string(SENT).unwrap()
        );
        let (form, shown) = legible(json.as_bytes());
        assert_eq!(form, ", with escapes");
        assert!(!is_hidden(&shown), "{shown}");
        let read: serde_json::Value = serde_json::from_str(&shown).unwrap();
        assert_eq!(read["a"], SENT);
        for bytes in [
            SENT.as_bytes(),
            b"over\rwritten",
            b"\xff",
            &json.as_bytes()[..20],
        ] {
            assert_eq!(legible(bytes), (", in Base64", base64(bytes)));
        }
    }
}
