//! Results of scripts: strings, read one after the other.

use std::time::{Duration, SystemTime};

use crate::account::error::StoreError;
use crate::money::credits::Credits;

/// The remaining strings of a reply.
pub(super) struct Lines(std::vec::IntoIter<String>);

impl Lines {
    pub(super) fn new(lines: Vec<String>) -> Self {
        Self(lines.into_iter())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.as_slice().is_empty()
    }

    pub(super) fn text(&mut self) -> Result<String, StoreError> {
        self.0
            .next()
            .ok_or_else(|| StoreError::new("the reply of a script is too short"))
    }

    pub(super) fn number(&mut self) -> Result<u64, StoreError> {
        let text = self.text()?;
        text.parse()
            .map_err(|_| StoreError::new(format!("a script returned `{text}` instead of a number")))
    }

    pub(super) fn credits(&mut self) -> Result<Credits, StoreError> {
        self.number().map(Credits::from_micros)
    }

    /// Reads an amount; `None` for an empty string.
    pub(super) fn optional(&mut self) -> Result<Option<Credits>, StoreError> {
        if self.0.as_slice().first().is_some_and(String::is_empty) {
            self.text().map(|_| None)
        } else {
            self.credits().map(Some)
        }
    }

    pub(super) fn pause(&mut self) -> Result<Duration, StoreError> {
        self.number().map(Duration::from_millis)
    }

    pub(super) fn time(&mut self) -> Result<SystemTime, StoreError> {
        let time = SystemTime::UNIX_EPOCH.checked_add(self.pause()?);
        time.ok_or_else(|| StoreError::new("a script returned a time out of range"))
    }

    pub(super) fn is(&mut self, yes: &str) -> Result<bool, StoreError> {
        Ok(self.text()? == yes)
    }
}
