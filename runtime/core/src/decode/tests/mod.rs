//! Bodies of all forms, read as a client reads them.

mod callers;
mod json;
mod limits;
mod members;
mod set_aside;
mod tolerance;

use super::allowance::Allowance;
use super::decode::decode_setting_aside;
use super::failure::Failure;
use super::pointer::Located;
use super::read::Read;
use super::reader::{Mode, Reader, State};
use super::set_aside::SetAside;

/// Reads a complete text in a mode.
fn read_in<T: Read>(mode: Mode, text: &str) -> Result<T, Failure> {
    let mut reader = Reader::new(text, State::new(mode, Allowance::UNBOUNDED));
    let value = T::read(&mut reader)?;
    reader.end().map(|()| value)
}

fn read<T: Read>(text: &str) -> Result<T, Failure> {
    read_in(Mode::Open, text)
}

/// Decodes a body as a client does.
fn body<T: Read>(text: &str) -> (Option<T>, Vec<SetAside>) {
    match decode_setting_aside(text.as_bytes(), T::read) {
        Ok((value, set_aside)) => (Some(value), set_aside),
        Err(_) => (None, Vec::new()),
    }
}

/// Decodes a body as a client does, or says why it does not decode.
fn decode<T: Read>(body: &[u8]) -> Result<T, Located> {
    decode_setting_aside(body, T::read).map(|(value, _)| value)
}
