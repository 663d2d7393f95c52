//! Reads schemas into their normal form.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::annotations;
use super::bounds::bounds;
use super::family::itself;
use super::forms::{Alternative, Form, Formed, Union};
use super::gather::{Gathered, Member, gather};
use super::kind::Kind;
use super::labels::labels;
use super::registry::{Registered, SchemaRegistry};
use crate::{Object, Others, Place, Property, Scalar, Shape, names};

impl<'d> SchemaRegistry<'d> {
    /// Reads a schema that has a name.
    pub(super) fn finish(&mut self, name: &str, formed: Formed<'d>, pointer: &str) {
        self.finish_part(name, name, formed, pointer);
    }

    /// Reads a schema whose inline schemas are called after another one, of which it is a part.
    fn finish_part(&mut self, name: &str, owner: &str, formed: Formed<'d>, pointer: &str) {
        let Formed { gathered, form, .. } = formed;
        let (shape, keywords) = self.described(gathered, form, owner, pointer);
        let labels = labels(self, &shape, &keywords, pointer);
        let mut place = annotations::place(shape, &keywords);
        if let Some(schema) = self.written.source.value.pointer(pointer) {
            place.bounds = bounds(&self.written.reading(schema));
        }
        let mut place = Place {
            rust_name: None,
            labels,
            ..self.formats.apply(place, true)
        };
        // The other names of a property are those of its place.
        if keywords.get("x-aliases").is_some_and(Value::is_array) {
            place.aliases = None;
        }
        self.by_name.insert(name.to_owned(), self.schemas.len());
        self.schemas.push(Registered {
            name: name.to_owned(),
            pointer: pointer.to_owned(),
            place,
        });
    }

    /// Returns the place of a schema, with all its parts and the keywords that describe it.
    pub(super) fn described(
        &mut self,
        gathered: Gathered<'d>,
        form: Form<'d>,
        name: &str,
        pointer: &str,
    ) -> (Shape, Map<String, Value>) {
        let shape = match form {
            Form::Any => Shape::Any,
            Form::Chosen(form) => return self.described(gathered, *form, name, pointer),
            Form::Scalar(Scalar::Text) => Shape::scalar(Scalar::Text),
            Form::Scalar(kind) => Shape::Scalar {
                kind,
                // For documentation: a number that is not listed is valid, too.
                listed: gathered.values.iter().flatten().copied().cloned().collect(),
            },
            Form::Texts { values, open } => texts(&values, open),
            Form::List => {
                let items = match (&gathered.items, gathered.prefix.as_slice()) {
                    (Some(items), []) => self.member(items, &format!("{name}Item")),
                    (None, []) => Place::default(),
                    (rest, prefix) => {
                        let rest = rest.iter().flat_map(|items| &items.schemas);
                        let all: Vec<&'d Value> = prefix.iter().chain(rest).copied().collect();
                        let at = format!("{pointer}/prefixItems");
                        // Without a value, an element keeps its position.
                        Place {
                            nullable: true,
                            ..self.put_one_of(&all, &format!("{name}Item"), &at)
                        }
                    }
                };
                Shape::List(Box::new(items))
            }
            Form::Tuple => self.tuple(&gathered, name),
            Form::Map => Shape::Map(self.others(&gathered, name)),
            Form::Object => self.object(&gathered, name, pointer),
            Form::Union(union) => self.union(union, name, pointer),
            Form::One(one) => Shape::Union {
                alternatives: vec![self.put(one, &format!("{name}Value"))],
                tag: None,
            },
        };
        (shape, gathered.keywords)
    }

    fn tuple(&mut self, gathered: &Gathered<'d>, name: &str) -> Shape {
        let elements = gathered.prefix.iter().enumerate();
        let elements: Vec<Place> = elements
            .map(|(index, schema)| {
                let title = schema.get("title").and_then(Value::as_str);
                let hint = title.map_or_else(|| (index + 1).to_string(), names::pascal);
                self.put(schema, &format!("{name}{hint}"))
            })
            .collect();
        Shape::Tuple(elements)
    }

    fn object(&mut self, gathered: &Gathered<'d>, name: &str, pointer: &str) -> Shape {
        let mut properties = Vec::new();
        let mut fields = HashSet::new();
        for member in &gathered.members {
            let Some(first) = member.schemas.first() else {
                continue;
            };
            let at = self.written.pointer(first);
            let hint = format!("{name}{}", names::pascal(member.name));
            if member.is_contradicted {
                self.warn(
                    "schema-form",
                    &at,
                    format!(
                        "another part gives `{}` other types or values, and none fits both: this one counts",
                        member.name
                    ),
                    "let the parts agree, in an override",
                );
            }
            let mut property = Property {
                name: member.name.to_owned(),
                place: self.member(member, &hint),
                pointer: at,
            };
            named(&mut property, &mut fields);
            properties.push(property);
        }
        let others = self.others(gathered, name);
        if matches!(others, Others::Unmentioned) {
            self.note_undescribed(gathered, pointer);
        }
        let required = gathered.required.iter();
        let assumed = gathered.assumed.iter();
        Shape::Object(Object {
            properties,
            required: required.map(|name| (*name).to_owned()).collect(),
            assumed: assumed.map(|name| (*name).to_owned()).collect(),
            others,
            ..Object::default()
        })
    }

