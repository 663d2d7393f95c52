//! A call with all of its notes.

use std::fmt;

use crate::client::call::Call;
use crate::decode::read::Read;
use crate::document::Documented;
use crate::error::Error;
use crate::internal::idempotency_window;
use crate::request::comparison::names_website;
use crate::response::response::Response;
use crate::values::website;

use super::begun::Begun;
use super::error::JournalError;
use super::input::Wanted;
use super::journal::Journal;

/// Result of [`Journal::call`].
#[derive(Debug)]
#[non_exhaustive]
pub enum Called<T> {
    /// The call was made, and its response is kept.
    Kept,
    /// An earlier run has kept its response, and here it is again. Nothing was sent. `None`: the journal has no response that was free.
    Earlier(Option<Box<Response<T>>>),
    /// The service has refused it for good in an earlier call: there is no response, and nothing was sent.
    Refused,
    /// An earlier call was or may have been billed, and its response is lost. Nothing was sent: it has no key that the service certainly
    /// remembers, and only [`again`](Journal::again) makes it again. Also a call that is in flight, or whose response is passed to `keep`.
    AtRisk,
    /// It failed. Other calls may succeed. Also a response that was paid earlier and is no `T`, perhaps in today's version of the type: the error has
    /// its body, the journal keeps it, and nothing was sent.
    Failed(Error),
    /// It failed, and so would the next call:
    ///
    /// | failure | the batch ends |
    /// |---|---|
    /// | no budget, no balance (402) | at once |
    /// | no key, a wrong key (401, 403), wrong settings | at once |
    /// | a journal that cannot be written | at once |
    /// | no connection: refused, DNS, TLS | after five calls in a row, each with its retries |
    ///
    /// The lists of the command line follow it, too.
    Stop(Error),
}

impl<T> fmt::Display for Called<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Kept => f.write_str("done"),
            Self::Earlier(_) => f.write_str("done by an earlier run"),
            Self::Refused => f.write_str("not called: an earlier call was refused for good"),
            Self::AtRisk => f.write_str("not called: an earlier call may have been billed"),
            Self::Failed(error) | Self::Stop(error) => error.fmt(f),
        }
    }
}

impl Journal {
    /// Makes a call, unless an earlier run has made it, and passes its response to `keep`. `input` is what the call is for, once in a batch, such as
    /// a website in any spelling; `send` is the method `send` of the builder.
    ///
    /// The journal has a paid response before `keep` does. A process that is killed before `keep` returns passes the same response to `keep`
    /// in its next run, without a call: `keep` may see it twice, and it is paid for once. A response that does not decode is paid for once, too.
    ///
    /// Dropping the future leaves a call that may have been billed. A [detached](crate::Call::detached) one still ends, and its charge
    /// is noted.
    ///
    /// # Errors
    ///
    /// The journal cannot be written, its client does not draw on [its budget](Self::budget), or `keep` fails. A failure of the call is
    /// not an error here: [`Called`] has it.
    pub async fn call<C, T, F, E>(
        &self,
        input: &str,
        mut call: C,
        send: impl FnOnce(C) -> F,
        keep: impl FnOnce(Response<T>) -> Result<(), E>,
    ) -> Result<Called<T>, JournalError>
    where
        C: Call,
        T: Documented + Read,
        F: Future<Output = Result<Response<T>, Error>>,
        E: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        let key = input;
        let keep = |response: Response<T>| {
            keep(response).map_err(|error| JournalError::Keep {
                key: key.to_owned(),
                source: error.into(),
            })
        };
        let (client, request) = call.unsent();
        let website = website(input).filter(|website| names_website(&request, website));
        let input = website.as_deref().unwrap_or(input);
        let begun = match self.begin(input, client) {
            Err(JournalError::AtRisk { .. }) => None,
            begun => Some(begun?),
        };
        if self.is_done(input, Wanted::Page) {
            return self.earlier(input);
        }
        let Some(begun) = begun else {
            return Ok(Called::AtRisk);
        };
        if let Some(body) = self.response(input)? {
            match Response::from_bytes(body) {
                Ok(response) => {
                    keep(response)?;
                    begun.done()?;
                    return Ok(Called::Kept);
                }
                Err(error) if !self.notes.state().is_again => return Ok(Called::Failed(error)),
                Err(_) => {}
            }
        }
        match begun.key(idempotency_window(&request)) {
            Err(JournalError::AtRisk { .. }) => return Ok(Called::AtRisk),
            Ok(Some(key)) => call.options_mut().idempotency_key = Some(key),
            key => _ = key?,
        }
        call.client_mut().clone_from(begun.client());
        match send(call).await {
            Ok(response) => {
                let noted = begun.paid_if_unsure(&response.raw);
                // It is paid for, also where the journal cannot be written.
                keep(response)?;
                noted?;
                begun.done()?;
                Ok(Called::Kept)
            }
            Err(error) => Ok(begun.called(error)),
        }
    }
}

impl Journal {
    /// Returns the result of an input that needs no call.
    fn earlier<T: Documented + Read>(&self, input: &str) -> Result<Called<T>, JournalError> {
        let body = self.response(input)?;
        Ok(match body.map(Response::from_bytes).transpose() {
            Ok(None) if self.is_refused(input) => Called::Refused,
            Ok(response) => Called::Earlier(response.map(Box::new)),
            Err(error) => Called::Failed(error),
        })
    }
}

impl Begun {
    /// Keeps a response that the journal needs: one that was or may have been billed.
    fn paid_if_unsure(&self, body: &[u8]) -> Result<(), JournalError> {
        if self.is_unsure() {
            self.paid(body)
        } else {
            Ok(())
        }
    }

    /// Notes a failure: a response that does not decode is paid for, too. The error has its body, also where the journal cannot be written.
    fn called<T>(&self, error: Error) -> Called<T> {
        let noted = match (&error, error.body()) {
            (Error::Decode(_), Some(body)) if self.is_unsure() && !error.is_stored() => {
                self.paid(body).map(|()| false)
            }
            _ => self.failed(&error),
        };
        match noted {
            Ok(false) => Called::Failed(error),
            Ok(true) | Err(_) => Called::Stop(error),
        }
    }
}
