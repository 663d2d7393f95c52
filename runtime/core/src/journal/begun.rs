//! The calls of an input, from their beginning to their result: the one order in which they are noted.
//!
//! The method `begin` of a journal is the only way to a client whose attempts are noted for an input, and to all notes of results.
//! [`Journal::call`](super::Journal::call), the command line and the server for agents go this way:
//!
//! | moment | method |
//! |---|---|
//! | before the first call | [`key`](Begun::key), also if its operation has none |
//! | after a call, before its response is kept elsewhere | [`paid`](Begun::paid), if the journal is to keep it |
//! | after a record is kept | [`at`](Begun::at) |
//! | after a call that only asked how far another one is | [`passed`](Begun::passed) |
//! | after all is kept | [`done`](Begun::done), or [`enough`](Begun::enough) |
//! | after a failure | [`failed`](Begun::failed), or [`failed_once`](Begun::failed_once) |

use std::sync::Arc;
use std::time::Duration;

use crate::client::client::Client;
use crate::error::Error;
use crate::internal::unused_key;
use crate::paging::Position;
use crate::request::StoredKey;

use super::error::JournalError;
use super::failure::{ends_batch, has_brought, is_refused_for_good};
use super::input::Wanted;
use super::line::{Body, Line};
use super::notes::Notes;

/// An input that is being called. No other task begins it before this is dropped.
#[doc(hidden)]
pub struct Begun {
    pub(super) notes: Arc<Notes>,
    pub(super) input: String,
    pub(super) client: Client,
}

impl Drop for Begun {
    fn drop(&mut self) {
        self.notes.state().calling.remove(&self.input);
    }
}

impl Begun {
    pub fn input(&self) -> &str {
        &self.input
    }

    /// Returns the client whose calls are noted as calls for the input.
    pub fn client(&self) -> &Client {
        &self.client
    }

    /// Decides whether the input is called, and returns its idempotency key: that of a [lost call](Self::lost_key), or an unused one. `window`:
    /// how long the service remembers the key of the call; `None` if the call has none.
    ///
    /// # Errors
    ///
    /// A call of the input is in flight, or may have been billed and has no such key: only [`again`](super::Journal::again) makes it again.
    pub fn key(&self, window: Option<Option<Duration>>) -> Result<Option<StoredKey>, JournalError> {
        // With the key of a lost call it is the same work.
        let lost = window.and_then(|window| self.lost_key(window));
        let state = self.notes.state();
        let is_held = state.earlier.is_unsure(&self.input) && !state.is_again && lost.is_none();
        if is_held || state.earlier.is_in_flight(&self.input) {
            let input = self.input.clone();
            return Err(JournalError::AtRisk { input });
        }
        let unused = || StoredKey {
            key: unused_key().into(),
            age: Duration::ZERO,
        };
        Ok(lost.or_else(|| window.map(|_| unused())))
    }

    /// Returns the key of a lost call, if the service certainly remembers it.
    pub fn lost_key(&self, window: Option<Duration>) -> Option<StoredKey> {
        self.notes.state().earlier.lost_key(&self.input, window)
    }

    /// Returns whether a call of the input was or may have been billed, and has nothing to show for it.
    pub(super) fn is_unsure(&self) -> bool {
        self.notes.state().earlier.is_unsure(&self.input)
    }

    /// Keeps the body of a response, also for a later run.
    pub fn paid(&self, body: &[u8]) -> Result<(), JournalError> {
        let (input, body) = (self.input.clone(), Body::from(body));
        self.notes.write(Line::Brought { input, body })
    }

    /// Notes that all records up to this position are kept. `is_within`: others of its page are not, and if the page is free, it can be asked for
    /// again.
    pub fn at(&self, position: Position, is_within: bool) -> Result<(), JournalError> {
        let input = self.input.clone();
        self.notes.write(if is_within {
            Line::Within { input, position }
        } else {
            Line::At { input, position }
        })
    }

    /// Notes that the calls so far have done what they were made for.
    pub fn passed(&self) -> Result<(), JournalError> {
        if self.is_unsure() {
            let input = self.input.clone();
            self.notes.write(Line::Passed { input })
        } else {
            self.notes.check()
        }
    }

    /// Notes that as much is kept as was wanted. There may be more.
    pub fn enough(&self, wanted: Wanted) -> Result<(), JournalError> {
        let input = self.input.clone();
        let most = match wanted {
            Wanted::Records(most) => Some(most),
            Wanted::Page | Wanted::All => None,
        };
        self.notes.write(Line::Enough { input, most })
    }

    /// Notes that all there is for the input is kept.
    pub fn done(&self) -> Result<(), JournalError> {
        if self.notes.known(&self.input, |known| known.is_done) {
            return Ok(());
        }
        let input = self.input.clone();
        self.notes.write(Line::Done { input })
    }

    /// Notes a failure, and returns whether the next call of the batch would fail, too. An input that the service refuses for good is not called
    /// again, unless the refusal may be about a lost call with the same idempotency key.
    pub fn failed(&self, error: &Error) -> Result<bool, JournalError> {
        let is_repeated = self.notes.state().earlier.is_repeated(&self.input);
        if is_refused_for_good(error) && !is_repeated {
            let (input, why) = (self.input.clone(), error.to_string());
            self.notes.write(Line::Refused { input, why })?;
        } else {
            self.failed_once(error)?;
        }
        Ok(ends_batch(error, &mut self.notes.state().unanswered))
    }

    /// Notes a failure that says nothing of the input alone: a later run makes the call again; if it may have been billed, with its
    /// key, or on demand.
    pub fn failed_once(&self, error: &Error) -> Result<(), JournalError> {
        if has_brought(error) {
            self.passed()
        } else {
            // The budget has noted the attempts.
            self.notes.check()
        }
    }
}
