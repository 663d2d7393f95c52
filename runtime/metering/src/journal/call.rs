//! A call with all of its notes.

use std::fmt;
use std::time::Duration;

use generated_client::document::Documented;
use generated_client::internal::idempotency_window;
use generated_client::request::StoredKey;
use generated_client::{Error, Response, Unsent};

use super::error::JournalError;
use super::failure::ends_a_batch;
use super::journal::{Before, Journal};
use super::line::LostCall;
use crate::ext::MeteredClient;
use crate::money::credits::Credits;
use crate::money::ledger::Ledger;

/// Result of [`Journal::call`].
#[derive(Debug)]
#[non_exhaustive]
pub enum Called {
    /// The call was made, and its response is kept.
    Kept,
    /// An earlier run has kept its response, or the service has refused it for good. Nothing was sent.
    Earlier,
    /// An earlier call may have been billed, and its response is lost. Nothing was sent: it has no key that the service certainly remembers, and
    /// only [`again`](Journal::again) makes it again.
    AtRisk,
    /// It failed. Other calls may succeed.
    Failed(Error),
    /// It failed, and so would the next call: no budget, no balance, no key, no address.
    Stop(Error),
}

impl fmt::Display for Called {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Kept => f.write_str("done"),
            Self::Earlier => f.write_str("done by an earlier run"),
            Self::AtRisk => f.write_str("not called: an earlier call may have been billed"),
            Self::Failed(error) | Self::Stop(error) => error.fmt(f),
        }
    }
}

impl Called {
    fn of(error: Error) -> Self {
        match ends_a_batch(&error) {
            true => Self::Stop(error),
            false => Self::Failed(error),
        }
    }
}

/// Notes that a call may have been billed if its future is dropped.
struct Abandoned<'a> {
    journal: &'a Journal,
    ledger: &'a Ledger,
    input: &'a str,
    key: Option<&'a StoredKey>,
    is_over: bool,
}

impl Drop for Abandoned<'_> {
    fn drop(&mut self) {
        if self.is_over {
            return;
        }
        let replaced = match self.key {
            Some(key) => self.journal.replace(self.input, key, false),
            None => Ok(()),
        };
        // The journal has the lost call with a used key already.
        let is_used = self.key.is_some_and(|key| key.age > Duration::ZERO);
        let key = self.key.map(|stored| &*stored.key);
        // A call that still waited has nothing at risk.
        let at_risk = key.and_then(|key| self.ledger.at_risk_of(key));
        let lost = LostCall {
            at_risk,
            request_id: None,
            idempotency_key: key.map(str::to_owned),
        };
        // What cannot be written is at risk in the next run.
        let paid = replaced.and_then(|()| self.journal.paid(self.ledger.usage()));
        if !is_used || at_risk.is_some() {
            _ = paid.and_then(|()| self.journal.unsure_of(self.input, lost));
        }
    }
}

impl Journal {
    /// Makes a call, unless an earlier run has made it, and passes its response to `keep`. `input` is what the call is for, once in a batch;
    /// `send` is the method `send` of the builder.
    ///
    /// The journal has a paid response before `keep` does. A process that is killed before `keep` returns passes the same response to `keep`
    /// in its next run, without a call: `keep` may see it twice, and it is paid for once. A response that does not decode is paid for once, too.
    ///
    /// Dropping the future leaves a call that may have been billed, unless the call is [detached](generated_client::Call::detached).
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
        let ledger = match self.ledger.get() {
            Some(ledger) if ledger.is_beside(client.ledger()) => ledger.clone(),
            _ if client.is_metered() => return Err(JournalError::NoLedger),
            _ => client.ledger().clone(),
        };
        let at_most = client.quote(&request).at_risk;
        let usage = || ledger.usage();
        let is_free = at_most == Some(Credits::ZERO);
        let window = idempotency_window(&request).filter(|_| !is_free);
        let mut before = self.before(input, at_most, usage(), window)?;
        if let Before::Brought(body) = &before {
            match Response::from_bytes(body.clone()) {
                Ok(response) => {
                    keep(response)?;
                    self.done(input)?;
                    return Ok(Called::Kept);
                }
                Err(error) if !self.is_again => return Ok(Called::Failed(error)),
                Err(_) => before = self.begun(input, at_most, usage(), window)?,
            }
        }
        let key = match before {
            Before::Done => return Ok(Called::Earlier),
            Before::AtRisk => return Ok(Called::AtRisk),
            Before::Begun(key) => key,
            Before::Brought(_) => None,
        };
        if let Some(key) = &key {
            call.options_mut().idempotency_key = Some(key.clone());
        }
        let mut abandoned = Abandoned {
            is_over: is_free,
            journal: self,
            ledger: &ledger,
            input,
            key: key.as_ref(),
        };
        let sent = send(call).await;
        abandoned.is_over = true;
        let replaced = self.ended_with_key(input, key.as_ref(), &sent);
        match sent {
            Ok(response) => {
                let noted = match is_free {
                    true => self.paid(usage()),
                    false => self.brought(input, &response.raw, usage()),
                };
                // It is paid for, also where the journal cannot be written.
                keep(response)?;
                noted.and(replaced)?;
                self.done(input)?;
                Ok(Called::Kept)
            }
            Err(error) => {
                match (&error, error.body()) {
                    (Error::Decode(_), Some(body)) if !is_free => {
                        self.brought(input, body, usage())?;
                    }
                    _ => {
                        self.paid(usage())?;
                        self.failed(input, &error)?;
                    }
                }
                replaced?;
                Ok(Called::of(error))
            }
        }
    }
}