    fn member(&mut self, member: &Member<'d>, hint: &str) -> Place {
        let Some(first) = member.schemas.first() else {
            return Place::default();
        };
        let at = self.written.pointer(first);
        if member.beside.is_empty() {
            self.put_one_of(&member.schemas, hint, &at)
        } else {
            self.put_whole(first, &member.beside, hint, &at)
        }
    }

    /// Warns of required members without a schema.
    fn note_undescribed(&mut self, gathered: &Gathered<'d>, pointer: &str) {
        for name in &gathered.required {
            if gathered.members.iter().all(|member| member.name != *name) {
                let message =
                    format!("`{name}` is required and has no schema: it is not sent, and not read");
                let help = "add it to `properties`, or correct `required`, in an override";
                self.warn("required-member", pointer, message, help);
            }
        }
    }

    /// Returns the values of members without a name.
    fn others(&mut self, gathered: &Gathered<'d>, name: &str) -> Others {
        match &gathered.others {
            None => Others::Unmentioned,
            Some(others) => Others::Of(Box::new(self.member(others, &format!("{name}Value")))),
        }
    }

    /// Returns the name that distinguishes an alternative: a property that only it has, or its type in JSON. A number if need be.
    fn differing(&self, union: &Union<'d>, index: usize) -> String {
        let alternatives = union.alternatives.iter();
        let mut others: Vec<Vec<OwnMember<'d>>> =
            alternatives.map(|one| self.members(one)).collect();
        let mut own = others.swap_remove(index);
        let others = others.into_iter().flatten().map(|other| other.name);
        let others: HashSet<&str> = others.collect();
        own.retain(|member| !others.contains(member.name));
        let required = own.iter().find(|member| member.is_required);
        if let Some(member) = required.or(own.first()) {
            return names::pascal(member.name);
        }
        let alternatives = union.alternatives.iter();
        let kinds: Vec<Option<&str>> = alternatives.map(|one| self.kind_name(one)).collect();
        let own = kinds.get(index).copied().flatten();
        let same = kinds.into_iter().filter(|kind| *kind == own);
        match own.filter(|_| same.count() == 1) {
            Some(kind) => kind.to_owned(),
            None => (index + 1).to_string(),
        }
    }

