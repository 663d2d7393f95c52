//! Finds the property that distinguishes the alternatives of a union.

use std::collections::HashSet;

use openapi_document::json::{members_of, text_of};
use openapi_schemas::reading::{Site, read};
use serde_json::Value;

use super::forms::Choice;
use super::gather::gather;
use super::kind::Kind;
use super::written::Written;
use crate::Tag;

/// The alternatives of a union, with their kinds.
pub(super) struct Alternatives<'a, 'd> {
    pub(super) written: &'a Written<'d>,
    pub(super) choices: &'a [Choice<'d>],
    pub(super) kinds: &'a [Kind],
}

impl<'d> Alternatives<'_, 'd> {
    /// The property that distinguishes the alternatives: the discriminator, or one with other values in each.
    pub(super) fn tag(&self, discriminator: Option<&Value>) -> Option<Tag> {
        let name = discriminator.and_then(|one| text_of(one, "propertyName"));
        let is_usable = |name: &&str| self.kinds.contains(&Kind::Object) && !self.is_path(name);
        match name.filter(is_usable) {
            Some(name) => Some(self.explicit(name, discriminator?)),
            None => self.implicit().or_else(|| self.nested()),
        }
    }

    /// Returns whether a name is rather a path to a member within another one, which no alternative has under that name.
    fn is_path(&self, name: &str) -> bool {
        let Some((first, _)) = name.split_once('.') else {
            return false;
        };
        let has_member = |name| {
            let mut choices = self.choices.iter();
            choices.any(|one| gather(self.written, one.schema).has(name))
        };
        has_member(first) && !has_member(name)
    }

    /// Returns the tag of the only union among the alternatives. Other alternatives are chosen without it.
    fn nested(&self) -> Option<Tag> {
        let mut all = self.choices.iter().filter_map(|choice| choice.nested_by);
        let discriminator = all.next()?;
        if !all.all(|other| std::ptr::eq(other, discriminator)) {
            return None;
        }
        let mut tag = self.explicit(text_of(discriminator, "propertyName")?, discriminator);
        tag.is_certain = false;
        for (values, choice) in tag.values.iter_mut().zip(self.choices) {
            if choice.nested_by.is_none() {
                values.clear();
            }
        }
        Some(tag)
    }

    fn explicit(&self, name: &str, discriminator: &Value) -> Tag {
        // A union among the alternatives may tell its own apart by the same property.
        let nested = self.choices.iter().filter_map(|choice| choice.nested_by);
        let nested = nested.filter(|one| is_by(one, name));
        let mut seen: HashSet<*const Value> = HashSet::new();
        let discriminators = std::iter::once(discriminator).chain(nested);
        let discriminators = discriminators.filter(|one| seen.insert(std::ptr::from_ref(*one)));
        let targets: Vec<(&String, &Value)> = discriminators
            .flat_map(|one| members_of(one, "mapping"))
            .filter_map(|(value, target)| Some((value, mapped(self.written, target.as_str()?)?)))
            .collect();
        let mut all: Vec<Own> = (self.choices.iter())
            .map(|choice| Own::of(self.written, choice, name, &targets))
            .collect();
        let parent = self.choices.iter().position(|choice| choice.is_itself);
        let inherited = parent.and_then(|parent| Some(all.get(parent)?.listed.clone()));
        for (index, own) in all.iter_mut().enumerate() {
            if let Some(inherited) = inherited.as_ref().filter(|_| parent != Some(index)) {
                own.claim(inherited);
            }
        }
        let claims = all.iter().flat_map(|own| &own.claimed);
        let claimed: HashSet<&str> = claims.map(String::as_str).collect();
        let mut is_certain = true;
        let mut values = Vec::new();
        for (own, kind) in all.iter().zip(self.kinds) {
            let mut own_values = Vec::new();
            if *kind == Kind::Object {
                own_values = own.values(&claimed);
                // A parent that lists its tags may have none but those of its children.
                if own_values.is_empty() && !own.is_listed_parent {
                    is_certain &= parent.is_some();
                    own_values.extend(own.name.clone());
                }
            }
            values.push(own_values);
        }
        let default = text_of(discriminator, "defaultMapping");
        let default = default.and_then(|target| mapped(self.written, target));
        let mut choices = self.choices.iter();
        Tag {
            property: name.to_owned(),
            values,
            is_certain,
            default: default
                .and_then(|target| choices.position(|one| std::ptr::eq(one.schema, target))),
        }
    }

    /// Returns a property whose listed values differ in each alternative.
    fn implicit(&self) -> Option<Tag> {
        let objects = self.choices.iter().zip(self.kinds);
        let mut objects = objects.filter(|(_, kind)| **kind == Kind::Object);
        let (first, _) = objects.next()?;
        objects.next()?;
        let gathered = gather(self.written, first.schema);
        let mut names = gathered.members.iter().map(|member| member.name);
        names.find_map(|name| {
            Some(Tag {
                property: name.to_owned(),
                values: self.different_values(name)?,
                is_certain: true,
                default: None,
            })
        })
    }

    /// Returns the listed values of a property in each alternative, if they differ in all objects.
    fn different_values(&self, name: &str) -> Option<Vec<Vec<String>>> {
        let mut seen = HashSet::new();
        let mut all = Vec::new();
        for (choice, kind) in self.choices.iter().zip(self.kinds) {
            if *kind != Kind::Object {
                all.push(Vec::new());
                continue;
            }
            let values = values_of(self.written, choice, name);
            if values.is_empty() || !values.iter().all(|value| seen.insert(*value)) {
                return None;
            }
            all.push(values.into_iter().map(str::to_owned).collect());
        }
        Some(all)
    }
}

