//! Everything that would make the engine panic or the emitted crate not compile, found before either happens.
//! Lint never edits.

mod aliases;
mod form;
mod names;
mod references;
mod size;

use crate::finding::Stop;
use crate::openapi::Model;
use crate::source::Source;

/// Checks a reconciled document, ahead of reading a [`Model`] out of it.
pub fn document(source: &Source) -> Result<(), Stop> {
    // Each family presumes that the ones before it found nothing.
    Stop::unless_empty(size::check(source))?;
    Stop::unless_empty(form::check(source))?;
    Stop::unless_empty(references::check(source))
}

/// Checks the names that a model would bring into Rust.
pub fn model(source: &Source, model: &Model) -> Result<(), Stop> {
    Stop::unless_empty(names::check(source, model))?;
    Stop::unless_empty(aliases::check(source, model))
}
