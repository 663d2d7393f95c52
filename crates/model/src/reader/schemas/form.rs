//! Determines the normal form of a schema.

use std::collections::HashSet;

use serde_json::Value;

use super::family::Family;
use super::forms::{Alternative, Choice, Form, Formed, Union};
use super::gather::{Gathered, Located, gather, says_nothing};
use super::kind::Kind;
use super::type_name::CHOSEN;
use super::written::Written;
use crate::Scalar;

impl<'d> Written<'d> {
    /// Finds the form of a resolved schema.
    pub(super) fn form<'s>(&self, schema: &'s Value, at: &str) -> Formed<'s>
    where
        'd: 's,
    {
        let mut gathered = gather(self, schema, at);
        let choices = std::mem::take(&mut gathered.choices);
        let form = match enumerated(&gathered) {
            form if schema.get(CHOSEN).is_some() => {
                let form = form.unwrap_or_else(|| plain(&gathered));
                Form::Chosen(Box::new(form))
            }
            Some(form) => form,
            None => self.chosen(&mut gathered, choices, (schema, at.to_owned())),
        };
        Formed { gathered, form }
    }

    fn chosen<'s>(
        &self,
        gathered: &mut Gathered<'s>,
        choices: Vec<Vec<Located<'s>>>,
        located: Located<'s>,
    ) -> Form<'s>
    where
        'd: 's,
    {
        let plain = plain(gathered);
        // An alternative that only restricts values does not change the form.
        let mut choices: Vec<Vec<Located<'s>>> = choices
            .into_iter()
            .filter(|group| !group.iter().any(|(one, _)| says_nothing(one)))
            .collect();
        match plain {
            Form::Any | Form::Map | Form::Object if choices.is_empty() => {
                self.with_children(gathered, plain, located)
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
                let groups: Vec<Located<'s>> = choices.into_iter().flatten().collect();
                match self.merge(gathered, groups) {
                    true => Form::Object,
                    false => plain,
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
    fn with_children<'s>(
        &self,
        gathered: &Gathered<'s>,
        plain: Form<'s>,
        (schema, at): Located<'s>,
    ) -> Form<'s>
    where
        'd: 's,
    {
        if !gathered.is_tagged {
            return plain;
        }
        let Some(family) = Family::read(self, &at) else {
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
            pointer: at,
            is_itself: true,
            chosen_by: Some(family.discriminator),
            within: None,
        });
        let all: Vec<Choice<'s>> = parent.into_iter().chain(children).collect();
        self.united(&all, Some(family.discriminator), base)
    }

    /// Returns the form of an object beside its only list of alternatives, if each has its members or a tag chooses them.
    fn one_with_base<'s>(&self, base: &Gathered<'s>, group: &[Located<'s>]) -> Option<Form<'s>>
    where
        'd: 's,
    {
        if self.all_have(base, group) {
            return Some(self.one_of(group, base.discriminator));
        }
        let discriminator = base.discriminator?;
        let mut choices = Vec::new();
        self.choices(group, &mut HashSet::new(), &mut choices);
        let are_objects = choices.iter().all(|one| self.kind_of(one) == Kind::Object);
        are_objects.then(|| self.united(&choices, Some(discriminator), Some(base)))
    }
}

/// The form of a schema without its alternatives.
fn plain<'s>(gathered: &Gathered<'s>) -> Form<'s> {
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
        None if !gathered.others.is_empty() => Form::Map,
        _ => Form::Any,
    }
}

/// Returns the form of an enumeration: strings have a type, and numbers are numbers.
fn enumerated<'s>(gathered: &Gathered<'s>) -> Option<Form<'s>> {
    let values = gathered.values.as_ref()?;
    let mut others = values.iter().filter(|value| !value.is_null()).peekable();
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
    let all = |is: fn(&Value) -> bool| others.clone().all(is);
    match gathered.kind {
        Some(_) => None,
        None if all(|value| value.is_i64() || value.is_u64()) => {
            Some(Form::Scalar(Scalar::Integer))
        }
        None if all(Value::is_number) => Some(Form::Scalar(Scalar::Number)),
        None if all(Value::is_boolean) => Some(Form::Scalar(Scalar::Boolean)),
        None => Some(mixed(&others.clone().collect::<Vec<_>>())),
    }
}

/// The form of an enumeration of several kinds of values.
fn mixed<'s>(values: &[&Value]) -> Form<'s> {
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
