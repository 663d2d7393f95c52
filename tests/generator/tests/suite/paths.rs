//! The paths and blank lines of emitted files.

use crate::support::Inputs;
use crate::support::tool::tree_of;

const NAMES: &str = include_str!("../../../documents/names/openapi.yaml");

#[test]
fn a_name_of_the_document_is_not_hidden_by_an_import() {
    let tree = tree_of(NAMES);
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
    let tree = Inputs::committed().tree();
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
