//! How much memory the elements of one body may take.
//!
//! JSON spends two bytes on an element whose decoded form takes hundreds: 10 MB of `{}` would become more than 1 GB of records. A client
//! therefore decodes within an allowance. Every list and map draws on it for what it allocates, also while it grows: those of generated types
//! themselves, and all others, such as those of [`serde_json::Value`], through the [decoder](crate::decode::decoder). Copies of JSON draw on
//! it while they exist. Strings are no larger than their JSON. What the allocator adds to each allocation is not counted.

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

/// Returns what an earlier draw took, because it was freed.
fn give_back(bytes: usize) {
    if let Allowance::Left(left) = ALLOWANCE.get() {
        ALLOWANCE.set(Allowance::Left(left.saturating_add(bytes)));
    }
}

/// Draws on the allowance for a copy of this many bytes while `read` runs.
pub(crate) fn holding<R, E: Error>(
    bytes: usize,
    read: impl FnOnce() -> Result<R, E>,
) -> Result<R, E> {
    draw(bytes)?;
    let read = read();
    give_back(bytes);
    read
}

/// Draws for the next element of a list, which has `length` elements of this size: a [`Vec`] doubles when it is full, and the old and the
/// new one exist together.
pub(crate) fn draw_element<E: Error>(size: usize, length: usize) -> Result<(), E> {
    let first = match size {
        0..=1 => 8,
        2..=1024 => 4,
        _ => 1,
    };
    if length == 0 {
        return draw(size.saturating_mul(first));
    }
    if length < first || !length.is_power_of_two() {
        return Ok(());
    }
    let old = size.saturating_mul(length);
    holding(old, || draw(old))
}

/// Draws for the next member of a map, which has `length` members whose names and values have this size. The map is a [`BTreeMap`](std::collections::BTreeMap), or
/// the table of `serde_json` with the feature `preserve_order`.
pub(crate) fn draw_member<E: Error>(size: usize, length: usize) -> Result<(), E> {
    /// Pointers and lengths of a node, with those to its children, which a leaf does not have.
    const LINKS: usize = 112;
    // A node has room for 11 members. The first that is full becomes two below a third, and later there is at most one per 5 members. One
    // per 3 is what the table takes while it doubles.
    let nodes = match length {
        0 => 1,
        10 => 2,
        11.. if length % 3 == 1 => 1,
        _ => return Ok(()),
    };
    draw(
        size.saturating_mul(11)
            .saturating_add(LINKS)
            .saturating_mul(nodes),
    )
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
    fn a_list_draws_for_its_capacity_and_for_both_halves_while_it_grows() {
        let fits = |bytes, elements| {
            within(bytes, || {
                (0..elements).all(|length| draw_element::<serde_json::Error>(8, length).is_ok())
            })
        };
        for (bytes, elements) in [(32, 4), (96, 8), (192, 16), (384, 32)] {
            assert!(fits(bytes, elements), "{bytes}");
            assert!(
                !fits(bytes, elements + 1) && !fits(bytes - 1, elements),
                "{bytes}"
            );
        }
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
