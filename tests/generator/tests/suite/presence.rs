//! Required properties of responses: plain fields, which have a default if a response lacks them.

use crate::schemas::types;
use crate::support::Workspace;

#[test]
fn a_required_property_of_a_response_is_a_plain_field_whatever_it_holds() {
    let types = types(
        "        record: {$ref: '#/components/schemas/Record'}",
        "    Record:
      type: object
      required: [text, number, truth, list, map, date, object, choice, union, anything, loose, nullable, cost, secret, kept]
      properties:
        text: {type: string}
        number: {type: number}
        truth: {type: boolean}
        list: {type: array, items: {type: string}}
        map: {type: object, additionalProperties: {type: integer}}
        date: {type: string, format: date}
        object: {$ref: '#/components/schemas/Stone'}
        choice: {type: string, enum: [a, b]}
        union: {oneOf: [{type: integer}, {type: string}]}
        anything: {}
        loose: {type: string, x-rust-type: Loose}
        nullable: {type: string, nullable: true}
        cost: {type: number, x-rust-type: Credits}
        secret: {type: string, format: password}
        kept: {type: string, x-rust-optional: true}
        optional: {type: string}
        optional_loose: {type: string, x-rust-type: Loose}",
    );
    let record = types.item("types::Record");
    for (name, ty) in [
        ("text", "String"),
        ("number", "f64"),
        ("truth", "bool"),
        ("list", "Vec<String>"),
        ("map", "::std::collections::BTreeMap<String, i64>"),
        ("date", "::generated_client::values::TextDate"),
        ("object", "Stone"),
        ("choice", "RecordChoice"),
        ("union", "RecordUnion"),
        ("anything", "::serde_json::Value"),
        ("loose", "::generated_client::values::Loose<String>"),
        ("nullable", "Option<String>"),
        ("cost", "Option<::generated_client::Credits>"),
        ("secret", "Option<::generated_client::values::SecretText>"),
        ("kept", "Option<String>"),
        ("optional", "Option<String>"),
        (
            "optional_loose",
            "::generated_client::values::Loose<String>",
        ),
    ] {
        let field = record.member(name);
        assert!(field.is(ty), "{name}: {}", field.signature);
        // A field that is always present is always written.
        let is_plain = ty != "Option<String>" && !ty.contains("Loose") && !ty.starts_with("Option");
        let is_skipped = field.attributes.concat().contains("skip_serializing_if");
        assert_eq!(is_skipped, !is_plain, "{name}: {:?}", field.attributes);
    }
    let table = types.item("types::object! Record");
    let row = "text: null_as_default \"text\"";
    assert!(table.contains(row), "{}", table.code);
}

#[test]
fn what_is_only_assumed_to_be_required_is_never_demanded() {
    let types = types(
        "        record: {$ref: '#/components/schemas/Record'}",
        "    Record:
      type: object
      required: [text, number, truth, list, date, object, guess, whole, choice, promised]
      x-assumed: [required]
      allOf: [{type: object, required: [promised]}]
      properties:
        text: {type: string}
        number: {type: number}
        truth: {type: boolean}
        list: {type: array, items: {type: string}}
        date: {type: string, format: date}
        object: {$ref: '#/components/schemas/Guess'}
        guess: {$ref: '#/components/schemas/Bare'}
        whole: {$ref: '#/components/schemas/Whole'}
        choice: {type: string, enum: [a, b]}
        promised: {type: integer}
    Bare: {type: object, required: [size], x-assumed: [required], properties: {size: {type: integer}}}
    Guess: {type: object, required: [size, known], x-assumed: [size], properties: {size: {type: integer}, known: {type: integer}}}
    Whole: {type: object, required: [size], properties: {size: {type: integer}}}",
    );
    let record = types.item("types::Record");
    for (name, ty) in [
        ("text", "String"),
        ("number", "Option<f64>"),
        ("truth", "Option<bool>"),
        ("list", "Vec<String>"),
        ("date", "Option<::generated_client::values::TextDate>"),
        ("object", "Option<Guess>"),
        // Without its number it is an object all the same.
        ("guess", "Bare"),
        ("whole", "Option<Whole>"),
        ("choice", "RecordChoice"),
        ("promised", "i64"),
    ] {
        let field = record.member(name);
        assert!(field.is(ty), "{name}: {}", field.signature);
    }
    assert!(types.item("types::Guess").member("size").is("Option<i64>"));
    assert!(types.item("types::Guess").member("known").is("i64"));
    assert!(types.item("types::Whole").member("size").is("i64"));
}

