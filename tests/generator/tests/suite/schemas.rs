//! The normal form of schemas: compositions, enumerations and references.

use crate::support::{Emitted, Workspace};

/// Returns the types of a document whose one response has these fields, beside these schemas.
pub(super) fn types(fields: &str, schemas: &str) -> Emitted {
    let workspace = workspace(fields, schemas);
    let (fresh, output) = workspace.regen(false);
    assert!(fresh, "{output}");
    Emitted::of_workspace(&workspace)
}

pub(super) fn workspace(fields: &str, schemas: &str) -> Workspace {
    Workspace::with(&format!(
        r#"openapi: 3.0.3
info: {{title: Small, version: "1"}}
paths:
  /things:
    get:
      operationId: things
      responses:
        '200':
          description: Things.
          content: {{application/json: {{schema: {{$ref: '#/components/schemas/Things'}}}}}}
    post:
      operationId: send
      requestBody: {{content: {{application/json: {{schema: {{$ref: '#/components/schemas/Sent'}}}}}}}}
      responses: {{'204': {{description: Sent.}}}}
components:
  schemas:
    Sent:
      type: object
      required: [id, list, note]
      properties:
        id: {{type: string, readOnly: true}}
        note: {{type: string, nullable: true}}
        list: {{type: array, items: {{type: string}}}}
        closed: {{type: string, enum: [a]}}
        open: {{anyOf: [{{type: string, enum: [a]}}, {{type: string}}]}}
    Pet: {{type: object, required: [kind], properties: {{kind: {{type: string}}, name: {{type: string}}}}}}
    Stone: {{type: object, properties: {{weight: {{type: number}}}}}}
    Things:
      type: object
      properties:
{fields}
{schemas}"#
    ))
}

/// Returns the type of a field of the response.
fn field(schema: &str) -> String {
    let types = types(&format!("        field: {schema}"), "");
    let field = types.item("types::Things").member("field");
    field.signature.replace(' ', "")
}

#[test]
fn what_only_stands_for_another_schema_is_that_schema() {
    for schema in [
        "{$ref: '#/components/schemas/Pet'}",
        "{allOf: [{$ref: '#/components/schemas/Pet'}], description: d}",
        "{allOf: [{$ref: '#/components/schemas/Pet'}, {nullable: true}]}",
        "{anyOf: [{$ref: '#/components/schemas/Pet'}, {enum: [null]}]}",
        "{oneOf: [{$ref: '#/components/schemas/Pet'}, {$ref: '#/components/schemas/Pet'}]}",
        "{oneOf: [{oneOf: [{$ref: '#/components/schemas/Pet'}]}]}",
    ] {
        assert_eq!(field(schema), "Option<Pet>", "{schema}");
    }
}

#[test]
fn a_reference_leads_to_any_place() {
    let types = types(
        "        parts: {type: object, properties: {size: {type: object, properties: {width: {type: integer}}}}}
        size: {$ref: '#/components/schemas/Things/properties/parts/properties/size'}",
        "",
    );
    let of_the_reference = &types.item("types::Things").member("size").signature;
    let of_the_place = &types.item("types::ThingsParts").member("size").signature;
    assert_eq!(of_the_reference, of_the_place);
    assert!(types.item("types::ThingsPartsSize").find("width").is_some());
}

#[test]
fn all_of_is_one_object_with_the_properties_of_its_parts() {
    let types = types(
        "        pet: {allOf: [{$ref: '#/components/schemas/Pet'}, {type: object, properties: {name: {type: integer}, age: {type: integer}}}]}",
        "",
    );
    let pet = types.item("types::ThingsPet");
    assert!(pet.member("kind").is("String"));
    assert!(pet.member("name").is("Option<i64>"), "the later part wins");
    assert!(pet.member("age").is("Option<i64>"));
}

/// The earlier part is the type if the later one only lists some values of some of its members.
#[test]
fn a_part_that_names_fewer_members_of_a_property_takes_none_away() {
    let part = |elements: &str| {
        format!("{{type: object, properties: {{pets: {{type: array, items: {elements}}}}}}}")
    };
    let whole = part(
        "{type: object, title: Whole, properties: {name: {type: string}, age: {type: integer}}}",
    );
    let some =
        part("{anyOf: [{properties: {name: {enum: [Rex]}}}, {properties: {name: {enum: [Tom]}}}]}");
    for parts in [[&whole, &some], [&some, &whole]] {
        let [one, two] = parts;
        let types = types(&format!("        pet: {{allOf: [{one}, {two}]}}"), "");
        let pets = types.item("types::ThingsPet").member("pets");
        assert!(pets.is("Vec<Whole>"), "{}", pets.signature);
    }
}

