//! Determines the normal form of a schema.

use std::collections::HashSet;

use serde_json::Value;

use super::family::Family;
use super::forms::{Alternative, Choice, Form, Formed, Union};
use super::gather::{Gathered, gather};
use super::kind::Kind;
use super::type_name::{CHOSEN, TYPE_NAME};
use super::written::{Written, leaves_open};
use crate::Scalar;

impl<'d> Written<'d> {
    /// Finds the form of a resolved schema.
    pub(super) fn form(&self, schema: &'d Value) -> Formed<'d> {
        self.formed(schema, schema.get(CHOSEN).is_some())
    }

    /// Finds the form of a type. The way in which a place reads the values of a named inline schema is not about its type.
    pub(super) fn form_of_type(&self, schema: &'d Value) -> Formed<'d> {
        if schema.get(TYPE_NAME).is_none() {
            return self.form(schema);
        }
        let mut formed = self.formed(schema, false);
        formed.gathered.keywords.shift_remove(CHOSEN);
        formed
    }

    fn formed(&self, schema: &'d Value, is_chosen: bool) -> Formed<'d> {
        let mut gathered = gather(self, schema);
        let choices = std::mem::take(&mut gathered.choices);
        let form = match enumerated(&gathered) {
            form if is_chosen => {
                let form = form.unwrap_or_else(|| self.plain_or_only(&gathered, &choices));
                Form::Chosen(Box::new(form))
            }
            Some(form) => form,
            None => self.chosen(&mut gathered, choices, schema),
        };
        Formed { gathered, form }
    }

    /// Returns the form of a schema without its alternatives, or the scalar that all of them are.
    fn plain_or_only(&self, gathered: &Gathered<'d>, choices: &[Vec<&'d Value>]) -> Form<'d> {
        let plain = plain(gathered);
        let (Form::Any, [group]) = (&plain, choices) else {
            return plain;
        };
        let alternatives = match self.one_of(group, None) {
            Form::One(only) => self.form(only).form,
            several => several,
        };
        match alternatives {
            scalar @ Form::Scalar(_) => scalar,
            _ => plain,
        }
    }

    fn chosen(
        &self,
        gathered: &mut Gathered<'d>,
        choices: Vec<Vec<&'d Value>>,
        schema: &'d Value,
    ) -> Form<'d> {
        let plain = plain(gathered);
        // An alternative that only restricts values does not change the form. An object may have the members of the others.
        let (open, mut choices): (Vec<_>, Vec<_>) = choices
            .into_iter()
            .partition(|group| group.iter().any(|one| leaves_open(one)));
        let mut optional = open.into_iter().flatten().collect::<Vec<_>>();
        optional.retain(|one| !leaves_open(one));
        match plain {
            Form::Object if !optional.is_empty() => {
                optional.extend(choices.into_iter().flatten());
                self.merge(gathered, optional);
                Form::Object
            }
            Form::Any | Form::Map | Form::Object if choices.is_empty() => {
                self.with_children(gathered, plain, schema)
            }
            _ if choices.is_empty() => plain,
            Form::Any | Form::Map if choices.len() == 1 => {
                let group = choices.pop().unwrap_or_default();
                self.one_of(&group, gathered.discriminator)
            }
            Form::Any | Form::Map | Form::Object => {
                if let ([group], Form::Object) = (choices.as_slice(), &plain)
                    && let Some(form) = self.one_with_base(gathered, group)
                {
                    return form;
                }
                let groups: Vec<&'d Value> = choices.into_iter().flatten().collect();
                if self.merge_one_of(gathered, groups) {
                    Form::Object
                } else {
                    plain
                }
            }
            Form::Scalar(Scalar::Text) => {
                let group = choices.pop().unwrap_or_default();
                match self.one_of(&group, None) {
                    texts @ Form::Texts { .. } => texts,
                    _ => plain,
                }
            }
            _ => plain,
        }
    }

