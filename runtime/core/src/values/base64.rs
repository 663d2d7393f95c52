use base64::Engine;
use base64::alphabet;
use base64::engine::general_purpose::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use bytes::Bytes;
use serde::{Deserialize, Serialize};

use super::shown_string::shown_string;
use super::string_or_json::{StringOrJson, string_type};

/// Bytes, sent as a Base64 string.
///
/// The bytes are read with or without padding, in the standard or URL-safe alphabet, and with line breaks. Everything else is kept, but has
/// no bytes. A string becomes a `Base64` unchanged, and bytes are encoded.
///
/// ```
/// use generated_client::values::Base64;
///
/// let file: Base64 = serde_json::from_str(r#""aGVsbG8=""#)?;
/// assert_eq!(file.bytes().as_deref(), Some(b"hello".as_slice()));
/// assert_eq!(Base64::from(b"hello"), "aGVsbG8=");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Base64(StringOrJson);

string_type!(Base64);
shown_string!(Base64);

const READING: GeneralPurposeConfig =
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent);
const USUAL: GeneralPurpose = GeneralPurpose::new(&alphabet::STANDARD, READING);
const FOR_URLS: GeneralPurpose = GeneralPurpose::new(&alphabet::URL_SAFE, READING);

impl Base64 {
    /// Returns the bytes; `None` if this is not valid Base64.
    pub fn bytes(&self) -> Option<Vec<u8>> {
        let text = self.is_text().then(|| self.as_str())?;
        let mut digits = Vec::with_capacity(text.len());
        digits.extend(text.bytes().filter(|byte| !byte.is_ascii_whitespace()));
        let is_for_urls = digits.iter().any(|digit| b"-_".contains(digit));
        let engine = if is_for_urls { &FOR_URLS } else { &USUAL };
        engine.decode(digits).ok()
    }
}

/// Encodes the bytes in the standard alphabet, with padding.
impl From<&[u8]> for Base64 {
    fn from(bytes: &[u8]) -> Self {
        Self::from(STANDARD.encode(bytes))
    }
}

/// Encodes the bytes in the standard alphabet, with padding.
impl<const N: usize> From<&[u8; N]> for Base64 {
    fn from(bytes: &[u8; N]) -> Self {
        Self::from(bytes.as_slice())
    }
}

/// Encodes the bytes in the standard alphabet, with padding.
impl From<Vec<u8>> for Base64 {
    fn from(bytes: Vec<u8>) -> Self {
        Self::from(bytes.as_slice())
    }
}

/// Encodes the bytes in the standard alphabet, with padding.
impl From<Bytes> for Base64 {
    fn from(bytes: Bytes) -> Self {
        Self::from(&*bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_examples_of_the_specification_are_read_and_written() {
        // RFC 4648, section 10.
        for (text, base64) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foobar", "Zm9vYmFy"),
        ] {
            assert_eq!(Base64::from(text.as_bytes()), base64);
            let read = Base64::from(base64).bytes();
            assert_eq!(read.as_deref(), Some(text.as_bytes()));
        }
    }

    #[test]
    fn padding_alphabet_and_line_breaks_are_ignored() {
        for text in ["+/8=", "-_8=", "+/8", "-_8", " +/\r\n8= "] {
            let read = Base64::from(text).bytes();
            assert_eq!(read.as_deref(), Some([0xfb, 0xff].as_slice()), "{text}");
        }
    }

    #[test]
    fn invalid_base64_is_kept_and_has_no_bytes() {
        for text in ["Z", "Zg=a", "Zh", "+_8=", "hällo", "data:,x", "="] {
            let kept = Base64::from(text);
            assert_eq!(kept.bytes(), None, "{text}");
            assert_eq!(kept.as_str(), text);
        }
        let number: Base64 = serde_json::from_str("1234").unwrap();
        assert_eq!(number.bytes(), None);
    }
}
