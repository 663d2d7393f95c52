//! Texts with a format and lists of a fixed length: the types that they become.

use crate::schemas::{types, workspace};

/// The type of a field of the response, beside these schemas.
fn typed(schema: &str, schemas: &str) -> String {
    let types = types(&format!("        field: {schema}"), schemas);
    let field = types.item("types::Things").member("field");
    let signature = field.signature.replace(' ', "");
    signature.replace("::generated_client::", "")
}

#[test]
fn a_text_has_the_type_of_its_format_in_every_place() {
    for (schema, expected) in [
        ("{type: string, format: date-time}", "Option<TextDate>"),
        ("{type: string, format: date}", "Option<TextDate>"),
        ("{type: string, format: uuid4}", "Option<TextUuid>"),
        ("{type: string, format: byte}", "Option<Base64>"),
        ("{type: string, format: decimal}", "Option<TextDecimal>"),
        ("{type: string, format: password}", "Option<SecretText>"),
        (
            "{type: array, items: {type: string, format: date}}",
            "Vec<TextDate>",
        ),
        ("{$ref: '#/components/schemas/Day'}", "Option<TextDate>"),
        (
            "{anyOf: [{type: string, format: date}, {type: string, format: date-time}]}",
            "Option<TextDate>",
        ),
    ] {
        let day = "    Day: {type: string, format: date}";
        assert_eq!(typed(schema, day), expected, "{schema}");
    }
    let map = "{type: object, additionalProperties: {type: string, format: uuid}}";
    assert!(typed(map, "").contains("TextUuid"));
}

#[test]
fn enumerations_and_formats_without_a_type_are_what_they_were() {
    for (schema, expected) in [
        ("{type: string, format: uri}", "Option<String>"),
        ("{type: string, format: time}", "Option<String>"),
        ("{type: string, format: binary}", "Option<String>"),
        ("{type: string, format: base64url}", "Option<String>"),
        ("{type: number, format: decimal}", "Option<f64>"),
        (
            "{type: string, format: date, enum: [a]}",
            "Option<ThingsField>",
        ),
        (
            "{anyOf: [{type: string, format: date}, {type: string}]}",
            "Option<String>",
        ),
        (
            "{type: string, format: date, x-rust-type: TextRange}",
            "Option<TextRange>",
        ),
        // With a name it is an identifier of its own.
        ("{$ref: '#/components/schemas/Key'}", "Option<Key>"),
    ] {
        let key = "    Key: {type: string, format: uuid}";
        assert_eq!(typed(schema, key), expected, "{schema}");
    }
}

#[test]
fn a_formatted_text_of_a_union_is_a_variant_made_from_any_text() {
    let fields = "        field: {oneOf: [{type: string, format: date-time}, {type: integer}]}";
    let workspace = workspace(fields, "");
    let (fresh, output) = workspace.regen(false);
    assert!(fresh, "{output}");
    let code: String = workspace.read("generated/src/types.rs");
    let code: String = code.split_whitespace().collect();
    assert!(code.contains("Text(TextDate)"));
    assert!(code.contains("implFrom<&str>forThingsField"));
    assert!(code.contains("implFrom<String>forThingsField"));
}

#[test]
fn a_list_of_a_fixed_length_is_a_struct_with_a_field_for_each_position() {
    for closed in [
        "items: {not: {}}",
        "minItems: 2, maxItems: 2",
        "maxItems: 2",
    ] {
        let types = types(
            &format!(
                "        field: {{type: array, prefixItems: [{{type: number}}, {{$ref: '#/components/schemas/Pet'}}], {closed}}}"
            ),
            "",
        );
        assert!(
            types
                .item("types::Things")
                .member("field")
                .is("Option<ThingsField>")
        );
        let tuple: String = types
            .item("types::ThingsField")
            .code
            .split_whitespace()
            .collect();
        assert!(
            tuple.contains("(pubOption<f64>,pubOption<Box<Pet>>)"),
            "{tuple}"
        );
    }
}

#[test]
fn a_list_that_may_go_on_or_is_too_long_is_a_list() {
    let number = "{type: number}";
    let thirteen = [number; 13].join(", ");
    for schema in [
        "{type: array, prefixItems: [{type: number}, {type: number}]}".to_owned(),
        "{type: array, prefixItems: [{type: number}, {type: number}], maxItems: 3}".to_owned(),
        "{type: array, prefixItems: [{type: number}], maxItems: 1}".to_owned(),
        format!("{{type: array, prefixItems: [{thirteen}], maxItems: 13}}"),
    ] {
        assert_eq!(typed(&schema, ""), "Vec<f64>", "{schema}");
    }
}

#[test]
fn a_list_of_a_fixed_length_that_contains_itself_is_finite() {
    let types = types(
        "        field: {$ref: '#/components/schemas/Pair'}",
        "    Pair: {type: array, maxItems: 2, prefixItems: [{type: integer}, {$ref: '#/components/schemas/Pair'}]}",
    );
    let pair: String = types.item("types::Pair").code.split_whitespace().collect();
    assert!(
        pair.contains("(pubOption<i64>,pubOption<Box<Pair>>)"),
        "{pair}"
    );
}
