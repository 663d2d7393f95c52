//! Amounts of credits in bodies.

use crate::money::credits::Credits;
use crate::wire::{Failure, Read, Reader};

impl Read for Credits {
    fn read(reader: &mut Reader<'_>) -> Result<Self, Failure> {
        reader.peek();
        let start = reader.mark();
        match Self::from_json(reader.raw()?) {
            Some(amount) => Ok(amount),
            None => {
                reader.return_to(start);
                Err(reader.mismatch("an amount of credits"))
            }
        }
    }
}
