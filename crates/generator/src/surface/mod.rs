//! The public items of a generated crate, and the effect of a changed document on the builds of callers. Input: a document. Output: every
//! public item of its crate, each with its location in the document; and for two of those, the differences with the version bump that each
//! requires. Nothing here reads a schema to judge a change: the items are taken from the emitted code.
//!
//! # The bump of a difference
//!
//! Rust's rules for libraries, as far as they touch what is emitted:
//!
//! - *Major*: a caller's code can stop compiling. Something is gone or has another type; an argument is new; a tuple has a new
//!   field; a trait is no longer implemented; the crate has another name. A renamed operation is this, although nothing
//!   changes on the wire.
//! - *Minor*: there is more to use. A setter, a field or variant of a `#[non_exhaustive]` type, a type, an operation, a trait.
//!   So is an attribute that warns (`#[deprecated]`, `#[must_use]`): a build that denies warnings fails by its own choice.
//! - *Patch*: everything compiles as before. Documentation, and behaviour that no signature shows: paths,
//!   names on the wire, prices, the place of the key in a request.
//!
//! One change without a signature is *minor*: the valid values of an argument. A bound that is new, moved or gone makes calls
//! fail before they are sent that were sent before, or the other way round. The service most likely refused them too,
//! and they still compile, but a patch version would not announce it to callers.
//!
//! Features by tag count for callers that switch the default features off, even where a caller with them sees no difference: a
//! feature that is gone, and an operation or type that needs another feature, are *major*. A type that is always there now is *minor*.
//!
//! Some breaking changes cannot happen here and have no rule: losing `Send` and `Sync` (all that is emitted is plain data, and the
//! runtime's), a new method in a public trait, and generics of types (no type has any).

mod arguments;
mod compare;
mod duplicates;
mod features;
mod functions;
mod item;
mod listed;
mod macros;
mod moves;
mod paths;
mod places;
mod types;
mod walk;

use std::collections::BTreeMap;

pub use compare::compare;
pub use item::{Argument, Item, Kind};
pub use openapi_diff::{Bump, Difference};

use crate::emit::Code;
use crate::generate;
use openapi_document::finding::DocumentError;
use openapi_document::source::Source;
use openapi_overrides::OverrideReport;

/// Every public item of a generated crate, and what its code does that no signature shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Surface {
    items: BTreeMap<(String, Kind), Item>,
}

impl FromIterator<Item> for Surface {
    fn from_iter<I: IntoIterator<Item = Item>>(items: I) -> Self {
        let items = items.into_iter();
        Self {
            items: items
                .map(|item| ((item.path.clone(), item.kind), item))
                .collect(),
        }
    }
}

impl Surface {
    /// The items, by path.
    pub fn items(&self) -> impl Iterator<Item = &Item> {
        self.items.values()
    }

    fn get(&self, path: &str, kind: Kind) -> Option<&Item> {
        self.items.get(&(path.to_owned(), kind))
    }
}

/// Generates the crate of a document in memory and lists its items. `report` lists the overrides, which appear in the
/// documentation; the default report has none.
///
/// # Errors
///
/// The document cannot become a crate.
pub fn read(document: &Source, report: &OverrideReport) -> Result<Surface, DocumentError> {
    of(document, &generate::code(document, report)?)
}

/// Lists what the crate of this code offers. `document` is what the code was generated from.
///
/// # Errors
///
/// A crate root that does not parse, which is a defect of the generator.
pub fn of(document: &Source, code: &Code) -> Result<Surface, DocumentError> {
    Ok(listed::listed(document, code)?.into_iter().collect())
}

/// Returns all differences between the crates of two documents, as [`compare`] finds them.
///
/// # Errors
///
/// Either document cannot become a crate; the error has the findings of both.
pub fn between(
    old: &Source,
    new: &Source,
    report: &OverrideReport,
) -> Result<Vec<Difference>, [Option<DocumentError>; 2]> {
    match (read(old, report), read(new, report)) {
        (Ok(old), Ok(new)) => Ok(compare(&old, &new)),
        (old, new) => Err([old.err(), new.err()]),
    }
}
