//! Schemas that a tag chooses: children of a parent, alternatives beside properties, and an alternative alone. What clients read and write
//! is tested with `tests/documents/families`.

use std::time::Duration;

use openapi_document::source::Source;
use serde_json::{Map, Value, json};

use crate::schemas::{types, workspace};
use crate::support::{Emitted, rows, shortest};

/// Returns the types of a parent and its children, to which one field refers.
fn family(discriminator: &str, children: &str) -> Emitted {
    let fields = "        animal: {$ref: '#/components/schemas/Animal'}";
    let parent = format!(
        "    Animal: {{type: object, required: [kind], properties: {{kind: {{type: string}}, name: {{type: string}}}}, discriminator: {discriminator}}}\n"
    );
    types(fields, &(parent + children))
}

fn assert_variants(types: &Emitted, union: &str, expected: &[&str]) {
    let item = types.item(&format!("types::{union}"));
    let variants = item
        .members
        .iter()
        .filter(|member| member.name != "Unrecognized");
    let variants: Vec<&str> = variants.map(|member| member.name.as_str()).collect();
    assert_eq!(variants, expected, "{}", item.code);
}

const CAT: &str = "    Cat: {allOf: [{$ref: '#/components/schemas/Animal'}, {properties: {lives: {type: integer}}}]}\n";
const LYNX: &str = "    Lynx: {allOf: [{$ref: '#/components/schemas/Cat'}, {properties: {tufts: {type: string}}}]}\n";

#[test]
fn a_parent_is_a_union_of_itself_and_its_children() {
    for discriminator in [
        "{propertyName: kind}",
        "{propertyName: kind, mapping: {Cat: '#/components/schemas/Cat'}}",
        "{propertyName: kind, mapping: {Cat: Cat, Lynx: '#/components/schemas/Lynx'}}",
    ] {
        let types = family(discriminator, &(CAT.to_owned() + LYNX));
        assert_variants(&types, "Animal", &["Animal", "Cat", "Lynx"]);
        assert!(types.item("types::AnimalItself").find("lives").is_none());
        // Nothing refers to a cat that may be a lynx.
        assert!(types.item("types::Cat").find("tufts").is_none());
        assert!(types.item("types::Lynx").find("name").is_some());
    }
}

#[test]
fn a_child_that_is_referred_to_is_a_struct_and_a_parent_among_them_a_union() {
    let owner = "    Stall: {allOf: [{$ref: '#/components/schemas/Animal'}, {properties: {cat: {$ref: '#/components/schemas/Cat'}, lynx: {$ref: '#/components/schemas/Lynx'}}}]}\n";
    let types = family("{propertyName: kind}", &(CAT.to_owned() + LYNX + owner));
    let stall = types.item("types::Stall");
    assert!(stall.member("lynx").is("Option<Lynx>") && types.item("types::Lynx").kind == "struct");
    assert!(stall.member("cat").is("Option<Cat>"));
    assert_variants(&types, "Cat", &["Cat", "Lynx"]);
    assert!(
        types
            .item("types::Animal")
            .member("Cat")
            .is("Cat(Box<CatItself>)")
    );
}

#[test]
fn a_parent_whose_tags_are_all_those_of_its_children_is_none_of_them() {
    let fields = "        animal: {$ref: '#/components/schemas/Animal'}";
    for (tags, discriminator, expected) in [
        (
            "[cat, dog]",
            "mapping: {cat: Cat, dog: Dog}",
            &["Cat", "Dog"][..],
        ),
        ("[cat, dog]", "mapping: {cat: Cat}", &["Cat", "Dog"]),
        (
            "[cat, dog, fox]",
            "mapping: {cat: Cat, dog: Dog}",
            &["Fox", "Cat", "Dog"],
        ),
    ] {
        let schemas = format!(
            "    Animal: {{type: object, properties: {{kind: {{type: string, enum: {tags}}}}}, discriminator: {{propertyName: kind, {discriminator}}}}}
    Cat: {{allOf: [{{$ref: '#/components/schemas/Animal'}}, {{properties: {{lives: {{type: integer}}}}}}]}}
    Dog: {{allOf: [{{$ref: '#/components/schemas/Animal'}}, {{properties: {{kind: {{enum: [dog]}}, bark: {{type: boolean}}}}}}]}}"
        );
        assert_variants(&types(fields, &schemas), "Animal", expected);
    }
}

