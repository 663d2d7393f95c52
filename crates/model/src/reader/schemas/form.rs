//! Determines the normal form of a schema.

use serde_json::Value;

use super::forms::{Alternative, Form, Formed, Union};
use super::gather::{Gathered, Located, gather, says_nothing};
use super::resolve::{is_marked_nullable, is_null};
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
        let mut nullable = is_null(schema) || schema.as_object().is_some_and(is_marked_nullable);
        let choices = std::mem::take(&mut gathered.choices);
        let form = match enumerated(&gathered) {
            form if schema.get(CHOSEN).is_some() => {
                let form = form.unwrap_or_else(|| plain(&gathered));
                Form::Chosen(Box::new(form))
            }
            Some(form) => form,
            None => self.chosen(&mut gathered, choices, &mut nullable),
        };
        Formed {
            gathered,
            form,
            nullable,
        }
    }

    fn chosen<'s>(
        &self,
        gathered: &mut Gathered<'s>,
        choices: Vec<Vec<Located<'s>>>,
        nullable: &mut bool,
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
        if choices.is_empty() {
            return plain;
        }
        match plain {
            Form::Any | Form::Map if choices.len() == 1 => {
                let group = choices.pop().unwrap_or_default();
                self.one_of(&group, gathered.discriminator, nullable)
            }
            Form::Object if choices.len() == 1 && self.all_have(gathered, &choices) => {
                let group = choices.pop().unwrap_or_default();
                self.one_of(&group, gathered.discriminator, nullable)
            }
            Form::Any | Form::Map | Form::Object => {
                let groups: Vec<Located<'s>> = choices.into_iter().flatten().collect();
                match self.merge(gathered, groups) {
                    true => Form::Object,
                    false => plain,
                }
            }
            Form::Scalar(Scalar::Text) => {
                let group = choices.pop().unwrap_or_default();
                match self.one_of(&group, None, nullable) {
                    texts @ Form::Texts { .. } => texts,
                    _ => plain,
                }
            }
            _ => plain,
        }
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
        let mut seen = std::collections::HashSet::new();
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