    /// Returns the form of an object beside its children, if it has any.
    fn with_children(
        &self,
        gathered: &Gathered<'d>,
        plain: Form<'d>,
        schema: &'d Value,
    ) -> Form<'d> {
        if !gathered.is_tagged {
            return plain;
        }
        let Some(family) = Family::read(self, schema) else {
            return plain;
        };
        let children = family.alternatives(self);
        if children.is_empty() {
            return plain;
        }
        let base = matches!(plain, Form::Object).then_some(gathered);
        let parent = base.map(|_| Choice {
            schema,
            name: family.name.clone(),
            is_itself: true,
            chosen_by: Some(family.discriminator),
            nested_by: None,
            union: None,
            within: None,
        });
        let all: Vec<Choice<'d>> = parent.into_iter().chain(children).collect();
        self.united(&all, Some(family.discriminator), base)
    }

    /// Returns the form of an object beside its only list of alternatives, if each has its members or a tag chooses them.
    fn one_with_base(&self, base: &Gathered<'d>, group: &[&'d Value]) -> Option<Form<'d>> {
        if self.all_cover(base, group) {
            return Some(self.one_of(group, base.discriminator));
        }
        let mut choices = Vec::new();
        self.choices(group, &mut HashSet::new(), &mut choices);
        let is_union =
            base.discriminator.is_some() || choices.len() > 1 && self.all_have(base, group);
        let are_objects = choices.iter().all(|one| self.kind_of(one) == Kind::Object);
        (is_union && are_objects).then(|| self.united(&choices, base.discriminator, Some(base)))
    }
}

/// The form of a schema without its alternatives.
fn plain<'d>(gathered: &Gathered<'d>) -> Form<'d> {
    match gathered.kind {
        Some("string") => Form::Scalar(Scalar::Text),
        Some("integer") => Form::Scalar(Scalar::Integer),
        Some("number") => Form::Scalar(Scalar::Number),
        Some("boolean") => Form::Scalar(Scalar::Boolean),
        None | Some("array") if gathered.is_tuple() => Form::Tuple,
        Some("array") => Form::List,
        Some("null") => Form::Any,
        _ if !gathered.members.is_empty() => Form::Object,
        Some("object") => Form::Map,
        None if gathered.items.is_some() || !gathered.prefix.is_empty() => Form::List,
        None if gathered.others.is_some() => Form::Map,
        _ => Form::Any,
    }
}

/// Returns the form of an enumeration: strings have a type, and numbers are numbers.
pub(super) fn enumerated<'d>(gathered: &Gathered<'d>) -> Option<Form<'d>> {
    let values = gathered.values.iter().flatten().copied();
    let mut others = values.filter(|value| !value.is_null()).peekable();
    others.peek()?;
    let texts: Option<Vec<&str>> = others.clone().map(|value| value.as_str()).collect();
    if let Some(mut values) = texts {
        let mut seen = HashSet::new();
        values.retain(|value| seen.insert(*value));
        // A string among numbers is a number that the document wrote with quotes.
        return match gathered.kind {
            None | Some("string") => Some(Form::Texts {
                values,
                open: false,
            }),
            _ => None,
        };
    }
    match gathered.kind {
        Some(_) => None,
        None if others.clone().all(|value| value.is_i64() || value.is_u64()) => {
            Some(Form::Scalar(Scalar::Integer))
        }
        None if others.clone().all(Value::is_number) => Some(Form::Scalar(Scalar::Number)),
        None if others.clone().all(Value::is_boolean) => Some(Form::Scalar(Scalar::Boolean)),
        None => Some(mixed(&others.collect::<Vec<_>>())),
    }
}

/// The form of an enumeration of several kinds of values.
fn mixed<'d>(values: &[&Value]) -> Form<'d> {
    if values
        .iter()
        .any(|value| value.is_array() || value.is_object())
    {
        return Form::Any;
    }
    let mut alternatives = Vec::new();
    for value in values {
        let kind = match value {
            Value::String(_) => Scalar::Text,
            Value::Bool(_) => Scalar::Boolean,
            value if value.is_f64() => Scalar::Number,
            _ => Scalar::Integer,
        };
        if !alternatives.contains(&kind) {
            alternatives.push(kind);
        }
    }
    // A whole number is read as one, with all its digits.
    alternatives.sort_by_key(|kind| *kind == Scalar::Number);
    Form::Union(Union {
        alternatives: alternatives.into_iter().map(Alternative::Scalar).collect(),
        tag: None,
    })
}