#[test]
fn a_family_is_part_of_another_union_and_of_an_object_around_it() {
    let around = "    Named: {allOf: [{$ref: '#/components/schemas/Pets'}, {properties: {title: {type: string}}}]}
    Pets: {oneOf: [{$ref: '#/components/schemas/Animal'}, {type: string}]}
    Base: {type: object, properties: {base: {type: string}}}\n";
    let fields = "        any: {oneOf: [{$ref: '#/components/schemas/Animal'}, {type: string}, {type: array, items: {type: string}}]}
        more: {allOf: [{$ref: '#/components/schemas/Base'}, {$ref: '#/components/schemas/Animal'}, {properties: {more: {type: string}}}]}
        nothing: {allOf: [{$ref: '#/components/schemas/Animal'}], nullable: true}";
    let parent = "    Animal: {type: object, properties: {kind: {type: string}}, discriminator: {propertyName: kind}}\n";
    let types = types(fields, &(parent.to_owned() + CAT + around));
    assert_variants(&types, "ThingsAny", &["Animal", "Cat", "Text", "List"]);
    assert!(
        types
            .item("types::Things")
            .member("nothing")
            .is("Option<Animal>")
    );
    let more = types.item("types::ThingsMore").member("Cat");
    let name = more.signature.replace("Cat(Box<", "").replace(")>", "");
    let name = name.trim_end_matches([')', '>']).to_owned();
    let cat = types.item(&format!("types::{name}"));
    assert!(cat.find("lives").is_some() && cat.find("more").is_some());
    // The parent has its own tag, and not the name of the property.
    assert_variants(&types, "ThingsMore", &["Animal", "Cat"]);
}

#[test]
fn members_beside_a_parent_are_in_its_children_among_other_alternatives() {
    let fields = "        any: {oneOf: [{allOf: [{$ref: '#/components/schemas/Animal'}, {properties: {more: {type: string}}}]}, {type: string}]}";
    let parent = "    Animal: {type: object, properties: {kind: {type: string}}, discriminator: {propertyName: kind}}\n";
    let types = types(fields, &(parent.to_owned() + CAT));
    assert_variants(&types, "ThingsAny", &["Animal", "Cat", "Text"]);
    let item = types.item("types::ThingsAny");
    for member in item
        .members
        .iter()
        .filter(|one| !["Unrecognized", "Text"].contains(&one.name.as_str()))
    {
        let name = member
            .signature
            .rsplit(['(', '<'])
            .next()
            .unwrap_or_default();
        let name = name.trim_end_matches([')', '>', ',', ' ']);
        let object = types.item(&format!("types::{name}"));
        assert!(object.find("more").is_some(), "{}", object.code);
    }
}

#[test]
fn children_that_name_each_other_and_schemas_that_are_no_objects_end() {
    let types = types(
        "        one: {$ref: '#/components/schemas/One'}",
        "    One: {type: object, properties: {kind: {type: string}, one: {type: string}}, discriminator: {propertyName: kind, mapping: {two: Two, word: Word}}}
    Two: {type: object, properties: {kind: {type: string}, two: {type: string}}, discriminator: {propertyName: kind, mapping: {one: One}}}
    Word: {type: string}",
    );
    assert_variants(&types, "One", &["One", "Two"]);
}

#[test]
fn properties_beside_alternatives_with_a_tag_are_in_each_of_them() {
    let types = types(
        "        event: {$ref: '#/components/schemas/Event'}
        lost: {$ref: '#/components/schemas/Lost'}",
        "    Event: {type: object, required: [id], properties: {id: {type: string}, level: {type: string, enum: [low, high]}}, discriminator: {propertyName: kind}, oneOf: [{$ref: '#/components/schemas/Made'}, {$ref: '#/components/schemas/Lost'}]}
    Made: {type: object, properties: {kind: {type: string}, by: {type: string}}}
    Lost: {type: object, properties: {kind: {type: string}, why: {type: string}}}",
    );
    assert_variants(&types, "Event", &["Made", "Lost"]);
    let made = types.item("types::EventMade");
    assert!(made.find("by").is_some() && made.member("id").is("String"));
    let level = &made.member("level").signature;
    assert!(level.contains("EventLevel"), "{level}");
    assert!(types.item("types::Lost").find("id").is_none());
}

#[test]
fn the_only_alternative_with_a_tag_is_a_union() {
    for [schema, expected] in rows(
        r"
{oneOf: [{$ref: '#/components/schemas/Pet'}], discriminator: {propertyName: kind}} | ThingsOnly
{anyOf: [{$ref: '#/components/schemas/Pet'}, {enum: [null]}], discriminator: {propertyName: kind}} | Option<ThingsOnly>
{oneOf: [{type: string}], discriminator: {propertyName: kind}} | Option<String>
",
    ) {
        let types = types(&format!("        only: {schema}"), "");
        let only = types.item("types::Things").member("only");
        assert!(
            only.signature.replace(' ', "").contains(expected),
            "{}",
            only.signature
        );
        if expected.contains("ThingsOnly") {
            assert_variants(&types, "ThingsOnly", &["Pet"]);
        }
    }
}

