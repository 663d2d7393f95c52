//! The types of strings with a format, and of lists of a fixed length.

use annotate_snippets::Renderer;
use openapi_document::source::Source;
use openapi_overrides::{OverrideSet, reconcile};

use crate::schemas::{types, workspace};
use crate::support::Workspace;
use crate::support::tool::{Options, generate};

/// Returns the type of a field of the response, beside these schemas.
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
            "{type: string, format: date, enum: [a, b]}",
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
        // A named schema is a separate identifier type.
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

/// Generates operations with formatted arguments and this configuration; returns the builder and the manifest.
fn configured(package: &str, more: &str) -> (String, String) {
    let path = |name: &str, format: &str| {
        format!("{{name: {name}, in: query, schema: {{type: string, format: {format}}}}}")
    };
    let document = format!(
        "openapi: 3.0.3\ninfo: {{title: Small, version: '1'{package}}}\npaths:\n  /a:\n    get:\n      operationId: a\n{more}\
         \x20     parameters: [{}, {}, {}, {{name: key, in: query, schema: {{$ref: '#/components/schemas/Key'}}}}]\n\
         \x20     responses: {{}}\ncomponents: {{schemas: {{Key: {{type: string, format: uuid}}}}}}\n",
        path("on", "date"),
        path("at", "date-time"),
        path("id", "uuid"),
    );
    let workspace = Workspace::with(&document);
    let published = Source::read(workspace.root(), "spec/openapi.yaml").unwrap();
    let overrides = OverrideSet::default();
    let reconciled = reconcile(&published, &overrides).unwrap();
    let tree = crate::support::tool::tree(&published, &overrides, &reconciled).unwrap();
    let file = |name: &str| {
        tree.iter()
            .find(|(path, _)| *path == name)
            .unwrap()
            .1
            .to_owned()
    };
    (file("src/operations/a.rs"), file("Cargo.toml"))
}

/// Returns the configuration `types` of a package.
fn of_types(types: &str) -> String {
    format!(
        ", x-rust-package: {{name: small, version: 0.1.0, environment: SMALL, description: Small, types: {types}}}"
    )
}

#[test]
fn a_plain_client_checks_formats_and_a_metered_one_does_not() {
    let (plain, manifest) = configured("", "");
    for format in ["Date", "DateTime", "Uuid"] {
        assert!(plain.contains(&format!("TextFormat::{format}")), "{plain}");
    }
    // An identifier is checked, too.
    assert_eq!(plain.matches("TextFormat::Uuid").count(), 2, "{plain}");
    assert!(
        !manifest.contains(r#"features = ["full", "jiff"#),
        "{manifest}"
    );
    let (metered, _) = configured("", "      x-credits: [{credits: 1}]\n");
    assert!(!metered.contains("require_format"), "{metered}");
}

#[test]
fn formats_have_the_types_that_the_document_chooses() {
    let (jiff, manifest) = configured(&of_types("{date: jiff, date-time: jiff, uuid: uuid}"), "");
    for taken in ["JiffDate", "JiffTimestamp", "NativeUuid"] {
        assert!(jiff.contains(&format!("impl Into<{taken}>")), "{jiff}");
    }
    assert_eq!(jiff.matches("require_native").count(), 3, "{jiff}");
    assert!(
        manifest.contains(r#"features = ["full", "jiff", "uuid"]"#),
        "{manifest}"
    );
    let (chrono, manifest) = configured(&of_types("{date: chrono, date-time: chrono}"), "");
    for taken in ["ChronoDate", "ChronoDateTime", "TextUuid"] {
        assert!(chrono.contains(&format!("impl Into<{taken}>")), "{chrono}");
    }
    assert!(
        manifest.contains(r#"features = ["chrono", "full"]"#),
        "{manifest}"
    );
    let (text, _) = configured(&of_types("{date: text, date-time: text, uuid: text}"), "");
    assert!(!text.contains("require_"), "{text}");
    assert!(text.contains("impl Into<TextDate>"), "{text}");
}

#[test]
fn the_option_of_the_command_says_the_same_as_the_document() {
    const DOCUMENT: &str = "openapi: 3.0.3\ninfo: {title: Small, version: '1'}\npaths: {/a: {get: {operationId: a, responses: {}}}}\n";
    let read = |text: &str| {
        let workspace = Workspace::new().file("api.yaml", DOCUMENT);
        let options = Options {
            document: workspace
                .root()
                .join("api.yaml")
                .to_string_lossy()
                .into_owned(),
            output: workspace.root().join("out"),
            types: text.split(',').map(str::to_owned).collect(),
            ..Options::default()
        };
        generate(
            &options,
            &Renderer::plain(),
            &mut Vec::new(),
            &mut Vec::new(),
        )?;
        anyhow::Ok(workspace.read("out/Cargo.toml"))
    };
    let manifest = read("date-time=jiff,uuid=uuid").unwrap();
    assert!(
        manifest.contains(r#"features = ["full", "jiff", "uuid"]"#),
        "{manifest}"
    );
    for wrong in ["jiff", "date=uuid", "time=jiff", ""] {
        assert!(read(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn a_named_list_that_is_sent_keeps_its_nulls() {
    let read = |element: &str| {
        let document = format!(
            "openapi: 3.1.0\ninfo: {{title: Small, version: '1'}}\npaths:\n  /a:\n    post:\n      operationId: a\n\
             \x20     requestBody: {{required: true, content: {{application/json: {{schema: {{$ref: '#/components/schemas/Names'}}}}}}}}\n\
             \x20     responses: {{}}\ncomponents: {{schemas: {{Names: {{type: array, items: {element}}}}}}}\n"
        );
        let workspace = Workspace::with(&document);
        let (fresh, output) = workspace.regen(false);
        assert!(fresh, "{output}");
        workspace.read("generated/src/types.rs")
    };
    let types = read("{type: [string, 'null']}");
    assert!(types.contains("pub Vec<Option<String>>"), "{types}");
    assert!(!types.contains("content_list"), "{types}");
    let types = read("{type: string}");
    assert!(types.contains("content_list"), "{types}");
}
