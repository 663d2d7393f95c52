//! The Rust of a crate, before it is text.

use openapi_document::finding::Finding;
use openapi_model::Model;

use crate::operations::Module;

/// The Rust of a crate, before it is text, and what the fixed texts of the crate are filled from.
pub struct Code {
    /// What it was made from.
    pub model: Model,
    /// The types of requests and responses.
    pub types: syn::File,
    /// The builders, a module each.
    pub operations: Vec<Module>,
    /// The client.
    pub client: syn::File,
    /// Its handles, a module each.
    pub handles: Vec<Module>,
    /// The command line.
    pub commands: syn::File,
    /// What the document says of responses, as tables.
    pub shapes: syn::File,
    /// What is left out, or less typed than the document.
    pub warnings: Vec<Finding>,
}
