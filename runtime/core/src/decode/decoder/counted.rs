//! Which lists and maps the decoder counts against the memory allowance: those of types that do not count themselves, such as
//! [`serde_json::Value`], and the buffers of serde.

use std::cell::Cell;

use serde::de::Error;

use crate::decode::allowance::{draw_element, draw_member};

/// The name under which a list or map is requested that draws on the allowance itself.
pub(crate) const SELF_COUNTED: &str = "generated_client::self_counted";
/// The name under which a struct is requested that keeps its unnamed members.
pub(crate) const FLATTENED: &str = "generated_client::flattened";

thread_local! {
    /// Set if the member of a flattened struct was read as any JSON.
    static IS_EXTRA: Cell<bool> = const { Cell::new(false) };
}

/// The place of a value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// Its type reads it directly.
    Typed,
    /// It is a member of a struct that keeps its unnamed members.
    Flattened,
    /// Serde buffers it, and copies it to its type.
    Buffered,
}

impl Place {
    #[inline]
    pub(super) fn inside(self) -> Self {
        match self {
            Self::Buffered => Self::Buffered,
            Self::Typed | Self::Flattened => Self::Typed,
        }
    }

    /// The place of values inside of a value of any kind.
    #[inline]
    pub(super) fn inside_any(self) -> Self {
        match self {
            Self::Typed => Self::Typed,
            Self::Flattened | Self::Buffered => Self::Buffered,
        }
    }

    /// How a list or map is counted that is read as a value of any kind.
    #[inline]
    pub(super) fn of_any(self) -> Counted {
        match self {
            Self::Typed => Counted::Once,
            Self::Flattened => {
                IS_EXTRA.set(true);
                Counted::Twice
            }
            Self::Buffered => Counted::Twice,
        }
    }
}

/// How often the memory of a list or map is counted.
#[derive(Clone, Copy)]
pub(super) enum Counted {
    Nothing,
    Once,
    /// In a buffer of serde and in the type that is read from it.
    Twice,
    /// Of a struct, only the members that it does not name.
    Extras,
}

impl Counted {
    /// Begins a flattened struct. A value that failed before may have been an extra one.
    pub(super) fn extras() -> Self {
        IS_EXTRA.set(false);
        Self::Extras
    }

    /// Draws for an element of this size, after as many others.
    #[inline]
    pub(super) fn element<E: Error>(self, size: usize, length: usize) -> Result<(), E> {
        match self {
            Self::Nothing | Self::Extras => Ok(()),
            Self::Once => draw_element(size, length),
            Self::Twice => draw_element(size.saturating_mul(2), length),
        }
    }

    /// Draws for a member whose name and value have this size, after as many others. Returns whether it was counted.
    #[inline]
    pub(super) fn member<E: Error>(self, size: usize, length: usize) -> Result<bool, E> {
        let copies = match self {
            Self::Nothing => return Ok(false),
            Self::Extras if !IS_EXTRA.take() => return Ok(false),
            Self::Once => 1,
            Self::Twice | Self::Extras => 2,
        };
        draw_member(size.saturating_mul(copies), length).map(|()| true)
    }
}
