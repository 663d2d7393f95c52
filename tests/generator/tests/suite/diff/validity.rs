//! Tests of the validation of single documents.

use openapi_diff::command::{FormatOfFindings as Format, Validate, validate};
use serde_json::Value;

use super::command::OLD;
use crate::support::Workspace;

/// Returns whether the documents are valid, and the output.
fn validated(workspace: &Workspace, documents: &[&str], format: Format) -> (bool, String) {
    let name = |path: &&str| workspace.root().join(path).to_string_lossy().into_owned();
    let options = Validate {
        documents: documents.iter().map(name).collect(),
        root: None,
        format,
    };
    let mut out = Vec::new();
    let valid = validate(&options, &mut out).unwrap();
    (valid, String::from_utf8(out).unwrap())
}

#[test]
fn an_error_is_what_keeps_a_document_from_being_read() {
    for (document, is_valid, said) in [
        (OLD.to_owned(), true, "       Valid "),
        (
            "swagger: '2.0'\n".to_owned(),
            false,
            "this is a Swagger 2.0 document",
        ),
        ("openapi: [3.0.3\n".to_owned(), false, "     Invalid "),
        (
            OLD.replace("'#/components/schemas/Book'", "missing.yaml"),
            false,
            "`missing.yaml` names no file that can be read",
        ),
        (
            OLD.replace("#/components/schemas/Book", "#/components/schemas/Pen"),
            false,
            "`#/components/schemas/Pen` leads nowhere",
        ),
        (
            OLD.replace(
                "title: {type: string",
                "title: {type: integer}\n        title: {type: string",
            ),
            true,
            ": 1 warning\n",
        ),
        (
            OLD.replace("pages: {type: integer}", "pages: {type: whole}"),
            true,
            ": 1 warning\n",
        ),
    ] {
        let workspace = Workspace::new().file("api.yaml", &document);
        let (valid, text) = validated(&workspace, &["api.yaml"], Format::Text);
        assert_eq!(valid, is_valid, "{text}");
        assert!(text.contains(said), "{said}: {text}");
    }
}

#[test]
fn each_of_several_documents_is_judged_in_every_format() {
    let workspace = Workspace::new()
        .file("good.yaml", OLD)
        .file("bad.yaml", "swagger: '2.0'\n");
    let documents = ["good.yaml", "bad.yaml", "none.yaml"];
    let printed = |format| {
        let (valid, text) = validated(&workspace, &documents, format);
        assert!(!valid, "{text}");
        text
    };
    let text = printed(Format::Text);
    assert_eq!(text.matches(" Invalid ").count(), 2, "{text}");
    let json: Value = serde_json::from_str(&printed(Format::Json)).unwrap();
    let valid: Vec<bool> = json["documents"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["valid"].as_bool().unwrap())
        .collect();
    assert_eq!(valid, [true, false, false]);
    assert_eq!(json["documents"][1]["findings"][0]["line"], 1);
}
