//! Every command ends any file with a result or with a located error: it neither panics, nor overflows its stack, nor
//! hangs. Tests run on threads of 2 MB, a quarter of the main thread's stack.

mod random;

use std::rc::Rc;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use client_generator::surface::{self, Surface};
use openapi_crate::commands::update::{Options, update};
use openapi_diff::{Report, Surfaces};
use openapi_document::finding::DocumentError;
use openapi_document::source::Source;
use openapi_overrides::OverrideReport;
use serde_json::{Value, json};

use crate::support::Workspace;
use crate::update::of;

/// Timeout of a case, many times longer than any of them takes.
const FOREVER: Duration = Duration::from_secs(60);

const BOOKSHOP: &str = include_str!("../../fixtures/bookshop/openapi.yaml");
const ODDITIES: &str = include_str!("../../fixtures/oddities/openapi.yaml");
const SHOP: &str = include_str!("diff/shop.yaml");

/// Runs all commands that read documents on one file, as YAML and as JSON. `crates` also generates crates, which takes
/// far longer than all the rest.
fn everything(text: &str, crates: bool) {
    let start = Instant::now();
    // The crate does not depend on the format of the text.
    let mut made: Vec<Value> = Vec::new();
    for name in ["any.yaml", "any.json", "any"] {
        match Source::parse(name, text.to_owned()) {
            Ok(source) => {
                let is_new = crates && !made.contains(&source.value);
                read(&source, is_new);
                made.push(source.value);
            }
            Err(stop) => is_told(&stop),
        }
    }
    if crates {
        let workspace = &WORKSPACE.with(Rc::clone);
        workspace.write("new.yaml", text);
        let options = Options {
            dry_run: true,
            ..of("new.yaml")
        };
        if let Err(error) = update(&workspace.layout(), &options, &mut Vec::new()) {
            is_told(&error.downcast().unwrap());
        }
    }
    assert!(start.elapsed() < FOREVER, "{:?}", start.elapsed());
}

thread_local! {
    /// A workspace with a crate, for updates that write nothing.
    static WORKSPACE: Rc<Workspace> = {
        let workspace = Workspace::with(BOOKSHOP);
        workspace.regen(false);
        Rc::new(workspace)
    };
}

/// The bookshop, and the public items of its crate.
static OTHER: LazyLock<(Source, Result<Surface, DocumentError>)> = LazyLock::new(|| {
    let other = Source::parse("bookshop.yaml", BOOKSHOP.to_owned()).unwrap();
    let surface = surface_of(&other);
    (other, surface)
});

fn surface_of(source: &Source) -> Result<Surface, DocumentError> {
    surface::read(source, &OverrideReport::default())
}

/// Checks that a stop has a message and a file, and can be rendered with its location.
fn is_told(stop: &DocumentError) {
    assert!(!stop.findings().is_empty());
    for finding in stop.findings() {
        assert!(!finding.message.is_empty() && !finding.file.is_empty());
    }
    assert!(!stop.to_string().is_empty());
}

fn read(source: &Source, crates: bool) {
    if let Some(refusal) = openapi_diff::refusal(source) {
        is_told(&DocumentError::Unreadable(vec![refusal]));
    }
    let mut itself = openapi_diff::compare(source, source).changes;
    // The targets of external references may have changed, and then the version is that of another document.
    let has_unknown = itself.iter().any(|one| one.rule.id == "reference.unknown");
    itself.retain(|change| match change.rule.id {
        "reference.unknown" => false,
        "version.unchanged" => !has_unknown,
        _ => true,
    });
    assert!(itself.is_empty(), "{:#?}", crate::diff::lines(&itself));
    let (other, others) = &*OTHER;
    let made = crates.then(|| (surface_of(source), others));
    let surfaces = |turned| match &made {
        None => Surfaces::Skipped,
        Some((Ok(any), Ok(other))) if turned => Surfaces::Compared(surface::compare(other, any)),
        Some((Ok(any), Ok(other))) => Surfaces::Compared(surface::compare(any, other)),
        Some((any, other)) => {
            let stops = [any, *other].map(|made| made.as_ref().err());
            let stops = stops.into_iter().flatten().inspect(|stop| is_told(stop));
            Surfaces::Unknown(stops.flat_map(|stop| stop.findings().to_vec()).collect())
        }
    };
    for turned in [false, true] {
        let (old, new) = if turned {
            (other, source)
        } else {
            (source, other)
        };
        let differences = openapi_diff::compare(old, new);
        let report = Report::new(&old.path, &new.path, differences, surfaces(turned));
        assert!(!openapi_diff::text(&report, true, false).is_empty());
        assert!(!openapi_diff::markdown(&report).is_empty());
        openapi_diff::sarif(&report).unwrap();
        openapi_diff::json(&report).unwrap();
    }
}

