//! What values are in JSON.

/// What an alternative is in JSON.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Any,
    Text,
    Integer,
    Number,
    Boolean,
    List,
    Object,
}
