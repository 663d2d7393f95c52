//! Turns the code of a crate into its files.

use openapi_document::finding::DocumentError;
use openapi_document::readable;
use openapi_model::Model;
use openapi_overrides::ReconciledDocument;

use super::code::Code;
use super::packaging::{Packaging, Runtime, Sources};
use super::parts::Parts;
use super::tree::FileTree;
use super::vendored::{self, Merged};
use super::{
    cargo_features, cargo_toml, features, left_out, manifest, overrides_md, readme, sources,
    webhooks,
};

/// The reconciled document that a generated crate was made from.
pub const DOCUMENT: &str = "openapi.yaml";
/// The file that lists the types of a generated crate, each with its schema.
pub const MANIFEST: &str = "manifest.yaml";

/// Writes the files of a crate. `code` was generated from `reconciled`.
///
/// # Errors
///
/// The reconciled document has no form in YAML, or the package cannot contain the runtime.
pub fn emit(
    reconciled: &ReconciledDocument,
    code: &Code,
    packaging: &Packaging,
) -> Result<FileTree, DocumentError> {
    let mut tree = FileTree::new(&packaging.command);
    let model = &code.model;
    let parts = Parts::new(model, &packaging.runtime);
    let vendored = match packaging.runtime {
        Runtime::Vendored(sources) => Some((sources, merged(sources, model, &parts)?)),
        _ => None,
    };
    let merged = vendored.as_ref().map(|(_, merged)| merged);
    tree.insert("Cargo.toml", cargo_toml::emit(model, packaging, merged));
    let has_overrides = !reconciled.report.applied.is_empty();
    let readme = readme::emit(&code.model, has_overrides, &parts)
        + &features::readme(&code.model, &parts)
        + &webhooks::readme(&code.model)
        + &left_out::emit(&code.model.left_out)
        + &left_out::losses(reconciled.source.warnings.iter().chain(&code.warnings));
    tree.insert("README.md", markdown(&readme));
    if has_overrides {
        let overrides = overrides_md::emit(&reconciled.report);
        tree.insert("OVERRIDES.md", markdown(&overrides));
    }
    tree.insert(DOCUMENT, sources::document(&reconciled.source)?);
    let modules = match vendored {
        Some(_) => vendored::declarations(model),
        None => String::new(),
    };
    tree.insert(
        "src/lib.rs",
        sources::lib(model, has_overrides, &modules, &parts),
    );
    if let Some(commands) = &code.commands {
        let commands = sources::commands(&model.package.name, commands);
        tree.insert("src/cli.rs", commands);
        tree.insert("src/main.rs", sources::main(model));
    }
    if let Some(client) = &code.client {
        tree.insert("src/client.rs", sources::rust(client.clone()));
        sources::insert(
            &mut tree,
            "operations",
            sources::OPERATIONS,
            &code.operations,
        );
    }
    if model.has_types() {
        tree.insert("src/types.rs", sources::types(&code.types));
    }
    if !code.handles.is_empty() {
        sources::insert(&mut tree, "handles", sources::HANDLES, &code.handles);
    }
    tree.insert(MANIFEST, manifest::emit(&code.model));
    if let Some((sources, merged)) = &vendored {
        tree.map(|path, text| vendored::emitted(path, text, &model.package.name));
        vendored::insert(&mut tree, sources, merged, model)?;
    }
    Ok(tree)
}

/// Makes Markdown safe to read and to render, whatever the document says.
fn markdown(text: &str) -> String {
    readable::without_html(&readable::lines(text))
}

/// Returns the merged manifests of the runtime, if the crate contains the runtime.
fn merged(sources: Sources, model: &Model, parts: &Parts) -> Result<Merged, DocumentError> {
    let needed = cargo_toml::needed(model, parts);
    let features = cargo_features::all(model, parts);
    let own = cargo_toml::own(&model.package);
    Merged::of(sources, model, features, &needed, &own)
}
