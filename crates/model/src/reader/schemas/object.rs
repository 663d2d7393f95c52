//! Writes schemas in their normal form.

use std::collections::{BTreeMap, HashSet};

use openapi_document::pointer;
use serde_json::{Map, Value, json};

use super::forms::{Alternative, Form, Formed, Union};
use super::gather::{Gathered, Located};
use super::hoister::{Hoisted, Hoister};
use crate::names;
use crate::{ANY_TEXT, Tag, field_name};

impl Hoister<'_> {
    /// Reads a schema that has a name.
    pub(super) fn finish(&mut self, name: &str, formed: Formed<'_>, schema: &Value, pointer: &str) {
        let mut origins = BTreeMap::new();
        let mut tag = None;
        let mut value = match formed.form {
            Form::Object => self.object(formed.gathered, name, pointer, &mut origins),
            Form::Tuple => self.tuple(formed.gathered, name),
            Form::Texts { values, open } => texts(formed.gathered.keywords, &values, open),
            Form::Union(union) => {
                let keywords = formed.gathered.keywords;
                self.union(keywords, union, name, pointer, &mut tag)
            }
            Form::One((one, at)) => {
                let mut keywords = formed.gathered.keywords;
                let placed = self.put(one, &format!("{name}Value"), &at);
                keywords.insert("oneOf".to_owned(), Value::Array(vec![placed]));
                keywords
            }
            _ => self.unnamed(formed, schema, name, pointer),
        };
        value.shift_remove("x-rust-name");
        value.shift_remove("x-rust-type-name");
        value.shift_remove("nullable");
        if value.get("x-aliases").is_some_and(Value::is_array) {
            value.shift_remove("x-aliases");
        }
        self.by_name.insert(name.to_owned(), self.schemas.len());
        self.schemas.push(Hoisted {
            name: name.to_owned(),
            pointer: pointer.to_owned(),
            value: Value::Object(value),
            origins,
            tag,
        });
    }

    /// A schema whose type needs no name, with all that is in it.
    pub(super) fn unnamed(
        &mut self,
        formed: Formed<'_>,
        schema: &Value,
        name: &str,
        pointer: &str,
    ) -> Map<String, Value> {
        let Formed { gathered, form, .. } = formed;
        let Gathered {
            mut keywords,
            values,
            others,
            items,
            prefix,
            ..
        } = gathered;
        match form {
            Form::Scalar(kind) => {
                keywords.insert("type".to_owned(), kind.into());
                // For documentation: a number that is not listed is one all the same.
                if let Some(values) = values {
                    keywords.insert("enum".to_owned(), Value::Array(values.clone()));
                }
                keywords
            }
            Form::List => {
                keywords.insert("type".to_owned(), "array".into());
                let items = match (&items, prefix.as_slice()) {
                    (Some((items, at)), []) => self.put(items, &format!("{name}Item"), at),
                    (None, []) => json!({}),
                    (rest, prefix) => {
                        let rest = rest.iter().cloned();
                        let all: Vec<Located<'_>> = prefix.iter().cloned().chain(rest).collect();
                        let at = format!("{pointer}/prefixItems");
                        self.put_one_of(&all, &format!("{name}Item"), &at)
                    }
                };
                keywords.insert("items".to_owned(), items);
                keywords
            }
            Form::Map => {
                keywords.insert("type".to_owned(), "object".into());
                self.others(&mut keywords, &others, name, pointer);
                keywords
            }
            Form::Chosen => {
                let mut value = schema.as_object().cloned().unwrap_or_default();
                for (key, hint) in [("items", "Item"), ("additionalProperties", "Value")] {
                    if let Some(inner) = schema.get(key).filter(|inner| inner.is_object()) {
                        let at = pointer::join(pointer, key);
                        let placed = self.put(inner, &format!("{name}{hint}"), &at);
                        value.insert(key.to_owned(), placed);
                    }
                }
                value
            }
            _ => keywords,
        }
    }

    fn tuple(&mut self, gathered: Gathered<'_>, name: &str) -> Map<String, Value> {
        let mut value = gathered.keywords;
        let elements = gathered.prefix.iter().enumerate();
        let elements: Vec<Value> = elements
            .map(|(index, (schema, at))| {
                let title = schema.get("title").and_then(Value::as_str);
                let hint = title.map_or_else(|| (index + 1).to_string(), names::pascal);
                self.put(schema, &format!("{name}{hint}"), at)
            })
            .collect();
        value.insert("type".to_owned(), "array".into());
        value.insert("prefixItems".to_owned(), Value::Array(elements));
        value
    }

    fn object(
        &mut self,
        gathered: Gathered<'_>,
        name: &str,
        pointer: &str,
        origins: &mut BTreeMap<String, String>,
    ) -> Map<String, Value> {
        let mut value = gathered.keywords;
        value.insert("type".to_owned(), "object".into());
        let own = format!("{pointer}/properties");
        let mut properties = Map::new();
        let mut fields = HashSet::new();
        for member in gathered.members {
            let Some((_, at)) = member.schemas.first() else {
                continue;
            };
            let at = at.clone();
            let hint = format!("{name}{}", names::pascal(member.name));
            let mut placed = self.put_one_of(&member.schemas, &hint, &at);
            named(member.name, &mut placed, &mut fields);
            if at != pointer::join(&own, member.name) {
                origins.insert(member.name.to_owned(), at);
            }
            properties.insert(member.name.to_owned(), placed);
        }
        value.insert("properties".to_owned(), Value::Object(properties));
        if !gathered.required.is_empty() {
            value.insert("required".to_owned(), gathered.required.into());
        }
        self.others(&mut value, &gathered.others, name, pointer);
        value
    }

    /// Notes what members without a name are.
    fn others(
        &mut self,
        value: &mut Map<String, Value>,
        others: &[Located<'_>],
        name: &str,
        pointer: &str,
    ) {
        let placed = match others {
            [] => return,
            [(Value::Bool(true), _)] => Value::Bool(true),
            [(Value::Bool(false), _)] => return,
            several => {
                let at = format!("{pointer}/additionalProperties");
                self.put_one_of(several, &format!("{name}Value"), &at)
            }
        };
        value.insert("additionalProperties".to_owned(), placed);
    }

    fn union(
        &mut self,
        mut value: Map<String, Value>,
        union: Union<'_>,
        name: &str,
        pointer: &str,
        tag: &mut Option<Tag>,
    ) -> Map<String, Value> {
        let mut places = Vec::new();
        for (index, alternative) in union.alternatives.iter().enumerate() {
            let tags = union.tag.as_ref().and_then(|tag| tag.values.get(index));
            places.push(match alternative {
                Alternative::Schema((schema, at)) => {
                    let title = schema.get("title").and_then(Value::as_str);
                    let told = title.or(tags.and_then(|tags| tags.first()).map(String::as_str));
                    let hint = match told {
                        Some(told) => format!("{name}{}", names::pascal(told)),
                        None => format!("{name}{}", index + 1),
                    };
                    self.put(schema, &hint, at)
                }
                Alternative::Scalar(kind) => json!({"type": kind}),
                Alternative::Texts { values, open } => {
                    let wanted = format!("{name}Text");
                    let texts = self.naming.give_unique(&format!("{pointer}#text"), &wanted);
                    self.known.insert(texts.clone());
                    let formed = Formed {
                        gathered: Gathered::default(),
                        form: Form::Texts {
                            values: values.clone(),
                            open: *open,
                        },
                        nullable: false,
                    };
                    self.finish(&texts, formed, &Value::Null, pointer);
                    Value::Object(super::hoister::reference_to(&texts))
                }
            });
        }
        value.shift_remove("type");
        value.insert("oneOf".to_owned(), Value::Array(places));
        *tag = union.tag;
        value
    }
}

/// An enumeration of texts.
fn texts(mut value: Map<String, Value>, values: &[&str], open: bool) -> Map<String, Value> {
    value.insert("type".to_owned(), "string".into());
    let values = values.iter().map(|value| Value::from(*value)).collect();
    value.insert("enum".to_owned(), Value::Array(values));
    if open {
        value.insert(ANY_TEXT.to_owned(), true.into());
    }
    value
}

/// Gives a property the name of a field that no earlier one has.
fn named(property: &str, placed: &mut Value, taken: &mut HashSet<String>) {
    let natural = field_name(property, placed);
    let mut name = natural.clone();
    let mut number = 2;
    while !taken.insert(name.clone()) {
        name = names::snake(&format!("{natural} {number}"));
        number += 1;
    }
    if name != natural
        && let Some(place) = placed.as_object_mut()
    {
        place.insert("x-rust-name".to_owned(), name.into());
    }
}
