//! Values that an open decode leaves out, because they do not match the document.

use std::fmt;

use serde_json::value::RawValue;

use super::allowance::{draw, draw_element};
use super::failure::Failure;
use super::pointer::pointers_to;
use super::reader::{Mark, Mode, Reader};
use crate::secret::conceal;
use crate::secret::quotation::{MESSAGE, POINTER, escaped};

/// A value that a decode has left out because it does not match the document: an optional field, or an element of a list or map.
///
/// The records of a page have [`rejects`](crate::Records::rejects) instead.
#[derive(Clone)]
#[non_exhaustive]
pub struct SetAside {
    /// JSON Pointer to the value in the body. If it is longer than 200 characters, its middle is cut. Control characters are escaped.
    pub pointer: String,
    /// The reason why the value does not decode, in one line of at most about 400 characters, without the API key.
    pub message: String,
    /// The value as the service sent it.
    pub raw: Box<RawValue>,
}

impl fmt::Debug for SetAside {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SetAside")
            .field("pointer", &self.pointer)
            .field("message", &self.message)
            .field("raw", &format_args!("{} bytes", self.raw.get().len()))
            .finish()
    }
}

/// A value that was set aside, before its place is known.
#[derive(Debug)]
pub(crate) struct Aside {
    /// The index of its first byte.
    pub(super) at: usize,
    message: String,
    raw: Box<RawValue>,
}

/// Sets aside the value at a mark, which does not match. Nothing inside of it stays set aside. Returns the failure if it has to stay one.
#[cold]
pub(super) fn set_aside(
    reader: &mut Reader<'_>,
    mark: Mark,
    failure: Failure,
) -> Result<(), Failure> {
    if reader.state.mode != Mode::Open || failure.is_final() {
        return Err(failure);
    }
    reader.return_to(mark);
    let at = reader.at;
    let raw = reader.kept()?;
    let why = failure.within(raw.get(), at);
    let message = escaped(&conceal::message(&why.message), MESSAGE);
    let message = match why.pointer.as_str() {
        "" => message,
        inside => format!("at `{}`: {message}", escaped(inside, POINTER)),
    };
    draw_element(reader, size_of::<SetAside>(), reader.state.asides.len())?;
    draw(reader, message.len())?;
    reader.state.asides.push(Aside { at, message, raw });
    Ok(())
}

/// Locates the values that were set aside in a text.
pub(super) fn located(text: &str, mut asides: Vec<Aside>) -> Vec<SetAside> {
    asides.sort_by_key(|one| one.at);
    let places: Vec<usize> = asides.iter().map(|one| one.at).collect();
    let pointers = pointers_to(text, &places, |whole| escaped(&whole, POINTER)).into_iter();
    let located = asides.into_iter().zip(pointers);
    located
        .map(|(one, pointer)| SetAside {
            pointer,
            message: one.message,
            raw: one.raw,
        })
        .collect()
}
