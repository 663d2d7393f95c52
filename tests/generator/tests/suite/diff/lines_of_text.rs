//! Tests of the lines of a report: equal changes are folded, and each line names its component or operation.

use openapi_diff::{Report, Surfaces};
use serde_json::{Map, Value, json};

use super::{compare, document, in_request, in_response, lines, yaml};

/// Returns the report for a terminal.
fn text(old: &Value, new: &Value, is_expanded: bool) -> String {
    let report = Report::new("old.json", "new.json", compare(old, new), Surfaces::Skipped);
    openapi_diff::text(&report, false, is_expanded)
}

/// Returns a document with this many copies of an operation.
fn many(operations: usize, operation: &Value) -> Value {
    let item = |number: usize| (format!("/books/{number}"), json!({"get": operation}));
    let paths: Map<String, Value> = (0..operations).map(item).collect();
    document(&json!({"paths": paths}))
}

#[test]
fn equal_changes_are_one_line_with_their_number() {
    let with = |scheme: &str| many(20, &json!({"security": [{scheme: []}]}));
    let (old, new) = (with("token"), with("key"));
    let sentence = "`token` is no longer enough";
    let folded = text(&old, &new, false);
    assert_eq!(folded.matches(sentence).count(), 1, "{folded}");
    assert!(
        folded.contains("20 changes of one kind, in 20 components and operations"),
        "{folded}"
    );
    assert!(
        folded.contains("Wire breaking: 20 breaking, 20 safe"),
        "{folded}"
    );
    assert_eq!(text(&old, &new, true).matches(sentence).count(), 20);
}

#[test]
fn breaks_that_differ_have_a_line_each() {
    let operation = |types: &[&str]| {
        let parameters = types.iter().enumerate().map(|(number, name)| {
            json!({"name": format!("p{number}"), "in": "query", "schema": {"type": "integer", "minimum": number, "title": name}})
        });
        json!({"parameters": parameters.collect::<Vec<_>>()})
    };
    let names = ["a"; 30];
    let old = many(1, &operation(&names));
    let mut new = old.clone();
    for number in 0..names.len() {
        let at = format!("/paths/~1books~10/get/parameters/{number}/schema/minimum");
        *new.pointer_mut(&at).unwrap() = json!(number + 1);
    }
    let text = text(&old, &new, false);
    for number in 0..names.len() {
        let line = format!(
            "parameter `p{number}`: `minimum` changed from {number} to {}",
            number + 1
        );
        assert!(text.contains(&line), "{line}: {text}");
    }
}

#[test]
fn values_of_one_list_are_one_line() {
    let with = |values: &[&str]| in_request(&json!({"enum": values}));
    let (old, new) = (with(&["a", "b", "c"]), with(&["a"]));
    let line = "  breaking  body: the enum values `b`, `c` are gone (request)\n";
    let (folded, all) = (text(&old, &new, false), text(&old, &new, true));
    assert!(folded.contains(line), "{folded}");
    assert_eq!(all.matches("the enum value `").count(), 2, "{all}");
}

#[test]
fn a_reference_that_leads_elsewhere_is_a_change_of_its_place() {
    let with = |target: &str| {
        let reference = format!("#/components/schemas/{target}");
        let mut document = in_request(&json!({"properties": {"writer": {"$ref": reference}}}));
        document["components"] = yaml("{schemas: {Name: {type: string}, Person: {type: object}}}");
        document
    };
    let text = text(&with("Name"), &with("Person"), false);
    let line = "body writer: `Name` became `Person`: the type changed from string to object";
    assert!(
        text.starts_with("POST /books/{id}\n") && text.contains(line),
        "{text}"
    );
}

#[test]
fn a_reference_is_pointed_at_by_the_keyword_that_has_it() {
    let with = |both: &str| {
        let mut document = in_request(&yaml(both));
        document["components"] = yaml("{schemas: {A: {}}}");
        document
    };
    let both = |name: &str| format!("{{$ref: '#/components/schemas/A', $dynamicRef: '{name}'}}");
    let differences = compare(&with(&both("#here")), &with(&both("#there")));
    let places: Vec<&str> = (differences.findings.iter())
        .map(|finding| finding.pointer.rsplit('/').next().unwrap())
        .collect();
    assert_eq!(places, ["$dynamicRef", "$dynamicRef"]);
    let change = &differences.changes[0];
    let place = change.new.as_ref().unwrap();
    assert!(place.pointer.ends_with("/$dynamicRef"), "{change:?}");
}

