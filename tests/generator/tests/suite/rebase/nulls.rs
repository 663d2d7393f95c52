//! Tests of a new document that allows null where no earlier one did: nearly everywhere at once, or in one location.

use std::sync::LazyLock;

use client_generator::surface::{self, Bump};
use openapi_document::source::Source;
use openapi_overrides::{OverrideSet, Rebase, Verdict, judge, rebase, reconcile};
use serde_json::{Value, json};

use super::{set, source};

/// Eight locations in responses: the body, and seven below it.
const DOCUMENT: &str = r"openapi: 3.1.0
info: {title: Small, version: '1.0'}
paths:
  /things:
    get:
      operationId: things
      responses:
        '200':
          description: Things.
          content:
            application/json:
              schema: {$ref: '#/components/schemas/Page'}
components:
  schemas:
    Page:
      type: object
      required: [data, total]
      properties:
        total: {type: integer}
        data:
          type: array
          items: {$ref: '#/components/schemas/Thing'}
    Thing:
      type: object
      required: [name]
      properties:
        name: {type: string}
        kind: {$ref: '#/components/schemas/Kind'}
        size: {type: integer}
        note: {type: [string, 'null']}
    Kind: {type: string, enum: [a, b]}
";

/// The schemas of the document with null as written by tools that use `anyOf` for it.
const SCHEMAS_WITH_NULL: &str = r"
    Page:
      type: object
      properties:
        total: {anyOf: [{type: integer}, {type: 'null'}]}
        data:
          anyOf:
            - type: array
              items: {$ref: '#/components/schemas/Thing'}
            - {type: 'null'}
    Thing:
      type: object
      properties:
        name: {anyOf: [{type: string}, {type: 'null'}], title: Name}
        kind: {anyOf: [{$ref: '#/components/schemas/Kind'}, {type: 'null'}]}
        size: {anyOf: [{type: 'null'}, {type: integer}]}
        note: {anyOf: [{type: string}, {type: 'null'}]}
    Kind: {type: string, enum: [a, b]}
";

/// The document with null as such tools write it.
static WITH_NULL: LazyLock<String> = LazyLock::new(|| {
    let (head, _) = DOCUMENT.split_once("\n    Page:").unwrap();
    format!("{head}{SCHEMAS_WITH_NULL}").replace("'1.0'", "'1.1'")
});

const FILE: &str = "overrides/assumed/never-null.yaml";

fn moved(new: &str, accept: bool) -> Rebase {
    let none = OverrideSet::default();
    rebase(&source(DOCUMENT), &source(new), &none, accept).unwrap()
}

/// Returns the items of the crate that differ, with their version bump.
fn differences(old: (&Source, &OverrideSet), new: (&Source, &OverrideSet)) -> Vec<(Bump, String)> {
    let surface = |(document, set): (&Source, &OverrideSet)| {
        let reconciled = reconcile(document, set).unwrap();
        surface::read(&reconciled.source, &reconciled.report).unwrap()
    };
    let all = surface::compare(&surface(old), &surface(new)).into_iter();
    all.map(|one| (one.bump, one.sentence))
        .filter(|(bump, _)| *bump > Bump::Patch)
        .collect()
}

fn line(rebase: &Rebase) -> (&'static str, String) {
    let mut lines = rebase.lines(false).into_iter();
    let line = lines.find(|(_, text)| text.contains("places of responses"));
    line.unwrap()
}