/// The tag of one alternative.
struct Own<'s> {
    /// The values that the mapping gives it, or else its name, where its property may be that.
    claimed: Vec<String>,
    /// The values that its property may be. Several alternatives may share one enumeration of all tags.
    listed: Vec<&'s str>,
    /// Its name in the document.
    name: Option<String>,
    /// True if it is a parent that lists the values of its property, without its children.
    is_listed_parent: bool,
}

impl<'s> Own<'s> {
    fn of(
        written: &Written<'s>,
        choice: &Choice<'s>,
        property: &str,
        targets: &[(&String, &Value)],
    ) -> Self {
        let listed = values_of(written, choice, property);
        let nested_by = choice.nested_by;
        let is_by_same = nested_by.is_some_and(|nested| is_by(nested, property));
        let union = choice.union.filter(|_| !is_by_same);
        let mapped = targets.iter().filter(|(_, target)| {
            let is_of_union = union.is_some_and(|union| std::ptr::eq(*target, union));
            is_of_union || std::ptr::eq(*target, choice.schema)
        });
        let mut claimed: Vec<String> = mapped.map(|(value, _)| (*value).clone()).collect();
        // The name of a union that has another property for its own alternatives.
        let union = union.filter(|_| nested_by.is_some());
        let union = union.and_then(|union| written.component(union));
        let name = union.map(str::to_owned).or_else(|| choice.name.clone());
        if claimed.is_empty() {
            claimed.extend(name.clone().filter(|name| listed.contains(&name.as_str())));
        }
        Self {
            is_listed_parent: choice.is_itself && !listed.is_empty(),
            claimed,
            listed,
            name,
        }
    }

    /// Claims the values that a child writes out itself. Those that it inherits may be of any of the family.
    fn claim(&mut self, inherited: &[&str]) {
        let is_inherited = self.listed == inherited;
        if !self.claimed.is_empty() && is_inherited {
            self.listed.clear();
        } else if self.claimed.is_empty() && !is_inherited {
            let listed = self.listed.iter().copied();
            self.claimed = listed.map(str::to_owned).collect();
        }
    }

    /// Returns the tags of the alternative: those that it claims, and those of its property that no alternative claims.
    fn values(&self, claimed: &HashSet<&str>) -> Vec<String> {
        let mut values = self.claimed.clone();
        let mut seen = HashSet::new();
        let listed = self.listed.iter().copied();
        let free = listed.filter(|value| !claimed.contains(value) && seen.insert(*value));
        values.extend(free.map(str::to_owned));
        values
    }
}

/// Returns whether a discriminator is about a property.
fn is_by(discriminator: &Value, property: &str) -> bool {
    text_of(discriminator, "propertyName") == Some(property)
}

/// Returns the target of a discriminator's mapping: a reference, or the name of a schema.
fn mapped<'d>(written: &Written<'d>, target: &str) -> Option<&'d Value> {
    let schema = written.document.borrow().schema_named(target)?;
    Some(written.resolve(schema).schema)
}

/// Returns the strings that a property of an alternative may be, if they are listed: of parts that exclude each other, those of the
/// alternative itself.
fn values_of<'d>(written: &Written<'d>, choice: &Choice<'d>, name: &str) -> Vec<&'d str> {
    let member = written.reading(choice.schema).members().remove(name);
    let parts = member.map(|member| member.parts).unwrap_or_default();
    let together = texts_of(written, &parts);
    if !together.is_empty() {
        return together;
    }
    let mut alone = parts.iter().map(|part| texts_of(written, &[part]));
    alone.find(|texts| !texts.is_empty()).unwrap_or_default()
}

/// Returns the listed strings that all of these schemas allow.
fn texts_of<'d>(written: &Written<'d>, parts: &[&'d Value]) -> Vec<&'d str> {
    let site = Site::all(parts.to_vec(), &written.source.value);
    let listed = read(&mut written.document.borrow_mut(), &site).enum_values;
    let listed = listed.into_iter().flatten();
    listed.filter_map(|one| one.value.as_str()).collect()
}
