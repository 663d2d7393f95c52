//! `oneOf` and `anyOf`: the alternatives that remain after nulls, duplicates and nested alternatives are resolved.

use std::collections::{HashSet, VecDeque};

use openapi_document::keywords::Role::{Content, Part, Presence, Reference, Values};
use openapi_document::keywords::says;
use serde_json::Value;

use super::annotations::text_format;
use super::forms::{Alternative, Choice, Form, Union};
use super::gather::{Gathered, Located, gather, says_nothing};
use super::kind::Kind;
use super::resolve::{is_marked_nullable, is_null};
use super::tags::tag;
use super::type_name::CHOSEN;
use super::written::Written;
use crate::{Scalar, Tag};

impl<'d> Written<'d> {
    /// The form of a value that is one of these.
    pub(super) fn one_of<'s>(
        &self,
        group: &[Located<'s>],
        discriminator: Option<&Value>,
        nullable: &mut bool,
    ) -> Form<'s>
    where
        'd: 's,
    {
        let mut choices = Vec::new();
        self.choices(group, &mut HashSet::new(), &mut choices, nullable);
        let mut kinds: Vec<Kind> = choices.iter().map(|one| self.kind(one)).collect();
        if kinds.is_empty() || kinds.contains(&Kind::Any) {
            return Form::Any;
        }
        if let [only] = choices.as_slice() {
            return Form::One((only.schema, only.pointer.clone()));
        }
        put_whole_numbers_first(&mut choices, &mut kinds);
        let tag = tag(self, &choices, &kinds, discriminator);
        let mut alternatives = Vec::new();
        let mut all = tag.map(|tag| (tag.values.clone().into_iter(), tag));
        let (mut kept, mut default) = (Vec::new(), None);
        let has_texts = kinds.iter().filter(|one| **one == Kind::Text).count() > 1;
        let mut done: Vec<Kind> = Vec::new();
        for (index, (choice, kind)) in choices.iter().zip(&kinds).enumerate() {
            let tags = all.as_mut().and_then(|(values, _)| values.next());
            let tags = tags.unwrap_or_default();
            let is_merged = matches!(
                kind,
                Kind::Text | Kind::Integer | Kind::Number | Kind::Boolean
            );
            if is_merged && done.contains(kind) {
                continue;
            }
            done.push(*kind);
            alternatives.push(match kind {
                Kind::Text if has_texts => self.texts(&choices, &kinds),
                Kind::Integer => Alternative::Scalar(Scalar::Integer),
                Kind::Number => Alternative::Scalar(Scalar::Number),
                Kind::Boolean => Alternative::Scalar(Scalar::Boolean),
                _ => Alternative::Schema((choice.schema, choice.pointer.clone())),
            });
            if all
                .as_ref()
                .is_some_and(|(_, tag)| tag.default == Some(index))
            {
                default = Some(kept.len());
            }
            kept.push(tags);
        }
        match alternatives.pop() {
            Some(Alternative::Texts { values, open }) if alternatives.is_empty() => {
                Form::Texts { values, open }
            }
            Some(Alternative::Scalar(kind)) if alternatives.is_empty() => Form::Scalar(kind),
            Some(Alternative::Schema(located)) if alternatives.is_empty() => Form::One(located),
            last => {
                alternatives.extend(last);
                Form::Union(Union {
                    alternatives,
                    tag: all.map(|(_, tag)| Tag {
                        values: kept,
                        default,
                        ..tag
                    }),
                })
            }
        }
    }

    /// Lists the alternatives, those of alternatives among them.
    fn choices<'s>(
        &self,
        group: &[Located<'s>],
        seen: &mut HashSet<String>,
        into: &mut Vec<Choice<'s>>,
        nullable: &mut bool,
    ) where
        'd: 's,
    {
        for (written, at) in group {
            let resolved = self.resolve(written, at);
            *nullable |= resolved.nullable;
            if is_null(resolved.schema) {
                *nullable = true;
                continue;
            }
            if !seen.insert(resolved.pointer.clone()) {
                continue;
            }
            *nullable |= resolved.schema.as_object().is_some_and(is_marked_nullable);
            match only_alternatives(resolved.schema) {
                Some((key, list)) => {
                    let list: Vec<Located<'s>> = list
                        .iter()
                        .enumerate()
                        .map(|(index, one)| (one, format!("{}/{key}/{index}", resolved.pointer)))
                        .collect();
                    self.choices(&list, seen, into, nullable);
                }
                None if into.iter().any(|one| one.schema == resolved.schema) => {}
                None => into.push(Choice {
                    schema: resolved.schema,
                    pointer: resolved.pointer,
                    written,
                }),
            }
        }
    }

