//! Parameters that have no form in a style, belong to the client, or are not checked.

use super::paths;

use crate::support::rows;

#[test]
fn a_required_parameter_without_a_form_leaves_its_operation_out_and_an_optional_one_itself() {
    let list = "style: deepObject, schema: {type: array, items: {type: string}}";
    let outcome = paths(&format!(
        "  /a: {{get: {{operationId: needs, parameters: [{{name: p, in: query, required: true, {list}}}], responses: {{}}}}}}\n\
         \x20 /b: {{get: {{operationId: may, parameters: [{{name: p, in: query, {list}}}], responses: {{}}}}}}\n"
    ));
    assert_eq!(
        outcome.left_out,
        [
            "It needs the parameter `p`: it is a list, which the style `deepObject` cannot represent."
        ]
    );
    assert!(!outcome.builder("may").contains("pub fn p("));
    assert_eq!(
        outcome
            .rules
            .iter()
            .filter(|rule| *rule == "parameter-style")
            .count(),
        1
    );
}

#[test]
fn a_list_within_a_deep_object_is_said() {
    for [schema, warns] in rows(
        r"
{type: object, properties: {tags: {type: array, items: {type: string}}}} | true
{type: object, properties: {by: {type: object, properties: {tags: {type: array, items: {type: string}}}}}} | true
{type: object, additionalProperties: {type: array, items: {type: string}}} | true
{type: object, properties: {by: {type: object, additionalProperties: {type: object, properties: {tags: {type: array, items: {type: object}}}}}}} | true
{type: object, properties: {by: {oneOf: [{type: string}, {type: array, items: {type: string}}]}}} | true
{type: array, items: {type: object, properties: {tag: {type: string}}}} | true
{type: object, properties: {by: {type: object, properties: {tag: {type: string}}}}} | false
{type: object, properties: {by: {oneOf: [{type: string}, {type: object, additionalProperties: {type: string}}]}}} | false
",
    ) {
        let outcome = paths(&format!(
            "  /a: {{get: {{operationId: a, parameters: [{{name: p, in: query, style: deepObject, schema: {schema}}}], responses: {{}}}}}}\n"
        ));
        assert!(outcome.builder("a").contains("pub fn p("));
        let has_warning = outcome.rules.contains(&"parameter-style".to_owned());
        assert_eq!(has_warning.to_string(), warns, "{schema}");
    }
}

#[test]
fn a_place_in_the_path_and_a_parameter_need_each_other() {
    let outcome = paths(
        "  /a/{x}/{x}/{y}: {get: {operationId: a, parameters: [{name: y, in: path, schema: {type: integer}}, {name: z, in: path, required: true, schema: {type: string}}], responses: {}}}\n",
    );
    let builder = outcome.builder("a");
    assert!(
        builder.contains(r#"request.path("x", &self.x)"#),
        "{builder}"
    );
    // A path parameter is required, even if the document says otherwise.
    assert!(builder.contains("y: i64,"), "{builder}");
    assert!(!builder.contains("\"z\""), "{builder}");
    assert_eq!(
        outcome
            .rules
            .iter()
            .filter(|rule| *rule == "path-parameter")
            .count(),
        2
    );
}

#[test]
fn headers_of_the_client_are_no_parameters() {
    let outcome = paths(
        "  /a: {get: {operationId: a, parameters: [{name: accept, in: header, schema: {type: string}}, {name: Content-Length, in: header, schema: {type: integer}}, {name: X-B, in: header, schema: {type: string}}], responses: {}}}\n",
    );
    let builder = outcome.builder("a");
    assert!(builder.contains("pub fn x_b("), "{builder}");
    assert!(
        !builder.contains("pub fn accept(") && !builder.contains("content_length"),
        "{builder}"
    );
    assert_eq!(
        outcome
            .rules
            .iter()
            .filter(|rule| *rule == "owned-header")
            .count(),
        2
    );
}

#[test]
fn a_pattern_that_is_not_matched_in_linear_time_is_not_checked() {
    let outcome = paths(
        "  /a: {get: {operationId: a, parameters: [{name: b, in: query, schema: {type: string, pattern: '^(?=a)'}}, {name: c, in: query, schema: {type: string, pattern: '^a$'}}], responses: {}}}\n",
    );
    let builder = outcome.builder("a");
    assert_eq!(builder.matches("require_pattern").count(), 1, "{builder}");
    assert!(builder.contains("\"^a$\""), "{builder}");
    assert_eq!(
        outcome
            .rules
            .iter()
            .filter(|rule| *rule == "pattern")
            .count(),
        1
    );
}
