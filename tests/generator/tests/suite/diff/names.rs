//! Operations that a filter or a policy names: by the path of either document, and their own part of a change only.

use openapi_diff::{Filter, Report, Surfaces, Wire, policy};
use openapi_document::source::Source;
use serde_json::{Value, json};

/// Returns a document with these paths at a server address.
fn at(address: &str, paths: &Value) -> Value {
    super::document(&json!({"servers": [{"url": address}], "paths": paths}))
}

fn document(paths: &Value) -> Value {
    at("https://books.example", paths)
}

/// Returns an operation of level `draft` with these required properties.
fn promising(required: &[&str]) -> Value {
    let content = json!({"application/json": {"schema": {"type": "object", "required": required}}});
    json!({
        "operationId": "promise",
        "x-stability-level": "draft",
        "responses": {"200": {"description": "Found", "content": content}},
    })
}

fn reported(old: &Value, new: &Value) -> Report {
    Report::new("old", "new", super::compare(old, new), Surfaces::Skipped)
}

/// Returns the report under a policy.
fn under(text: &str, old: &Value, new: &Value) -> Report {
    let file = Source::parse("policy.yaml", text.to_owned()).unwrap();
    let read = policy(&file, None).unwrap();
    reported(old, new).under(&read, &file, &super::source("old.json", old), "")
}

fn of_path(path: &str) -> Filter {
    Filter {
        paths: vec![path.to_owned()],
        ..Filter::default()
    }
}

fn of_operation(operation: &str) -> Filter {
    Filter {
        operations: vec![operation.to_owned()],
        ..Filter::default()
    }
}

/// Returns pairs of documents that break an operation of a renamed path, with both paths.
fn renamed() -> [(Value, Value, &'static str, &'static str); 2] {
    let (before, after) = (promising(&["a", "b"]), promising(&["a"]));
    [
        (
            document(&json!({"/books/{id}": {"get": before}})),
            document(&json!({"/books/{book}": {"get": after}})),
            "/books/{id}",
            "/books/{book}",
        ),
        (
            document(&json!({"/v1/books": {"get": before}})),
            at(
                "https://books.example/v1",
                &json!({"/books": {"get": after}}),
            ),
            "/v1/books",
            "/books",
        ),
    ]
}

#[test]
fn a_filter_knows_an_operation_by_its_path_in_either_document() {
    for (old, new, before, after) in renamed() {
        for path in [before, after] {
            for filter in [of_path(path), of_operation(&format!("GET {path}"))] {
                let report = reported(&old, &new);
                assert_eq!(filter.unmatched(&report.operations), [], "{filter:?}");
                assert_eq!(report.filtered(&filter).wire, Wire::Breaking, "{filter:?}");
            }
        }
        let report = reported(&old, &new).filtered(&of_path("/pens"));
        assert_eq!(report.wire, Wire::None);
    }
}

#[test]
fn a_policy_knows_an_operation_by_its_path_in_either_document() {
    for (old, new, before, after) in renamed() {
        for at in [before, after, &format!("GET {before}")] {
            let text = format!("waivers: [{{rule: '*', at: '{at}', reason: Agreed}}]\n");
            let report = under(&text, &old, &new);
            assert_eq!(report.wire, Wire::None, "{at}");
            assert_eq!(report.findings, [], "{at}");
        }
    }
}

#[test]
fn a_level_holds_for_an_operation_however_it_is_found() {
    let (before, after) = (promising(&["a", "b"]), promising(&["a"]));
    let shared = |operation: &Value| {
        let mut document = document(&json!({"/books": {"$ref": "#/components/pathItems/Books"}}));
        document["components"] = json!({"pathItems": {"Books": {"get": operation}}});
        document
    };
    let webhook = |required: &[&str]| {
        let schema = json!({"type": "object", "required": required});
        let content = json!({"application/json": {"schema": schema}});
        super::as_webhook(
            &json!({"x-stability-level": "draft", "requestBody": {"content": content}}),
        )
    };
    let [(a, b, ..), (c, d, ..)] = renamed();
    for (old, new) in [
        (a, b),
        (c, d),
        (shared(&before), shared(&after)),
        (webhook(&["a", "b"]), webhook(&["a"])),
    ] {
        assert_eq!(reported(&old, &new).wire, Wire::Breaking, "{old}");
        let report = under("stability: {draft: risky}\n", &old, &new);
        assert_eq!((report.wire, report.findings), (Wire::Risky, Vec::new()));
        let report = under("stability: {drfat: safe}\n", &old, &new);
        assert_eq!(report.wire, Wire::Breaking);
        let [finding] = report.findings.as_slice() else {
            panic!("{:?}", report.findings);
        };
        assert_eq!(finding.pointer, "/stability/drfat");
    }
}

#[test]
fn an_operation_means_its_own_part_of_what_others_refer_to_in_it() {
    let paths = |required: &[&str]| {
        let at = "#/paths/~1books/get/responses/200/content/application~1json/schema";
        let content = json!({"application/json": {"schema": {"$ref": at}}});
        let pens = json!({"responses": {"200": {"description": "Found", "content": content}}});
        document(&json!({"/books": {"get": promising(required)}, "/pens": {"get": pens}}))
    };
    let (old, new) = (paths(&["a", "b"]), paths(&["a"]));
    for at in ["GET /books", "/books"] {
        let waived = format!("waivers: [{{rule: '*', at: {at}, reason: Agreed}}]\n");
        let report = under(&waived, &old, &new);
        assert_eq!(report.wire, Wire::Breaking, "{at}");
        for entry in &report.changes {
            let reached: Vec<&str> = entry.change.operations.iter().collect();
            assert_eq!(reached, ["GET /pens"], "{at}");
        }
        let safe = format!("severity: [{{rule: '*', at: {at}, is: safe}}]\n");
        assert_eq!(under(&safe, &old, &new).wire, Wire::Breaking, "{at}");
    }
}

#[test]
fn a_path_item_that_cannot_be_found_belongs_to_its_path() {
    let old = document(&json!({"/books": {"get": promising(&["a"])}}));
    let new = document(&json!({"/books": {"$ref": "#/components/pathItems/Books"}}));
    let report = reported(&old, &new).filtered(&of_path("/books"));
    assert_eq!(report.wire, Wire::Risky);
}

#[test]
fn an_operation_of_openapi_3_2_comes_and_goes_as_any_other_and_has_a_name() {
    let get = promising(&["a"]);
    let query = |more: Value| {
        let mut item = json!({"query": promising(&["a"]), "additionalOperations": {"COPY": {}}});
        item.as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        document(&json!({"/books": item}))
    };
    let bare = document(&json!({}));
    for (old, new, wire) in [
        (
            query(json!({"get": get})),
            document(&json!({"/books": {"get": get}})),
            Wire::Breaking,
        ),
        (query(json!({})), bare.clone(), Wire::Breaking),
        (bare, query(json!({})), Wire::Safe),
    ] {
        let report = reported(&old, &new);
        let lines = super::lines(&super::compare(&old, &new).changes);
        assert_eq!(report.wire, wire, "{lines:?}");
        for filter in [
            of_path("/books"),
            of_operation("QUERY /books"),
            of_operation("COPY /books"),
        ] {
            assert_eq!(filter.unmatched(&report.operations), [], "{filter:?}");
            let report = report.clone().filtered(&filter);
            assert_eq!(report.wire, wire, "{filter:?}: {lines:?}");
        }
    }
}
