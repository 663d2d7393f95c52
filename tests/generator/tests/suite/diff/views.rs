//! Tests of one report in several forms: grouped, as JSON and as Markdown.

use openapi_diff::command::{Format, Options};
use openapi_diff::{Report, Surfaces, markdown};
use serde_json::{Value, json};

use super::command::{OLD, PLAIN, committed, new, run};

/// Returns the output for a comparison with [`new`].
fn printed(options: &Options) -> String {
    run(&committed(&new()), options).unwrap().1
}

fn formatted(format: Format) -> String {
    printed(&Options {
        format,
        wire_only: false,
        ..PLAIN
    })
}

#[test]
fn a_report_by_operation_says_what_a_call_does_now() {
    insta::assert_snapshot!(formatted(Format::Text));
}

#[test]
fn operations_are_named_once_however_many_changes_reach_them() {
    let with = |kind: &str| {
        let operation = "    get: {responses: {'200': {description: Found, content: {application/json: {schema: {$ref: '#/components/schemas/Book'}}}}}}\n";
        let paths: String = (0..30)
            .map(|number| format!("  /books/shelf{number}:\n{operation}"))
            .collect();
        let properties: String = (0..30)
            .map(|number| format!("        p{number}: {{type: {kind}}}\n"))
            .collect();
        OLD.replace("paths:\n", &format!("paths:\n{paths}")) + &properties
    };
    let workspace = committed(&with("string")).file("old.yaml", &with("integer"));
    let name = |path: &str| workspace.root().join(path).to_string_lossy().into_owned();
    for format in [Format::Json, Format::Sarif] {
        let options = Options {
            documents: Some((name("old.yaml"), name("spec/openapi.yaml"))),
            format,
            ..PLAIN
        };
        let (_, text) = run(&workspace, &options).unwrap();
        assert!(text.matches("GET /books/shelf17").count() <= 1, "{text}");
        if format == Format::Json {
            let report: Value = serde_json::from_str(&text).unwrap();
            let operations = report["operations"].as_array().unwrap();
            let list = report["changes"][0]["reaches"].as_u64().unwrap();
            let mut names = Vec::new();
            for range in report["reaches"][list as usize].as_array().unwrap() {
                let (first, last) = (range[0].as_u64().unwrap(), range[1].as_u64().unwrap());
                names.extend(&operations[first as usize..=last as usize]);
            }
            assert_eq!(names.len(), operations.len(), "{names:?}");
        }
    }
}

#[test]
fn results_of_static_analysis() {
    let text = formatted(Format::Sarif);
    insta::assert_snapshot!(text);
    let sarif: Value = serde_json::from_str(&text).unwrap();
    let run = &sarif["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    let results = run["results"].as_array().unwrap();
    assert!(!results.is_empty());
    for result in results {
        assert!(rules.iter().any(|rule| rule["id"] == result["ruleId"]));
        let region = &result["locations"][0]["physicalLocation"]["region"];
        assert!(region["startLine"].as_u64() > Some(0), "{result}");
    }
}

#[test]
fn markdown_fits_into_a_comment() {
    let properties = |kind: &str| -> String {
        let line = |number| format!("        p{number}: {{type: {kind}}}\n");
        (0..3000).map(line).collect()
    };
    let with = |kind: &str| OLD.to_owned() + &properties(kind);
    let workspace = committed(&with("string"));
    let old = workspace.root().join("old.yaml");
    std::fs::write(&old, with("integer")).unwrap();
    let here = workspace.root().join("spec/openapi.yaml");
    let name = |path: &std::path::Path| path.to_string_lossy().into_owned();
    let options = Options {
        documents: Some((name(&old), name(&here))),
        format: Format::Markdown,
        ..PLAIN
    };
    let text = run(&workspace, &options).unwrap().1;
    assert!(text.len() <= 65_536, "{}", text.len());
    assert!(text.contains("3000 breaking changes"), "{text}");
    assert!(!text.contains("| Rust |"), "{text}");
    let path = format!("/books/{}", "`|<é".repeat(20_000));
    let document = |paths: Value| super::document(&json!({"paths": paths}));
    let old = document(json!({&path: {"get": {"responses": {}}}}));
    let differences = super::compare(&old, &document(json!({})));
    let report = Report::new(&path, &path, differences, Surfaces::Skipped);
    let text = markdown(&report);
    assert!(text.len() <= 60_000, "{}", text.len());
    assert!(text.contains("the operation is gone"), "{text}");
}
