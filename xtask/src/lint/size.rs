//! What the engine would not come to an end with: it goes down by recursion, and writes out each `allOf` with all that it refers to.

use std::collections::HashMap;

use serde_json::Value;

use crate::finding::Finding;
use crate::pointer;
use crate::source::Source;

/// Levels of the document. People write 20 or so; from about 100 on, a small stack is full.
const DEEPEST: usize = 64;

/// Compositions that lead to each other.
const LONGEST: usize = 64;

/// What a composition may become when it is written out: a second of the engine's time.
const LARGEST: u64 = 100_000;

pub(super) fn check(source: &Source) -> Vec<Finding> {
    let mut compositions = Compositions {
        source,
        known: HashMap::new(),
    };
    let mut findings = Vec::new();
    pointer::walk(&source.value, "", &mut |at, value| {
        if at.matches('/').count() == DEEPEST && !at.contains("/example") {
            findings.push(source.finding(
                "nesting",
                at,
                format!("this is nested {DEEPEST} levels deep, and what is below still deeper"),
                "give an inner schema a name below /components/schemas in an override",
            ));
        }
        let parts = value.get("allOf").and_then(Value::as_array);
        if parts.is_none_or(Vec::is_empty) || at.ends_with("/properties") {
            return;
        }
        let size = compositions.size(value, 0);
        if size.steps > LONGEST || size.ways.saturating_mul(size.parts) > LARGEST {
            findings.push(source.finding(
                "composition-size",
                at,
                "this `allOf` becomes too large when all that it refers to is written out",
                "name fewer parts, or the properties themselves, in an override",
            ));
        }
    });
    findings
}

/// How large compositions become, each found out once.
struct Compositions<'d> {
    source: &'d Source,
    known: HashMap<*const Value, Size>,
}

/// What a schema is when it is written out.
#[derive(Clone, Copy)]
struct Size {
    /// Combinations of the alternatives.
    ways: u64,
    /// Schemas.
    parts: u64,
    /// From composition to composition.
    steps: usize,
}

impl Compositions<'_> {
    fn size(&mut self, schema: &Value, steps: usize) -> Size {
        let one = Size {
            ways: 1,
            parts: 1,
            steps,
        };
        if steps > LONGEST {
            return one;
        }
        let address = std::ptr::from_ref(schema);
        if let Some(known) = self.known.get(&address) {
            return *known;
        }
        // A circle is another lint's.
        self.known.insert(address, one);
        let mut size = one;
        let source = self.source;
        let target = schema.get("$ref").and_then(Value::as_str);
        if let Some(target) = target.and_then(pointer::from_fragment) {
            if let Some(target) = source.value.pointer(target) {
                size = self.size(target, steps + 1);
            }
        } else {
            for key in ["allOf", "oneOf", "anyOf"] {
                let parts = schema.get(key).and_then(Value::as_array);
                let mut sum: u64 = 0;
                let mut product: u64 = 1;
                for part in parts.into_iter().flatten() {
                    let part = self.size(part, steps + 1);
                    sum = sum.saturating_add(part.ways);
                    product = product.saturating_mul(part.ways);
                    size.parts = size.parts.saturating_add(part.parts);
                    size.steps = size.steps.max(part.steps);
                }
                let ways = if key == "allOf" { product } else { sum.max(1) };
                size.ways = size.ways.saturating_mul(ways);
            }
        }
        self.known.insert(address, size);
        size
    }
}
