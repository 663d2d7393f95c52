//! Values that services write as text, or in a form that is assumed.
//!
//! In goes any JSON value, out comes the same: each type keeps what was sent, never fails a decode over what it holds, and offers to read
//! it. What is not of the accepted form is kept like the rest, and every reading of it is `None`; nothing is guessed.
//!
//! Values are kept as [`serde_json::Value`] keeps them: of a whole number beyond 64 bits only what a float can hold, and a number beyond
//! any float, such as `1e999`, is refused by the parser itself.

mod digits;
mod kept;
mod loose;
mod text_date;
mod text_range;

#[cfg(test)]
mod any_value;

pub use loose::Loose;
pub use text_date::TextDate;
pub use text_range::TextRange;
