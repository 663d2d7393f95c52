//! The files of the runtime in the emitted crate.

use std::collections::BTreeMap;

use openapi_document::finding::DocumentError;
use openapi_model::Model;

use super::super::packaging::Sources;
use super::super::tree::FileTree;
use super::manifest::{Merged, defect};
use super::pruned::Pruned;
use super::{needed, paths};

/// The licences of the runtime.
const LICENSES: [&str; 2] = ["LICENSE-APACHE", "LICENSE-MIT"];

/// A file of the runtime, while its crate is written.
struct SourceFile {
    /// Its path among the sources.
    path: String,
    text: String,
}

/// Adds the modules of the runtime, each with its licence: from the root of each crate to all modules that it declares for the features of
/// the emitted crate.
pub(in super::super) fn insert(
    tree: &mut FileTree,
    sources: Sources,
    merged: &Merged,
    model: &Model,
) -> Result<(), DocumentError> {
    let texts: BTreeMap<&str, &str> = sources.iter().copied().collect();
    let crate_name = model.package.name.replace('-', "_");
    let mut files = Vec::new();
    for (_, folder) in needed(model) {
        files.extend(with_modules(folder, &texts, merged)?);
    }
    for (module, folder) in needed(model) {
        let root = format!("{folder}/src");
        for file in files.iter().filter(|file| file.path.starts_with(&root)) {
            let mut text = file.text.clone();
            if file.path == format!("{root}/lib.rs") {
                text = as_module(&text, &files, &root);
            }
            let text = paths::runtime(&text, module, &crate_name);
            tree.insert(&destination(&file.path, &root, module), text);
            let beside = file.path.rsplit_once('/').map_or("", |(folder, _)| folder);
            for (other, text) in others(sources, beside) {
                tree.insert(&destination(other, &root, module), text.to_owned());
            }
        }
        for name in LICENSES {
            let license = source(&texts, name)?.to_owned();
            tree.insert(&format!("src/{module}/{name}"), license);
        }
    }
    Ok(())
}

/// Returns the root of a crate of the runtime and all modules that it declares for the features of the emitted crate.
fn with_modules(
    folder: &str,
    texts: &BTreeMap<&str, &str>,
    merged: &Merged,
) -> Result<Vec<SourceFile>, DocumentError> {
    let root = format!("{folder}/src");
    let mut all = Vec::new();
    let mut pending = vec![(format!("{root}/lib.rs"), root.clone())];
    while let Some((path, folder)) = pending.pop() {
        let pruned = Pruned::new(&path, source(texts, &path)?, merged)?;
        for declared in pruned.modules {
            let folder = format!("{folder}/{declared}");
            let beside = format!("{folder}.rs");
            let file = if texts.contains_key(beside.as_str()) {
                beside
            } else {
                format!("{folder}/mod.rs")
            };
            pending.push((file, folder));
        }
        let text = pruned.text;
        all.push(SourceFile { path, text });
    }
    Ok(all)
}

fn source<'t>(texts: &BTreeMap<&str, &'t str>, path: &str) -> Result<&'t str, DocumentError> {
    let text = texts.get(path).copied();
    text.ok_or_else(|| defect(format!("the sources of the runtime have no `{path}`")))
}

/// The path of a file in the emitted crate.
fn destination(path: &str, root: &str, module: &str) -> String {
    let below = path.strip_prefix(root).unwrap_or(path);
    match below {
        "/lib.rs" => format!("src/{module}/mod.rs"),
        below => format!("src/{module}{below}"),
    }
}

/// Files of a folder that are no Rust.
fn others(sources: Sources, folder: &str) -> impl Iterator<Item = (&'static str, &'static str)> {
    sources.iter().copied().filter(move |(path, _)| {
        let name = path
            .strip_prefix(folder)
            .and_then(|rest| rest.strip_prefix('/'));
        name.is_some_and(|name| !name.contains('/') && !name.ends_with(".rs"))
    })
}

/// Turns the root of a crate into that of a module: without attributes of a crate, and with its macros, which the compiler has at the root of
/// the emitted crate.
fn as_module(text: &str, files: &[SourceFile], root: &str) -> String {
    let mut text = text.replace("#![cfg_attr(docsrs, feature(doc_cfg))]\n", "");
    let of_crate = files.iter().filter(|file| file.path.starts_with(root));
    let exported =
        of_crate.flat_map(|file| file.text.split("#[macro_export]\nmacro_rules! ").skip(1));
    let mut macros: Vec<&str> = exported
        .filter_map(|text| text.split([' ', '{']).next())
        .collect();
    macros.sort_unstable();
    // One may be defined for each of two conditions.
    macros.dedup();
    if !macros.is_empty() {
        // The path begins at the root of the emitted crate: it is spelled so that the rewriting of paths leaves it alone.
        text.push_str(&format!(
            "\n#[doc(hidden)]\npub use super::{{{}}};\n",
            macros.join(", ")
        ));
    }
    text
}
