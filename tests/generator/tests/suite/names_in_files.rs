//! The names of types whose schemas are in other files of a document.

use crate::support::{Emitted, Workspace};

/// Returns the names of the types of a document in several files, whose responses are these references.
fn of_files(references: &[&str], components: &str, files: &[(&str, &str)]) -> Vec<String> {
    let responses = references.iter().enumerate().map(|(index, reference)| {
        format!(
            "  /{index}: {{get: {{operationId: get{index}, responses: {{'200': {{description: d, content: {{application/json: {{schema: {{$ref: '{reference}'}}}}}}}}}}}}}}\n"
        )
    });
    let responses: String = responses.collect();
    let document = format!(
        "openapi: 3.0.3\ninfo: {{title: Small, version: '1'}}\npaths:\n{responses}components:\n  schemas:\n{components}"
    );
    let mut workspace = Workspace::with(&document);
    for (path, text) in files {
        workspace = workspace.file(&format!("spec/{path}"), text);
    }
    let (fresh, output) = workspace.regen(false);
    assert!(fresh, "{output}");
    let emitted = Emitted::of_workspace(&workspace);
    let types = emitted.items().iter().filter(|item| item.is_public);
    let names = types.filter_map(|item| item.path.strip_prefix("types::"));
    names.map(str::to_owned).collect()
}

#[test]
fn a_schema_of_another_file_has_its_own_name_and_not_that_of_the_file() {
    let all = "components:\n  schemas:\n    Pet: {type: object, required: [n], properties: {n: {type: string}, owner: {$ref: '#/components/schemas/Owner'}, o: {type: object, properties: {y: {type: integer}}}}}\n    Owner: {type: object, properties: {x: {type: string}}}\nBird: {type: object, required: [w], properties: {w: {type: integer}}}\n";
    let names = of_files(
        &[
            "schemas-all.yaml#/components/schemas/Pet",
            "./schemas-Cat.yaml",
            "#/components/schemas/Dog",
            "schemas-all.yaml#/Bird",
        ],
        "    Dog: {$ref: './schemas-Dog.yaml'}\n",
        &[
            ("schemas-all.yaml", all),
            (
                "schemas-Cat.yaml",
                "{type: object, required: [m], properties: {m: {type: string}, tail: {type: object, properties: {z: {type: string}}}}}",
            ),
            (
                "schemas-Dog.yaml",
                "{type: object, required: [b], properties: {b: {type: string}}}",
            ),
        ],
    );
    assert_eq!(
        names,
        ["Bird", "Cat", "CatTail", "Dog", "Owner", "Pet", "PetO"]
    );
}

#[test]
fn folders_and_misspelt_keys_of_other_files_are_no_part_of_a_name() {
    let object = "{type: object, properties: {x: {type: string}}}";
    let animals = format!(
        "componenets: {{schemas: {{Fish: {object}}}}}\ndefinitions: {{wild: {{Wolf: {{type: object, properties: {{den: {object}}}}}}}}}\n"
    );
    let names = of_files(
        &[
            "models/animals.yaml#/componenets/schemas/Fish",
            "models/animals.yaml#/definitions/wild/Wolf",
            "models/tree.schema.json",
            "models/animals.yaml#/definitions/wild/Wolf/properties/den",
            "#/components/schemas/Lion",
            "#/components/schemas/Puma",
        ],
        "    Lion: {$ref: 'models/cat.yaml#/components/schemas/Cougar'}\n    Puma: {$ref: 'models/cat.yaml#/components/schemas/Cougar'}\n",
        &[
            ("models/animals.yaml", &animals),
            (
                "models/tree.schema.json",
                "{\"type\": \"object\", \"properties\": {\"age\": {\"type\": \"integer\"}}}",
            ),
            (
                "models/cat.yaml",
                &format!("components: {{schemas: {{Cougar: {object}}}}}\n"),
            ),
        ],
    );
    assert_eq!(names, ["Fish", "Lion", "Tree", "Wolf", "WolfDen"]);
}

#[test]
fn a_schema_that_is_called_as_a_key_of_the_form_has_that_name() {
    let object =
        |member: &str| format!("{{type: object, properties: {{{member}: {{type: string}}}}}}");
    let names = of_files(
        &[
            "all.yaml#/definitions/items",
            "all.yaml#/definitions/Own",
            ".json",
        ],
        "    A: {type: string}\n",
        &[
            (
                "all.yaml",
                &format!(
                    "definitions: {{items: {}, Own: {}}}\n",
                    object("x"),
                    object("y")
                ),
            ),
            (
                ".json",
                r#"{"type": "object", "properties": {"z": {"type": "string"}}}"#,
            ),
        ],
    );
    assert_eq!(names, ["Items", "Json", "Own"]);
}