#[test]
fn what_requires_itself_has_no_default_and_stays_an_option() {
    let types = types(
        "        circle: {$ref: '#/components/schemas/Circle'}",
        "    Circle: {type: object, required: [half, name], properties: {half: {$ref: '#/components/schemas/Half'}, name: {type: string}}}
    Half: {type: object, required: [circle], properties: {circle: {$ref: '#/components/schemas/Circle'}}}",
    );
    let circle = types.item("types::Circle");
    assert!(circle.member("half").signature.starts_with("Option<"));
    assert!(circle.member("name").is("String"));
}

#[test]
fn what_callers_send_too_needs_its_required_members_and_is_read_without_them() {
    let workspace = Workspace::with(
        "openapi: 3.0.3
info: {title: Small, version: '1'}
paths:
  /pets:
    post:
      operationId: addPet
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}
      responses: {'200': {description: Pets., content: {application/json: {schema: {$ref: '#/components/schemas/Pets'}}}}}
components:
  schemas:
    Pets: {type: object, required: [pets, best], properties: {pets: {type: array, items: {$ref: '#/components/schemas/Pet'}}, best: {$ref: '#/components/schemas/Owner'}}}
    Owner: {type: object, required: [pet], properties: {pet: {$ref: '#/components/schemas/Pet'}}}
    Pet:
      type: object
      required: [name, traits]
      properties: {name: {type: string}, traits: {type: object, required: [color], properties: {color: {type: string}}}, id: {type: string}}
",
    );
    let (fresh, output) = workspace.regen(false);
    assert!(fresh, "{output}");
    let types = crate::support::Emitted::of_workspace(&workspace);
    let pet = types.item("types::Pet");
    assert!(!pet.attributes.concat().contains("Default"));
    assert!(pet.member("name").is("String"));
    let new = types.method("Pet", "new").signature.clone();
    assert!(
        new.contains("name") && new.contains("traits") && !new.contains("id"),
        "{new}"
    );
    let table = types.item("types::object! Pet");
    // A pet without traits would be a default, and could be sent.
    for row in [
        "name: null_as_default \"name\"",
        "traits: required \"traits\"",
    ] {
        assert!(table.contains(row), "{row}: {}", table.code);
    }
    let owner = types.item("types::Owner").member("pet");
    assert!(owner.is("Option<Pet>"), "{}", owner.signature);
}

#[test]
fn a_response_has_a_default_if_its_content_has_one() {
    let workspace = Workspace::with(
        "openapi: 3.0.3
info: {title: Small, version: '1'}
paths:
  /pets:
    post:
      operationId: addPet
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}
      responses: {'200': {description: It., content: {application/json: {schema: {$ref: '#/components/schemas/Added'}}}}}
    get:
      operationId: pets
      responses: {'200': {description: All., content: {application/json: {schema: {$ref: '#/components/schemas/Found'}}}}}
components:
  schemas:
    Pet: {type: object, required: [name], properties: {name: {type: string}}}
    Added: {type: object, required: [data], properties: {data: {$ref: '#/components/schemas/Pet'}}}
    Found: {type: object, required: [data], properties: {data: {$ref: '#/components/schemas/Pets'}}}
    Pets: {type: array, items: {$ref: '#/components/schemas/Pet'}}
",
    );
    let (fresh, output) = workspace.regen(false);
    assert!(fresh, "{output}");
    let types = crate::support::Emitted::of_workspace(&workspace);
    for (name, content, has_default) in [("Added", "Pet", false), ("Found", "Pets", true)] {
        let item = types.item(&format!("types::{name}"));
        assert!(item.member("data").is(content));
        assert_eq!(
            item.attributes.concat().contains("Default"),
            has_default,
            "{name}"
        );
    }
}
