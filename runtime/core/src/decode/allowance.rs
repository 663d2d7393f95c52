//! How much memory the elements of one body may take.
//!
//! JSON spends two bytes on an element of which the decoded form takes hundreds: 10 MB of `{}` would be more than 1 GB of records. A
//! client therefore decodes within an allowance, which lists, maps and [`Records`](crate::Records) draw on for each element by the size
//! of its type. What an element keeps elsewhere, such as its texts, is no larger than the bytes that it came in.

use std::cell::Cell;

use serde::de::Error;

/// What every body may take, in bytes.
const BASE: usize = 64 << 20;
/// What each byte of it adds.
const PER_BYTE: usize = 8;

/// The allowance of a body of this many bytes, in bytes.
///
/// Measured with a body of 10 MB of `{}`, each a record of 744 bytes: 2.4 GB at the peak without a bound; 167 MB and an error with it.
pub(crate) fn allowance(body: usize) -> usize {
    body.saturating_mul(PER_BYTE).saturating_add(BASE)
}

#[derive(Clone, Copy)]
enum Room {
    /// Not decoded by a client: the caller has the bytes, and decides.
    Unbounded,
    /// So many bytes are left.
    Left(usize),
    /// More was needed than there was.
    Exhausted,
}

thread_local! {
    static ROOM: Cell<Room> = const { Cell::new(Room::Unbounded) };
}

/// Runs a decode whose elements may take so many bytes, apart from those of a decode around it.
pub(crate) fn within<R>(bytes: usize, decode: impl FnOnce() -> R) -> R {
    let _restore = Restore(ROOM.replace(Room::Left(bytes)));
    decode()
}

/// Whether the decode that asks is one of a client, which has an allowance.
pub(crate) fn is_bounded() -> bool {
    !matches!(ROOM.get(), Room::Unbounded)
}

/// Whether the decode that asks has needed more than it may take: then nothing in it is to be set aside, and all of it fails.
pub(crate) fn is_exhausted() -> bool {
    matches!(ROOM.get(), Room::Exhausted)
}

/// Runs a decode that may be tried again in another way: one that comes to nothing draws on nothing, unless it needed too much.
pub(crate) fn unless_undone<R>(decode: impl FnOnce() -> Option<R>) -> Option<R> {
    let before = ROOM.get();
    let read = decode();
    if read.is_none() && !is_exhausted() {
        ROOM.set(before);
    }
    read
}

/// Draws on the allowance for one element.
pub(crate) fn draw<E: Error>(bytes: usize) -> Result<(), E> {
    let left = match ROOM.get() {
        Room::Unbounded => return Ok(()),
        Room::Left(left) => left.checked_sub(bytes),
        Room::Exhausted => None,
    };
    ROOM.set(left.map_or(Room::Exhausted, Room::Left));
    left.map(drop).ok_or_else(|| E::custom("too many elements"))
}

/// Restores in `drop`: a `Deserialize` implementation of the caller's may panic, and its thread live on.
struct Restore(Room);

impl Drop for Restore {
    fn drop(&mut self) {
        ROOM.set(self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draws(bytes: usize) -> bool {
        draw::<serde_json::Error>(bytes).is_ok()
    }

    #[test]
    fn what_is_left_decides_and_nothing_fits_any_more_once_something_did_not() {
        assert!(draws(usize::MAX));
        within(10, || {
            assert!(draws(10) && draws(0) && !is_exhausted());
            assert!(!draws(1) && is_exhausted() && !draws(0));
            within(5, || assert!(draws(5) && !is_exhausted()));
            assert!(is_exhausted());
        });
        assert!(draws(usize::MAX) && !is_exhausted());
    }
}
