//! JSON numbers beyond the range of 64-bit floats: the parser would refuse the whole file because of one. They are read as strings.

use super::locate_json::end_of_string;

/// Returns the content with quotes around such numbers; `None` if it has none.
pub(super) fn numbers(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    let mut patched: Option<String> = None;
    let mut copied = 0;
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => at = end_of_string(bytes, at + 1),
            b'-' | b'0'..=b'9' => {
                let length = bytes
                    .iter()
                    .skip(at)
                    .take_while(|byte| byte.is_ascii_digit() || b"+-.eE".contains(byte))
                    .count();
                let number = text.get(at..at + length).unwrap_or_default();
                // Shorter ones are in range: the exponent alone takes four characters.
                if length > 4 && number.parse::<f64>().is_ok_and(f64::is_infinite) {
                    let patched = patched.get_or_insert_default();
                    patched.push_str(text.get(copied..at).unwrap_or_default());
                    patched.push('"');
                    patched.push_str(number);
                    patched.push('"');
                    copied = at + length;
                }
                at += length;
            }
            _ => at += 1,
        }
    }
    let mut patched = patched?;
    patched.push_str(text.get(copied..).unwrap_or_default());
    Some(patched)
}

#[cfg(test)]
mod tests {
    use super::numbers;

    #[test]
    fn only_numbers_beyond_all_floats_become_texts() {
        let text = r#"{"a\"1e999": [1e400, -1e400, 1e308, 12345678901234567890123], "b": "1e999"}"#;
        let patched =
            r#"{"a\"1e999": ["1e400", "-1e400", 1e308, 12345678901234567890123], "b": "1e999"}"#;
        assert_eq!(numbers(text).as_deref(), Some(patched));
        assert_eq!(numbers(r#"{"a": 1e308, "b": "1e999"}"#), None);
    }
}