    /// Returns the members of an alternative that is an object of its own.
    fn members(&self, alternative: &Alternative<'d>) -> Vec<OwnMember<'d>> {
        let gathered = match alternative {
            Alternative::Schema(schema) | Alternative::Child(schema) => {
                &gather(&self.written, schema)
            }
            Alternative::Extended(_, formed) => &formed.gathered,
            _ => return Vec::new(),
        };
        let members = gathered.members.iter().map(|member| OwnMember {
            name: member.name,
            is_required: gathered.required.contains(&member.name),
        });
        members.collect()
    }

    /// Returns the name of an alternative's JSON type.
    fn kind_name(&self, alternative: &Alternative<'d>) -> Option<&'static str> {
        let Alternative::Schema(schema) = alternative else {
            return None;
        };
        match self.written.kind(schema) {
            Kind::Text => Some("Text"),
            Kind::List => Some("List"),
            _ => None,
        }
    }

    /// Returns the name that an alternative gets if it has none in the document: after its tag, its title, or what it has alone.
    fn suffixed(&self, name: &str, union: &Union<'d>, index: usize, schema: &Value) -> String {
        let tags = union.tag.as_ref().and_then(|tag| tag.values.get(index));
        let title = schema.get("title").and_then(Value::as_str);
        let suffix = tags.and_then(|tags| tags.first()).map(String::as_str);
        let suffix = suffix.or(title).map(names::pascal);
        let suffix = suffix.unwrap_or_else(|| self.differing(union, index));
        format!("{name}{suffix}")
    }

    /// Returns the type of a parent without its children, which is called after that of all of them.
    fn itself(&mut self, schema: &'d Value, union: &str) -> Place {
        let at = self.written.pointer(schema);
        let key = format!("{at}#itself");
        let known = self.written.naming.of(&key).map(str::to_owned);
        if let Some(known) = known {
            return Place::of(Shape::Reference(known));
        }
        let owner = self.written.naming.of(&at).unwrap_or(union).to_owned();
        let wanted = format!("{owner}Itself");
        let name = if self.inline.contains_key(&owner) {
            self.name_inline(&key, &wanted, None)
        } else {
            let name = self.written.naming.give_unique(&key, &wanted);
            self.known.insert(name.clone());
            self.parents.insert(name.clone(), owner.clone());
            name
        };
        if let Some(formed) = itself(&self.written, schema) {
            self.finish_part(&name, &owner, formed, &format!("{at}/discriminator"));
        }
        Place::of(Shape::Reference(name))
    }

    /// Warns of a discriminator that chooses no alternative, and of objects that a value may be at once.
    fn warn_without_tag(&mut self, union: &Union<'d>, pointer: &str) {
        let schema = self.written.source.value.pointer(pointer);
        let Some(schema) = schema.filter(|_| union.tag.is_none()) else {
            return;
        };
        if schema.get("discriminator").is_some() {
            self.warn(
                "discriminator",
                &format!("{pointer}/discriminator"),
                "its property is no member of the alternatives: they are distinguished by what they have",
                "name a property that each alternative has, in an override",
            );
        }
        let choices = self.written.reading(schema).choices;
        let mut keywords = choices.iter().filter(|choice| !choice.is_exclusive());
        if let Some(choice) = keywords.find(|choice| schema.get(choice.keyword).is_some())
            && self.may_be_several(union)
        {
            self.warn(
                "any-of",
                &format!("{pointer}/{}", choice.keyword),
                "a value that is several of these objects is read as one of them, without the members of the others",
                "no action is needed if a value is always one of them; otherwise write the members into one object in an override",
            );
        }
    }

    /// Returns whether two of the alternatives are objects of which each has a member that the other lacks.
    fn may_be_several(&self, union: &Union<'d>) -> bool {
        let mut all: Vec<HashSet<&str>> = Vec::new();
        for alternative in &union.alternatives {
            let members = self.members(alternative).into_iter();
            let names: HashSet<&str> = members.map(|member| member.name).collect();
            let mut others = all.iter().filter(|_| !names.is_empty());
            if others.any(|other| !other.is_subset(&names) && !names.is_subset(other)) {
                return true;
            }
            all.push(names);
        }
        false
    }

    fn union(&mut self, union: Union<'d>, name: &str, pointer: &str) -> Shape {
        let mut alternatives = Vec::new();
        self.warn_without_tag(&union, pointer);
        for (index, alternative) in union.alternatives.iter().enumerate() {
            // No reference leads to a child.
            if let Some(schema) = alternative.schema() {
                self.placed.insert(self.written.pointer(schema));
            }
            alternatives.push(match alternative {
                Alternative::Schema(schema) => {
                    let hint = self.suffixed(name, &union, index, schema);
                    self.put(schema, &hint)
                }
                Alternative::Child(schema) => self.put_referred(schema, name),
                Alternative::Itself(schema) => self.itself(schema, name),
                Alternative::Extended(schema, formed) => {
                    let hint = self.suffixed(name, &union, index, schema);
                    let key = format!("{pointer}#{}", self.written.pointer(schema));
                    let title = schema.get("title").and_then(Value::as_str);
                    let extended = self.name_inline(&key, &hint, title);
                    let formed = Formed {
                        gathered: formed.gathered.clone(),
                        form: Form::Object,
                    };
                    let at = format!("{pointer}/oneOf/{index}");
                    self.finish_part(&extended, name, formed, &at);
                    Place::of(Shape::Reference(extended))
                }
                Alternative::Scalar(kind) => Place::of(Shape::scalar(*kind)),
                Alternative::Texts { values, open } => {
                    let wanted = format!("{name}Text");
                    let texts = self.name_inline(&format!("{pointer}#text"), &wanted, None);
                    let formed = Formed {
                        gathered: Gathered::default(),
                        form: Form::Texts {
                            values: values.clone(),
                            open: *open,
                        },
                    };
                    self.finish(&texts, formed, pointer);
                    Place::of(Shape::Reference(texts))
                }
            });
        }
        let tag = union.tag;
        Shape::Union { alternatives, tag }
    }
}

/// A member of an alternative.
struct OwnMember<'d> {
    name: &'d str,
    is_required: bool,
}

/// Returns an enumeration of strings.
fn texts(values: &[&str], is_open: bool) -> Shape {
    Shape::Texts {
        values: values.iter().map(|value| (*value).to_owned()).collect(),
        is_open,
    }
}

/// Gives a property the name of a field that no earlier one has.
fn named(property: &mut Property, taken: &mut HashSet<String>) {
    let natural = property.field_name();
    let mut name = natural.clone();
    let mut number = 2;
    while !taken.insert(name.clone()) {
        name = names::snake(&format!("{natural} {number}"));
        number += 1;
    }
    if name != natural {
        property.place.rust_name = Some(name);
    }
}
