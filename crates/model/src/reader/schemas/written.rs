//! The schemas of a document as they are written, with what is known of them.

use std::cell::RefCell;
use std::collections::HashMap;

use openapi_document::source::Source;
use openapi_schemas::reading::{self, Document, Followed, Reading, Site};
use serde_json::Value;

use super::kind::Kind;
use super::naming::Naming;
use super::type_name::{CHOSEN, EXTENSIONS};

/// The schemas of a document, with cached results.
pub(super) struct Written<'d> {
    pub(super) source: &'d Source,
    /// The same schemas, as what they say.
    pub(super) document: RefCell<Document<'d>>,
    pub(super) naming: Naming<'d>,
    /// The kinds of schemas, by their addresses.
    pub(super) kinds: RefCell<HashMap<*const Value, Kind>>,
    /// Schemas of which more than the limit would have had to be read.
    pub(super) cut: RefCell<Vec<&'d Value>>,
}

impl<'d> Written<'d> {
    /// Returns the location of a schema.
    pub(super) fn pointer(&self, schema: &Value) -> String {
        self.document.borrow().pointer_of(schema)
    }

    /// Returns the name of a schema, if it has one.
    pub(super) fn name(&self, schema: &Value) -> Option<&str> {
        self.naming.of(&self.pointer(schema))
    }

    /// Returns the name of a schema among the components.
    pub(super) fn component(&self, schema: &Value) -> Option<&'d str> {
        self.document.borrow().component_of(schema)
    }

    /// Resolves a schema to the one that determines the form of its values.
    pub(super) fn resolve(&self, schema: &'d Value) -> Followed<'d> {
        self.ask(schema, |document| {
            EXTENSIONS.follow(document, schema, &|schema| self.naming.has(schema))
        })
    }

    /// Reads what a schema says.
    pub(super) fn reading(&self, schema: &'d Value) -> Reading<'d> {
        let site = Site::new(Some(schema), schema);
        let owner = self.resolve(schema).schema;
        self.ask(owner, |document| reading::read(document, &site))
    }

    /// Returns whether only null is a value of a schema.
    pub(super) fn is_null(&self, schema: &'d Value) -> bool {
        self.ask(schema, |document| reading::is_null(document, schema))
    }

    /// Returns a schema and its parts, the most specific last.
    pub(super) fn parts(&self, schema: &'d Value) -> Vec<&'d Value> {
        self.ask(schema, |document| reading::parts(document, schema))
    }

    /// Asks the document about a schema, and notes whether the answer is cut.
    fn ask<T>(&self, schema: &'d Value, question: impl FnOnce(&mut Document<'d>) -> T) -> T {
        let mut document = self.document.borrow_mut();
        let answer = question(&mut document);
        if std::mem::take(&mut document.is_cut) {
            let mut cut = self.cut.borrow_mut();
            if !cut.iter().any(|known| std::ptr::eq(*known, schema)) {
                cut.push(schema);
            }
        }
        answer
    }
}

/// Returns whether a schema leaves the form of a value open: it only describes or restricts it.
pub(super) fn leaves_open(schema: &Value) -> bool {
    schema.get(CHOSEN).is_none() && reading::leaves_open(schema)
}
