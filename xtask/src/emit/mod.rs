//! Everything that stands in the generated crate, as text. Pure: nothing here touches the disk.

mod cargo_toml;
mod header;
mod manifest;
mod overrides_md;
mod readme;
mod sources;
mod tree;

use crate::finding::Stop;
use crate::openapi::Model;
use crate::operations::{self, Module};
use crate::overrides::{OverrideReport, OverrideSet, ReconciledDocument};
use crate::source::Source;
use crate::{lint, openapi, types};

pub use header::{MARK, is_ours};
pub use manifest::inputs;
pub use tree::FileTree;

/// The reconciled document that a generated crate was made from.
pub const DOCUMENT: &str = "openapi.yaml";
/// The file that lists the inputs of a generated crate.
pub const MANIFEST: &str = "manifest.yaml";

/// The Rust of the crate, before it is text.
pub struct Code {
    /// What it was made from.
    pub model: Model,
    /// The crate root.
    pub root: String,
    /// The front page.
    pub readme: String,
    /// The client.
    pub client: syn::File,
    /// The types of requests and responses.
    pub types: syn::File,
    /// The builders, a module each.
    pub operations: Vec<Module>,
}

/// The way from a document to Rust: checks first, then types and operations.
pub fn code(document: &Source, report: &OverrideReport) -> Result<Code, Stop> {
    lint::document(document)?;
    let model = openapi::read(document)?;
    lint::model(document, &model)?;
    Ok(Code {
        root: sources::lib(&model),
        readme: readme::emit(&model),
        client: operations::client(&model, report)?,
        types: types::types(document, &model, report)?,
        operations: operations::operations(&model, report)?,
        model,
    })
}

/// The whole way from a reconciled document to the files of the crate.
pub fn emit(
    published: &Source,
    overrides: &OverrideSet,
    reconciled: &ReconciledDocument,
) -> Result<FileTree, Stop> {
    let code = code(&reconciled.source, &reconciled.report)?;
    let mut tree = FileTree::default();
    tree.insert("Cargo.toml", cargo_toml::emit(&code.model));
    tree.insert("README.md", code.readme);
    tree.insert("OVERRIDES.md", overrides_md::emit(&reconciled.report));
    tree.insert(DOCUMENT, sources::document(&reconciled.source)?);
    tree.insert("src/lib.rs", code.root);
    tree.insert("src/client.rs", sources::rust(&code.client));
    tree.insert(
        "src/shapes.rs",
        sources::rust(&operations::shapes(&code.model)?),
    );
    tree.insert("src/types.rs", sources::types(&code.types));
    tree.insert("src/operations.rs", sources::operations(&code.operations));
    for module in &code.operations {
        tree.insert(
            &format!("src/operations/{}.rs", module.name),
            sources::rust(&module.file),
        );
    }
    tree.insert(MANIFEST, manifest::emit(published, overrides));
    Ok(tree)
}
