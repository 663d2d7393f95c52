//! The syntax trees of a crate, before they are formatted.

use openapi_document::finding::Finding;
use openapi_model::Model;

use crate::operations::Module;

/// The syntax trees of a crate, and the values for its templates.
pub struct Code {
    /// The model that the code was made from.
    pub model: Model,
    /// The types of requests and responses.
    pub types: syn::File,
    /// The builders, a module each.
    pub operations: Vec<Module>,
    /// The client; `None` for a crate of the types alone.
    pub client: Option<syn::File>,
    /// Its handles, a module each.
    pub handles: Vec<Module>,
    /// The command line, of a crate that has one.
    pub commands: Option<syn::File>,
    /// The parts of the document that are left out, or less typed.
    pub warnings: Vec<Finding>,
}
