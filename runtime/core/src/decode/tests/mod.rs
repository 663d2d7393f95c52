//! Bodies of all forms, read as a client reads them.

mod callers;
mod json;
mod limits;
mod members;
mod set_aside;
mod tolerance;

use serde::de::DeserializeOwned;

use super::allowance::Allowance;
use super::bridge::read_serde;
use super::decode::{Decoded, decode_setting_aside};
use super::failure::Failure;
use super::reader::{Mode, Reader, State};
use super::set_aside::SetAside;

/// Reads a complete text in a mode.
fn read_in<T: DeserializeOwned>(mode: Mode, text: &str) -> Result<T, Failure> {
    let mut reader = Reader::new(text, State::new(mode, Allowance::UNBOUNDED));
    let value = read_serde(&mut reader)?;
    reader.end().map(|()| value)
}

fn read<T: DeserializeOwned>(text: &str) -> Result<T, Failure> {
    read_in(Mode::Open, text)
}

/// Decodes a body as a client does.
fn body<T: DeserializeOwned>(text: &str) -> (Option<T>, Vec<SetAside>) {
    let Decoded {
        read, set_aside, ..
    } = decode_setting_aside(text.as_bytes());
    (read.ok(), set_aside)
}
