//! A call with all of its notes.

use std::fmt;

use generated_client::document::Documented;
use generated_client::internal::idempotency_window;
use generated_client::{Error, Response, Unsent};

use super::error::JournalError;
use super::journal::{Before, Journal};
use super::notes::Notes;

/// Result of [`Journal::call`].
#[derive(Debug)]
#[non_exhaustive]
pub enum Called {
    /// The call was made, and its response is kept.
    Kept,
    /// An earlier run has kept its response. Nothing was sent.
    Earlier,
    /// The service has refused it for good in an earlier call: there is no response, and nothing was sent.
    Refused,
    /// An earlier call was or may have been billed, and its response is lost. Nothing was sent: it has no key that the service certainly
    /// remembers, and only [`again`](Journal::again) makes it again. Also a call that is in flight, or whose response is passed to `keep`.
    AtRisk,
    /// It failed. Other calls may succeed.
    Failed(Error),
    /// It failed, and so would the next call, as [`BatchEnd`](super::BatchEnd) says: no budget, no key, no service.
    Stop(Error),
}

impl fmt::Display for Called {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Kept => f.write_str("done"),
            Self::Earlier => f.write_str("done by an earlier run"),
            Self::Refused => f.write_str("not called: an earlier call was refused for good"),
            Self::AtRisk => f.write_str("not called: an earlier call may have been billed"),
            Self::Failed(error) | Self::Stop(error) => error.fmt(f),
        }
    }
}

/// Marks an input as being called.
struct Calling<'a> {
    notes: &'a Notes,
    input: &'a str,
}

impl Drop for Calling<'_> {
    fn drop(&mut self) {
        self.notes.state().calling.remove(self.input);
    }
}

impl Journal {
    /// Makes a call, unless an earlier run has made it, and passes its response to `keep`. `input` is what the call is for, once in a batch;
    /// `send` is the method `send` of the builder.
    ///
    /// The journal has a paid response before `keep` does. A process that is killed before `keep` returns passes the same response to `keep`
    /// in its next run, without a call: `keep` may see it twice, and it is paid for once. A response that does not decode is paid for once, too.
    ///
    /// Dropping the future leaves a call that may have been billed. A [detached](generated_client::Call::detached) one still ends, and its charge
    /// is noted.
    ///
    /// # Errors
    ///
    /// The journal cannot be written, its client does not draw on [its ledger](Self::ledger), or `keep` fails. A failure of the call is
    /// not an error here: [`Called`] has it.
    pub async fn call<C, T, F, E>(
        &self,
        input: &str,
        mut call: C,
        send: impl FnOnce(C) -> F,
        keep: impl FnOnce(Response<T>) -> Result<(), E>,
    ) -> Result<Called, JournalError>
    where
        C: Unsent,
        T: Documented,
        F: Future<Output = Result<Response<T>, Error>>,
        E: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        let keep = |response: Response<T>| {
            keep(response).map_err(|error| JournalError::Keep {
                key: input.to_owned(),
                source: error.into(),
            })
        };
        let (client, request) = call.unsent();
        let client = self.client(input, client)?;
        *call.client_mut() = client;
        let window = idempotency_window(&request);
        let mut before = self.before(input, window)?;
        let _calling = before.is_called().then(|| Calling {
            notes: &self.notes,
            input,
        });
        if let Before::Brought(body) = &before {
            match Response::from_bytes(body.clone()) {
                Ok(response) => {
                    keep(response)?;
                    self.done(input)?;
                    return Ok(Called::Kept);
                }
                Err(error) if !self.is_again => return Ok(Called::Failed(error)),
                Err(_) => before = self.ready(&self.notes.state(), input, window),
            }
        }
        let key = match before {
            Before::Done => return Ok(Called::Earlier),
            Before::Refused => return Ok(Called::Refused),
            Before::AtRisk => return Ok(Called::AtRisk),
            Before::Ready(key) => key,
            Before::Brought(_) => None,
        };
        if let Some(key) = key {
            call.options_mut().idempotency_key = Some(key);
        }
        let sent = send(call).await;
        let is_unsure = self.of_earlier(|earlier| earlier.is_unsure(input));
        match sent {
            Ok(response) => {
                self.end.answered();
                let noted = if is_unsure {
                    self.brought(input, &response.raw)
                } else {
                    Ok(())
                };
                // It is paid for, also where the journal cannot be written.
                keep(response)?;
                noted?;
                self.done(input)?;
                Ok(Called::Kept)
            }
            Err(error) => {
                match (&error, error.body()) {
                    (Error::Decode(_), Some(body)) if is_unsure => self.brought(input, body)?,
                    _ => self.failed(input, &error)?,
                }
                Ok(if self.end.comes_with(&error) {
                    Called::Stop(error)
                } else {
                    Called::Failed(error)
                })
            }
        }
    }
}
