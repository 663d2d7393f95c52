//! The calls of clients, as modules of programs.

use openapi_document::finding::DocumentError;
use openapi_model::Model;

use super::features::ALL;
use super::packaging::Packaging;
use super::sources;
use super::tree::FileTree;
use crate::operations;

/// The calls of a client, as a module.
#[derive(Clone, Debug)]
pub struct Calls {
    /// The package of the client.
    pub package: String,
    /// Its feature with all operations, if it has one.
    pub(super) features: Option<&'static str>,
    pub(super) text: String,
}

impl Calls {
    /// Writes the calls of a client.
    ///
    /// # Errors
    ///
    /// Code that does not parse, which is a defect of the generator.
    pub fn of(model: &Model) -> Result<Self, DocumentError> {
        let package = model.package.name.clone();
        let text = sources::rust(operations::calls(model)?);
        Ok(Self {
            text: format!("//! The calls of `{package}`, for `checked-tests`.\n\n{text}"),
            features: (!model.groups.is_empty()).then_some(ALL),
            package,
        })
    }
}

/// The modules of several clients, each under a name.
pub fn calls_of(all: &[(String, Calls)]) -> FileTree {
    let mut tree = FileTree::new(&Packaging::default().command);
    for (name, calls) in all {
        tree.insert(&format!("{name}.rs"), calls.text.clone());
    }
    tree
}
