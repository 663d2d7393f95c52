//! The surface of a crate from its files: what was released, whatever generator made it.

use std::collections::{BTreeMap, BTreeSet};

use openapi_document::finding::{DocumentError, Finding};
use openapi_document::program::generate;
use openapi_document::source::Source;

use super::item::Item;
use super::places::Places;
use super::{Surface, walk};
use crate::emit::{is_vendored, without_vendored};
use crate::generate;

/// Lists the items that an emitted crate offers. `files` are its files by their paths in the crate; `document` is its input.
///
/// # Errors
///
/// A file is missing or does not parse.
pub fn emitted(
    files: &BTreeMap<String, String>,
    document: &Source,
) -> Result<Surface, DocumentError> {
    let mut items = Vec::new();
    let root = Module {
        file: "src/lib.rs",
        folder: "src",
        path: "",
    };
    read(files, &root, &mut items)?;
    let name = document.value.pointer("/info/x-rust-package/name");
    let readme = files.get("README.md").map_or("", String::as_str);
    items.push(Item::package(
        name.and_then(|name| name.as_str()).unwrap_or_default(),
        readme,
    ));
    for item in &mut items {
        for text in [&mut item.signature, &mut item.shape] {
            *text = without_last_commas(text);
        }
    }
    // If this generator no longer accepts the document, the items have no places.
    if let Ok(read) = generate::read(document) {
        let places = Places::new(document, &read.model);
        for item in &mut items {
            places.attribute(item);
        }
    }
    Ok(items.into_iter().collect())
}

/// A file, the folder of the files that it declares, and its path for callers.
struct Module<'m> {
    file: &'m str,
    folder: &'m str,
    path: &'m str,
}

/// Reads a file and those that it declares, as far as callers can name what is in them.
fn read(
    files: &BTreeMap<String, String>,
    module: &Module<'_>,
    items: &mut Vec<Item>,
) -> Result<(), DocumentError> {
    let text = files.get(module.file);
    let text = text.ok_or_else(|| broken(module, "the crate lacks this file".to_owned()))?;
    let mut file = syn::parse_file(&without_vendored(text))
        .map_err(|error| broken(module, format!("the file does not parse: {error}")))?;
    let is_root = module.path.is_empty();
    if is_root {
        // The items of a crate are the same for each source of the runtime.
        file.items
            .retain(|item| !matches!(item, syn::Item::Mod(item) if is_vendored(&item.ident)));
    }
    let (mut declared, mut reexported) = (Vec::new(), BTreeSet::new());
    for item in &file.items {
        match item {
            // The command line is a separate program.
            syn::Item::Mod(item) if is_root && item.ident == "cli" => {}
            syn::Item::Mod(item) if item.content.is_none() => {
                let is_public = matches!(item.vis, syn::Visibility::Public(_));
                declared.push((item.ident.to_string(), is_public));
            }
            syn::Item::Use(item) if matches!(item.vis, syn::Visibility::Public(_)) => {
                reexported.extend(first_step(item));
            }
            _ => {}
        }
    }
    // Items in separate files are listed there.
    file.items.retain(|item| match item {
        syn::Item::Use(item) if !is_root => {
            !first_step(item).is_some_and(|step| declared.iter().any(|(name, _)| *name == step))
        }
        _ => true,
    });
    items.extend(walk::items(module.path, &file.items));
    for (name, is_public) in declared {
        let path = match (is_public, module.path) {
            (true, "") => name.clone(),
            (true, above) => format!("{above}::{name}"),
            (false, above) if reexported.contains(&name) => above.to_owned(),
            (false, _) => continue,
        };
        let folder = format!("{}/{name}", module.folder);
        let beside = format!("{folder}.rs");
        let file = if files.contains_key(&beside) {
            beside
        } else {
            format!("{folder}/mod.rs")
        };
        let inner = Module {
            file: &file,
            folder: &folder,
            path: &path,
        };
        read(files, &inner, items)?;
    }
    Ok(())
}

fn broken(module: &Module<'_>, message: String) -> DocumentError {
    DocumentError::Findings(vec![Finding::about(
        "emitted-code",
        module.file,
        message,
        format!("compare the crate with one that `{}` writes", generate()),
    )])
}

/// Removes the trailing commas that the formatter adds when it breaks a line.
fn without_last_commas(text: &str) -> String {
    [(", }", " }"), (",)", ")"), (",]", "]"), (",>", ">")]
        .iter()
        .fold(text.to_owned(), |text, (with, without)| {
            text.replace(with, without)
        })
}

/// The first step of the path of a `use`.
fn first_step(item: &syn::ItemUse) -> Option<String> {
    match &item.tree {
        syn::UseTree::Path(path) => Some(path.ident.to_string()),
        _ => None,
    }
}