/// Returns a document with this schema as request and response body, and these components.
fn with_schema(schema: &Value, schemas: &Value) -> String {
    json!({
        "openapi": "3.0.3",
        "info": {"title": "Any", "version": "1"},
        "paths": {"/a": {"post": {
            "operationId": "a",
            "requestBody": {"content": {"application/json": {"schema": schema}}},
            "responses": {"200": {"description": "A", "content": {"application/json": {"schema": schema}}}},
        }}},
        "components": {"schemas": schemas},
    })
    .to_string()
}

#[test]
fn nesting_of_any_depth_is_an_error() {
    const DEEP: usize = 10_000;
    for (open, close) in [
        ("[", "]"),
        ("{\"a\":", "}"),
        ("{a: ", "}"),
        ("[{\"a\":", "}]"),
        ("- ", ""),
        ("? ", ""),
        ("- a: ", ""),
        ("!t ", ""),
        ("((", "))"),
    ] {
        for (start, end) in [
            ("", ""),
            ("openapi: 3.0.3\npaths:\n  ", ""),
            ("{\"openapi\": \"3.0.3\", \"paths\": ", "}"),
        ] {
            let opened = open.repeat(DEEP);
            everything(&format!("{start}{opened}"), false);
            everything(
                &format!("{start}{opened}1{}{end}", close.repeat(DEEP)),
                false,
            );
        }
    }
    // A megabyte of indentation.
    let block: String = (0..1_500)
        .map(|level| format!("{}a:\n", " ".repeat(level)))
        .collect();
    everything(&block, false);
}

#[test]
fn what_is_as_deep_as_a_document_may_be_is_read() {
    for levels in [30, 50, 100] {
        for wrap in [
            |inner: Value| json!({"type": "array", "items": inner}),
            |inner: Value| json!({"type": "object", "properties": {"a": inner}}),
            |inner: Value| json!({"allOf": [inner, {"description": "A"}]}),
            |inner: Value| json!({"oneOf": [inner, {"type": "string"}]}),
            |inner: Value| json!({"not": inner}),
            |inner: Value| json!({"type": "object", "additionalProperties": inner}),
        ] {
            let schema = (0..levels).fold(json!({"type": "string"}), |inner, _| wrap(inner));
            everything(&with_schema(&schema, &json!({})), true);
        }
    }
}

#[test]
fn references_that_double_at_every_step_are_no_more_work() {
    let next = |number: usize| json!({"$ref": format!("#/components/schemas/S{number}")});
    for link in [
        |next: Value| json!({"allOf": [next, next]}),
        |next: Value| json!({"allOf": [{"allOf": [next]}, {"allOf": [next], "minLength": 1}]}),
        |next: Value| json!({"oneOf": [next, next]}),
        |next: Value| json!({"anyOf": [next, {"type": "array", "items": next}]}),
        |next: Value| json!({"type": "object", "properties": {"a": next, "b": next}}),
        |next: Value| json!({"oneOf": [{"properties": {"a": next}}, {"properties": {"b": next}}]}),
        |next: Value| json!({"not": next, "if": next, "then": next}),
    ] {
        let mut schemas: serde_json::Map<String, Value> = (0..40)
            .map(|number| (format!("S{number}"), link(next(number + 1))))
            .collect();
        schemas.insert("S40".to_owned(), json!({"type": "string"}));
        everything(&with_schema(&next(0), &schemas.into()), true);
    }
}

