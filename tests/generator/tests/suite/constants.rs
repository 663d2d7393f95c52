//! Properties with one value: set by the type in requests, and a string in responses.

use client_generator::generate;
use openapi_document::source::Source;
use openapi_model::Shape;
use openapi_overrides::OverrideReport;

use crate::support::{Emitted, Workspace};

/// Generates a document with a tool that is sent, and one that is received.
fn emitted(sent: &str, schemas: &str) -> Emitted {
    let document = format!(
        "openapi: 3.1.0
info: {{title: Tools, version: '1'}}
paths:
  /tools:
    post:
      operationId: send
      requestBody: {{required: true, content: {{application/json: {{schema: {sent}}}}}}}
      responses: {{'200': {{description: '', content: {{application/json: {{schema: {{$ref: '#/components/schemas/Done'}}}}}}}}}}
components:
  schemas:
    Done: {{type: object, properties: {{object: {{const: done}}, size: {{type: integer}}}}}}
    Web: {{type: object, properties: {{type: {{type: string, enum: [web], default: web}}, query: {{type: [string, 'null']}}, parts: {{type: array, items: {{type: object, properties: {{x: {{type: integer}}}}}}}}}}}}
    Plain: {{type: object, properties: {{type: {{type: string}}, size: {{type: integer}}, at: {{type: object, properties: {{y: {{type: integer}}}}}}}}}}
    Tool:
      oneOf: [{{$ref: '#/components/schemas/Web'}}, {{$ref: '#/components/schemas/Plain'}}]
      discriminator: {{propertyName: type, mapping: {{web: '#/components/schemas/Web', plain: '#/components/schemas/Plain'}}}}
{schemas}"
    );
    let workspace = Workspace::with(&document);
    let (fresh, output) = workspace.regen(false);
    assert!(fresh, "{output}");
    Emitted::of_workspace(&workspace)
}

const TOOL: &str =
    "{type: object, required: [tool], properties: {tool: {$ref: '#/components/schemas/Tool'}}}";

#[test]
fn a_constant_is_no_field_of_what_is_sent() {
    let types = emitted(TOOL, "");
    let kind = types.item("types::Web").member("type_");
    assert!(
        !kind.is_public && kind.signature.contains("Constant"),
        "{}",
        kind.signature
    );
    let plain = types.item("types::Plain").member("type_");
    assert!(
        !plain.is_public && plain.signature.contains("Constant"),
        "{}",
        plain.signature
    );
}

#[test]
fn a_constant_that_is_only_received_is_the_text_that_was_received() {
    let types = emitted(TOOL, "");
    let object = types.item("types::Done").member("object");
    assert_eq!(object.signature.replace(' ', ""), "Option<String>");
    assert!(
        types
            .items()
            .iter()
            .all(|item| !item.path.ends_with("DoneObject"))
    );
}

