//! The paths and blank lines of emitted files.

use client_generator::emit::FileTree;
use openapi_crate::layout::Layout;
use openapi_document::source::Source;
use openapi_overrides::{OverrideSet, reconcile};

use crate::support::repository;

/// Returns the files of a document's crate.
fn emitted(layout: &Layout) -> FileTree {
    let published = Source::read(&layout.root, &layout.document).unwrap();
    let overrides = OverrideSet::load(&layout.root, &layout.overrides).unwrap();
    let reconciled = reconcile(&published, &overrides).unwrap();
    crate::support::tool::tree(&published, &overrides, &reconciled).unwrap()
}

#[test]
fn a_name_of_the_document_is_not_hidden_by_an_import() {
    let layout = xtask::test_documents(&crate::support::tool::layout(repository()))
        .unwrap()
        .into_iter()
        .find(|layout| layout.document.contains("/names/"))
        .unwrap();
    let tree = emitted(&layout);
    let types = tree.get("src/types.rs").unwrap();
    for line in [
        "pub enum Option {",
        "pub name: std::option::Option<std::string::String>,",
        "pub date: std::option::Option<TextDate>,",
        "derive(serde::Serialize,",
        "pub at: std::option::Option<generated_client::values::TextDate>,",
    ] {
        assert!(types.contains(line), "{line}: {types}");
    }
    let response = tree.get("src/operations/client.rs").unwrap();
    for line in [
        "pub struct Response {",
        "new(client, options) body,",
        "send -> types::Response,",
    ] {
        assert!(response.contains(line), "{line}: {response}");
    }
}

#[test]
fn blank_lines_stand_between_items_and_documented_fields() {
    let tree = emitted(&crate::support::tool::layout(repository()));
    for path in ["src/types.rs", "src/client.rs", "src/operations.rs"] {
        let text = tree.get(path).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        for pair in lines.windows(2) {
            let [before, line] = pair else { continue };
            let place = format!("{path}: {before:?}, then {line:?}");
            assert!(!(before.is_empty() && line.is_empty()), "{place}");
            let (outer, inner) = (before.trim_start(), line.trim_start());
            if *before == "}" || before.len() - outer.len() == 4 && outer == "}" {
                // The implementations of a macro are next to their type.
                let is_of_type =
                    inner.starts_with("wire::") || inner.starts_with("generated_client::");
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