#[test]
fn null_nearly_everywhere_is_taken_back_where_a_person_accepts_it() {
    let accepted = moved(&WITH_NULL, true);
    assert_eq!(accepted.files.len(), 1);
    let (path, text) = &accepted.files[0];
    assert_eq!(path, FILE);
    insta::assert_snapshot!(text);
    let judged = judge(&source(&WITH_NULL), &accepted.set);
    assert_eq!(judged.all[0].verdict, Verdict::Applied);
    let schemas = &judged.document["components"]["schemas"];
    // Values that allowed null before still do.
    let note = &schemas["Thing"]["properties"]["note"];
    assert_eq!(note["anyOf"].as_array().unwrap().len(), 2);
    assert_eq!(schemas["Page"]["required"], json!(["data", "total"]));
    let none = OverrideSet::default();
    let (old, new) = (source(DOCUMENT), source(&WITH_NULL));
    assert_eq!(differences((&old, &none), (&new, &accepted.set)), []);
    let (verb, text) = line(&accepted);
    assert_eq!(verb, "Kept");
    let is_told = text.starts_with("5 of 7 places of responses never null");
    assert!(is_told && text.contains(FILE), "{text}");
}

#[test]
fn a_version_is_text_whatever_it_contains() {
    let version = r#"2.0 "beta" \ : # {'"#;
    let old = source(&DOCUMENT.replace("'1.0'", &Value::from(version).to_string()));
    let accepted = rebase(&old, &source(&WITH_NULL), &OverrideSet::default(), true).unwrap();
    let reference = &accepted.set.overrides[0].about.reference;
    assert_eq!(reference, &format!("the document of version {version}"));
}

#[test]
fn null_nearly_everywhere_is_a_decision_and_the_crate_follows_the_document() {
    let followed = moved(&WITH_NULL, false);
    assert_eq!(followed.files, []);
    let (verb, text) = line(&followed);
    assert_eq!(verb, "Decide");
    for words in [
        "null in 5 of 7 places of responses that were never null, and the crate follows it",
        "with `--accept` an override keeps them as they were",
    ] {
        assert!(text.contains(words), "{text}");
    }
    // It stops no update.
    assert_eq!(followed.proposals, []);
    let none = OverrideSet::default();
    let (old, new) = (source(DOCUMENT), source(&WITH_NULL));
    let breaking = differences((&old, &none), (&new, &none));
    assert!(
        breaking.iter().any(|(bump, _)| *bump == Bump::Major),
        "{breaking:?}"
    );
}

#[test]
fn null_in_one_place_is_a_change_of_the_service() {
    let new = DOCUMENT.replace("size: {type: integer}", "size: {type: [integer, 'null']}");
    for accept in [false, true] {
        let followed = moved(&new, accept);
        assert_eq!(followed.files, []);
        let (verb, text) = line(&followed);
        assert_eq!(verb, "Note");
        let place = ": #/components/schemas/Thing/properties/size";
        let is_told = text.contains("in 1 of 7 places") && text.ends_with(place);
        assert!(is_told, "{text}");
    }
    let same = moved(&DOCUMENT.replace("'1.0'", "'1.1'"), true);
    assert_eq!(same.lines(false), []);
}

