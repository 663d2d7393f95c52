//! The journal and the bill of an API without prices: there is nothing to note, and nothing to say.

use std::convert::Infallible;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use clap::ArgMatches;
use generated_client::internal::ends_batch;
use generated_client::paging::Position;
use generated_client::request::StoredKey;
use generated_client::{Client, ClientBuilder, Error};

use crate::call::Call;
use crate::ended::Ended;
use crate::run::lock;

/// How many records of an input are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// One response: of a list, one page.
    Page,
    /// This many records.
    Records(u64),
    /// All records.
    All,
}

/// What a run is about, which no file notes.
pub(crate) struct Run;

impl Run {
    pub(crate) fn new(_: impl Into<String>) -> Self {
        Self
    }

    pub(crate) fn part(self, _: &str, _: impl Into<serde_json::Value>) -> Self {
        self
    }
}

/// The calls of a run.
#[derive(Default)]
pub(crate) struct Journal {
    /// How many calls in a row found no service.
    unanswered: Arc<Mutex<u32>>,
}

/// An input that is being called.
pub(crate) struct Begun {
    unanswered: Arc<Mutex<u32>>,
    input: String,
    client: Client,
}

/// No note can fail.
pub(crate) type JournalError = Infallible;

impl From<JournalError> for Ended {
    fn from(error: JournalError) -> Self {
        match error {}
    }
}

pub(crate) fn look(_: Option<&String>, _: Run) -> Result<Journal, JournalError> {
    Ok(Journal::default())
}

pub(crate) fn open(_: Option<&String>, _: Run, _: bool) -> Result<Journal, JournalError> {
    Ok(Journal::default())
}

impl Journal {
    pub(crate) fn start(&self) -> Result<(), JournalError> {
        Ok(())
    }

    pub(crate) fn begin(&self, input: &str, client: &Client) -> Result<Begun, JournalError> {
        Ok(Begun {
            unanswered: Arc::clone(&self.unanswered),
            input: input.to_owned(),
            client: client.clone(),
        })
    }

    pub(crate) fn goes_on(&self) -> bool {
        false
    }

    pub(crate) fn is_done(&self, _: &str, _: Wanted) -> bool {
        false
    }

    pub(crate) fn is_unsure(&self, _: &str, _: Option<Duration>) -> bool {
        false
    }

    pub(crate) fn position(&self, _: &str) -> Option<Position> {
        None
    }
}

impl Begun {
    pub(crate) fn input(&self) -> &str {
        &self.input
    }

    pub(crate) fn client(&self) -> &Client {
        &self.client
    }

    pub(crate) fn key(
        &self,
        _: Option<Option<Duration>>,
    ) -> Result<Option<StoredKey>, JournalError> {
        Ok(None)
    }

    pub(crate) fn at(&self, _: Position, _: bool) -> Result<(), JournalError> {
        Ok(())
    }

    pub(crate) fn passed(&self) -> Result<(), JournalError> {
        Ok(())
    }

    pub(crate) fn enough(&self, _: Wanted) -> Result<(), JournalError> {
        Ok(())
    }

    pub(crate) fn done(&self) -> Result<(), JournalError> {
        Ok(())
    }

    /// Returns whether the next call of a list would fail, too.
    pub(crate) fn failed(&self, error: &Error) -> Result<bool, JournalError> {
        Ok(ends_batch(error, &mut lock(&self.unanswered)))
    }

    pub(crate) fn failed_once(&self, _: &Error) -> Result<(), JournalError> {
        Ok(())
    }
}

pub(crate) fn is_metered(_: &Client) -> bool {
    false
}

pub(crate) fn bounded(
    builder: ClientBuilder<Client>,
    _: &ArgMatches,
    _: &Journal,
) -> ClientBuilder<Client> {
    builder
}

pub(crate) fn is_used_up(_: &Error) -> bool {
    false
}

pub(crate) fn is_refused(_: &Error) -> bool {
    false
}

pub(crate) fn refusal(_: &Error) -> Option<String> {
    None
}

pub(crate) fn cost(_: &Error) -> Option<String> {
    None
}

pub(crate) fn price_of(_: &Call, _: Option<u64>) -> String {
    String::new()
}

pub(crate) fn spent(_: &Client) -> String {
    String::new()
}

pub(crate) fn bill(_: &Client) -> Option<String> {
    None
}

pub(crate) fn ways_out(_: &Client, _: &Error, _: Option<&str>) -> Vec<String> {
    Vec::new()
}

#[cfg(feature = "mcp")]
pub(crate) fn left(_: &Client) -> Option<String> {
    None
}
