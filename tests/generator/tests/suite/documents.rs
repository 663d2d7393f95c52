//! The files of a document: unusual but unambiguous forms, and several files.

use openapi_document::finding::{DocumentError, Finding};
use openapi_document::source::{Reading, Root, Source, document};
use serde_json::json;

use crate::support::Workspace;

/// Reads the file `name`, alone in a folder.
fn read(name: &str, text: &str, reading: Reading) -> Result<Source, DocumentError> {
    let workspace = Workspace::new().file(name, text);
    document(workspace.root(), name, reading, &Root::Own)
}

fn tolerant(name: &str, text: &str) -> Source {
    read(name, text, Reading::Tolerant).unwrap()
}

/// Returns rule and location of each finding.
fn told(findings: &[Finding]) -> Vec<(&str, &str)> {
    findings
        .iter()
        .map(|one| (one.rule, one.pointer.as_str()))
        .collect()
}

#[test]
fn a_byte_order_mark_and_a_misleading_name_change_nothing() {
    let json = r#"{"a": "\ud83d\ude00"}"#;
    for name in ["a.json", "a.yaml", "a"] {
        let source = tolerant(name, &format!("\u{feff}{json}"));
        assert_eq!(source.value, json!({"a": "😀"}), "{name}");
        assert!(source.is_json() && source.text == json, "{name}");
    }
    let yaml = tolerant("a.json", "a: [b]\n");
    assert!(yaml.value == json!({"a": ["b"]}) && !yaml.is_json());
    let braces = tolerant("a.yaml", "{a: [b]}\n");
    assert!(braces.value == json!({"a": ["b"]}) && !braces.is_json());
}