#[test]
fn a_variant_is_named_by_its_tag_and_writes_a_tag_that_its_type_does_not() {
    // A plain tool outside of the union may have any type.
    let schemas =
        "    Other: {type: object, properties: {plain: {$ref: '#/components/schemas/Plain'}}}";
    let sent = "{type: object, required: [tool], properties: {tool: {$ref: '#/components/schemas/Tool'}, other: {$ref: '#/components/schemas/Other'}}}";
    let types = emitted(sent, schemas);
    assert!(types.item("types::Tool").find("Web").is_some());
    let plain = types.item("types::Plain").member("type_");
    assert!(plain.is_public, "{}", plain.signature);
    let written = types
        .implementation("Serialize", "Tool")
        .code
        .replace([' ', '\n'], "");
    assert!(
        written.contains(r#"tagged(value,"type",&["plain"],serializer)"#),
        "{written}"
    );
    assert!(!written.contains(r#"&["web"]"#), "{written}");
}

#[test]
fn an_optional_property_with_one_value_that_tells_nothing_apart_is_a_choice() {
    let types = emitted(
        "{type: object, properties: {mode: {const: fast}, size: {type: integer}, more: {type: object}}}",
        "",
    );
    let mode = types.item("types::SendBody").member("mode");
    assert_eq!(mode.signature.replace(' ', ""), "Option<SendBodyMode>");
}

#[test]
fn a_required_constant_is_no_argument_and_is_sent() {
    let types = emitted(
        "{type: object, required: [kind, name], properties: {kind: {const: a}, name: {type: string}}}",
        "",
    );
    let new = types.item("types::impl SendBody").member("new");
    assert!(
        !new.signature.contains("kind") && new.signature.contains("name"),
        "{}",
        new.signature
    );
    let kind = types.item("types::SendBody").member("kind");
    assert!(!kind.is_public, "{}", kind.signature);
}

/// Returns the types of a document, and its warnings.
fn read(components: &str) -> (Vec<String>, Vec<String>) {
    let document = format!(
        "openapi: 3.1.0
info: {{title: Tools, version: '1'}}
paths:
  /a: {{get: {{operationId: first, parameters: [{{name: order, in: query, schema: {{type: string, enum: [up, down]}}}}], responses: {{'200': {{description: '', content: {{application/json: {{schema: {{$ref: '#/components/schemas/One'}}}}}}}}}}}}}}
  /b: {{get: {{operationId: second, parameters: [{{name: order, in: query, schema: {{type: string, enum: [up, down]}}}}], responses: {{'200': {{description: '', content: {{application/json: {{schema: {{$ref: '#/components/schemas/Two'}}}}}}}}}}}}}}
components:
  schemas:
{components}"
    );
    let source = Source::parse("openapi.yaml", document).unwrap();
    let code = generate::code(&source, &OverrideReport::default()).unwrap();
    let names = code.model.schemas.iter().map(|one| one.name.clone());
    let warnings = code
        .warnings
        .iter()
        .map(|one| format!("{} {}", one.pointer, one.message));
    (names.collect(), warnings.collect())
}

#[test]
fn an_inline_schema_is_named_after_its_title_or_place_whatever_equals_it() {
    let (names, warnings) = read(
        "    One: {type: object, properties: {owner: {type: object, properties: {id: {type: integer}}}, a: {type: object, title: A thing, properties: {z: {type: integer}}}}}
    Two: {type: object, properties: {owner: {type: object, properties: {id: {type: integer}}}, state: {type: string, enum: [on, off]}}}",
    );
    assert_eq!(
        names,
        [
            "AThing",
            "FirstOrder",
            "One",
            "OneOwner",
            "SecondOrder",
            "Two",
            "TwoOwner",
            "TwoState"
        ]
    );
    assert!(warnings.is_empty(), "{warnings:?}");
}

#[test]
fn an_inline_schema_is_named_after_the_component_that_has_it_and_not_what_met_it_first() {
    let (names, _) = read(
        "    Base: {type: object, properties: {state: {type: string, enum: [on, off]}}}
    One: {allOf: [{$ref: '#/components/schemas/Base'}, {type: object, properties: {n: {type: integer}}}]}
    Two: {allOf: [{$ref: '#/components/schemas/Base'}, {type: object, properties: {m: {type: integer}}}]}",
    );
    assert_eq!(
        names,
        ["BaseState", "FirstOrder", "One", "SecondOrder", "Two"]
    );
}

#[test]
fn names_do_not_change_with_an_unrelated_part_of_a_document() {
    let part = "    One: {type: object, properties: {state: {type: string, enum: [on, off]}, deep: {type: object, properties: {state: {type: string, enum: [x, y]}}}}}\n";
    let (before, _) = read(&format!(
        "{part}    Two: {{type: object, properties: {{n: {{type: integer}}}}}}"
    ));
    let (after, _) = read(&format!(
        "    Two: {{type: object, properties: {{state: {{type: string, enum: [p, q]}}}}}}\n{part}"
    ));
    for name in before {
        assert!(after.contains(&name), "{name}: {after:?}");
    }
}

#[test]
fn a_long_name_keeps_its_beginning_and_the_end_that_tells_it_apart() {
    let (names, _) = read(
        "    One: {type: object, properties: {configurationOfTheEnvironment: {type: object, properties: {networkConnections: {type: object, properties: {proxy: {type: object, properties: {host: {type: string}}}}}}}}}
    Two: {type: object, properties: {n: {type: integer}}}",
    );
    assert_eq!(
        names,
        [
            "FirstOrder",
            "One",
            "OneConfigurationOfTheEnvironment",
            "OneNetworkConnections",
            "OneNetworkConnectionsProxy",
            "SecondOrder",
            "Two"
        ]
    );
}

#[test]
fn alternatives_are_named_by_what_differs() {
    let (names, _) = read(
        "    One: {type: object, properties: {source: {oneOf: [{type: object, required: [iban], properties: {name: {type: string}, iban: {type: string}}}, {type: object, required: [number], properties: {name: {type: string}, number: {type: string}}}]}}}
    Two: {type: object, properties: {n: {type: integer}}}",
    );
    assert_eq!(
        names,
        [
            "FirstOrder",
            "One",
            "OneSource",
            "OneSourceIban",
            "OneSourceNumber",
            "SecondOrder",
            "Two"
        ]
    );
}

#[test]
fn enum_values_are_called_as_the_document_calls_them() {
    let types = emitted(TOOL, "").items().len();
    assert!(types > 0);
    let labels =
        "x-enum-varnames: [SLOW_LANE, FAST_LANE], x-enum-descriptions: [Takes its time., At once.]";
    let schemas = format!("    Lane: {{type: string, enum: ['1', '2'], {labels}}}");
    let sent = "{type: object, required: [lane], properties: {lane: {$ref: '#/components/schemas/Lane'}, more: {type: object}}}";
    let types = emitted(sent, &schemas);
    let slow = types.item("types::Lane").member("SlowLane");
    assert!(
        slow.docs.contains("Takes its time.") && slow.docs.contains("`1`"),
        "{}",
        slow.docs
    );
}

#[test]
fn wrong_names_of_enum_values_are_not_read_and_said_with_their_place() {
    for (labels, problem) in [
        ("x-enum-varnames: [a]", "this has 1 entries for 2 values"),
        ("x-enumNames: [a, '1']", "`1` is not a valid variant name"),
        ("x-enum-names: [a, A]", "the variant `A` exists already"),
        (
            "x-enum-descriptions: 7",
            "this is neither a list of strings nor an object of them",
        ),
    ] {
        let (_, warnings) = read(&format!(
            "    One: {{type: object, properties: {{n: {{$ref: '#/components/schemas/Lane'}}}}}}
    Lane: {{type: string, enum: [x, y], {labels}}}
    Two: {{type: object, properties: {{n: {{type: integer}}}}}}"
        ));
        let key = labels.split(':').next().unwrap();
        let expected = format!("/components/schemas/Lane/{key} {problem}; it is not read");
        assert_eq!(warnings, [expected]);
    }
}

#[test]
fn what_the_provider_advises_against_is_deprecated_in_rust() {
    let sent = "{type: object, required: [old], properties: {old: {$ref: '#/components/schemas/Old'}, more: {type: object}}}";
    let schemas = "    Old: {type: object, deprecated: true, properties: {x: {type: integer, deprecated: true}, y: {type: object}}}";
    let types = emitted(sent, schemas);
    let old = types.item("types::Old");
    let is_deprecated = |all: &[String]| all.iter().any(|one| one.contains("deprecated"));
    assert!(is_deprecated(&old.attributes), "{:?}", old.attributes);
    assert!(is_deprecated(&old.member("x").attributes));
    assert!(!is_deprecated(&old.member("y").attributes));
}

/// Alternatives that share one enumeration of all tags are distinguished by the mapping, or else by their names.
#[test]
fn a_tag_that_an_alternative_may_have_is_not_that_of_another() {
    let tags = |discriminator: &str, alternatives: &str| {
        let document = format!(
            "openapi: 3.0.3
info: {{title: Flows, version: '1'}}
paths:
  /flows:
    post:
      operationId: send
      requestBody: {{required: true, content: {{application/json: {{schema: {{$ref: '#/components/schemas/Flow'}}}}}}}}
      responses: {{'204': {{description: ''}}}}
components:
  schemas:
    Method: {{type: string, enum: [Link, Code, Other]}}
    Link: {{type: object, required: [method], properties: {{method: {{$ref: '#/components/schemas/Method'}}, email: {{type: string}}}}}}
    Code: {{type: object, required: [method], properties: {{method: {{$ref: '#/components/schemas/Method'}}, code: {{type: string}}}}}}
    Flow:
      oneOf: [{alternatives}]
{discriminator}
"
        );
        let source = Source::parse("a.yaml", document).unwrap();
        let model = openapi_model::read(&source).unwrap();
        let Shape::Union { tag: Some(tag), .. } = &model.schema("Flow").unwrap().place.shape else {
            panic!("no union with a tag");
        };
        tag.values.clone()
    };
    let named = "{$ref: '#/components/schemas/Link'}, {$ref: '#/components/schemas/Code'}";
    let by = |mapping: &str| format!("      discriminator: {{propertyName: method{mapping}}}");
    let expected = [vec!["Link", "Other"], vec!["Code", "Other"]];
    assert_eq!(tags(&by(""), named), expected);
    let swapped =
        ", mapping: {Code: '#/components/schemas/Link', Link: '#/components/schemas/Code'}";
    let expected = [vec!["Code", "Other"], vec!["Link", "Other"]];
    assert_eq!(tags(&by(swapped), named), expected);
    // An alternative that restricts the enumeration, as in Langfuse's document.
    let narrowed = |value: &str, name: &str| {
        format!(
            "{{allOf: [{{type: object, properties: {{method: {{type: string, enum: [{value}]}}}}}}, {{$ref: '#/components/schemas/{name}'}}]}}"
        )
    };
    let both = [narrowed("Other", "Link"), narrowed("Code", "Code")].join(", ");
    assert_eq!(tags("", &both), [["Other"], ["Code"]]);
}
