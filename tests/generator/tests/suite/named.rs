//! Inline schemas that the document names: one type for those that say the same.

use xtask::generate;
use xtask::overrides::OverrideReport;
use xtask::source::Source;

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