#[test]
fn what_could_mean_two_things_is_a_warning_when_it_is_read_tolerantly() {
    let text = "base: &base {a: 1, b: 2}\nbases: [&other {b: 3, c: 4}]\nmerged:\n  <<: [*base, *other]\n  a: 0\nsame: 1\nsame: 2\n";
    let source = tolerant("a.yaml", text);
    assert_eq!(source.value["merged"], json!({"a": 0, "b": 2, "c": 4}));
    assert_eq!(source.value["same"], 2);
    assert_eq!(
        told(&source.warnings),
        [("merge-key", "/merged/<<"), ("duplicate-key", "/same")]
    );
    assert_eq!(source.warnings[0].excerpt.as_ref().unwrap().line, 4);
    assert!(read("a.yaml", text, Reading::Strict).is_err());

    let json = tolerant("a.json", r#"{"a": [{"b": 1, "b": 2}]}"#);
    assert_eq!(json.value, json!({"a": [{"b": 2}]}));
    assert_eq!(told(&json.warnings), [("duplicate-key", "/a/0/b")]);
}

#[test]
fn numbers_of_any_size_are_read() {
    for (name, text) in [
        (
            "a.json",
            r#"{"whole": 123456789012345678901234567890, "beyond": [1e999], "fine": 18446744073709551615, "real": 1e300}"#,
        ),
        (
            "a.yaml",
            "whole: 123456789012345678901234567890\nbeyond: [.inf]\nfine: 18446744073709551615\nreal: 1e300\n",
        ),
    ] {
        let source = tolerant(name, text);
        assert_eq!(
            source.value["whole"],
            json!(123456789012345678901234567890_f64),
            "{name}"
        );
        assert!(source.value["beyond"][0].is_string(), "{name}");
        assert_eq!(source.value["fine"], json!(u64::MAX), "{name}");
        assert_eq!(source.value["real"], json!(1e300), "{name}");
        let rules: Vec<&str> = source.warnings.iter().map(|one| one.rule).collect();
        assert!(
            !rules.is_empty() && rules.iter().all(|rule| *rule == "large-number"),
            "{name}: {rules:?}"
        );
        assert_eq!(source.warnings[0].pointer, "/whole", "{name}");
    }
}

#[test]
fn keys_that_are_no_text_stand_for_their_text() {
    let source = tolerant("a.yaml", "200: a\n1.5: b\ntrue: c\n~: d\n2020-01-01: e\n");
    let expected = json!({"200": "a", "1.5": "b", "true": "c", "null": "d", "2020-01-01": "e"});
    assert_eq!(source.value, expected);
    assert!(read("a.yaml", "1.5: b\n", Reading::Strict).is_err());
}

/// Returns a document whose parts are in other files, which refer to each other.
fn several() -> Workspace {
    Workspace::new()
        .file(
            "api/openapi.yaml",
            "openapi: 3.1.0\n\
             info: {title: Several, version: '1'}\n\
             paths:\n\
             \x20 /things: {$ref: 'paths/things.yaml'}\n\
             components:\n\
             \x20 schemas:\n\
             \x20   Thing: {$ref: '../common/types.json#/Thing'}\n\
             \x20   Own: {type: object, properties: {$ref: {type: string}, example: {$ref: './paths/../../common/types.json#/Thing'}}, example: {$ref: none.yaml}}\n",
        )
        .file(
            "api/paths/things.yaml",
            "get:\n\
             \x20 operationId: things\n\
             \x20 parameters: [{$ref: '#/size'}]\n\
             \x20 responses:\n\
             \x20   '200':\n\
             \x20     description: Things.\n\
             \x20     content: {application/json: {schema: {$ref: '../openapi.yaml#/components/schemas/Thing'}}}\n\
             size: {name: size, in: query, schema: {type: odd}}\n",
        )
        .file(
            "common/types.json",
            r##"{"Thing": {"type": "object", "properties": {"next": {"$ref": "#/Thing"}, "size": {"$ref": "types.json#/Size"}}}, "Size": {"type": "integer"}}"##,
        )
}

/// Reads that document with all files of the workspace.
fn whole(workspace: &Workspace, reading: Reading) -> Result<Source, DocumentError> {
    let root = Root::Option(Some(workspace.root().to_owned()));
    document(workspace.root(), "api/openapi.yaml", reading, &root)
}

#[test]
fn references_to_other_files_become_pointers_into_one_document() {
    let workspace = several();
    let source = whole(&workspace, Reading::Strict).unwrap();
    let files = "#/x-bundled-files";
    let value = &source.value;
    assert_eq!(
        value["paths"]["/things"]["$ref"],
        format!("{files}/paths~1things.yaml")
    );
    let thing = format!("{files}/..~1common~1types.json/Thing");
    assert_eq!(value["components"]["schemas"]["Thing"]["$ref"], thing);
    let own = &value["components"]["schemas"]["Own"];
    assert_eq!(own["properties"]["example"]["$ref"], thing);
    assert_eq!(own["example"]["$ref"], "none.yaml");
    let bundled = &value["x-bundled-files"];
    assert_eq!(
        bundled["../common/types.json"]["Thing"]["properties"]["next"]["$ref"],
        thing
    );
    let size = format!("{files}/..~1common~1types.json/Size");
    assert_eq!(
        bundled["../common/types.json"]["Thing"]["properties"]["size"]["$ref"],
        size
    );
    let response = "/paths~1things.yaml/get/responses/200/content/application~1json/schema/$ref";
    assert_eq!(
        bundled.pointer(response).unwrap(),
        "#/components/schemas/Thing"
    );
    let paths: Vec<&str> = source.files().map(|file| file.path.as_str()).collect();
    assert_eq!(
        paths,
        [
            "api/openapi.yaml",
            "api/../common/types.json",
            "api/paths/things.yaml"
        ]
    );
}

#[test]
fn a_finding_names_the_file_and_the_line_that_it_is_about() {
    let workspace = several();
    let source = whole(&workspace, Reading::Strict).unwrap();
    let normal = openapi_schemas::normal(&source).unwrap();
    let [warning] = normal.warnings.as_slice() else {
        panic!("{:#?}", normal.warnings);
    };
    assert_eq!(warning.file, "api/paths/things.yaml");
    assert_eq!(warning.pointer, "/size/schema");
    assert_eq!(warning.excerpt.as_ref().unwrap().line, 8);
    // An operation in another file belongs to its path.
    let operation = &normal.source.value["paths"]["/things"]["get"];
    assert_eq!(operation["operationId"], "things");
}

#[test]
fn a_file_that_is_not_there_costs_only_its_place_and_one_that_is_no_document_is_told() {
    let workspace = several();
    std::fs::remove_file(workspace.root().join("common/types.json")).unwrap();
    let source = whole(&workspace, Reading::Tolerant).unwrap();
    let normal = openapi_schemas::normal(&source).unwrap();
    let lost = normal.warnings.iter().filter(|one| one.rule == "reference");
    let lost: Vec<&str> = lost.map(|one| one.pointer.as_str()).collect();
    assert_eq!(
        lost,
        [
            "/paths/~1things/get/responses/200/content/application~1json/schema",
            "/components/schemas/Thing",
            "/components/schemas/Own/properties/example",
        ]
        .map(|at| at.replace("/paths/~1things", ""))
    );
    workspace.write("common/types.json", "{\n  \"Thing\": [}\n");
    let stop = whole(&workspace, Reading::Tolerant).unwrap_err();
    let finding = &stop.findings()[0];
    assert_eq!(finding.file, "api/../common/types.json");
    assert_eq!(finding.excerpt.as_ref().unwrap().line, 2);
}

#[test]
fn a_place_in_json_is_a_plain_value_or_the_key_of_anything_else() {
    let text = "{\n  \"é\": {\"a/b\": [1, {\"c\": \"x\\\"y\"}]}\n}\n";
    let source = tolerant("a.json", text);
    for (pointer, shown) in [
        ("/é", "\"é\""),
        ("/é/a~1b", "\"a/b\""),
        ("/é/a~1b/0", "1"),
        ("/é/a~1b/1", "{"),
        ("/é/a~1b/1/c", "\"x\\\"y\""),
        // The nearest ancestor.
        ("/é/a~1b/1/d", "{"),
    ] {
        let finding = source.finding("rule", pointer, "message", "help");
        let excerpt = finding.excerpt.unwrap();
        assert_eq!(&excerpt.text[excerpt.span], shown, "{pointer}");
        assert_eq!(excerpt.line, 2, "{pointer}");
    }
}
