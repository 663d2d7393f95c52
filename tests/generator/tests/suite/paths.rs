//! The paths and blank lines of emitted files.

use client_generator::emit::{Code, FileTree, expand_paths};
use client_generator::generate;
use openapi_crate::layout::Layout;
use openapi_document::source::Source;
use openapi_overrides::{OverrideSet, reconcile};
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens;

use crate::support::repository;

/// Returns the code of a document, and its files.
fn emitted(layout: &Layout) -> (Code, FileTree) {
    let published = Source::read(&layout.root, &layout.document).unwrap();
    let overrides = OverrideSet::load(&layout.root, &layout.overrides).unwrap();
    let reconciled = reconcile(&published, &overrides).unwrap();
    let code = generate::code(&reconciled.source, &reconciled.report).unwrap();
    let tree = crate::support::tool::tree(&published, &overrides, &reconciled).unwrap();
    (code, tree)
}

/// Returns the tokens of a file with long paths, without the commas and braces that the formatter decides on.
fn tokens(file: &syn::File) -> Vec<String> {
    fn add(tokens: TokenStream, all: &mut Vec<String>) {
        for token in tokens {
            match token {
                TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                    add(group.stream(), all);
                }
                TokenTree::Group(group) => {
                    all.push(format!("{:?}", group.delimiter()));
                    add(group.stream(), all);
                    all.push("end".to_owned());
                }
                TokenTree::Punct(punct) if punct.as_char() == ',' => {}
                // A string is the same with any quotes.
                TokenTree::Literal(literal) => all.push(match syn::Lit::new(literal) {
                    syn::Lit::Str(text) => format!("{:?}", text.value()),
                    other => other.to_token_stream().to_string(),
                }),
                other => all.push(other.to_string()),
            }
        }
    }
    let mut file = file.clone();
    // The documentation of a module is text in front of the file.
    file.attrs.clear();
    expand_paths(&mut file.items);
    let mut all = Vec::new();
    add(file.to_token_stream(), &mut all);
    all
}

fn parsed(tree: &FileTree, path: &str) -> syn::File {
    syn::parse_file(tree.get(path).unwrap()).unwrap()
}

#[test]
fn a_file_with_its_paths_expanded_has_the_tokens_of_the_code() {
    let root = crate::support::tool::layout(repository());
    let mut layouts = xtask::test_documents(&root).unwrap();
    layouts.push(root);
    let mut compared = 0;
    for layout in layouts {
        let (code, tree) = emitted(&layout);
        if !code.model.groups.is_empty() {
            continue;
        }
        let fixed = [
            ("src/types.rs", &code.types),
            ("src/client.rs", &code.client),
            ("src/shapes.rs", &code.shapes),
        ];
        let fixed = fixed.map(|(path, file)| (path.to_owned(), file));
        let modules = code.operations.iter().map(|module| {
            let path = format!("src/operations/{}.rs", module.name);
            (path, &module.file)
        });
        for (path, file) in fixed.into_iter().chain(modules) {
            let short = tokens(&parsed(&tree, &path));
            let long = tokens(file);
            let differs = short
                .iter()
                .zip(&long)
                .position(|(left, right)| left != right);
            let near = |all: &[String]| {
                let at = differs.unwrap_or(all.len().min(short.len()));
                all[at.saturating_sub(8)..all.len().min(at + 8)].join(" ")
            };
            assert_eq!(near(&short), near(&long), "{path} of {}", layout.document);
            assert_eq!(short.len(), long.len(), "{path} of {}", layout.document);
            compared += 1;
        }
    }
    assert!(compared > 40, "{compared} files");
}

#[test]
fn a_name_of_the_document_is_not_hidden_by_an_import() {
    let layout = xtask::test_documents(&crate::support::tool::layout(repository()))
        .unwrap()
        .into_iter()
        .find(|layout| layout.document.contains("/names/"))
        .unwrap();
    let (_, tree) = emitted(&layout);
    let types = tree.get("src/types.rs").unwrap();
    for line in [
        "pub enum Option {",
        "pub name: std::option::Option<std::string::String>,",
        "pub date: std::option::Option<TextDate>,",
        "pub at: std::option::Option<generated_client::values::TextDate>,",
        "use serde::{Deserialize, Deserializer, Serializer};",
        "derive(serde::Serialize,",
    ] {
        assert!(types.contains(line), "{line}: {types}");
    }
    let response = tree.get("src/operations/response.rs").unwrap();
    for line in [
        "pub struct Response {",
        "-> Result<generated_client::Response<types::Response>, Error> {",
    ] {
        assert!(response.contains(line), "{line}: {response}");
    }
}

#[test]
fn blank_lines_stand_between_items_and_documented_fields() {
    let (_, tree) = emitted(&crate::support::tool::layout(repository()));
    for path in ["src/types.rs", "src/client.rs", "src/operations/news.rs"] {
        let text = tree.get(path).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        for pair in lines.windows(2) {
            let [before, line] = pair else { continue };
            let place = format!("{path}: {before:?}, then {line:?}");
            assert!(!(before.is_empty() && line.is_empty()), "{place}");
            let (outer, inner) = (before.trim_start(), line.trim_start());
            if *before == "}" || before.len() - outer.len() == 4 && outer == "}" {
                // The implementations of a macro are next to their type.
                let is_of_type = inner.starts_with("generated_client::");
                let is_apart = line.is_empty() || inner.starts_with('}');
                assert!(is_apart || is_of_type, "{place}");
            }
            if outer.starts_with("///") || outer.starts_with("#[") || before.ends_with('{') {
                assert!(!line.is_empty(), "{place}");
            }
            if inner.starts_with("///") && !outer.starts_with("///") {
                assert!(before.is_empty() || before.ends_with('{'), "{place}");
            }
        }
    }
}
