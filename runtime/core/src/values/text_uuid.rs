use serde::{Deserialize, Serialize};

use super::shown_string::shown_string;
use super::string_or_json::{StringOrJson, string_type};

/// A UUID, sent as a string.
///
/// It is parsed with or without hyphens, in any case, in braces and behind `urn:uuid:`. Everything else is kept, but is not a UUID. Two
/// values are equal if their strings are; [`to_u128`](Self::to_u128) compares the numbers.
///
/// The feature `uuid` adds conversions from and to the type of that crate.
///
/// ```
/// use generated_client::values::TextUuid;
///
/// let id: TextUuid = serde_json::from_str(r#""67E55044-10b1-426f-9247-bb680e5fe0c8""#)?;
/// assert_eq!(id.to_u128(), Some(0x67e55044_10b1_426f_9247_bb680e5fe0c8));
/// assert_eq!(id, "67E55044-10b1-426f-9247-bb680e5fe0c8");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TextUuid(StringOrJson);

string_type!(TextUuid);
shown_string!(TextUuid);

/// The ends of a UUID's groups, except the last.
const HYPHENS: [usize; 4] = [8, 13, 18, 23];

impl TextUuid {
    /// Returns the UUID as a number; `None` if it is not a valid UUID.
    pub fn to_u128(&self) -> Option<u128> {
        let text = self.0.trimmed()?;
        let text = text
            .strip_prefix("urn:uuid:")
            .or_else(|| text.strip_prefix('{')?.strip_suffix('}'))
            .unwrap_or(text);
        let (mut number, mut digits) = (0, 0);
        for (at, character) in text.char_indices() {
            if character == '-' && text.len() == 36 && HYPHENS.contains(&at) {
                continue;
            }
            number = number << 4 | u128::from(character.to_digit(16)?);
            digits += 1;
        }
        (digits == 32).then_some(number)
    }
}

/// Requires the feature `uuid`.
#[cfg(feature = "uuid")]
impl TextUuid {
    /// Returns the UUID; `None` if it is not valid.
    pub fn to_uuid(&self) -> Option<uuid::Uuid> {
        self.to_u128().map(uuid::Uuid::from_u128)
    }
}

/// Writes the UUID with hyphens, in lower case.
#[cfg(feature = "uuid")]
impl From<uuid::Uuid> for TextUuid {
    fn from(uuid: uuid::Uuid) -> Self {
        Self::from(uuid.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NUMBER: u128 = 0x67e5_5044_10b1_426f_9247_bb68_0e5f_e0c8;

    #[test]
    fn every_spelling_of_a_uuid_is_read() {
        for text in [
            "67e55044-10b1-426f-9247-bb680e5fe0c8",
            "67E55044-10B1-426F-9247-BB680E5FE0C8",
            "67e5504410b1426f9247bb680e5fe0c8",
            "{67e55044-10b1-426f-9247-bb680e5fe0c8}",
            "urn:uuid:67e55044-10b1-426f-9247-bb680e5fe0c8",
            " 67e55044-10b1-426f-9247-bb680e5fe0c8\n",
        ] {
            assert_eq!(TextUuid::from(text).to_u128(), Some(NUMBER), "{text}");
        }
    }

    #[test]
    fn an_invalid_uuid_is_kept_and_has_no_number() {
        for text in [
            "",
            "17",
            "67e55044-10b1-426f-9247-bb680e5fe0c",
            "67e55044-10b1-426f-9247-bb680e5fe0c88",
            "67e55044-10b1-426f-9247bb680e5fe0c8-",
            "67e5-504410b1-426f-9247-bb680e5fe0c8",
            "67e55044-10b1-426f-9247-bb680e5fe0cg",
            "--------------------------------",
            "{67e55044-10b1-426f-9247-bb680e5fe0c8",
            "６7e5504410b1426f9247bb680e5fe0c8",
        ] {
            let id = TextUuid::from(text);
            assert_eq!(id.to_u128(), None, "{text}");
            assert_eq!(id.as_str(), text);
        }
        // A number of 32 digits is not a string.
        let number: TextUuid = serde_json::from_str("12345678901234567890123456789012").unwrap();
        assert_eq!((number.is_text(), number.to_u128()), (false, None));
    }

    #[cfg(feature = "uuid")]
    #[test]
    fn a_uuid_survives_a_round_trip() {
        let id = TextUuid::from(uuid::Uuid::from_u128(NUMBER));
        assert_eq!(id, "67e55044-10b1-426f-9247-bb680e5fe0c8");
        assert_eq!(id.to_uuid(), Some(uuid::Uuid::from_u128(NUMBER)));
        assert_eq!(TextUuid::from("17").to_uuid(), None);
    }
}
