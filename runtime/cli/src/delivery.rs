//! Writes paid responses to the output, or to stderr if they cannot be decoded or written. The journal records what was delivered.

use std::str;

use generated_client::StatusCode;
use serde_json::value::{RawValue, to_raw_value};

use crate::blocking::blocking;
use crate::call::Source;
use crate::ended::Ended;
use crate::money::{self, Begun};
use crate::notes::note_record;
use crate::run::{Failure, Run, lock};
use crate::visible::{legible, visible};
use generated_client::Error;
use generated_client::Response;
use generated_client::error::PagingCause;
use generated_client::internal::without_mark;

/// Result of writing a record.
pub(crate) struct Delivery {
    /// True if it was written, or printed to stderr because writing failed.
    pub(crate) is_out: bool,
    /// Why nothing more can be written.
    pub(crate) end: Result<(), Ended>,
}

impl Run {
    /// Writes a response.
    pub(crate) fn deliver<T>(&self, begun: &Begun, response: &Response<T>) -> Result<(), Ended> {
        let raw = &response.raw;
        let text = || str::from_utf8(raw).ok();
        let record = serde_json::from_slice::<Box<RawValue>>(without_mark(raw)).ok();
        let (takes_bytes, is_any) = {
            let output = blocking(|| lock(&self.output));
            (output.takes_bytes(), output.is_any())
        };
        let record = match record {
            Some(record) => Ok(record),
            // A response that is documented to have no body, or one that the document does not describe.
            None if raw.is_empty()
                && (is_any || response.meta.status == StatusCode::NO_CONTENT) =>
            {
                return Ok(());
            }
            None if takes_bytes => Err(()),
            None => match text().filter(|_| is_any).map(to_raw_value) {
                Some(Ok(record)) => Ok(record),
                _ => return self.unreadable(begun, raw),
            },
        };
        let written = match &record {
            Ok(record) => blocking(|| lock(&self.output).record(begun.input(), record)),
            Err(()) => blocking(|| lock(&self.output).bytes(raw)),
        };
        let Err(error) = written else { return Ok(()) };
        if self.rescue(begun.input(), raw) {
            begun.done()?;
        }
        Err(error.into())
    }

    /// Handles a response other than the documented JSON, as from a gateway.
    pub(crate) fn unreadable(&self, begun: &Begun, raw: &[u8]) -> Result<(), Ended> {
        self.rescue(begun.input(), raw);
        let message = if money::is_metered(&self.client) {
            "the response is not the documented JSON, and may have been billed"
        } else {
            "the response is not the documented JSON"
        };
        Err(Ended::Failed(message.to_owned()))
    }

    /// Writes a record that this source has given.
    pub(crate) fn record(&self, begun: &Begun, record: &RawValue, source: &dyn Source) -> Delivery {
        let written = blocking(|| lock(&self.output).record(begun.input(), record));
        let is_out = written.is_ok() || self.rescue(begun.input(), record.get().as_bytes());
        let noted = if is_out {
            note_record(begun, source)
        } else {
            Ok(())
        };
        Delivery {
            is_out,
            end: written.map_err(Ended::from).and(noted),
        }
    }

    /// Writes the other records of the last page. Returns whether all were written.
    pub(crate) async fn rest(&self, begun: &Begun, source: &mut dyn Source) -> bool {
        while source.is_ready() {
            let Some(Ok(record)) = source.next().await else {
                return true;
            };
            if !self.record(begun, &record, source).is_out {
                return false;
            }
        }
        true
    }

    /// Writes the body of a failed call, and notes its error. A single call can simply be made again.
    pub(crate) fn failed(&self, begun: &Begun, error: Error) -> Failure {
        if let (Some(status), Some(body)) = (error.status(), error.body())
            && status.is_success()
            && !is_short(&error)
        {
            self.rescue(begun.input(), body);
        }
        let noted = match begun.input() {
            "" => begun.failed_once(&error).map(|()| false),
            _ => begun.failed(&error),
        };
        Failure::Call {
            error: Box::new(error),
            noted,
        }
    }

    /// Prints paid bytes that could not be written elsewhere. Returns whether they were printed.
    pub(crate) fn rescue(&self, input: &str, bytes: &[u8]) -> bool {
        let (form, text) = legible(bytes);
        let of = match input {
            "" => String::new(),
            input => format!(" for {}", visible(input)),
        };
        self.progress.say(&format!(
            "This response{of} could not be written or read as documented{form}:\n{text}"
        ))
    }
}

/// Returns whether pages ended before their total. Their records were delivered.
pub(crate) fn is_short(error: &Error) -> bool {
    matches!(error, Error::Paging(error) if matches!(error.cause, PagingCause::Short { .. }))
}
