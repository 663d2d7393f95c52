//! The server of an API without prices: all results are free, and no journal keeps them.

use std::sync::Arc;

use generated_client::Error;

use super::kept::Kept;
use super::session::Session;
use crate::money::JournalError;

pub(super) fn kept_by_journal(_: &Session, _: &str) -> Result<Option<Arc<Kept>>, JournalError> {
    Ok(None)
}

pub(super) fn advice(_: &Session, _: &Error, _: bool) -> String {
    String::new()
}