#[test]
#[ignore = "the gate runs it: it makes 70 crates"]
fn references_in_circles_and_to_nowhere_are_told_or_followed() {
    const A: &str = "#/components/schemas/A";
    let to = |target: &str| json!({"$ref": target});
    let itself = [
        to(A),
        json!({"allOf": [to(A)]}),
        json!({"allOf": [to(A), {"type": "object"}]}),
        json!({"oneOf": [to(A), {"type": "string"}]}),
        json!({"anyOf": [to(A), to(A)]}),
        json!({"not": to(A)}),
        json!({"type": "array", "items": to(A)}),
        json!({"type": "object", "additionalProperties": to(A)}),
        json!({"type": "object", "required": ["a"], "properties": {"a": to(A)}}),
        // References to the parent, a child, the whole document, the components, a string, nowhere, and another file.
        json!({"type": "object", "properties": {"a": to("#/components/schemas")}}),
        json!({"type": "object", "properties": {"a": to("#/components/schemas/A/properties/a/items"), "b": to("#/components/schemas/A/properties/b")}}),
        json!({"allOf": [to("#/components/schemas/A/allOf/0")]}),
        json!({"allOf": [to("#/components/schemas/A/allOf")]}),
        to("#"),
        to("#/"),
        to(""),
        to("#/openapi"),
        to("#/components/schemas/B"),
        to("#/components/schemas/A/"),
        to("#/components/schemas/~2"),
        to("#/paths/~1a/post"),
        to("#/%zz%"),
        to("other.yaml#/A"),
        json!({"$ref": 1}),
        json!({"$ref": [to(A)]}),
        json!({"oneOf": [to(A)], "discriminator": {"propertyName": "a", "mapping": {"a": A, "b": "A", "c": "#"}}}),
    ];
    for schema in itself {
        everything(&with_schema(&to(A), &json!({"A": schema})), true);
        let pair = json!({"A": to("#/components/schemas/B"), "B": schema});
        everything(&with_schema(&to(A), &pair), true);
    }
    let ring: serde_json::Map<String, Value> = (0..100)
        .map(|number| {
            let target = format!("#/components/schemas/R{}", (number + 1) % 100);
            (format!("R{number}"), json!({"allOf": [to(&target)]}))
        })
        .collect();
    everything(
        &with_schema(&to("#/components/schemas/R0"), &ring.into()),
        true,
    );
    for rest in [
        "paths: {/a: {$ref: '#/paths/~1a'}}",
        "paths: {/a: {$ref: '#/paths/~1b'}, /b: {$ref: '#/paths/~1a', get: {}}}",
        "paths: {$ref: '#/paths'}",
        "paths: {/a: {get: {parameters: [{$ref: '#/components/parameters/A'}]}}}, components: {parameters: {A: {$ref: '#/components/parameters/A'}}}",
        "paths: {/a: {get: {parameters: [{$ref: '#/paths/~1a/get/parameters/0'}], requestBody: {$ref: '#/paths/~1a/get/requestBody'}, responses: {'200': {$ref: '#/paths/~1a/get/responses/200'}}}}}",
        "paths: {/a: {get: {responses: {'200': {headers: {A: {$ref: '#/paths/~1a/get/responses/200/headers/A'}}, links: {B: {$ref: '#/x'}}}}}}}",
        "paths: {/a: {get: {operationId: a, callbacks: {b: {$ref: '#/paths/~1a/get/callbacks/b'}, c: {url: {$ref: '#/paths/~1a'}}}}}}",
        "paths: {/a: {get: {$ref: '#/paths/~1a/get'}}}",
        "components: {$ref: '#/components'}",
        "security: [{A: []}], components: {securitySchemes: {A: {$ref: '#/components/securitySchemes/A'}}}",
    ] {
        everything(
            &format!("{{openapi: 3.1.0, info: {{title: A, version: '1'}}, {rest}}}"),
            true,
        );
    }
}

#[test]
#[ignore = "the gate runs it: it makes 50 crates"]
fn names_and_numbers_of_any_kind_are_read() {
    let names = [
        "/",
        "~",
        "~0",
        "~1",
        "a/b~c",
        "",
        " ",
        "0",
        "-",
        "%2F",
        "é",
        "\u{1F600}",
        "\u{0}",
        "\"",
        "`",
        "|",
        "type",
        "crate",
        "Self",
        "__proto__",
        "$ref",
        "<<",
        "a\nb",
        "\u{202e}",
    ];
    let numbers = [
        "1e999",
        "-1e999",
        "1e-999",
        "18446744073709551616",
        "-9223372036854775809",
        "0.1e1",
        "99999999999999999999999999999999999999999",
        ".inf",
        ".nan",
        "0x10",
        "1_000",
        "~",
        "-0",
        "-0.0",
    ];
    for name in names {
        let property = json!({"type": "object", "properties": {name: {"type": "string", "enum": [name]}}, "required": [name]});
        let mut document: Value =
            serde_json::from_str(&with_schema(&property, &json!({name: property}))).unwrap();
        document["paths"][name] = document["paths"]["/a"].clone();
        document["paths"][format!("/{{{name}}}")] = json!({"get": {"operationId": name, "parameters": [{"name": name, "in": "path", "required": true, "schema": {"type": "string"}}], "responses": {name: {"description": name, "headers": {name: {}}}}}});
        document[name] = json!(name);
        everything(&document.to_string(), true);
    }
    let keywords = [
        "maximum",
        "minLength",
        "maxItems",
        "multipleOf",
        "default",
        "enum",
        "type",
        "const",
    ];
    for keyword in keywords {
        for number in numbers {
            let text = with_schema(&json!({"type": "integer", keyword: "NUMBER"}), &json!({}));
            everything(&text.replace("\"NUMBER\"", number), false);
        }
        let text = with_schema(&json!({"type": "integer", keyword: 1e300}), &json!({}));
        everything(&text, true);
    }
}
