//! Tests of the notations for null: all of them are equal, and removing null is a change from each.

use openapi_diff::Wire::{self, Breaking, Safe};
use serde_json::{Value, json};

use super::quiet::loud;
use super::{compare, lines, yaml};

/// A schema without null, and its equivalents with null.
#[rustfmt::skip]
const SPELLINGS: &[(&str, &[&str])] = &[
    ("{type: string}", &[
        "{type: string, nullable: true}",
        "{type: [string, 'null']}",
        "{oneOf: [{type: string}, {enum: [null]}]}",
        "{anyOf: [{type: string, nullable: true, enum: [null]}, {type: string}]}",
        "{oneOf: [{type: string}, {type: string, nullable: true, maxLength: 0, enum: [null]}]}",
        "{anyOf: [{type: string}, {type: 'null'}]}",
        "{type: string, nullable: true, oneOf: [{type: string}]}",
    ]),
    ("{$ref: '#/components/schemas/Book'}", &[
        "{nullable: true, allOf: [{$ref: '#/components/schemas/Book'}]}",
        "{oneOf: [{$ref: '#/components/schemas/Book'}], nullable: true}",
        "{oneOf: [{$ref: '#/components/schemas/Book'}, {enum: [null]}]}",
        "{oneOf: [{$ref: '#/components/schemas/Nothing'}, {$ref: '#/components/schemas/Book'}]}",
        "{anyOf: [{$ref: '#/components/schemas/Book'}, {type: object, nullable: true, maxProperties: 0, enum: [null]}]}",
        "{anyOf: [{allOf: [{$ref: '#/components/schemas/Book'}]}, {type: 'null'}], nullable: true}",
        "{oneOf: [{allOf: [{$ref: '#/components/schemas/Book'}], nullable: true}]}",
    ]),
    ("{oneOf: [{$ref: '#/components/schemas/Book'}, {type: string, format: uri}]}", &[
        "{oneOf: [{$ref: '#/components/schemas/Book'}, {type: string, format: uri}], nullable: true}",
        "{oneOf: [{$ref: '#/components/schemas/Book'}, {type: string, format: uri}, {enum: [null], nullable: true}]}",
        "{oneOf: [{$ref: '#/components/schemas/Book'}, {type: string, format: uri, nullable: true}]}",
        "{anyOf: [{oneOf: [{$ref: '#/components/schemas/Book'}, {type: string, format: uri}]}, {type: 'null'}]}",
        "{nullable: true, allOf: [{oneOf: [{$ref: '#/components/schemas/Book'}, {type: string, format: uri}]}]}",
    ]),
    ("{type: string, enum: [a, b]}", &[
        "{type: string, enum: [a, b, null], nullable: true}",
        "{enum: [a, b, null]}",
        "{oneOf: [{type: string, enum: [a, b]}, {enum: [null], nullable: true}]}",
        "{oneOf: [{const: a}, {const: b}, {const: null}]}",
        "{nullable: true, allOf: [{type: string, enum: [a, b]}]}",
    ]),
    ("{type: array, items: {type: string}}", &[
        "{type: array, items: {type: string}, nullable: true}",
        "{type: [array, 'null'], items: {type: string}}",
        "{anyOf: [{type: array, items: {type: string}}, {type: array, items: {}, nullable: true, enum: [null]}]}",
    ]),
];

/// Returns a document of 3.0 with a property of this schema, in a request or a response.
fn document(schema: &str, is_sent: bool) -> Value {
    let body = json!({"content": {"application/json": {"schema":
        {"type": "object", "properties": {"value": yaml(schema)}}}}});
    let operation = if is_sent {
        json!({"requestBody": body, "responses": {"204": {"description": "Done"}}})
    } else {
        json!({"responses": {"200": body}})
    };
    json!({"openapi": "3.0.3", "info": {"title": "Shop", "version": "1"}, "paths": {"/a": {"post": operation}},
    "components": {"schemas": {
        "Book": {"type": "object", "required": ["title"], "properties": {"title": {"type": "string"}}},
        "Nothing": {"enum": [null], "nullable": true},
    }}})
}

#[test]
fn the_spellings_of_null_are_one_and_to_drop_null_is_a_change() {
    let mut wrong = Vec::new();
    let mut expect = |old: &str, new: &str, is_sent: bool, wanted: Wire| {
        let (old, new) = (document(old, is_sent), document(new, is_sent));
        let changes = compare(&old, &new).changes;
        let found = changes.iter().map(|one| one.wire).max();
        let is_quiet = wanted == Wire::None && loud(&old, &new).is_empty();
        if !is_quiet && found != Some(wanted) {
            wrong.push(format!("{old}\n{new}\n{:#?}", lines(&changes)));
        }
    };
    for (without, spellings) in SPELLINGS {
        for is_sent in [true, false] {
            for one in *spellings {
                for other in *spellings {
                    expect(one, other, is_sent, Wire::None);
                }
                let (dropped, added) = if is_sent {
                    (Breaking, Safe)
                } else {
                    (Safe, Breaking)
                };
                expect(one, without, is_sent, dropped);
                expect(without, one, is_sent, added);
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
