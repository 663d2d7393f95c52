//! Tests of long lists of alternatives: a change in one of them is located as in a short list.

use openapi_diff::Wire::{self, Breaking, Safe};
use serde_json::{Value, json};

use super::{compare, in_request, in_response, lines};

/// More alternatives than are compared pairwise.
const LENGTH: usize = 300;

/// Returns an alternative by its number, and whether it is unchanged.
type Alternative = fn(usize, bool) -> Value;

fn price(is_old: bool) -> Value {
    let kind = if is_old { "integer" } else { "string" };
    json!({"type": kind})
}

/// Properties that distinguish the alternatives.
const KINDS: [(&str, Alternative); 3] = [
    ("a constant", |index, is_old| {
        let kind = json!({"type": "string", "enum": [format!("k{index}")]});
        json!({"type": "object", "required": ["kind"], "properties": {"kind": kind, "price": price(is_old)}})
    }),
    (
        "a title",
        |index, is_old| json!({"type": "object", "title": format!("T{index}"), "properties": {"price": price(is_old)}}),
    ),
    (
        "its properties",
        |index, is_old| json!({"type": "object", "properties": {format!("p{index}"): {}, "price": price(is_old)}}),
    ),
];

fn list(alternative: Alternative, is_old: impl Fn(usize) -> bool) -> Vec<Value> {
    let all = 0..LENGTH;
    all.map(|index| alternative(index, is_old(index))).collect()
}

#[test]
fn each_changed_alternative_of_a_long_list_is_the_one_that_it_was() {
    for (what, alternative) in KINDS {
        for keyword in ["oneOf", "anyOf"] {
            // A few changes, and changes everywhere.
            for (step, number) in [(100, 3), (1, LENGTH)] {
                let old = list(alternative, |_| true);
                let mut new = list(alternative, |index| index % step != 0);
                new.reverse();
                let changes = compare(
                    &in_request(&json!({keyword: old})),
                    &in_request(&json!({keyword: new})),
                )
                .changes;
                let is_type = changes
                    .iter()
                    .all(|one| one.rule.id == "schema.type-changed");
                assert!(
                    is_type && changes.len() == number,
                    "{what}: {:#?}",
                    lines(&changes)
                );
            }
        }
    }
}

#[test]
fn a_schema_that_became_a_long_list_is_divided_by_its_constants() {
    let (_, alternative) = KINDS[0];
    let kinds: Vec<String> = (0..LENGTH).map(|index| format!("k{index}")).collect();
    let whole = json!({"type": "object", "required": ["kind"],
        "properties": {"kind": {"type": "string", "enum": kinds}, "price": price(true)}});
    let parts = list(alternative, |_| true);
    let other = list(alternative, |index| index != 7);
    let verdict = |old: &Value, new: &Value| {
        let both =
            [in_request, in_response].map(|document| compare(&document(old), &document(new)));
        both.map(|differences| differences.wire())
    };
    for (list, wanted) in [
        (parts, [Wire::None, Wire::None]),
        (other, [Breaking, Breaking]),
    ] {
        assert_eq!(verdict(&whole, &json!({"oneOf": list})), wanted);
        assert_eq!(verdict(&json!({"oneOf": list}), &whole), wanted);
    }
}

#[test]
fn enum_values_of_a_long_list_are_found_in_any_order() {
    let values: Vec<usize> = (0..LENGTH).collect();
    let mut more = values.clone();
    more.push(LENGTH);
    more.reverse();
    let [less, more] = [values, more].map(|all| json!({"type": "integer", "enum": all}));
    let changes = compare(&in_request(&less), &in_request(&more)).changes;
    assert_eq!(changes.len(), 1, "{:#?}", lines(&changes));
    assert_eq!(changes[0].wire, Safe);
}

#[test]
fn more_wrappers_than_are_followed_are_said() {
    let chain = |is_read_only: bool| {
        let wrap = |index: usize| {
            let next = json!({"$ref": format!("#/components/schemas/S{}", index + 1)});
            (format!("S{index}"), next)
        };
        let mut schemas: serde_json::Map<String, Value> = (0..1_500).map(wrap).collect();
        let end = json!({"type": "string", "readOnly": is_read_only});
        schemas.insert("S1500".to_owned(), end);
        let first = json!({"$ref": "#/components/schemas/S0"});
        let mut document = in_request(&json!({"type": "object", "properties": {"a": first}}));
        document["components"] = json!({"schemas": schemas});
        document
    };
    let changes = compare(&chain(false), &chain(true)).changes;
    let is_said = changes
        .iter()
        .any(|one| one.message.contains("too many schemas apply at once"));
    assert!(is_said, "{:#?}", lines(&changes));
    assert_eq!(compare(&chain(true), &chain(true)).wire(), Wire::None);
}
