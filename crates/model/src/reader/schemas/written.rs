//! The schemas of a document as they are written, with what is known of them.

use std::cell::RefCell;
use std::collections::HashMap;

use openapi_document::source::Source;
use openapi_schemas::reading::{Document, Reading, Site, read};

use super::kind::Kind;
use super::naming::Naming;

/// The schemas of a document, with cached results.
pub(super) struct Written<'d> {
    pub(super) source: &'d Source,
    /// The same schemas, as what they say.
    pub(super) document: RefCell<Document<'d>>,
    pub(super) naming: Naming,
    /// The kind of the schema at a pointer.
    pub(super) kinds: RefCell<HashMap<String, Kind>>,
}

/// Reads the schema at a location.
pub(super) fn reading<'d>(written: &Written<'d>, pointer: &str) -> Option<Reading<'d>> {
    let schema = written.source.value.pointer(pointer)?;
    let site = Site::new(Some(schema), schema);
    Some(read(&mut written.document.borrow_mut(), &site))
}
