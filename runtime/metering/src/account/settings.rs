//! Settings of an account.

use std::time::Duration;

use super::error::OpenError;
use super::store::LARGEST;
use crate::money::credits::Credits;

/// What a worker does while the store cannot be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Outage {
    /// It spends nothing: calls fail, and nothing is sent. With slices that begins when a report fails, which takes about three seconds:
    /// until then calls go on within the slice.
    #[default]
    Refuse,
    /// It goes on within the slice that it has, until the lease of the slice ends.
    SpendSlice,
}

/// What all clones of an account have in common.
#[derive(Debug, Clone)]
pub(super) struct Settings {
    pub(super) slice: Option<Credits>,
    pub(super) outage: Outage,
    pub(super) lease: Duration,
    pub(super) max_in_flight: Option<u32>,
}

/// A limit that a store can count.
pub(super) fn countable(limit: Credits) -> Result<Credits, OpenError> {
    match limit <= LARGEST {
        true => Ok(limit),
        false => Err(OpenError::TooLarge {
            limit,
            most: LARGEST,
        }),
    }
}