#[test]
fn all_of_that_leads_to_itself_ends() {
    let types = types(
        "        sub: {$ref: '#/components/schemas/Sub'}
        own: {$ref: '#/components/schemas/Own'}",
        "    Sub: {allOf: [{$ref: '#/components/schemas/Node'}, {type: object, properties: {next: {$ref: '#/components/schemas/Sub'}}}]}
    Node: {type: object, properties: {next: {$ref: '#/components/schemas/Node'}}}
    Own: {allOf: [{$ref: '#/components/schemas/Own'}], type: object, properties: {a: {type: string}}}",
    );
    let next = &types.item("types::Sub").member("next").signature;
    assert!(next.contains("Box") && next.contains("Sub"), "{next}");
    assert!(types.item("types::Own").member("a").is("Option<String>"));
}

#[test]
fn a_parent_that_lists_its_children_is_a_union_of_them_and_no_child_has_the_others() {
    let types = types(
        "        base: {$ref: '#/components/schemas/Base'}",
        "    Base: {type: object, properties: {id: {type: string}}, oneOf: [{$ref: '#/components/schemas/One'}, {$ref: '#/components/schemas/Two'}]}
    One: {allOf: [{$ref: '#/components/schemas/Base'}, {type: object, properties: {one: {type: string}}}]}
    Two: {allOf: [{$ref: '#/components/schemas/Base'}, {type: object, properties: {two: {type: string}}}]}",
    );
    let base = types.item("types::Base");
    assert!(base.find("One").is_some() && base.find("Two").is_some());
    let one = types.item("types::One");
    assert!(one.find("id").is_some() && one.find("two").is_none());
}

#[test]
fn properties_beside_alternatives_are_one_object_with_all_of_them() {
    let types = types(
        "        thing: {type: object, properties: {id: {type: string}}, oneOf: [{$ref: '#/components/schemas/Pet'}, {$ref: '#/components/schemas/Stone'}]}",
        "",
    );
    let thing = types.item("types::ThingsThing");
    for name in ["id", "kind", "name", "weight"] {
        assert!(thing.find(name).is_some(), "{name}");
    }
}

#[test]
fn alternatives_that_only_demand_something_leave_the_object_as_it_is() {
    let types = types(
        "        pet: {type: object, properties: {a: {type: string}, b: {type: string}}, anyOf: [{required: [a]}, {required: [b]}]}",
        "",
    );
    let pet = types.item("types::ThingsPet");
    assert!(pet.kind == "struct" && pet.find("a").is_some());
}

#[test]
fn a_union_has_a_variant_for_each_alternative_and_one_for_the_rest() {
    let types = types(
        "        field: {oneOf: [{$ref: '#/components/schemas/Pet'}, {type: string}, {type: integer}, {type: boolean}, {type: array, items: {type: string}}, {type: object}]}",
        "",
    );
    let union = types.item("types::ThingsField");
    for name in [
        "Pet",
        "Text",
        "Integer",
        "Boolean",
        "List",
        "Map",
        "Unrecognized",
    ] {
        assert!(union.find(name).is_some(), "{name}");
    }
    assert!(union.member("Pet").is("Pet(Box<Pet>)"));
}

#[test]
fn a_variant_without_a_box_is_made_without_a_closure_as_clippy_wants() {
    let fields = "        field: {oneOf: [{$ref: '#/components/schemas/Pet'}, {type: string}]}";
    let workspace = workspace(fields, "");
    let (fresh, output) = workspace.regen(false);
    assert!(fresh, "{output}");
    let types = workspace.read("generated/src/types.rs");
    let types: String = types.split_whitespace().collect();
    assert!(types.contains("wire::required(reader).map(Self::Text)"));
    assert!(types.contains("wire::required(reader).map(|value|Self::Pet("));
}

#[test]
fn a_whole_number_is_read_before_other_numbers_and_keeps_its_digits() {
    for schema in [
        "{oneOf: [{type: integer}, {type: number}]}",
        "{anyOf: [{type: number}, {type: integer, format: int64}, {enum: [null]}]}",
        "{anyOf: [{type: string}, {type: number, format: double}, {type: integer}, {type: integer, maximum: 3}]}",
        "{anyOf: [{$ref: '#/components/schemas/Either'}, {type: boolean}]}",
        "{allOf: [{$ref: '#/components/schemas/Either'}]}",
        "{enum: [1.5, a, 2]}",
    ] {
        let either = "    Either: {oneOf: [{type: number}, {type: integer}]}\n";
        let types = types(&format!("        field: {schema}"), either);
        let field = &types.item("types::Things").member("field").signature;
        let name = field
            .replace(' ', "")
            .replace("Option<", "")
            .replace('>', "");
        let union = types.item(&format!("types::{name}"));
        let variants = union.members.iter().map(|one| one.signature.as_str());
        let numbers: Vec<&str> = variants.filter(|one| one.contains("64")).collect();
        assert_eq!(numbers, ["Integer(i64)", "Number(f64)"], "{schema}");
    }
}

#[test]
fn numbers_of_either_kind_are_one_type_at_all_places() {
    let number = "{anyOf: [{type: integer}, {type: number}]}";
    let types = types(
        &format!(
            "        costs: {number}\n        sales: {number}\n        list: {{type: array, items: {number}}}\n"
        ),
        "",
    );
    let field = |name| {
        types
            .item("types::Things")
            .member(name)
            .signature
            .replace(' ', "")
    };
    assert_eq!(field("costs"), "Option<IntegerOrNumber>");
    assert_eq!(field("sales"), "Option<IntegerOrNumber>");
    assert_eq!(field("list"), "Vec<IntegerOrNumber>");
}