#[test]
fn a_line_names_its_media_type_where_there_are_several() {
    let content = |kind: &str, others: &str| {
        let body =
            format!("{{content: {{application/json: {{schema: {{type: {kind}}}}}{others}}}}}");
        many(1, &json!({"requestBody": yaml(&body)}))
    };
    let other = ", text/csv: {schema: {type: string}}";
    let several = text(&content("string", other), &content("integer", other), false);
    assert!(
        several.contains("  body application/json: the type changed"),
        "{several}"
    );
    let one = text(&content("string", ""), &content("integer", ""), false);
    assert!(one.contains("  body: the type changed"), "{one}");
}

#[test]
fn lists_that_are_a_reference_are_followed() {
    let with = |limit: u8, scheme: &str, title: &str| {
        let operation = json!({
            "parameters": {"$ref": "#/x-lists/parameters"},
            "security": {"$ref": "#/x-lists/security"},
        });
        let mut document = many(1, &operation);
        document["info"] = json!({"$ref": "#/x-lists/info"});
        document["x-lists"] = json!({
            "info": {"title": title, "version": "1"},
            "parameters": [{"name": "limit", "in": "query", "schema": {"maximum": limit}}],
            "security": [{scheme: []}],
        });
        document
    };
    let text = text(&with(9, "token", "A"), &with(5, "key", "B"), true);
    for line in [
        "`maximum` changed from 9 to 5",
        "`token` is no longer enough",
        "Changed",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
    assert!(!text.contains("at a place that is not compared"), "{text}");
}

#[test]
fn choices_of_each_other_are_compared_in_no_time() {
    let with = |words: &str| {
        let names = 0..40;
        let all: Vec<Value> = names
            .clone()
            .map(|number| json!({"$ref": format!("#/components/schemas/C{number}")}))
            .collect();
        let one = |number: i32| {
            let mut all = all.clone();
            all.push(json!({"properties": {format!("p{number}"): {"type": "string"}}}));
            (
                format!("C{number}"),
                json!({"anyOf": all, "minProperties": 0}),
            )
        };
        let mut document = in_response(&json!({"$ref": "#/components/schemas/C0"}));
        let mut schemas: Map<String, Value> = names.map(one).collect();
        schemas["C0"]["description"] = words.into();
        document["components"] = json!({"schemas": schemas});
        document
    };
    let changes = compare(&with("A."), &with("B.")).changes;
    assert_eq!(changes.len(), 1, "{:?}", lines(&changes));
}

#[test]
fn what_a_reference_leads_to_counts_only_where_it_is_looked_at() {
    let header = |words: &str| {
        let responses = json!({"200": {"description": "", "headers": {"Content-Type": {"$ref": "#/components/headers/H"}}}});
        let mut document = many(1, &json!({"responses": responses}));
        document["components"] =
            json!({"headers": {"H": {"description": words, "schema": {"type": "string"}}}});
        document
    };
    let unused = |name: &str, kind: &str| {
        let mut document = many(1, &json!({}));
        document["components"] = json!({"schemas": {
            name: {"oneOf": [{"$ref": "#/components/schemas/Part"}, {"type": "string"}]},
            "Part": {"type": kind},
        }});
        document
    };
    for (old, new) in [
        (header("A."), header("B.")),
        (unused("Old", "object"), unused("New", "array")),
    ] {
        let text = text(&old, &new, true);
        assert!(!text.contains("at a place that is not compared"), "{text}");
    }
}

#[test]
fn a_change_of_the_version_points_at_it() {
    let with = |paths: &Value| {
        let info = json!({"title": "Shop", "version": "1.2.0"});
        document(&json!({"info": info, "paths": paths}))
    };
    let changes = compare(&with(&json!({})), &with(&json!({"/a": {"get": {}}}))).changes;
    let change = changes.iter().find(|change| change.owner == "info");
    let place = change.unwrap().new.as_ref().unwrap();
    assert_eq!(place.pointer, "/info/version");
}
