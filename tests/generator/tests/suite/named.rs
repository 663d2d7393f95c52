//! Inline schemas with a name in the document: identical ones share one type.

use client_generator::generate;
use client_generator::surface::{self, Kind};
use openapi_document::source::Source;
use openapi_overrides::OverrideReport;

use crate::support::Inputs;

const DOCUMENT: &str = "openapi: 3.1.0
info: {title: Shop, version: '1'}
servers: [{url: https://shop.example}]
paths:
  /things/{code}:
    get:
      operationId: thing
      parameters:
        - {name: code, in: path, required: true, schema: {type: string, x-rust-type-name: Code}}
      responses:
        '200':
          description: A thing.
          content:
            application/json:
              schema:
                type: object
                title: Thing
                x-rust-type-name: Thing
                properties:
                  code: {type: string, description: Its code., x-rust-type-name: Code}
                  box: {type: object, properties: {w: {type: integer}}, x-rust-type-name: Size}
                  parcel: {type: [object, 'null'], description: Of the parcel., properties: {w: {type: integer}}, x-rust-type-name: Size}
                  other: {type: object, properties: {h: {type: integer}}, x-rust-type-name: Size}
";

#[test]
fn inline_schemas_that_share_a_name_and_say_the_same_are_one_type() {
    let source = Source::parse("openapi.yaml", DOCUMENT.to_owned()).unwrap();
    let code = generate::code(&source, &OverrideReport::default()).unwrap();
    let mut names: Vec<&str> = code
        .model
        .schemas
        .iter()
        .map(|one| one.name.as_str())
        .collect();
    names.sort_unstable();
    assert_eq!(names, ["Code", "Size", "Size2", "Thing"]);
    let warnings: Vec<(&str, &str)> = code
        .warnings
        .iter()
        .map(|one| (one.rule, one.message.as_str()))
        .collect();
    let expected = "the Rust type `Size` is there already; this schema becomes `Size2`";
    assert_eq!(warnings, [("type-name", expected)]);
}

#[test]
fn how_a_place_reads_its_values_is_no_part_of_an_inline_type() {
    let loose = "loose: {type: object, properties: {w: {type: integer}}, x-rust-type-name: Size, x-rust-type: Loose}";
    let document = DOCUMENT.replace("box: {", &format!("{loose}\n                  box: {{"));
    let source = Source::parse("openapi.yaml", document).unwrap();
    let code = generate::code(&source, &OverrideReport::default()).unwrap();
    let names: Vec<&str> = (code.model.schemas.iter())
        .map(|one| one.name.as_str())
        .collect();
    assert_eq!(names, ["Code", "Size", "Size2", "Thing"]);
    let size = code.model.schema("Size").unwrap();
    assert!(size.property("w").is_some(), "{size:?}");
    let thing = code.model.schema("Thing").unwrap();
    let chosen = |property| thing.property(property).unwrap().rust_type.as_deref();
    assert_eq!(chosen("loose"), Some("Loose"));
    assert_eq!(chosen("box"), None);
}

#[test]
fn a_place_reads_a_reference_leniently_in_every_wrapper_of_it() {
    let size = "allOf: [{$ref: '#/components/schemas/Weight'}]";
    let weight =
        "components: {schemas: {Weight: {type: object, properties: {g: {type: integer}}}}}";
    for wrapped in [
        size.to_owned(),
        format!("anyOf: [{{description: Its weight., {size}}}]"),
        format!("allOf: [{{description: Its weight., {size}}}, {{description: In grams.}}]"),
    ] {
        let loose = format!("loose: {{{wrapped}, x-rust-type: Loose}}");
        let document = DOCUMENT.replace("box: {", &format!("{loose}\n                  box: {{"));
        let source = Source::parse("openapi.yaml", format!("{document}{weight}\n")).unwrap();
        let code = generate::code(&source, &OverrideReport::default()).unwrap();
        let thing = code.model.schema("Thing").unwrap();
        let loose = thing.property("loose").unwrap();
        assert_eq!(loose.reference(), Some("Weight"), "{wrapped}");
        assert_eq!(loose.rust_type.as_deref(), Some("Loose"), "{wrapped}");
    }
}

#[test]
fn any_json_keeps_its_name_in_every_wrapper() {
    for wrapped in [
        "x-rust-type-name: Open",
        "anyOf: [{x-rust-type-name: Open}, {type: 'null'}]",
        "allOf: [{x-rust-type-name: Open}]",
        "allOf: [{description: As it came.}, {x-rust-type-name: Open}]",
    ] {
        let document = DOCUMENT.replace(
            "box: {",
            &format!("open: {{{wrapped}}}\n                  box: {{"),
        );
        let source = Source::parse("openapi.yaml", document).unwrap();
        let code = generate::code(&source, &OverrideReport::default()).unwrap();
        let thing = code.model.schema("Thing").unwrap();
        let open = thing.property("open").unwrap();
        assert_eq!(open.reference(), Some("Open"), "{wrapped}");
    }
}

#[test]
fn an_operation_may_name_its_builder_which_changes_no_other_name() {
    let read = |name: &str| {
        let named = format!("operationId: thing\n      x-rust-type-name: {name}\n");
        let document = DOCUMENT.replace("operationId: thing\n", &named);
        let source = Source::parse("openapi.yaml", document).unwrap();
        let code = generate::code(&source, &OverrideReport::default()).unwrap();
        let rules: Vec<&str> = code.warnings.iter().map(|one| one.rule).collect();
        let warns = rules.contains(&"operation-name");
        let operation = &code.model.operations[0];
        (
            operation.type_name.clone(),
            operation.rust_name.clone(),
            warns,
        )
    };
    let own = |warns| ("Thing".to_owned(), "thing".to_owned(), warns);
    let named = ("ThingCall".to_owned(), "thing".to_owned(), false);
    assert_eq!(read("ThingCall"), named);
    // Names taken by the operation itself, and invalid type names.
    for name in ["Thing", "thing_call", "'2'", "''"] {
        assert_eq!(read(name), own(true), "{name}");
    }
}

#[test]
fn the_committed_crate_has_no_two_public_types_of_one_name() {
    let inputs = Inputs::committed();
    let reconciled = inputs.reconciled();
    let surface = surface::read(&reconciled.source, &reconciled.report).unwrap();
    let types = surface.items().filter(|item| item.kind == Kind::Type);
    let mut names: Vec<&str> = types
        .filter_map(|item| item.path.rsplit("::").next())
        .collect();
    names.sort_unstable();
    let twice: Vec<&[&str]> = names.windows(2).filter(|two| two[0] == two[1]).collect();
    assert!(names.len() > 50 && twice.is_empty(), "{twice:?}");
}
