//! Kinds of JSON values.

/// The JSON kind of an alternative.
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
