//! Single changes that break a client in one direction: each is found, however the rest of the document is rewritten.

use openapi_diff::Wire;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::quiet::{reworded, steps};
use super::{compare, lines, shop};
use crate::support::random;

/// Location in the shop, its new value (null removes it), and the worst verdict.
type Mutation = (&'static str, fn() -> Value, Wire);

#[rustfmt::skip]
const MUTATIONS: &[Mutation] = &[
    ("/components/schemas/Payment/discriminator/mapping", || json!({"visa": "#/components/schemas/Card"}), Wire::Breaking),
    ("/components/schemas/Payment/discriminator/mapping", || json!({"Cash": "#/components/schemas/Card", "card": "#/components/schemas/Cash"}), Wire::Breaking),
    ("/components/schemas/Shelf/properties/names/properties", || json!({"first": {"type": "integer"}}), Wire::Breaking),
    ("/components/schemas/Shelf/properties/door/properties/kind/enum", || json!(["open"]), Wire::Breaking),
    ("/components/schemas/Shelf/properties/door/properties/kind/enum", || json!(["open", "closed", "stuck"]), Wire::Risky),
    ("/components/schemas/Shelf/properties/door/properties/width/maximum", || json!(10), Wire::Breaking),
    ("/components/schemas/Shelf/properties/stamp/contentEncoding", || json!("base32"), Wire::Breaking),
    ("/components/schemas/Shelf/properties/mark", || json!({"type": ["string", "boolean"]}), Wire::Breaking),
    ("/components/schemas/Genre/enum", || json!(["novel", "essay"]), Wire::Breaking),
    ("/paths/~1books/get/parameters/1/explode", || json!(true), Wire::Breaking),
    ("/paths/~1books/get/responses/500", || json!({"description": "Broken", "content": {"application/problem+json": {"schema": {"type": "string"}}}}), Wire::Breaking),
    ("/paths/~1books~1{id}/get/responses/2XX", || json!({"description": "Other"}), Wire::Risky),
    ("/paths/~1books~1{id}/put/responses", || json!({"2XX": {"description": "Paid"}}), Wire::Risky),
    ("/paths/~1books/post/requestBody/content/multipart~1form-data/encoding/cover/contentType", || json!("image/gif"), Wire::Breaking),
    ("/servers/0/variables/region/enum", || json!(["eu"]), Wire::Risky),
    ("/components/securitySchemes/key/name", || json!("X-Token"), Wire::Breaking),
];

/// Returns the document after a mutation.
fn mutated(document: &Value, (at, value, _): &Mutation) -> Option<Value> {
    let mut other = document.clone();
    let (parent, key) = openapi_document::pointer::split_last(at)?;
    let map = other.pointer_mut(parent)?.as_object_mut()?;
    map.insert(key, value());
    Some(other)
}

#[test]
fn each_mutation_is_found() {
    let shop = shop();
    for mutation in MUTATIONS {
        let other = mutated(shop, mutation).unwrap();
        let found = compare(shop, &other);
        assert_eq!(
            found.wire(),
            mutation.2,
            "{}: {:#?}",
            mutation.0,
            lines(&found.changes)
        );
    }
}

proptest! {
    #![proptest_config(random(64))]

    #[test]
    fn a_mutation_is_found_among_other_words(steps in steps(), mutation in proptest::sample::select(MUTATIONS)) {
        // The location itself may be rewritten: there the mutation is a different one.
        let reworded = reworded(&steps);
        let same = |document: &Value| document.pointer(mutation.0).cloned();
        if let Some(other) = mutated(&reworded, &mutation).filter(|_| same(&reworded) == same(shop())) {
            let found = compare(shop(), &other);
            prop_assert!(found.wire() >= mutation.2, "{}: {:#?}", mutation.0, lines(&found.changes));
        }
    }
}