#[test]
fn what_an_override_called_nullable_stays_nullable() {
    let set = set("  - target: $.components.schemas.Thing.properties.size
    x-expect: {type: integer}
    remove: true
  - target: $.components.schemas.Thing.properties
    x-expect: {size: {type: integer}}
    update: {size: {type: [integer, 'null']}}
");
    let old = source(DOCUMENT);
    assert_eq!(judge(&old, &set).all[0].verdict, Verdict::Applied);
    let accepted = rebase(&old, &source(&WITH_NULL), &set, true).unwrap();
    assert_eq!(accepted.nulls.known, 6);
    let size = "/components/schemas/Thing/properties/size";
    let places = &accepted.nulls.places;
    assert!(!places.iter().any(|at| at == size), "{places:?}");
    assert_eq!(places.len(), 4);
}

/// Returns the schema of the property `x` in a document where all properties allow null in this form.
fn everywhere_as(form: &Value) -> Value {
    let schemas = |form: &Value| {
        json!({"openapi": if form.to_string().contains("nullable") { "3.0.3" } else { "3.1.0" },
            "info": {"title": "Small", "version": "1"},
            "paths": {"/a": {"get": {"operationId": "a", "responses": {"200": {"description": "A.", "content": {
                "application/json": {"schema": {"type": "object", "required": ["x"], "properties": {"x": form, "y": form}}}}}}}}},
            "components": {"schemas": {"A": {"type": "string"}, "Null": {"enum": [null]}, "B": {"type": "integer"}}}})
    };
    let plain = schemas(&json!({"$ref": "#/components/schemas/A"}));
    let new = schemas(form);
    let (old, new) = (source(&plain.to_string()), source(&new.to_string()));
    let accepted = rebase(&old, &new, &OverrideSet::default(), true).unwrap();
    assert!(accepted.nulls.is_kept, "{form}");
    let judged = judge(&new, &accepted.set);
    assert_eq!(judged.all[0].verdict, Verdict::Applied, "{form}");
    let at = "/paths/~1a/get/responses/200/content/application~1json/schema/properties/x";
    let mut left = judged.document.pointer(at).unwrap().clone();
    // The inlined schema keeps the name of its type.
    left.as_object_mut()
        .unwrap()
        .shift_remove("x-rust-type-name");
    left
}

#[test]
fn null_goes_in_each_form_that_allows_it() {
    let a = json!({"$ref": "#/components/schemas/A"});
    for case in [
        json!([{"type": ["string", "null"]}, {"type": ["string"]}]),
        json!([{"type": "string", "nullable": true}, {"type": "string"}]),
        json!([{"allOf": [a], "nullable": true}, {"allOf": [a]}]),
        json!([{"anyOf": [a, {"type": "null"}]}, {"anyOf": [a]}]),
        json!([{"oneOf": [{"$ref": "#/components/schemas/Null"}, a]}, {"oneOf": [a]}]),
        json!([{"type": ["string", "null"], "enum": ["a", null]}, {"type": ["string"], "enum": ["a"]}]),
    ] {
        assert_eq!(everywhere_as(&case[0]), case[1], "{case}");
    }
}

#[test]
fn a_component_that_others_refer_to_as_nullable_stays_nullable() {
    let nullable = "    Kind: {type: [string, 'null'], enum: [a, b, null]}";
    let other =
        "        other: {anyOf: [{$ref: '#/components/schemas/Kind'}, {type: 'null'}]}\n    Kind:";
    let old = DOCUMENT.replace("    Kind:", other);
    let new = WITH_NULL
        .replace(
            "{anyOf: [{$ref: '#/components/schemas/Kind'}, {type: 'null'}]}",
            "{$ref: '#/components/schemas/Kind'}",
        )
        .replace("    Kind: {type: string, enum: [a, b]}", nullable);
    let kept = |old: &str, new: &str| {
        let accepted = rebase(&source(old), &source(new), &OverrideSet::default(), true).unwrap();
        let judged = judge(&source(new), &accepted.set);
        assert_eq!(judged.all[0].verdict, Verdict::Applied);
        let kind = judged.document["components"]["schemas"]["Kind"].to_string();
        (accepted.nulls.places.len(), !kind.contains("null"))
    };
    assert_eq!(kept(DOCUMENT, &new), (5, true));
    // A property that was nullable before, and one that the old document lacks.
    let with_other = new.replace(
        "    Kind:",
        "        other: {$ref: '#/components/schemas/Kind'}\n    Kind:",
    );
    assert_eq!(kept(&old, &with_other), (4, false));
    assert_eq!(kept(DOCUMENT, &with_other), (4, false));
}

#[test]
fn what_one_of_two_merged_components_allowed_stays_nullable() {
    let with = |document: &str, members: &str, components: &str| {
        let document = document.replace("        note:", &format!("{members}        note:"));
        source(&format!("{document}{components}"))
    };
    let old = with(
        DOCUMENT,
        "        first: {$ref: '#/components/schemas/First'}
        second: {$ref: '#/components/schemas/Second'}
        width: {type: integer}
        height: {type: integer}
",
        "    First: {type: object, properties: {v: {type: integer}}}
    Second: {type: object, properties: {v: {type: [integer, 'null']}}}
",
    );
    let new = with(
        &WITH_NULL,
        "        first: {$ref: '#/components/schemas/Both'}
        second: {$ref: '#/components/schemas/Both'}
        width: {anyOf: [{type: integer}, {type: 'null'}]}
        height: {anyOf: [{type: integer}, {type: 'null'}]}
",
        "    Both: {type: object, properties: {v: {anyOf: [{type: integer}, {type: 'null'}]}}}
",
    );
    let rebase = rebase(&old, &new, &OverrideSet::default(), true).unwrap();
    let document = judge(&new, &rebase.set).document;
    let schemas = &document["components"]["schemas"];
    let allows_null = |at: &str| schemas.pointer(at).unwrap().to_string().contains("null");
    assert!(allows_null("/Both/properties/v"));
    assert!(!allows_null("/Thing/properties/size"));
}

#[test]
fn the_override_goes_when_the_document_forbids_null_again() {
    let accepted = moved(&WITH_NULL, true);
    let again = rebase(&source(&WITH_NULL), &source(DOCUMENT), &accepted.set, true).unwrap();
    let judged = judge(&source(DOCUMENT), &again.set);
    assert_eq!(judged.all[0].verdict, Verdict::Retired, "{:?}", again.files);
}

#[test]
fn the_override_follows_and_grows() {
    let accepted = moved(&WITH_NULL, true);
    let renamed = WITH_NULL
        .replace("schemas/Thing'", "schemas/Item'")
        .replace("    Thing:", "    Item:");
    let followed = rebase(&source(&WITH_NULL), &source(&renamed), &accepted.set, true).unwrap();
    let judged = judge(&source(&renamed), &followed.set);
    assert_eq!(judged.all[0].verdict, Verdict::Applied);
    let (_, text) = &followed.files[0];
    assert!(text.contains("$.components.schemas.Item.properties"));
    assert_eq!(followed.nulls.places, [""; 0], "all were null before");
    // Another schema, of a separate operation, allows null later.
    let more = |form: &str| {
        let path = "  /others:\n    get:\n      operationId: others\n      responses:\n        '200':\n          description: Others.\n          content:\n            application/json:\n              schema: {$ref: '#/components/schemas/Other'}\ncomponents:";
        let fields: String = ('a'..'p')
            .map(|name| format!("        {name}: {form}\n"))
            .collect();
        let other = format!("    Other:\n      type: object\n      properties:\n{fields}    Kind:");
        source(
            &WITH_NULL
                .replace("components:", path)
                .replace("    Kind:", &other),
        )
    };
    let (plain, null) = (more("{type: string}"), more("{type: [string, 'null']}"));
    let grown = rebase(&plain, &null, &accepted.set, true).unwrap();
    let text = &grown.files[0].1;
    assert!(text.starts_with(accepted.files[0].1.as_str()), "{text}");
    assert!(
        text.contains("$.components.schemas.Other.properties['a','b',"),
        "{text}"
    );
    assert_eq!(judge(&null, &grown.set).all[0].verdict, Verdict::Applied);
}

#[test]
fn what_is_about_a_field_stays_at_the_field() {
    for update in [
        "x-aliases: [length]",
        "x-rust-optional: true",
        "x-rust-name: length",
    ] {
        let key = update.split(':').next().unwrap();
        let actions = format!(
            "  - target: $.components.schemas.Thing.properties.size\n    x-expect: {{{key}: null}}\n    update: {{{update}}}\n"
        );
        let moved = rebase(&source(DOCUMENT), &source(&WITH_NULL), &set(&actions), true).unwrap();
        let mut all = moved.set.overrides.iter();
        let one = all.find(|one| one.id == "one").unwrap();
        let target = &one.overlay.actions[0].target;
        assert_eq!(
            target, "$.components.schemas.Thing.properties.size",
            "{update}"
        );
    }
}
