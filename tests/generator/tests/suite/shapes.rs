//! The types of responses with their tables, from which the runtime knows their shapes: every kind of schema, and parts of compositions.

use crate::support::Workspace;

/// Generates a document with one response, which has one field for each of these schemas. Returns the declared types and their tables.
fn tables(fields: &str, schemas: &str) -> String {
    let document = format!(
        r#"openapi: 3.0.3
info: {{title: Small, version: "1"}}
paths:
  /things:
    post:
      operationId: things
      requestBody:
        content: {{application/json: {{schema: {{$ref: '#/components/schemas/Asked'}}}}}}
      responses:
        '200':
          description: Things.
          content: {{application/json: {{schema: {{$ref: '#/components/schemas/Things'}}}}}}
        '404':
          description: None.
          content: {{application/json: {{schema: {{$ref: '#/components/schemas/Failure'}}}}}}
components:
  schemas:
    Asked: {{type: object, properties: {{only_asked: {{type: string}}}}}}
    Failure: {{type: object, properties: {{only_failed: {{type: string}}}}}}
    Things:
      type: object
      properties:
{fields}
{schemas}"#
    );
    let workspace = Workspace::with(&document);
    let (fresh, output) = workspace.regen(false);
    assert!(fresh, "{output}");
    let types = workspace.read("generated/src/types.rs");
    let declared = types.split("\n\n").filter(|item| is_declaration(item));
    let lines = declared.flat_map(str::lines);
    let lines: Vec<&str> = lines.filter(|line| !line.contains("///")).collect();
    lines.join("\n")
}

/// Returns whether a part of a file between empty lines declares a type, a part of one, or a table.
fn is_declaration(part: &str) -> bool {
    part.contains("pub struct ")
        || part.contains("pub enum ")
        || part.contains("wire::")
        || part
            .lines()
            .all(|line| line.starts_with("    ///") || line.starts_with("    pub "))
}

#[test]
fn every_kind_of_schema_has_its_table() {
    insta::assert_snapshot!(tables(
        "        text: {type: string, format: date, maxLength: 3}
        number: {type: number, minimum: 3}
        whole: {type: integer, enum: [1, 2]}
        truth: {type: boolean, nullable: true}
        list: {type: array, items: {type: array, items: {type: integer}}}
        list_of_anything: {type: array}
        anything: {}
        choice: {type: string, nullable: true, enum: [a, b, null], x-aliases: {a: [A, aa]}}
        enum_without_type: {enum: [c]}
        texts_and_numbers: {enum: [d, 1]}
        alias: {type: string, x-aliases: [other, another]}
        object: {$ref: '#/components/schemas/Circle'}
        open_object: {type: object}
        closed_object: {type: object, additionalProperties: false, properties: {a: {type: string}}}
        map: {type: object, additionalProperties: {type: number}}
        map_of_anything: {type: object, additionalProperties: {}}
        loose: {type: string, x-rust-type: Loose}
        loose_list: {type: array, items: {$ref: '#/components/schemas/Circle'}, x-rust-type: Loose}
        loose_anything: {x-rust-type: Loose}
        date: {type: string, x-rust-type: TextDate}",
        "    Circle: {type: object, properties: {circle: {$ref: '#/components/schemas/Circle'}}, additionalProperties: true}",
    ));
}

#[test]
fn a_composition_knows_what_its_parts_know() {
    insta::assert_snapshot!(tables(
        "        all: {$ref: '#/components/schemas/All'}
        rules: {type: object, properties: {a: {type: string}}, oneOf: [{required: [a]}, {required: [b]}]}
        either: {oneOf: [{type: integer}, {type: string}, {$ref: '#/components/schemas/Base'}]}
        either_object: {oneOf: [{type: integer}, {type: object}]}
        whatever: {oneOf: [{type: integer}, {}]}
        described: {description: d, allOf: [{$ref: '#/components/schemas/Base'}]}",
        "    Base: {type: object, properties: {base: {type: string}}}
    All:
      type: object
      allOf:
        - $ref: '#/components/schemas/Base'
        - {type: object, required: [own]}
        - {allOf: [{type: object, properties: {inner: {type: integer}}}]}
      properties: {own: {type: string}}",
    ));
}
