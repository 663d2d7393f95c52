//! The API key, and how it is removed from everything shown.

pub(crate) mod base64;
pub(crate) mod conceal;
pub(crate) mod deceptive;
pub(crate) mod key;
pub(crate) mod quotation;
mod spelling;
