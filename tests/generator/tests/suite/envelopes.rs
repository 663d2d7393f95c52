//! What the types of a response insist on: its content, and nothing in the records.

use crate::support::Workspace;

fn types() -> String {
    let workspace = Workspace::fixture("oddities");
    let (_, output) = workspace.regen(false);
    assert!(workspace.exists("generated/src/types.rs"), "{output}");
    workspace.read("generated/src/types.rs")
}

/// A struct of the types, without documentation, on one line.
fn emitted(types: &str, from: &str) -> String {
    let start = types
        .find(from)
        .unwrap_or_else(|| panic!("no {from}: {types}"));
    let lines = types[start..].lines().map(str::trim);
    let lines = lines.take_while(|line| *line != "}");
    let lines = lines.filter(|line| !line.starts_with("///"));
    lines.collect::<Vec<_>>().join(" ")
}

#[test]
fn content_is_there_and_what_stands_beside_it_is_set_aside() {
    let types = types();
    let envelope = emitted(&types, "pub struct Envelope ");
    for field in [
        "pub list: Vec<Leaf>",
        "pub map: ::std::collections::BTreeMap<String, i64>",
        "pub free: ::serde_json::Map<String, ::serde_json::Value>",
        "pub choice: EnvelopeChoice",
        "pub leaf: Leaf",
        "pub twin: EnvelopeWire",
        "pub last: Leaf",
        "pub sum: Option<i64>",
        "pub leaf_beside: Option<Leaf>",
    ] {
        assert!(
            envelope.contains(&format!("{field},")),
            "{field}: {envelope}"
        );
    }
    let twin = emitted(&types, "pub(super) struct EnvelopeWire_ ");
    for (field, read) in [
        (
            "list",
            "deserialize_with = \"::metered_client::wire::content_list\"",
        ),
        (
            "map",
            "deserialize_with = \"::metered_client::wire::content_map\"",
        ),
        (
            "free",
            "deserialize_with = \"::metered_client::wire::content\"",
        ),
        (
            "sum",
            "default, deserialize_with = \"::metered_client::wire::fitting\"",
        ),
        (
            "list_beside",
            "default, deserialize_with = \"::metered_client::wire::fitting_list\"",
        ),
        (
            "map_beside",
            "default, deserialize_with = \"::metered_client::wire::fitting_map\"",
        ),
        (
            "free_beside",
            "default, deserialize_with = \"::metered_client::wire::fitting\"",
        ),
        (
            "leaf_beside",
            "default, deserialize_with = \"::metered_client::wire::fitting\"",
        ),
        (
            "cost",
            "default, deserialize_with = \"::metered_client::wire::credits\"",
        ),
    ] {
        let expected = format!("#[serde({read})] {field}: ");
        assert!(twin.contains(&expected), "{expected}: {twin}");
    }
    assert!(
        twin.contains("} leaf: Leaf,") || twin.contains(", leaf: Leaf,"),
        "{twin}"
    );
}

#[test]
fn a_response_without_content_has_one_of_its_members_and_a_record_may_have_none() {
    let types = types();
    let read = |name: &str| {
        let from = format!("impl<'de> ::serde::Deserialize<'de> for {name} {{");
        let start = types.find(&from).unwrap();
        let end = types[start..].find("\n}\n").unwrap();
        types[start..start + end].to_owned()
    };
    let receipt = read("Receipt");
    assert!(
        receipt.contains("Self { number: None, note: None, .. }"),
        "{receipt}"
    );
    assert!(receipt.contains(r#"&["number", "note"]"#), "{receipt}");
    // It is a record elsewhere, and those stay tolerant.
    assert!(!read("Leaf").contains("none_of"), "{types}");
    let leaf = emitted(&types, "pub struct Leaf ");
    assert!(leaf.contains("pub of: Option<String>"), "{leaf}");
}

#[test]
fn lists_under_several_names_are_read_as_lists_under_one_are() {
    let types = types();
    let twin = emitted(&types, "pub(super) struct EnvelopeWireWire ");
    for (name, read) in [
        ("lists_or_rows", "some_list"),
        ("maps_or_columns", "some_map"),
    ] {
        let read = format!("deserialize_with = \"::metered_client::wire::{read}\"");
        let place = twin.find(&format!("{name}: ")).unwrap();
        assert!(
            twin[..place].ends_with(&format!("{read})] ")),
            "{name}: {twin}"
        );
    }
}

#[test]
fn a_schema_that_is_a_list_or_a_map_is_read_as_a_member_of_that_kind_is() {
    let workspace = Workspace::with(
        r#"openapi: 3.0.3
info: {title: Small, version: "1"}
paths:
  /things:
    get:
      operationId: things
      responses:
        '200':
          description: Things.
          content: {application/json: {schema: {$ref: '#/components/schemas/Things'}}}
components:
  schemas:
    Things: {type: object, properties: {counts: {$ref: '#/components/schemas/Counts'}, names: {$ref: '#/components/schemas/Names'}}}
    Counts: {type: object, additionalProperties: {type: integer}}
    Names: {type: array, items: {type: string}}
"#,
    );
    let (fresh, output) = workspace.regen(false);
    assert!(fresh, "{output}");
    let types = workspace.read("generated/src/types.rs");
    let types = types.split_whitespace().collect::<Vec<_>>().join(" ");
    for (name, read, ty) in [
        (
            "Counts",
            "content_map",
            "::std::collections::BTreeMap<String, i64>",
        ),
        ("Names", "content_list", "Vec<String>"),
    ] {
        let field = format!(
            "pub struct {name}( #[serde(deserialize_with = \"::metered_client::wire::{read}\")] pub {ty}, );"
        );
        assert!(types.contains(&field), "{field}: {types}");
    }
}
