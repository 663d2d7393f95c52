//! Values that services send as strings, or in an assumed form.
//!
//! Each type keeps any JSON value, never fails a decode because of it, writes it back, and parses it on demand. Accessors return `None` for
//! a value of another format; nothing is guessed.
//!
//! A value that is no string is kept as the JSON that was sent, with all digits of a number; a [`SecretText`] is then written as a string.

#[cfg(feature = "text-types")]
mod base64;
#[cfg(feature = "text-types")]
mod digits;
#[cfg(feature = "text-types")]
mod loose;
#[cfg(feature = "text-types")]
mod native;
mod secret_text;
#[cfg(feature = "text-types")]
mod shown_string;
#[cfg(feature = "text-types")]
mod string_or_json;
#[cfg(feature = "text-types")]
mod text_date;
#[cfg(feature = "text-types")]
mod text_decimal;
#[cfg(feature = "text-types")]
mod text_range;
#[cfg(feature = "text-types")]
mod text_uuid;
#[cfg(any(feature = "cache", feature = "full"))]
mod website;

#[cfg(test)]
mod tests;

pub use crate::decode::nullable::Nullable;
#[cfg(feature = "text-types")]
pub use base64::Base64;
#[cfg(feature = "text-types")]
pub use loose::Loose;
#[cfg(feature = "uuid")]
pub use native::NativeUuid;
#[cfg(feature = "chrono")]
pub use native::{ChronoDate, ChronoDateTime};
#[cfg(feature = "text-types")]
pub use native::{Format, Native, ParseNativeError};
#[cfg(feature = "jiff")]
pub use native::{JiffDate, JiffTimestamp};
pub use secret_text::SecretText;
pub(crate) use secret_text::take_exposed;
#[cfg(feature = "text-types")]
pub use text_date::TextDate;
#[cfg(feature = "text-types")]
pub use text_decimal::TextDecimal;
#[cfg(feature = "text-types")]
pub use text_range::TextRange;
#[cfg(feature = "text-types")]
pub use text_uuid::TextUuid;
#[cfg(any(feature = "cache", feature = "full"))]
pub use website::website;
