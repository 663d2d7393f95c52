//! Reads a schema: follows its references and merges its `allOf`s into one list of the objects that must hold at once, and from them the
//! kinds of value that are allowed. The spellings of 3.0 and 3.1 give the same result.

use std::collections::HashSet;

use openapi_document::keywords::is_silent;
use openapi_document::resolver::REFERRING;
use serde_json::{Map, Value};

use super::children::Chosen;
use super::choice::Choice;
use super::document::{Document, LIMIT, Unresolved};
use super::family::is_wrapper;
use super::keywords::is_wrapping;
use super::meaning::Reading;
use super::nested::{says_null, spliced};
use super::parts::CHOICES;
use super::plain::{Bare, EnumValue, bare_types, enum_values_of, is_null, is_nullable};
use super::site::Site;
use super::types::{self, type_names, type_of};
use crate::decimal::Key;

/// Permission of null, collected from the parts.
struct Null {
    /// True if every list of types or values includes null.
    listed: bool,
    /// True if null is allowed despite such lists.
    forced: bool,
}

/// A schema that has yet to be read.
#[derive(Clone, Copy)]
struct Waiting<'d> {
    part: &'d Value,
    or_null: bool,
    /// First component on the path to the part.
    component: Option<&'d Value>,
}

/// Reads a schema.
pub fn read<'d>(document: &mut Document<'d>, site: &Site<'d>) -> Reading<'d> {
    let was_cut = std::mem::take(&mut document.is_cut);
    let mut reader = Reader {
        document,
        reading: Reading::empty(site),
        seen: HashSet::new(),
        waiting: Vec::new(),
    };
    for part in site.parts.iter().rev() {
        reader.waiting.push(Waiting {
            part,
            or_null: site.or_null,
            component: None,
        });
    }
    while let Some(waiting) = reader.waiting.pop() {
        if reader.seen.len() >= LIMIT {
            reader.document.is_cut = true;
            break;
        }
        let key = (std::ptr::from_ref(waiting.part), waiting.or_null);
        if reader.seen.insert(key) {
            reader.part(waiting);
        }
    }
    let mut reading = reader.reading;
    reading.is_cut = document.is_cut;
    document.is_cut |= was_cut;
    restrict_to_values(&mut reading);
    reading.types &= site.types;
    if let Some(home) = reading.parts.iter().find(|part| says_something(part)) {
        reading.home = home;
    }
    reading
}

/// Restricts the types to those of the listed values.
fn restrict_to_values(reading: &mut Reading<'_>) {
    let Some(enum_values) = &reading.enum_values else {
        return;
    };
    let listed = enum_values
        .iter()
        .fold(0, |all, enum_value| all | type_of(enum_value.value));
    // A listed number may have either form.
    let exact = if reading.types & types::FRACTION == 0 {
        listed & !types::FRACTION
    } else {
        listed
    };
    // Where no value has one of the types, the author meant the values.
    reading.is_mistyped = reading.types & exact == 0 && reading.types != 0 && listed != 0;
    reading.types = if reading.is_mistyped {
        listed
    } else {
        reading.types & exact
    };
}

/// State of a reading.
struct Reader<'r, 'd> {
    document: &'r mut Document<'d>,
    reading: Reading<'d>,
    seen: HashSet<(*const Value, bool)>,
    waiting: Vec<Waiting<'d>>,
}

