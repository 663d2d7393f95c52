//! `oneOf` and `anyOf`: the alternatives that remain after nulls, duplicates and nested alternatives are resolved.

use std::collections::{HashSet, VecDeque};
use std::rc::Rc;

use openapi_document::pointer;
use openapi_document::resolver::reference;
use openapi_schemas::reading::{Followed, choices, only_choice};
use serde_json::Value;

use super::annotations::text_format;
use super::family::Family;
use super::forms::{Alternative, Choice, Form, Formed, Union};
use super::gather::{Gathered, gather};
use super::kind::Kind;
use super::tags::Alternatives;
use super::type_name::CHOSEN;
use super::written::Written;
use crate::{Scalar, Tag};

impl<'d> Written<'d> {
    /// The form of a value that is one of these.
    pub(super) fn one_of(&self, group: &[&'d Value], discriminator: Option<&Value>) -> Form<'d> {
        let mut choices = Vec::new();
        self.choices(group, &mut HashSet::new(), &mut choices);
        self.put_whole_numbers_first(&mut choices);
        self.united(&choices, discriminator, None)
    }

    /// Puts whole numbers before other numbers. A number is then read with all its digits: it is a float only if it is no whole number.
    fn put_whole_numbers_first(&self, choices: &mut [Choice<'d>]) {
        let kinds: Vec<Kind> = choices.iter().map(|one| self.kind_of(one)).collect();
        let number = kinds.iter().position(|kind| *kind == Kind::Number);
        let whole = kinds.iter().position(|kind| *kind == Kind::Integer);
        if let (Some(number), Some(whole)) = (number, whole)
            && number < whole
        {
            choices.swap(number, whole);
        }
    }

    /// The form of a value that is one of these, each of which has the members of a base, too.
    pub(super) fn united(
        &self,
        choices: &[Choice<'d>],
        discriminator: Option<&Value>,
        base: Option<&Gathered<'d>>,
    ) -> Form<'d> {
        let kinds: Vec<Kind> = choices.iter().map(|one| self.kind_of(one)).collect();
        if kinds.is_empty() || kinds.contains(&Kind::Any) {
            return Form::Any;
        }
        let objects = choices.iter().zip(&kinds);
        let objects = objects.filter(|(_, kind)| **kind == Kind::Object);
        let discriminator = discriminator.or_else(|| common(objects.map(|(one, _)| one)));
        let alternatives = Alternatives {
            written: self,
            choices,
            kinds: &kinds,
        };
        let tag = alternatives.tag(discriminator);
        if let ([only], None) = (choices, &tag) {
            return Form::One(only.schema);
        }
        let mut alternatives = Vec::new();
        let (mut kept, mut default) = (Vec::new(), None);
        let has_texts = kinds.iter().filter(|one| **one == Kind::Text).count() > 1;
        let mut done: Vec<Kind> = Vec::new();
        for (index, (choice, kind)) in choices.iter().zip(&kinds).enumerate() {
            let tags = tag.as_ref().and_then(|tag| tag.values.get(index));
            let tags = tags.cloned().unwrap_or_default();
            let is_merged = matches!(
                kind,
                Kind::Text | Kind::Integer | Kind::Number | Kind::Boolean
            );
            // No value has the tag of a parent whose tags are all those of its children.
            let is_itself = choice.is_itself && tag.is_some() && tags.is_empty();
            if is_merged && done.contains(kind) || is_itself {
                continue;
            }
            done.push(*kind);
            alternatives.push(match kind {
                Kind::Text if has_texts => self.texts(choices, &kinds),
                Kind::Integer => Alternative::Scalar(Scalar::Integer),
                Kind::Number => Alternative::Scalar(Scalar::Number),
                Kind::Boolean => Alternative::Scalar(Scalar::Boolean),
                _ => self.object(choice, base),
            });
            if tag.as_ref().is_some_and(|tag| tag.default == Some(index)) {
                default = Some(kept.len());
            }
            kept.push(tags);
        }
        match (alternatives.pop(), alternatives.is_empty(), tag) {
            (Some(Alternative::Texts { values, open }), true, _) => Form::Texts { values, open },
            (Some(Alternative::Scalar(kind)), true, _) => Form::Scalar(kind),
            (Some(Alternative::Schema(schema)), true, None) => Form::One(schema),
            (last, _, tag) => {
                alternatives.extend(last);
                Form::Union(Union {
                    alternatives,
                    tag: tag.map(|tag| Tag {
                        values: kept,
                        default,
                        ..tag
                    }),
                })
            }
        }
    }

    /// Returns an alternative that is no scalar, with the members of the base.
    fn object(&self, choice: &Choice<'d>, base: Option<&Gathered<'d>>) -> Alternative<'d> {
        let schema = choice.schema;
        let base = choice.within.as_deref().or(base);
        let formed = base.and_then(|base| self.extended(base, choice));
        match formed {
            Some(formed) => Alternative::Extended(schema, Box::new(formed)),
            None if choice.is_itself => Alternative::Itself(schema),
            None if choice.chosen_by.is_some() => Alternative::Child(schema),
            None => Alternative::Schema(schema),
        }
    }

    /// Lists the alternatives, those of alternatives among them.
    pub(super) fn choices(
        &self,
        group: &[&'d Value],
        seen: &mut HashSet<*const Value>,
        into: &mut Vec<Choice<'d>>,
    ) {
        for written in group {
            let resolved = self.resolve(written);
            if self.is_null(resolved.schema) || !seen.insert(resolved.schema) {
                continue;
            }
            let list = only_choice(resolved.schema).or_else(|| self.listed(resolved.schema));
            match list.filter(|_| resolved.schema.get(CHOSEN).is_none()) {
                Some(list) => {
                    let list: Vec<&'d Value> = list.iter().collect();
                    let before = into.len();
                    self.choices(&list, seen, into);
                    let discriminator = resolved.schema.get("discriminator");
                    for nested in into.iter_mut().skip(before) {
                        nested.nested_by = nested.nested_by.or(discriminator);
                        nested.union = Some(resolved.schema);
                    }
                }
                // Equal components may have other tags.
                None if reference(written).is_none()
                    && into.iter().any(|one| one.schema == resolved.schema) => {}
                None => self.choice(written, resolved, seen, into),
            }
        }
    }

    /// Returns the only list of alternatives of a schema, if each has all members beside it.
    fn listed(&self, schema: &'d Value) -> Option<&'d [Value]> {
        let mut lists = choices(schema);
        let list = lists.next().filter(|_| lists.next().is_none())?;
        let group: Vec<&'d Value> = list.iter().collect();
        let base = gather(self, schema);
        let is_whole = base.choices.len() == 1 && !base.members.is_empty();
        (is_whole && self.all_cover(&base, &group)).then_some(list)
    }

    /// Adds an alternative, and its children.
    fn choice(
        &self,
        written: &Value,
        resolved: Followed<'d>,
        seen: &mut HashSet<*const Value>,
        into: &mut Vec<Choice<'d>>,
    ) {
        let name = reference(written).and_then(pointer::split_last);
        let mut children = Vec::new();
        let mut parent = Choice {
            schema: resolved.schema,
            name: name.map(|(_, name)| name),
            is_itself: false,
            chosen_by: None,
            nested_by: None,
            union: None,
            within: None,
        };
        if let Some(family) = Family::read(self, parent.schema) {
            children = family.alternatives(self);
            if self.component(parent.schema).is_none() {
                let own = Rc::new(gather(self, parent.schema));
                for child in &mut children {
                    child.within = Some(Rc::clone(&own));
                }
            }
            parent.name = parent.name.or(family.name);
            parent.is_itself = true;
            parent.chosen_by = Some(family.discriminator);
        }
        into.push(parent);
        into.extend(
            children
                .into_iter()
                .filter(|child| seen.insert(child.schema)),
        );
    }

    pub(super) fn kind_of(&self, choice: &Choice<'d>) -> Kind {
        if choice.is_itself {
            Kind::Object
        } else {
            self.kind(choice.schema)
        }
    }

    /// Returns the JSON kind of a schema, cached.
    pub(super) fn kind(&self, schema: &'d Value) -> Kind {
        if let Some(kind) = self.kinds.borrow().get(&std::ptr::from_ref(schema)) {
            return *kind;
        }
        // An alternative of itself adds nothing.
        self.kinds.borrow_mut().insert(schema, Kind::Any);
        let kind = match self.form(schema).form {
            Form::Texts { .. } => Kind::Text,
            Form::Scalar(Scalar::Text) => Kind::Text,
            Form::Scalar(Scalar::Integer) => Kind::Integer,
            Form::Scalar(Scalar::Number) => Kind::Number,
            Form::Scalar(Scalar::Boolean) => Kind::Boolean,
            Form::List | Form::Tuple => Kind::List,
            Form::Map | Form::Object => Kind::Object,
            Form::One(schema) => self.kind(schema),
            Form::Any | Form::Chosen(_) | Form::Union(_) => Kind::Any,
        };
        self.kinds.borrow_mut().insert(schema, kind);
        kind
    }

    /// Merges several string schemas.
    fn texts(&self, choices: &[Choice<'d>], kinds: &[Kind]) -> Alternative<'d> {
        let mut all: Vec<&'d str> = Vec::new();
        let mut seen = HashSet::new();
        let mut is_open = false;
        for (choice, _) in choices
            .iter()
            .zip(kinds)
            .filter(|(_, kind)| **kind == Kind::Text)
        {
            match self.form(choice.schema).form {
                Form::Texts { values, open } => {
                    is_open |= open;
                    all.extend(values.into_iter().filter(|value| seen.insert(*value)));
                }
                _ => is_open = true,
            }
        }
        if all.is_empty() {
            of_one_format(choices).unwrap_or(Alternative::Scalar(Scalar::Text))
        } else {
            Alternative::Texts {
                values: all,
                open: is_open,
            }
        }
    }

    /// Returns whether every alternative has all members that are beside the alternatives.
    pub(super) fn all_have(&self, base: &Gathered<'d>, group: &[&'d Value]) -> bool {
        let mut group = group.iter();
        group.all(|one| {
            let own = gather(self, self.resolve(one).schema);
            base.members.iter().all(|member| own.has(member.name))
        })
    }

    /// Returns whether no member beside the alternatives says more than the same member of each.
    pub(super) fn all_cover(&self, base: &Gathered<'d>, group: &[&'d Value]) -> bool {
        let mut group = group.iter();
        group.all(|one| self.covers(self.resolve(one).schema, base))
    }

    fn covers(&self, schema: &'d Value, base: &Gathered<'d>) -> bool {
        let own = gather(self, schema);
        base.members.iter().all(|member| {
            let own = own.named(member.name);
            own.is_some_and(|own| own.covers(self, member))
        })
    }

    /// Returns an alternative with the members of a base, unless it has them itself.
    fn extended(&self, base: &Gathered<'d>, choice: &Choice<'d>) -> Option<Formed<'d>> {
        if self.covers(choice.schema, base) {
            return None;
        }
        let mut gathered = base.clone();
        gathered.extend(self, choice.schema);
        let groups = std::mem::take(&mut gathered.choices);
        self.merge_one_of(&mut gathered, groups.into_iter().flatten().collect());
        Some(Formed {
            gathered,
            form: Form::Object,
        })
    }

    /// Merges alternatives of which a value is one, with the members that all of them require.
    pub(super) fn merge_one_of(&self, into: &mut Gathered<'d>, group: Vec<&'d Value>) -> bool {
        let mut schemas: Vec<&'d Value> =
            group.iter().map(|one| self.resolve(one).schema).collect();
        schemas.retain(|one| !self.is_null(one));
        let mut promised = schemas.iter().map(|one| gather(self, one).promised());
        let mut required = promised.next().unwrap_or_default();
        for others in promised {
            required.retain(|name| others.contains(name));
        }
        let is_object = self.merge(into, group);
        for name in required.into_iter().filter(|_| is_object) {
            into.require(name, false);
        }
        is_object
    }

    /// Brings the properties of alternatives into an object. `false` when an alternative is no object.
    pub(super) fn merge(&self, into: &mut Gathered<'d>, group: Vec<&'d Value>) -> bool {
        let base = into.members.len();
        let mut waiting = VecDeque::from(group);
        let mut seen: HashSet<*const Value> = HashSet::new();
        let mut all_fit = true;
        while let Some(one) = waiting.pop_front() {
            let schema = self.resolve(one).schema;
            if !seen.insert(schema) || self.is_null(schema) {
                continue;
            }
            let gathered = gather(self, schema);
            all_fit &= matches!(gathered.kind, None | Some("object"));
            into.others = into.others.take().or(gathered.others);
            for member in gathered.members {
                into.alternative(base, member);
            }
            waiting.extend(gathered.choices.into_iter().flatten());
        }
        all_fit && !into.members.is_empty()
    }
}

/// Returns the discriminator that chooses all of several alternatives.
fn common<'v, 'd: 'v>(mut choices: impl Iterator<Item = &'v Choice<'d>>) -> Option<&'d Value> {
    let first = choices.next()?.chosen_by?;
    let mut others = choices.map(|one| one.chosen_by);
    let is_same = others.all(|other| other.is_some_and(|other| std::ptr::eq(other, first)));
    is_same.then_some(first)
}

/// Returns the common format of several string schemas, if all have one type of the runtime.
fn of_one_format<'d>(choices: &[Choice<'d>]) -> Option<Alternative<'d>> {
    let mut texts = choices.iter().filter_map(|choice| {
        let kind = choice.schema.get("type").and_then(Value::as_str);
        (kind == Some("string")).then(|| (choice, text_format(choice.schema)))
    });
    let (first, format) = texts.next()?;
    (format.is_some() && texts.all(|(_, other)| other == format))
        .then(|| Alternative::Schema(first.schema))
}
