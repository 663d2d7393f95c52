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
    for (module, folder) in needed(model) {
        let root = format!("{folder}/src");
        let mut files = vec![(format!("{root}/lib.rs"), root.clone())];
        while let Some((path, below)) = files.pop() {
            let pruned = Pruned::new(&path, source(&texts, &path)?, merged)?;
            let mut text = pruned.text;
            for declared in pruned.modules {
                let folder = format!("{below}/{declared}");
                let beside = format!("{folder}.rs");
                let file = if texts.contains_key(beside.as_str()) {
                    beside
                } else {
                    format!("{folder}/mod.rs")
                };
                files.push((file, folder));
            }
            if path == format!("{root}/lib.rs") {
                text = as_module(&text, sources, folder);
            }
            let text = paths::runtime(&text, module, &crate_name);
            tree.insert(&destination(&path, &root, module), text);
            let beside = path.rsplit_once('/').map_or("", |(folder, _)| folder);
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
fn as_module(text: &str, sources: Sources, folder: &str) -> String {
    let mut text = text.replace("#![cfg_attr(docsrs, feature(doc_cfg))]\n", "");
    let of_crate = sources.iter().filter(|(path, _)| {
        let inside = path.strip_prefix(folder);
        inside.is_some_and(|rest| rest.starts_with("/src/"))
    });
    let exported =
        of_crate.flat_map(|(_, text)| text.split("#[macro_export]\nmacro_rules! ").skip(1));
    let mut macros: Vec<&str> = exported
        .filter_map(|text| text.split([' ', '{']).next())
        .collect();
    macros.sort_unstable();
    if !macros.is_empty() {
        // The path begins at the root of the emitted crate: it is spelled so that the rewriting of paths leaves it alone.
        text.push_str(&format!(
            "\n#[doc(hidden)]\npub use super::{{{}}};\n",
            macros.join(", ")
        ));
    }
    text
}