    /// Returns the JSON kind of an alternative, cached for each schema.
    pub(super) fn kind(&self, choice: &Choice<'_>) -> Kind {
        if let Some(kind) = self.kinds.borrow().get(&choice.pointer) {
            return *kind;
        }
        // An alternative of itself adds nothing.
        let known = |kind| self.kinds.borrow_mut().insert(choice.pointer.clone(), kind);
        known(Kind::Any);
        let formed = self.form(choice.schema, &choice.pointer);
        let kind = match formed.form {
            Form::Texts { .. } => Kind::Text,
            Form::Scalar(Scalar::Text) => Kind::Text,
            Form::Scalar(Scalar::Integer) => Kind::Integer,
            Form::Scalar(Scalar::Number) => Kind::Number,
            Form::Scalar(Scalar::Boolean) => Kind::Boolean,
            Form::List | Form::Tuple => Kind::List,
            Form::Map | Form::Object => Kind::Object,
            Form::One((schema, pointer)) => self.kind(&Choice {
                schema,
                pointer,
                written: choice.written,
            }),
            Form::Any | Form::Chosen(_) | Form::Union(_) => Kind::Any,
        };
        known(kind);
        kind
    }

    /// Merges several string schemas.
    fn texts<'s>(&self, choices: &[Choice<'s>], kinds: &[Kind]) -> Alternative<'s>
    where
        'd: 's,
    {
        let mut all: Vec<&'s str> = Vec::new();
        let mut seen = HashSet::new();
        let mut is_open = false;
        for (choice, _) in choices
            .iter()
            .zip(kinds)
            .filter(|(_, kind)| **kind == Kind::Text)
        {
            match self.form(choice.schema, &choice.pointer).form {
                Form::Texts { values, open } => {
                    is_open |= open;
                    all.extend(values.into_iter().filter(|value| seen.insert(*value)));
                }
                _ => is_open = true,
            }
        }
        match all.is_empty() {
            true => of_one_format(choices).unwrap_or(Alternative::Scalar(Scalar::Text)),
            false => Alternative::Texts {
                values: all,
                open: is_open,
            },
        }
    }

    /// Returns whether every alternative has all members that are beside the alternatives.
    pub(super) fn all_have(&self, base: &Gathered<'_>, groups: &[Vec<Located<'_>>]) -> bool {
        groups.iter().flatten().all(|(one, at)| {
            let resolved = self.resolve(one, at);
            let gathered = gather(self, resolved.schema, &resolved.pointer);
            base.members.iter().all(|member| gathered.has(member.name))
        })
    }

    /// Brings the properties of alternatives into an object. `false` when an alternative is no object.
    pub(super) fn merge<'s>(&self, into: &mut Gathered<'s>, group: Vec<Located<'s>>) -> bool
    where
        'd: 's,
    {
        let base = into.members.len();
        let mut waiting: VecDeque<Located<'s>> = group.into();
        let mut seen = HashSet::new();
        let mut all_fit = true;
        while let Some((one, at)) = waiting.pop_front() {
            let resolved = self.resolve(one, &at);
            if !seen.insert(resolved.pointer.clone()) || is_null(resolved.schema) {
                continue;
            }
            let gathered = gather(self, resolved.schema, &resolved.pointer);
            all_fit &= matches!(gathered.kind, None | Some("object"));
            if into.others.is_empty() {
                into.others = gathered.others;
            }
            for member in gathered.members {
                into.alternative(base, member);
            }
            waiting.extend(gathered.choices.into_iter().flatten());
        }
        all_fit && !into.members.is_empty()
    }
}

/// Puts whole numbers before other numbers. A number is then read with all its digits: it is a float only if it is no whole number.
fn put_whole_numbers_first(choices: &mut [Choice<'_>], kinds: &mut [Kind]) {
    let number = kinds.iter().position(|kind| *kind == Kind::Number);
    let whole = kinds.iter().position(|kind| *kind == Kind::Integer);
    if let (Some(number), Some(whole)) = (number, whole)
        && number < whole
    {
        choices.swap(number, whole);
        kinds.swap(number, whole);
    }
}

/// Returns the common format of several string schemas, if all have one type of the runtime.
fn of_one_format<'s>(choices: &[Choice<'s>]) -> Option<Alternative<'s>> {
    let mut texts = choices.iter().filter_map(|choice| {
        let kind = choice.schema.get("type").and_then(Value::as_str);
        (kind == Some("string")).then(|| (choice, text_format(choice.schema)))
    });
    let (first, format) = texts.next()?;
    (format.is_some() && texts.all(|(_, other)| other == format))
        .then(|| Alternative::Schema((first.schema, first.pointer.clone())))
}

/// Returns the alternatives of a schema, if nothing else determines the form of its values.
fn only_alternatives(schema: &Value) -> Option<(&'static str, &Vec<Value>)> {
    let map = schema.as_object()?;
    let list = |key| map.get(key).and_then(Value::as_array);
    let kind = map.get("type").and_then(Value::as_str);
    let others = &[Reference, Values, Part, Content, Presence];
    if map.contains_key(CHOSEN) || says(map, others) || !matches!(kind, None | Some("object")) {
        return None;
    }
    let found = match (list("oneOf"), list("anyOf")) {
        (Some(list), None) => ("oneOf", list),
        (None, Some(list)) => ("anyOf", list),
        _ => return None,
    };
    (!found.1.iter().any(says_nothing)).then_some(found)
}
