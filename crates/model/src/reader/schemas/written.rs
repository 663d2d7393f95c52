//! The schemas of a document as they are written, with what is known of them.

use std::cell::RefCell;
use std::collections::HashMap;

use openapi_document::source::Source;
use openapi_schemas::reading::Document;

use super::kind::Kind;
use super::naming::Naming;

/// The schemas of a document, with cached results.
pub(super) struct Written<'d> {
    pub(super) source: &'d Source,
    /// The same schemas, as what they say.
    pub(super) document: RefCell<Document<'d>>,
    pub(super) naming: Naming,
    /// Nullability of the value at a pointer.
    pub(super) nullable: RefCell<HashMap<String, bool>>,
    /// The kind of the schema at a pointer.
    pub(super) kinds: RefCell<HashMap<String, Kind>>,
}
