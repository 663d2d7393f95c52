//! The required parts of a response type: its content, and nothing in the records.

use crate::support::{Emitted, Member, Workspace, spelled_text};

fn oddities() -> Emitted {
    let workspace = Workspace::fixture("oddities");
    let (_, output) = workspace.regen(false);
    assert!(workspace.exists("generated/src/types.rs"), "{output}");
    Emitted::of_workspace(&workspace)
}

/// Returns whether the only attribute of a field names this function of the runtime as its reader.
fn is_read_by(field: &Member, options: &str, function: &str) -> bool {
    let attribute =
        format!("serde({options}deserialize_with = \"generated_client::wire::{function}\")");
    field.attributes == [spelled_text(&attribute)]
}

#[test]
fn content_is_there_and_what_stands_beside_it_is_set_aside() {
    let emitted = oddities();
    let envelope = emitted.item("types::Envelope");
    for (name, ty) in [
        ("list", "Vec<Leaf>"),
        ("map", "::std::collections::BTreeMap<String, i64>"),
        ("free", "::serde_json::Map<String, ::serde_json::Value>"),
        ("choice", "EnvelopeChoice"),
        ("leaf", "Leaf"),
        ("twin", "EnvelopeWire"),
        ("last", "Leaf"),
        ("sum", "Option<i64>"),
        ("leaf_beside", "Option<Leaf>"),
    ] {
        let field = envelope.member(name);
        assert!(
            field.is_public && field.is(ty),
            "{name}: {}",
            field.signature
        );
    }
    let twin = emitted.item("types::wire::EnvelopeWire_");
    for (name, options, function) in [
        ("list", "", "content_list"),
        ("map", "", "content_map"),
        ("free", "", "content"),
        ("sum", "default, ", "optional"),
        ("list_beside", "default, ", "list"),
        ("map_beside", "default, ", "map"),
        ("free_beside", "default, ", "fitting"),
        ("leaf_beside", "default, ", "optional"),
    ] {
        let field = twin.member(name);
        assert!(
            is_read_by(field, options, function),
            "{name}: {:?}",
            field.attributes
        );
    }
    let cost = "serde(default, deserialize_with = \"money::lenient\")";
    assert_eq!(twin.member("cost").attributes, [spelled_text(cost)]);
    let leaf = twin.member("leaf");
    assert!(leaf.is("Leaf"), "{}", leaf.signature);
    assert_eq!(leaf.attributes, [""; 0]);
}

#[test]
fn a_response_without_content_has_one_of_its_members_and_a_record_may_have_none() {
    let emitted = oddities();
    let receipt = emitted.implementation("Deserialize<'de>", "Receipt");
    for code in ["{ number: None, note: None, .. }", r#"&["number", "note"]"#] {
        assert!(receipt.contains(code), "{code}: {}", receipt.code);
    }
    // Null is what the document promises, and reads like nothing.
    emitted.item("types::read_as! Slip");
    // It is a record elsewhere, and those stay tolerant.
    emitted.item("types::read_as! Leaf");
    let of = emitted.item("types::Leaf").member("of");
    assert!(of.is_public && of.is("String"), "{}", of.signature);
}

#[test]
fn lists_under_several_names_are_read_as_lists_under_one_are() {
    let emitted = oddities();
    let twin = emitted.item("types::wire::EnvelopeWireWire");
    for (name, read) in [
        ("lists_or_rows", "some_list"),
        ("maps_or_columns", "some_map"),
    ] {
        let field = twin.member(name);
        let read = format!("deserialize_with = \"generated_client::wire::{read}\")");
        let last = field.attributes.last().unwrap();
        assert!(last.ends_with(&read), "{name}: {last}");
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
    let emitted = Emitted::of_workspace(&workspace);
    for (name, read, ty) in [
        (
            "Counts",
            "content_map",
            "::std::collections::BTreeMap<String, i64>",
        ),
        ("Names", "content_list", "Vec<String>"),
    ] {
        let item = emitted.item(&format!("types::{name}"));
        let [field] = &item.members[..] else {
            panic!("{}", item.code);
        };
        assert!(
            item.is_public && field.is_public && field.is(ty),
            "{}",
            item.code
        );
        assert!(is_read_by(field, "", read), "{:?}", field.attributes);
    }
}
