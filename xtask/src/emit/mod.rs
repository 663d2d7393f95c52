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
use crate::operations;
use crate::overrides::{OverrideSet, ReconciledDocument};
use crate::source::Source;
use crate::{lint, types};

pub use header::{MARK, is_ours};
pub use manifest::inputs;
pub use tree::FileTree;

/// The file that lists the inputs of a generated crate.
pub const MANIFEST: &str = "manifest.yaml";

/// The whole way from a reconciled document to the files of the crate.
pub fn emit(
    published: &Source,
    overrides: &OverrideSet,
    reconciled: &ReconciledDocument,
) -> Result<FileTree, Stop> {
    lint::document(&reconciled.source)?;
    let model = Model::build(&reconciled.source)?;
    lint::model(&reconciled.source, &model)?;
    let types = types::types(&reconciled.source, &model, &reconciled.report)?;
    let operations = operations::operations(&model, &reconciled.report)?;
    let client = operations::client(&model, &reconciled.report)?;
    let shapes = operations::shapes(&model)?;

    let mut tree = FileTree::default();
    tree.insert("Cargo.toml", cargo_toml::emit(&model));
    tree.insert("README.md", readme::emit(&model));
    tree.insert("OVERRIDES.md", overrides_md::emit(&reconciled.report));
    tree.insert("openapi.yaml", sources::document(&reconciled.source)?);
    tree.insert("src/lib.rs", sources::lib(&model));
    tree.insert("src/client.rs", sources::rust(&client));
    tree.insert("src/shapes.rs", sources::rust(&shapes));
    tree.insert("src/types.rs", sources::types(&types));
    tree.insert("src/operations.rs", sources::operations(&operations));
    for module in &operations {
        tree.insert(
            &format!("src/operations/{}.rs", module.name),
            sources::rust(&module.file),
        );
    }
    tree.insert(MANIFEST, manifest::emit(published, overrides));
    Ok(tree)
}
