//! The report of an error that ends a program: `fn main() -> Result<(), Error>` prints `Debug`.

use std::fmt;

use crate::error::error::Error;

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
        if let Some(offset) = self.resume_offset() {
            shown.field("resume_offset", &offset);
        } else if self.position().is_some() {
            shown.field("position", &format_args!("in the error"));
        }
        shown.finish()
    }
}

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
        Error::Paging(_) => "Paging",
        Error::Record(_) => "Record",
        Error::Waiting(_) => "Waiting",
    }
}
