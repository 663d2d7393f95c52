//! Tests of documents with several files, and of ambiguous ones that other tools read.

use openapi_diff::command::Options;

use super::command::{OLD, PLAIN, run};
use crate::support::Workspace;

#[test]
fn what_a_document_refers_to_in_other_files_is_compared() {
    let outer = OLD.replace(
        "$ref: '#/components/schemas/Book'",
        "$ref: 'parts/%62ook.yaml#/Book'",
    );
    let operation = outer.replace("    put:\n", "    get: {$ref: parts/get.yaml}\n    put:\n");
    let part =
        |pages: &str| format!("Book: {{type: object, properties: {{pages: {{type: {pages}}}}}}}\n");
    let workspace = Workspace::new()
        .file("old/openapi.yaml", &operation)
        .file("old/parts/book.yaml", &part("integer"))
        .file(
            "old/parts/get.yaml",
            "responses: {'200': {description: One}}\n",
        )
        .file("new/openapi.yaml", &operation)
        .file("new/parts/book.yaml", &part("string"))
        .file(
            "new/parts/get.yaml",
            "responses: {'200': {description: One}}\nsecurity: [{key: []}]\n",
        );
    let compared = |workspace: &Workspace, old: &str, new: &str| {
        let name = |file: &str| {
            let path = workspace.root().join(file);
            path.to_str().unwrap().to_owned()
        };
        let options = Options {
            documents: Some((name(old), name(new))),
            ..PLAIN
        };
        run(workspace, &options).unwrap()
    };
    let (fine, text) = compared(&workspace, "old/openapi.yaml", "new/openapi.yaml");
    assert!(fine, "{text}");
    assert!(
        text.contains("the type changed from integer to string"),
        "{text}"
    );
    assert!(text.contains("parts/book.yaml:1:"), "{text}");
    assert!(text.contains("no credential is no longer enough"), "{text}");
    let same = compared(&workspace, "old/openapi.yaml", "old/openapi.yaml");
    assert_eq!(
        same,
        (
            true,
            "        Wire nothing changes on the wire\n".to_owned()
        )
    );
    // Without the other files, equal references may have different targets.
    let alone = workspace.file("alone/openapi.yaml", &operation);
    let (fine, text) = compared(&alone, "alone/openapi.yaml", "alone/openapi.yaml");
    assert!(!fine, "{text}");
    assert!(
        text.contains("`parts/get.yaml` names no file that can be read"),
        "{text}"
    );
    assert!(text.contains("Wire risky"), "{text}");
}

#[test]
fn a_reference_in_place_of_all_of_a_kind_is_followed() {
    let (head, rest) = OLD.split_once("paths:\n").unwrap();
    let (paths, components) = rest.split_once("components:\n  schemas:\n").unwrap();
    let part = |text: &str| text.replace("'#/components", "'openapi.yaml#/components");
    let first = format!(
        "{head}paths: {{$ref: paths.yaml}}\ncomponents:\n  schemas: {{$ref: schemas.yaml}}\n"
    );
    let mut workspace = Workspace::new();
    for (folder, pages) in [("old", "integer"), ("new", "string")] {
        let schemas = components.replace("type: integer", &format!("type: {pages}"));
        workspace = workspace
            .file(&format!("{folder}/openapi.yaml"), &first)
            .file(&format!("{folder}/paths.yaml"), &part(paths))
            .file(&format!("{folder}/schemas.yaml"), &schemas);
    }
    let name = |file: &str| workspace.root().join(file).to_str().unwrap().to_owned();
    let options = Options {
        documents: Some((name("old/openapi.yaml"), name("new/openapi.yaml"))),
        ..PLAIN
    };
    let (fine, text) = run(&workspace, &options).unwrap();
    assert!(fine, "{text}");
    assert!(
        text.contains("pages: the type changed from integer to string"),
        "{text}"
    );
    assert!(text.contains("Wire breaking: 1 breaking\n"), "{text}");
}

#[test]
fn what_other_tools_read_is_read_with_a_warning() {
    let merged = OLD.replace(
        "pages: {type: integer}",
        "pages: {<<: {type: integer}, maximum: 99999999999999999999}",
    );
    let workspace = Workspace::new()
        .file("old.yaml", OLD)
        .file("new.yaml", &format!("\u{feff}{merged}"));
    let name = |file: &str| workspace.root().join(file).to_str().unwrap().to_owned();
    let options = Options {
        documents: Some((name("old.yaml"), name("new.yaml"))),
        ..PLAIN
    };
    let (fine, text) = run(&workspace, &options).unwrap();
    assert!(fine, "{text}");
    for expected in [
        "warning[merge-key]",
        "warning[large-number]",
        "`maximum` was added",
    ] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
}
