//! Values that services send as strings, or in an assumed form.
//!
//! Each type keeps any JSON value that was sent, never fails a decode because of it, writes the same value back, and parses it on demand. A
//! value of another format is kept too, but every accessor returns `None`; nothing is guessed.
//!
//! Dates and ranges are stored as [`serde_json::Value`]: whole numbers beyond 64 bits become floats, and numbers beyond any float, such as
//! `1e999`, are refused by the parser. The other types keep the original JSON.

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
mod value_type;

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
