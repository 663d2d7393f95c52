//! Bounds of arguments: of all that apply at a place, the tightest is checked before a call.

use crate::support::{Workspace, rows};

/// Returns the checks of a parameter and of a body's property of this schema, without their names.
fn checks(schema: &str) -> [Vec<String>; 2] {
    let document = format!(
        r#"openapi: 3.1.0
info: {{title: Small, version: "1"}}
paths:
  /things:
    get:
      operationId: things
      parameters: [{{name: x, in: query, schema: {schema}}}]
      responses: {{'204': {{description: d}}}}
    post:
      operationId: send
      requestBody: {{required: true, content: {{application/json: {{schema: {{type: object, required: [x], properties: {{x: {schema}}}}}}}}}}}
      responses: {{'204': {{description: d}}}}
components:
  schemas:
    Count: {{type: integer}}
    Few: {{type: integer, minimum: 1, maximum: 30}}
    Fewer: {{allOf: [{{$ref: '#/components/schemas/Few'}}], maximum: 20}}
    Text: {{type: string, maxLength: 9}}
    Texts: {{type: array, maxItems: 5, items: {{type: string}}}}
"#
    );
    let workspace = Workspace::with(&document);
    let (fresh, output) = workspace.regen(false);
    assert!(fresh, "{output}");
    ["things", "send"].map(|name| {
        let code = workspace.read(&format!("generated/src/operations/{name}.rs"));
        let code: String = code.split_whitespace().collect();
        let checks = code.split("request.require_").skip(1);
        let checks = checks.filter_map(|check| check.split_once(");"));
        let shortened = checks.map(|(check, _)| {
            let (method, arguments) = check.split_once('(').unwrap();
            let bounds = arguments.split(',').filter(|one| {
                one.starts_with("Some(") || *one == "None" || one.parse::<u64>().is_ok()
            });
            format!("{method}({}", bounds.collect::<Vec<_>>().join(","))
        });
        shortened.collect()
    })
}

#[test]
fn the_tightest_of_all_bounds_at_a_place_is_checked() {
    for [schema, expected] in rows(
        r"
{$ref: '#/components/schemas/Count', minimum: 1, maximum: 50} | range(Some(1),Some(50)
{$ref: '#/components/schemas/Few', minimum: 0, maximum: 50} | range(Some(1),Some(30)
{$ref: '#/components/schemas/Few', minimum: 2} | range(Some(2),Some(30)
{$ref: '#/components/schemas/Fewer'} | range(Some(1),Some(20)
{allOf: [{type: integer, minimum: 3}, {minimum: 2, maximum: 8}], maximum: 9} | range(Some(3),Some(8)
{allOf: [{type: integer, minimum: 3, maximum: 9}], maximum: 8} | range(Some(3),Some(8)
{type: integer, minimum: 1, exclusiveMinimum: 1} | between(Some(1),None
{$ref: '#/components/schemas/Text', minLength: 2, maxLength: 12} | length(Some(2),Some(9)
",
    ) {
        for checks in checks(schema) {
            assert_eq!(checks, [expected], "{schema}");
        }
    }
}

#[test]
fn bounds_of_a_parameter_that_is_a_list_or_may_be_null_are_those_of_its_place() {
    for [schema, expected] in rows(
        r"
{anyOf: [{$ref: '#/components/schemas/Few'}, {type: 'null'}], maximum: 10} | range(Some(1),Some(10)
{$ref: '#/components/schemas/Texts', minItems: 1, maxItems: 7} | items(Some(1),Some(5)
{type: array, items: {$ref: '#/components/schemas/Few', maximum: 4}} | range(Some(1),Some(4)
",
    ) {
        let [parameter, _] = checks(schema);
        assert_eq!(parameter, [expected], "{schema}");
    }
}

#[test]
fn the_multiple_and_the_pattern_beside_a_reference_are_checked() {
    let [multiple, _] = checks("{$ref: '#/components/schemas/Count', multipleOf: 5}");
    assert_eq!(multiple, ["multiple(5"]);
    let [pattern, _] = checks("{$ref: '#/components/schemas/Text', pattern: '^a'}");
    assert!(
        pattern.iter().any(|check| check.starts_with("pattern(")),
        "{pattern:?}"
    );
}

#[test]
fn all_multiples_and_patterns_that_hold_at_once_are_checked() {
    for checks in checks(
        "{type: integer, multipleOf: 4, allOf: [{multipleOf: 6}, {multipleOf: 4}, {multipleOf: 10}]}",
    ) {
        assert_eq!(checks, ["multiple(4", "multiple(6", "multiple(10"]);
    }
    for checks in checks("{type: string, pattern: '^a', allOf: [{pattern: 'z$'}, {pattern: '^a'}]}")
    {
        assert_eq!(checks, ["pattern(", "pattern("]);
    }
}
