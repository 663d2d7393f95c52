//! Amounts of credits in bodies.

use crate::document::shape::{Shape, Shaped};
use crate::money::credits::Credits;
use crate::wire::{Failure, Read, Reader};

impl Shaped for Credits {
    const SHAPE: &'static Shape = &Shape::Number;
}

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
