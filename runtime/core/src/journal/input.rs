//! What is known of an input of a batch.

use std::collections::BTreeSet;

use crate::paging::Position;

use super::storage::Place;

/// How many records of an input are wanted.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// One response: of a list, one page.
    Page,
    /// This many records.
    Records(u64),
    /// All records.
    All,
}

/// What is known of an input.
#[derive(Debug, Default)]
pub(super) struct Input {
    /// Where its pages go on.
    pub(super) position: Option<Position>,
    /// All records are kept.
    pub(super) is_done: bool,
    /// This many records are kept; `None` for one page.
    pub(super) enough: Option<Option<u64>>,
    /// By the service, for good.
    pub(super) is_refused: bool,
    /// A paid response.
    pub(super) brought: Option<Place>,
    /// The attempts that were or may have been charged, and have nothing to show for it, or only a part of a page.
    pub(super) unresolved: BTreeSet<u64>,
}

impl Input {
    pub(super) fn is_unsure(&self) -> bool {
        !self.unresolved.is_empty()
    }

    /// Returns whether it has as much as is wanted, or was refused for good.
    pub(super) fn is_done(&self, wanted: Wanted) -> bool {
        let is_enough = match (self.enough, wanted) {
            (None, _) | (_, Wanted::All) => false,
            (Some(_), Wanted::Page) => true,
            (Some(had), Wanted::Records(most)) => had.is_some_and(|had| had >= most),
        };
        is_enough || self.is_done || self.is_refused
    }
}
