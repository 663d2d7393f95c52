//! The mode of a pass over a body.

use crate::decode::set_aside::{enter_member, leave, note_member};
use crate::decode::watch;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    Strict,
    Tolerant,
    /// Strict, and the outermost value.
    Watched,
    /// Tolerant, and the outermost value.
    WatchedTolerant,
}

impl Mode {
    #[inline]
    pub(super) fn is_tolerant(self) -> bool {
        matches!(self, Self::Tolerant | Self::WatchedTolerant)
    }

    #[inline]
    pub(super) fn is_watched(self) -> bool {
        matches!(self, Self::Watched | Self::WatchedTolerant)
    }

    /// Returns the mode for values inside a value. Only the names of the outermost object are shown to the watch.
    #[inline]
    pub(super) fn within(self) -> Self {
        match self {
            Self::Tolerant | Self::WatchedTolerant => Self::Tolerant,
            Self::Strict | Self::Watched => Self::Strict,
        }
    }

    /// Marks the watch as doubtful after a failure, even if the type ignores the error.
    #[inline]
    pub(super) fn ended(self, is_read: bool) {
        if self.is_watched() && !is_read {
            watch::doubt();
        }
    }

    pub(super) fn begin_value(self) -> Self {
        if self.is_tolerant() {
            enter_member();
        }
        self.within()
    }

    pub(super) fn end_value(self, is_read: bool) {
        if self.is_tolerant() {
            leave(is_read);
        }
        self.ended(is_read);
    }

    pub(super) fn show(self, name: &str) {
        if self.is_watched() {
            watch::compare(name);
        }
        if self.is_tolerant() {
            note_member(name);
        }
    }
}