/// The tag alone says which it is.
#[test]
fn a_child_that_adds_nothing_is_a_type_if_a_mapping_names_it() {
    let cat = "    Cat: {type: object, description: A cat., allOf: [{$ref: '#/components/schemas/Animal'}]}\n";
    let types = family(
        "{propertyName: kind, mapping: {cat: Cat, dog: Dog}}",
        &format!("{cat}{}", cat.replace("Cat", "Dog")),
    );
    assert_variants(&types, "Animal", &["Animal", "Cat", "Dog"]);
    assert!(types.item("types::Cat").find("name").is_some());
}

/// A child of another file is no component of the document.
#[test]
fn a_child_in_another_file_is_a_struct_where_it_is_referred_to() {
    let fields = "        animal: {$ref: 'animals.yaml#/components/schemas/Animal'}
        cat: {$ref: 'animals.yaml#/components/schemas/Cat'}";
    let animals = format!(
        "components:
  schemas:
    Animal: {{type: object, properties: {{kind: {{type: string}}}}, discriminator: {{propertyName: kind, mapping: {{cat: '#/components/schemas/Cat', dog: '#/components/schemas/Dog'}}}}}}
{CAT}{}",
        CAT.replace("Cat", "Dog").replace("lives", "barks")
    );
    let workspace = workspace(fields, "").file("spec/animals.yaml", &animals);
    let (fresh, output) = workspace.regen(false);
    assert!(fresh, "{output}");
    let types = Emitted::of_workspace(&workspace);
    let cats = types
        .items()
        .iter()
        .filter(|item| item.is_public && item.kind == "struct");
    let cats = cats.filter(|item| item.find("lives").is_some());
    assert_eq!(
        cats.map(|item| item.find("barks").is_none())
            .collect::<Vec<_>>(),
        [true]
    );
    let cat = &types.item("types::Things").member("cat").signature;
    let animal = &types.item("types::Things").member("animal").signature;
    assert!(
        cat.contains("Cat") && animal.contains("Animal"),
        "{cat} {animal}"
    );
    let union = types
        .items()
        .iter()
        .find(|item| item.kind == "enum" && item.find("Cat").is_some());
    assert!(union.is_some_and(|union| union.find("Dog").is_some()));
}

/// Returns the shortest of several times to read so many alternatives, which share an enumeration of all their tags.
fn time_of_tags(count: usize) -> Duration {
    let names: Vec<String> = (0..count).map(|index| format!("C{index}")).collect();
    let target = |name: &String| format!("#/components/schemas/{name}");
    let alternatives: Vec<Value> = names
        .iter()
        .map(|name| json!({"$ref": target(name)}))
        .collect();
    let one = |name: &str| json!({"type": "object", "properties": {"kind": {"$ref": "#/components/schemas/Kind"}, name: {"type": "string"}}});
    let mut schemas: Map<String, Value> =
        names.iter().map(|name| (name.clone(), one(name))).collect();
    schemas.insert("Kind".to_owned(), json!({"type": "string", "enum": names}));
    let mapping: Map<String, Value> = names
        .iter()
        .map(|name| (name.clone(), target(name).into()))
        .collect();
    let any = json!({"oneOf": alternatives, "discriminator": {"propertyName": "kind", "mapping": mapping}});
    let content = json!({"application/json": {"schema": any}});
    let operation =
        json!({"operationId": "a", "responses": {"200": {"description": "d", "content": content}}});
    let document = json!({"openapi": "3.0.3", "info": {"title": "Many", "version": "1"}, "paths": {"/a": {"get": operation}},
        "components": {"schemas": schemas}});
    let source = Source::parse("openapi.json", document.to_string()).unwrap();
    shortest(|| {
        let model = openapi_model::read(&source).unwrap();
        let mut unions = model.schemas.iter().filter_map(|one| one.alternatives());
        assert!(unions.any(|one| one.len() == count));
    })
}

/// Eight times as many have 64 times as many values, and 512 times as many claims on them.
#[test]
fn claims_of_tags_are_looked_up() {
    let (few, many) = (time_of_tags(60), time_of_tags(480));
    assert!(many < few * 50, "{few:?}, then {many:?}");
}
