//! How much memory the elements of one body may take.
//!
//! JSON spends two bytes on an element whose decoded form takes hundreds: 10 MB of `{}` would become more than 1 GB of records. A client
//! therefore decodes within an allowance. Every list and map draws on it for what it allocates, also while it grows. Copies of JSON draw on
//! it too. Strings are no larger than their JSON. What the allocator adds to each allocation is not counted.

use super::failure::Failure;
use super::reader::Reader;

/// The base allowance of every body, in bytes.
const BASE: usize = 64 << 20;
/// The additional allowance per byte of the body.
const PER_BYTE: usize = 8;

/// The bytes that a decode may still take; `None` outside of a client: the caller has the bytes and decides.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Allowance(pub(crate) Option<usize>);

impl Allowance {
    pub(crate) const UNBOUNDED: Self = Self(None);

    /// Returns the allowance of a body of this many bytes.
    ///
    /// Measured with 10 MB of `{}`, each a record of 744 bytes. The peak is 2.4 GB without a limit; with it, 167 MB and an error.
    pub(crate) fn of(body: usize) -> Self {
        Self(Some(body.saturating_mul(PER_BYTE).saturating_add(BASE)))
    }

    /// Returns what it is for a body, in millions of bytes.
    pub(crate) fn megabytes(self) -> usize {
        self.0.unwrap_or_default() / 1_000_000
    }
}

/// Draws on the allowance.
pub(crate) fn draw(reader: &mut Reader<'_>, bytes: usize) -> Result<(), Failure> {
    let Some(left) = reader.state.allowance.0 else {
        return Ok(());
    };
    reader.state.allowance.0 = Some(left.saturating_sub(bytes));
    if bytes > left {
        return Err(Failure::too_much(reader.at));
    }
    Ok(())
}

/// Draws for the next element of a list, which has `length` elements of this size: a [`Vec`] doubles when it is full, and the old and
/// the new one exist together.
pub(crate) fn draw_element(
    reader: &mut Reader<'_>,
    size: usize,
    length: usize,
) -> Result<(), Failure> {
    if length == 0 || length.is_power_of_two() {
        draw_growth(reader, size, length)
    } else {
        Ok(())
    }
}

fn draw_growth(reader: &mut Reader<'_>, size: usize, length: usize) -> Result<(), Failure> {
    let first = match size {
        0..=1 => 8,
        2..=1024 => 4,
        _ => 1,
    };
    if length == 0 {
        return draw(reader, size.saturating_mul(first));
    }
    if length < first {
        return Ok(());
    }
    let old = size.saturating_mul(length);
    draw(reader, old.saturating_mul(2))?;
    give_back(reader, old);
    Ok(())
}

/// Draws for the next member of a map, which has `length` members whose names and values have this size. The map is a [`BTreeMap`](std::collections::BTreeMap), or
/// the table of `serde_json` with the feature `preserve_order`.
pub(crate) fn draw_member(
    reader: &mut Reader<'_>,
    size: usize,
    length: usize,
) -> Result<(), Failure> {
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
    let node = size.saturating_mul(11).saturating_add(LINKS);
    draw(reader, node.saturating_mul(nodes))
}

/// Returns what an earlier draw took, because it was freed.
fn give_back(reader: &mut Reader<'_>, bytes: usize) {
    if let Some(left) = &mut reader.state.allowance.0 {
        *left = left.saturating_add(bytes);
    }
}
