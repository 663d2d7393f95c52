//! Values that services send as strings, or in an assumed form.
//!
//! Each type keeps any JSON value, never fails a decode because of it, writes it back, and parses it on demand. Accessors return `None` for
//! a value of another format; nothing is guessed.
//!
//! A value that is no string is kept as the JSON that was sent, with all digits of a number.

mod base64;
mod digits;
mod loose;
mod native;
mod secret_text;
mod string_or_json;
mod text_date;
mod text_decimal;
mod text_range;
mod text_uuid;
mod website;

#[cfg(test)]
mod tests;

pub use crate::decode::nullable::Nullable;
pub use base64::Base64;
pub use loose::Loose;
#[cfg(feature = "uuid")]
pub use native::NativeUuid;
#[cfg(feature = "chrono")]
pub use native::{ChronoDate, ChronoDateTime};
pub use native::{Format, Native, ParseNativeError};
#[cfg(feature = "jiff")]
pub use native::{JiffDate, JiffTimestamp};
pub use secret_text::SecretText;
pub(crate) use secret_text::take_exposed;
pub use text_date::TextDate;
pub use text_decimal::TextDecimal;
pub use text_range::TextRange;
pub use text_uuid::TextUuid;
pub use website::website;
