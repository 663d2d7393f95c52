//! Inline schemas that the document names with `x-rust-type-name`. Those that share a name and say the same are one type.

use serde_json::{Map, Value};

use super::hoister::Hoister;
use super::naming::RESERVED;
use super::settle::Settled;
use super::type_name::{CHOSEN, TYPE_NAME};
use crate::names;

/// What a schema says of the place that it is written out at.
const OF_ONE_PLACE: [&str; 14] = [
    "$comment",
    "default",
    "deprecated",
    "description",
    "example",
    "examples",
    "externalDocs",
    "nullable",
    "readOnly",
    "title",
    "writeOnly",
    "x-aliases",
    "x-rust-name",
    CHOSEN,
];

impl Hoister<'_> {
    /// The type of an inline schema with a name.
    pub(super) fn named_inline(&mut self, settled: &Settled<'_>) -> Option<String> {
        let wanted = settled.schema.get(TYPE_NAME)?.as_str()?;
        let name = names::pascal(wanted);
        if RESERVED.contains(&name.as_str()) {
            self.naming.reserve(&name);
        }
        if self.naming.give(&settled.pointer, wanted) {
            return Some(name);
        }
        let source = self.source;
        let first = self
            .naming
            .at(&name)
            .and_then(|at| source.value.pointer(at));
        if first.is_some_and(|first| says_the_same(first, settled.schema)) {
            self.naming.share(&settled.pointer, &name);
            return Some(name);
        }
        let other = self.naming.give_unique(&settled.pointer, wanted);
        self.renamed(&settled.pointer, wanted, &other);
        Some(other)
    }
}

/// Whether two schemas differ only in what they say of their places.
pub fn says_the_same(one: &Value, other: &Value) -> bool {
    let meant = |schema: &Value| -> Option<Map<String, Value>> {
        let mut map = schema.as_object()?.clone();
        map.retain(|key, value| {
            let is_of_enum = key == "x-aliases" && value.is_object();
            key != TYPE_NAME && (is_of_enum || !OF_ONE_PLACE.contains(&key.as_str()))
        });
        Some(map)
    };
    meant(one).is_some() && meant(one) == meant(other)
}