impl<'d> Reader<'_, 'd> {
    /// Reads one part and queues its references.
    fn part(&mut self, waiting: Waiting<'d>) {
        let Waiting {
            part,
            or_null,
            mut component,
        } = waiting;
        let Value::Object(map) = part else {
            if part == &Value::Bool(false) {
                self.reading.types = 0;
                self.reading.typed = true;
                self.reading.null &= or_null;
            }
            return;
        };
        if component.is_none() && !is_wrapper(part) && self.document.component_of(part).is_some() {
            component = Some(part);
        }
        self.reading.parts.push(part);
        let all_of = map.get("allOf").and_then(Value::as_array);
        // A part that only marks null means the whole, though by the letter no other part allows null.
        let is_marked = is_nullable(part) || all_of.into_iter().flatten().any(only_marks_null);
        self.reading.names_null |= is_marked;
        let mut null = Null {
            listed: true,
            forced: or_null || is_marked,
        };
        let mut next = Vec::new();
        let references = REFERRING.iter().filter_map(|key| map.get(*key)?.as_str());
        for reference in references {
            match self.document.target(reference, part) {
                Some(target) => next.push(target),
                None => self.reading.unresolved.push(Unresolved {
                    reference,
                    holder: part,
                }),
            }
        }
        next.extend(all_of.into_iter().flatten());
        let choices = self.reading.choices.len();
        for keyword in CHOICES {
            if let Some(list) = map.get(keyword) {
                next.extend(self.choice(map, keyword, list, &mut null));
            }
        }
        if let Some(discriminator) = map.get("discriminator") {
            let chosen = Chosen {
                part,
                discriminator,
                component,
                listed: self.reading.choices.get(choices..).unwrap_or_default(),
            };
            let children = chosen.children(self.document, &self.reading.parts);
            self.reading.children.extend(children);
        }
        // The last part pushed is read first, so parts are read in document order.
        for part in next.into_iter().rev() {
            self.waiting.push(Waiting {
                part,
                or_null: null.forced,
                component,
            });
        }
        self.own(part, map, &mut null);
        self.reading.null &= null.listed || null.forced;
    }

    /// Reads a choice. Returns the alternative if only one allows more than null.
    fn choice(
        &mut self,
        map: &'d Map<String, Value>,
        keyword: &'static str,
        list: &'d Value,
        null: &mut Null,
    ) -> Option<&'d Value> {
        let document = &mut *self.document;
        let all = list.as_array().map(Vec::as_slice).unwrap_or_default();
        let listed: Vec<&'d Value> = all.iter().collect();
        let discriminator = map.get("discriminator");
        // Documentation of a choice around one of them is kept, too.
        if listed.len() > 1
            && !listed.iter().any(|one| is_null(document, one))
            && let Some(bare) = enum_values_of(document, keyword, &listed)
        {
            null.listed &= self.keep_listed(bare);
            return None;
        }
        // A discriminator names each alternative, so none is spliced.
        let mut alternatives = if discriminator.is_some() {
            listed
        } else {
            spliced(document, keyword, all, &mut self.reading.about)
        };
        let before = alternatives.len();
        alternatives.retain(|one| !is_null(document, one));
        let null_listed = alternatives.len() < before;
        null.forced |= null_listed;
        self.reading.names_null |= null_listed;
        match alternatives.as_slice() {
            [only] if discriminator.is_none() => return Some(only),
            [] if null_listed => {
                self.reading.types = 0;
                self.reading.typed = true;
            }
            [] => {}
            several => {
                if let Some(bare) = enum_values_of(document, keyword, several) {
                    null.listed &= self.keep_listed(bare);
                } else if let Some(bare) = bare_types(document, keyword, several) {
                    null.listed &= bare.null;
                    self.reading.names_null |= bare.null;
                    self.reading.types &= bare.all;
                    self.reading.typed = true;
                    self.reading.about.extend(bare.about);
                } else {
                    let names_null = says_null(document, several);
                    null.listed &= map.contains_key("type") || names_null;
                    self.reading.names_null |= names_null;
                    self.reading.choices.push(Choice {
                        keyword,
                        list,
                        alternatives,
                        discriminator,
                    });
                }
            }
        }
        None
    }

    /// Reads the types and values that a part lists directly.
    fn own(&mut self, part: &'d Value, map: &'d Map<String, Value>, null: &mut Null) {
        // In 3.1, bytes that are not encoded have a media type and no type.
        if map.contains_key("contentMediaType")
            && !map.contains_key("type")
            && !map.contains_key("contentEncoding")
        {
            self.reading.types &= types::STRING;
            self.reading.typed = true;
            null.listed = false;
        }
        if let Some(named) = type_names(part) {
            self.reading.types &= named.types;
            self.reading.typed = true;
            null.listed &= named.null;
            self.reading.names_null |= named.null;
        }
        let listed = match (map.get("const"), map.get("enum")) {
            (Some(only), _) => std::slice::from_ref(only),
            (None, Some(Value::Array(all))) => all.as_slice(),
            _ => return,
        };
        let lists_null = listed.iter().any(Value::is_null);
        null.listed &= lists_null;
        self.reading.names_null |= lists_null;
        let about = None;
        let listed = listed.iter().map(|value| EnumValue { value, about });
        self.keep_common(listed.collect());
    }

    /// Restricts the enum values to those that the alternatives list. Returns whether null is one.
    fn keep_listed(&mut self, bare: Bare<'d, Vec<EnumValue<'d>>>) -> bool {
        self.reading.about.extend(bare.about);
        self.reading.names_null |= bare.null;
        self.keep_common(bare.all);
        bare.null
    }

    fn keep_common(&mut self, mut enum_values: Vec<EnumValue<'d>>) {
        self.reading.typed = true;
        enum_values.retain(|one| !one.value.is_null());
        if let Some(before) = &self.reading.enum_values {
            let before: HashSet<Key<'_>> = before.iter().map(|one| Key::of(one.value)).collect();
            enum_values.retain(|one| before.contains(&Key::of(one.value)));
        }
        self.reading.enum_values = Some(enum_values);
    }
}