#[test]
fn a_union_with_a_title_is_one_type_in_requests_and_responses() {
    for (union, name) in [
        (
            "{anyOf: [{type: integer}, {type: number}]}",
            "IntegerOrNumber",
        ),
        (
            "{title: PetOrName, oneOf: [{$ref: '#/components/schemas/Pet'}, {type: string}]}",
            "PetOrName",
        ),
    ] {
        let sent = format!(
            "    Sent2: {{type: object, required: [sent], properties: {{sent: {union}}}}}\n"
        );
        let workspace = workspace(&format!("        received: {union}"), &sent);
        let document = workspace
            .read("spec/openapi.yaml")
            .replace("schemas/Sent'", "schemas/Sent2'");
        let workspace = workspace.file("spec/openapi.yaml", &document);
        let (fresh, output) = workspace.regen(false);
        assert!(fresh, "{output}");
        let types = Emitted::of_workspace(&workspace);
        let received = types.item("types::Things").member("received");
        let sent = types.item("types::Sent2").member("sent");
        assert!(
            received.is(&format!("Option<{name}>")),
            "{}",
            received.signature
        );
        assert!(sent.is(name), "{}", sent.signature);
    }
}

#[test]
fn texts_are_one_enumeration() {
    assert_eq!(
        field("{anyOf: [{type: string, format: uri}, {type: string, format: time}]}"),
        "Option<String>"
    );
    let types = types(
        "        field: {anyOf: [{type: string, enum: [a]}, {type: string, enum: [b]}]}",
        "",
    );
    let both = types.item("types::ThingsField");
    assert!(both.find("A").is_some() && both.find("B").is_some());
}

#[test]
fn an_enumeration_that_allows_any_text_is_open_where_callers_send_it_too() {
    let types = types("        a: {type: string}", "");
    let is_open = |name| types.item(name).find("Unrecognized").is_some();
    assert!(is_open("types::SentOpen"));
    assert!(!is_open("types::SentClosed"));
}

#[test]
fn enum_values_become_variants_of_their_own_whatever_they_are() {
    let types = types(
        "        field: {type: string, enum: ['', '+1', '-1', '*', a, A, unrecognized, 2xx, \"\\u00e4\", self, Self]}",
        "",
    );
    let values = types.item("types::ThingsField");
    for name in [
        "Empty",
        "Plus1",
        "Minus1",
        "Star",
        "A",
        "A2",
        "Unrecognized2",
        "X2xx",
        "Ue4",
        "Self_",
        "Self2",
    ] {
        assert!(values.find(name).is_some(), "{name}: {}", values.code);
    }
}

#[test]
fn a_missing_enum_value_is_what_the_empty_text_is_read_as() {
    // The macro makes it the default.
    let types = types("        field: {type: string, enum: [a, '']}", "");
    let field = types.item("types::open_enum! ThingsField");
    assert!(field.contains("Empty = \"\""), "{}", field.code);
}

#[test]
fn properties_become_fields_of_their_own_whatever_they_are() {
    let types = types(
        "        Name: {type: string}
        name: {type: string}
        '@id': {type: string}
        '': {type: string}
        self: {type: string}
        '123': {type: string}",
        "",
    );
    let things = types.item("types::Things");
    for name in ["name", "name_2", "id", "empty", "self_", "x123"] {
        assert!(things.find(name).is_some(), "{name}: {}", things.code);
    }
}

#[test]
fn enumerations_of_other_values_are_plain_values() {
    for (schema, expected) in [
        ("{type: integer, enum: [1, 2]}", "Option<i64>"),
        ("{enum: [1, 2.5]}", "Option<f64>"),
        ("{enum: [true]}", "Option<bool>"),
        ("{type: integer, format: uint64}", "Option<u64>"),
    ] {
        assert_eq!(field(schema), expected, "{schema}");
    }
}

#[test]
fn what_has_no_type_is_any_json_with_a_warning_at_its_place() {
    let told = workspace("        field: {enum: [[1], {a: 1}]}", "").failure();
    assert!(told.contains("untyped"), "{told}");
    let place = "#/components/schemas/Things/properties/field";
    assert!(told.contains(place), "{told}");
}

#[test]
fn a_caller_gives_no_read_only_property_and_writes_a_required_null() {
    let types = types("        a: {type: string}", "");
    let sent = types.item("types::Sent");
    let skips = |name: &str| {
        let attributes = sent.member(name).attributes.join(" ");
        attributes.contains("skip_serializing_if")
    };
    assert!(sent.member("id").is("Option<String>") && skips("id"));
    assert!(sent.member("note").is("Option<String>") && !skips("note"));
    assert!(sent.member("list").is("Vec<String>") && !skips("list"));
}
