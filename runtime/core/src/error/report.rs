//! What an error says where it ends a program: `fn main() -> Result<(), Error>` prints `Debug`.

use std::fmt;

use crate::error::error::Error;

/// The message, and one line for each fact that a caller looks up: status code, request id, attempts, the record of the interceptor, size of the body, and where to
/// resume. The alternate form, `{:#?}`, shows the variant and its fields.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match f.alternate() {
            true => variant(self, f),
            false => lines(self, f),
        }
    }
}

fn lines(error: &Error, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    write!(f, "{error}")?;
    // No call was made: there is nothing to tell.
    if error.operation().is_none() || matches!(error.of_call(), Error::Argument(_)) {
        return Ok(());
    }
    if let Some(status) = error.status() {
        write!(f, "\n  status code: {status}")?;
    }
    if let Some(id) = error.request_id() {
        write!(f, "\n  request id: {id}")?;
    }
    if error.attempts() > 1 {
        write!(f, "\n  attempts: {}", error.attempts())?;
    }
    if let Some(record) = error.record() {
        write!(f, "\n  {}", record.line())?;
    }
    if let Some(body) = error.body() {
        write!(f, "\n  body: {} bytes, kept in the error", body.len())?;
    }
    match (error.resume_offset(), error.position()) {
        (Some(offset), _) => write!(f, "\n  resume at: offset {offset}"),
        (None, Some(_)) => write!(f, "\n  resume at: `position` of the error"),
        (None, None) => Ok(()),
    }
}

fn variant(error: &Error, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let (name, held): (_, &dyn fmt::Debug) = match error {
        Error::Configuration(held) => ("Configuration", held),
        Error::Argument(held) => ("Argument", held),
        Error::Credential(held) => ("Credential", held),
        Error::Refused(held) => ("Refused", held),
        Error::DeadlineExceeded(held) => ("DeadlineExceeded", held),
        Error::Transport(held) => ("Transport", held),
        Error::Status(held) => ("Status", held),
        Error::Decode(held) => ("Decode", held),
        Error::Paging(held) => ("Paging", held),
        Error::Record(held) => ("Record", held),
        Error::Waiting(held) => ("Waiting", held),
    };
    f.debug_tuple(name).field(held).finish()
}