/// Returns whether a schema has no meaning but that null is allowed.
fn only_marks_null(schema: &Value) -> bool {
    let map = schema.as_object().filter(|_| is_nullable(schema));
    map.is_some_and(|map| map.keys().all(|key| key == "nullable" || is_silent(key)))
}

/// Returns whether a part contains more than references.
fn says_something(part: &Value) -> bool {
    part.as_object()
        .is_some_and(|map| map.keys().any(|key| !is_wrapping(key)))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Returns a document with a chain of wrappers around a schema, and the schema that a reading begins with.
    fn chain(length: usize, end: &Value, start: &Value) -> Value {
        let wrap = |index: usize| {
            let next = json!({"$ref": format!("#/components/schemas/S{}", index + 1)});
            (format!("S{index}"), json!({"allOf": [next]}))
        };
        let mut schemas: Map<String, Value> = (0..length).map(wrap).collect();
        schemas.insert(format!("S{length}"), end.clone());
        schemas.insert("Start".to_owned(), start.clone());
        json!({"components": {"schemas": schemas}})
    }

    #[test]
    fn a_reading_says_that_a_question_about_its_alternatives_was_cut() {
        let first = json!({"$ref": "#/components/schemas/S0"});
        for keyword in ["oneOf", "anyOf"] {
            let start = json!({keyword: [first, {"type": "object", "required": ["a"]}]});
            for (length, is_cut) in [(LIMIT / 4, false), (LIMIT, true)] {
                let root = chain(length, &json!({"type": "string", "nullable": true}), &start);
                let schema = &root["components"]["schemas"]["Start"];
                let reading = read(&mut Document::new(&root), &Site::new(Some(schema), schema));
                assert_eq!(reading.is_cut, is_cut, "{keyword} {length}");
                assert_eq!(reading.null, !is_cut, "{keyword} {length}");
            }
        }
    }

    #[test]
    fn null_is_a_value_where_the_schema_names_it_and_nothing_excludes_it() {
        let root = json!({"components": {"schemas": {
            "Text": {"type": "string"},
            "Maybe": {"type": "string", "nullable": true},
            "Null": {"enum": [null]},
        }}});
        let refer = |name: &str| json!({"$ref": format!("#/components/schemas/{name}")});
        let (text, maybe, only_null) = (refer("Text"), refer("Maybe"), refer("Null"));
        for (schema, expected) in [
            (json!({}), false),
            (text.clone(), false),
            (maybe.clone(), true),
            (json!({"type": ["string", "null"]}), true),
            (json!({"enum": ["a", null]}), true),
            (json!({"type": "string", "enum": ["a", null]}), false),
            (json!({"anyOf": [text, only_null]}), true),
            (
                json!({"oneOf": [text, {"type": "integer", "nullable": true}]}),
                true,
            ),
            (
                json!({"type": "object", "anyOf": [{"required": ["a"], "nullable": true}, {"required": ["b"]}]}),
                false,
            ),
            (json!({"allOf": [text], "nullable": true}), true),
            (json!({"allOf": [maybe]}), true),
            (json!({"allOf": [maybe, {"maxLength": 3}]}), true),
            (json!({"allOf": [maybe, {"type": "string"}]}), false),
            (
                json!({"allOf": [text, {"nullable": true, "description": "Or nothing."}]}),
                true,
            ),
            (
                json!({"allOf": [text, {"nullable": true, "type": "string"}]}),
                false,
            ),
        ] {
            let mut document = Document::new(&root);
            let reading = read(&mut document, &Site::new(Some(&schema), &schema));
            assert_eq!(reading.is_nullable(), expected, "{schema}");
        }
    }
}
