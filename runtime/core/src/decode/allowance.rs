//! How much memory the elements of one body may take.
//!
//! JSON spends two bytes on an element whose decoded form takes hundreds: 10 MB of `{}` would become more than 1 GB of records. A client
//! therefore decodes within an allowance. Lists, maps and [`Records`](crate::Records) draw on it for each element, by the size of its type.
//! Data outside the element, such as its strings, is no larger than its JSON.

use std::cell::Cell;

use serde::de::Error;

/// The base allowance of every body, in bytes.
const BASE: usize = 64 << 20;
/// The additional allowance per byte of the body.
const PER_BYTE: usize = 8;

/// Returns the allowance of a body of this many bytes, in bytes.
///
/// Measured with 10 MB of `{}`, each a record of 744 bytes. The peak is 2.4 GB without a limit; with it, 167 MB and an error.
pub(crate) fn allowance(body: usize) -> usize {
    body.saturating_mul(PER_BYTE).saturating_add(BASE)
}

#[derive(Clone, Copy)]
enum Allowance {
    /// Decoded outside of a client: the caller has the bytes and decides.
    Unbounded,
    Left(usize),
    /// An element did not fit.
    Exhausted,
}

thread_local! {
    static ALLOWANCE: Cell<Allowance> = const { Cell::new(Allowance::Unbounded) };
}

/// Runs a decode whose elements may take this many bytes, separate from the allowance of an outer decode.
pub(crate) fn within<R>(bytes: usize, decode: impl FnOnce() -> R) -> R {
    let _restore = Restore(ALLOWANCE.replace(Allowance::Left(bytes)));
    decode()
}

/// Returns whether the current decode has an allowance, as those of clients do.
pub(crate) fn is_bounded() -> bool {
    !matches!(ALLOWANCE.get(), Allowance::Unbounded)
}

/// Returns whether the current decode has exceeded its allowance: then nothing is set aside, and all of it fails.
pub(crate) fn is_exhausted() -> bool {
    matches!(ALLOWANCE.get(), Allowance::Exhausted)
}

/// Runs a decode that may be retried in another way. If it fails, its draws are undone, unless it exceeded the allowance.
pub(crate) fn undone_on_failure<R>(decode: impl FnOnce() -> Option<R>) -> Option<R> {
    let before = ALLOWANCE.get();
    let read = decode();
    if read.is_none() && !is_exhausted() {
        ALLOWANCE.set(before);
    }
    read
}

/// Draws on the allowance for one element.
pub(crate) fn draw<E: Error>(bytes: usize) -> Result<(), E> {
    let left = match ALLOWANCE.get() {
        Allowance::Unbounded => return Ok(()),
        Allowance::Left(left) => left.checked_sub(bytes),
        Allowance::Exhausted => None,
    };
    ALLOWANCE.set(left.map_or(Allowance::Exhausted, Allowance::Left));
    left.map(drop).ok_or_else(|| E::custom("too many elements"))
}

/// Restores in `drop`: the caller's `Deserialize` implementation may panic while its thread continues.
struct Restore(Allowance);

impl Drop for Restore {
    fn drop(&mut self) {
        ALLOWANCE.set(self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draws(bytes: usize) -> bool {
        draw::<serde_json::Error>(bytes).is_ok()
    }

    #[test]
    fn once_an_element_does_not_fit_no_other_fits() {
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
