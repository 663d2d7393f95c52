//! String formats that can be checked.

use crate::values::{TextDate, TextUuid};

/// A string format that is checked before a call.
///
/// ```
/// # use generated_client::document::Operation;
/// use generated_client::request::{Request, TextFormat};
///
/// # static VISIT: Operation = Operation::get("visit", "/v1/visits/{id}");
/// let mut request = Request::new(&VISIT);
/// request.require_format("id", "not a UUID", TextFormat::Uuid).path("id", &"not a UUID");
/// // The call is refused when it is sent: `id` is not a UUID.
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextFormat {
    /// A date without a time of day.
    Date,
    /// A date with a time of day. Services that document it often accept one without a zone.
    DateTime,
    /// A UUID.
    Uuid,
}

impl TextFormat {
    pub(super) fn takes(self, text: &str) -> bool {
        // Services do not read the surrounding white space.
        if text.trim().len() != text.len() {
            return false;
        }
        match self {
            Self::Date => TextDate::from(text).is_date_only(),
            Self::DateTime => {
                let date = TextDate::from(text);
                date.date().is_some() && !date.is_date_only()
            }
            Self::Uuid => TextUuid::from(text).to_u128().is_some(),
        }
    }

    pub(super) fn expected(self) -> &'static str {
        match self {
            Self::Date => "a date",
            Self::DateTime => "a date with a time of day",
            Self::Uuid => "a UUID",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::TextFormat;

    #[test]
    fn formats_accept_the_common_spellings() {
        let uuid = "67e55044-10b1-426f-9247-bb680e5fe0c8";
        let (date, local, instant) = ("2024-05-06", "2024-05-06T07:08", "2024-05-06T07:08:09Z");
        for (format, taken) in [
            (TextFormat::Date, vec![date]),
            (TextFormat::DateTime, vec![local, instant]),
            (TextFormat::Uuid, vec![uuid]),
        ] {
            for text in ["", "soon", " 2024-05-06", date, local, instant, uuid] {
                assert_eq!(
                    format.takes(text),
                    taken.contains(&text),
                    "{format:?} {text}"
                );
            }
        }
    }
}
