//! Amounts of credits in bodies.

use crate::money::credits::Credits;
use crate::wire::{Failure, Read, Reader};

impl Read for Credits {
    fn read(reader: &mut Reader<'_>) -> Result<Self, Failure> {
        reader.peek();
        let start = reader.mark();
        let amount = Self::from_json(reader.raw()?);
        amount.ok_or_else(|| Reader::refused(start, "expected an amount of credits"))
    }
}
