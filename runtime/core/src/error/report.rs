//! The report of an error that ends a program: `fn main() -> Result<(), Error>` prints `Debug`.

use std::fmt;

use crate::error::credential::CredentialError;
use crate::error::error::Error;
#[cfg(feature = "paging")]
use crate::error::error::PagingError;
#[cfg(feature = "waiting")]
use crate::error::error::WaitingError;
#[cfg(feature = "paging")]
use crate::error::record::RecordError;
use crate::error::refused::{DeadlineExceeded, Refused};
use crate::error::response::{DecodeError, StatusError};

/// One line: the variant, the message, and facts for support. `{:#?}` uses a line for each. It shows no body and no header.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct(variant(self));
        shown.field("message", &self.to_string());
        // Without a call, there are no facts.
        if self.operation().is_none() || matches!(self.of_call(), Self::Argument(_)) {
            return shown.finish();
        }
        if let Some(status) = self.status() {
            shown.field("status", &status);
        }
        if let Some(id) = self.request_id() {
            shown.field("request_id", &id);
        }
        if self.attempts() > 1 {
            shown.field("attempts", &self.attempts());
        }
        if let Some(record) = self.record() {
            shown.field("record", &record.line());
        }
        if let Some(body) = self.body() {
            shown.field("body", &format_args!("{} bytes", body.len()));
        }
        #[cfg(feature = "paging")]
        if let Some(offset) = self.resume_offset() {
            shown.field("resume_offset", &offset);
        } else if self.position().is_some() {
            shown.field("position", &format_args!("in the error"));
        }
        shown.finish()
    }
}

/// Implements `Debug` by the message alone: bodies and records may identify people.
macro_rules! shown_by_message {
    ($($error:ident),*) => {$(
        impl fmt::Debug for $error {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($error))
                    .field("message", &self.to_string())
                    .finish_non_exhaustive()
            }
        }
    )*};
}

shown_by_message!(
    CredentialError,
    DeadlineExceeded,
    DecodeError,
    Refused,
    StatusError
);
#[cfg(feature = "paging")]
shown_by_message!(PagingError, RecordError);
#[cfg(feature = "waiting")]
shown_by_message!(WaitingError);

fn variant(error: &Error) -> &'static str {
    match error {
        Error::Configuration(_) => "Configuration",
        Error::Argument(_) => "Argument",
        Error::Credential(_) => "Credential",
        Error::Refused(_) => "Refused",
        Error::DeadlineExceeded(_) => "DeadlineExceeded",
        Error::Transport(_) => "Transport",
        Error::Status(_) => "Status",
        Error::Decode(_) => "Decode",
        #[cfg(feature = "paging")]
        Error::Paging(_) => "Paging",
        #[cfg(feature = "paging")]
        Error::Record(_) => "Record",
        #[cfg(feature = "waiting")]
        Error::Waiting(_) => "Waiting",
    }
}
