//! Values that services write as text, or in a form that is assumed.
//!
//! In goes any JSON value, out comes the same: each type keeps what was sent, never fails a decode over what it holds, and offers to read
//! it. What is not of the accepted form is kept like the rest, and every reading of it is `None`; nothing is guessed.
//!
//! Dates and ranges are kept as [`serde_json::Value`] keeps them: of a whole number beyond 64 bits only what a float can hold, and a number
//! beyond any float, such as `1e999`, is refused by the parser itself. The other types keep the JSON as it was sent.

mod base64;
mod digits;
mod kept;
mod loose;
mod native;
mod secret_text;
mod sent;
mod text_date;
mod text_decimal;
mod text_range;
mod text_uuid;

#[cfg(test)]
mod any_value;

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
pub use text_date::TextDate;
pub use text_decimal::TextDecimal;
pub use text_range::TextRange;
pub use text_uuid::TextUuid;
