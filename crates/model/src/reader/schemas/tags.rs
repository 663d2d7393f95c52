//! Finds the property that distinguishes the alternatives of a union.

use std::collections::HashSet;

use openapi_document::pointer;
use serde_json::Value;

use super::forms::Choice;
use super::gather::gather;
use super::kind::Kind;
use super::written::Written;
use crate::Tag;

/// The property that distinguishes the alternatives: the discriminator, or one with other values in each.
pub(super) fn tag(
    written: &Written<'_>,
    choices: &[Choice<'_>],
    kinds: &[Kind],
    discriminator: Option<&Value>,
) -> Option<Tag> {
    let name = discriminator.and_then(|one| one.get("propertyName")?.as_str());
    match name {
        Some(name) => Some(explicit(written, name, choices, kinds, discriminator)),
        None => implicit(written, choices, kinds),
    }
}

fn explicit(
    written: &Written<'_>,
    name: &str,
    choices: &[Choice<'_>],
    kinds: &[Kind],
    discriminator: Option<&Value>,
) -> Tag {
    let mapping = discriminator.and_then(|one| one.get("mapping")?.as_object());
    let targets: Vec<(&String, String)> = mapping
        .into_iter()
        .flatten()
        .filter_map(|(value, target)| Some((value, mapped(written, target.as_str()?)?)))
        .collect();
    let all: Vec<Own> = choices
        .iter()
        .map(|choice| Own::of(written, choice, name, &targets))
        .collect();
    let mut is_certain = true;
    let values = kinds.iter().enumerate().map(|(index, kind)| {
        let Some(own) = all.get(index).filter(|_| *kind == Kind::Object) else {
            return Vec::new();
        };
        let is_of_another = |value: &String| {
            let mut others = all.iter().enumerate();
            others.any(|(other, own)| other != index && own.claimed.contains(value))
        };
        let mut values = own.claimed.clone();
        let listed = own.listed.iter().filter(|value| !is_of_another(value));
        for value in listed {
            if !values.contains(value) {
                values.push(value.clone());
            }
        }
        if values.is_empty() {
            is_certain = false;
            values.extend(own.name.clone());
        }
        values
    });
    let values = values.collect();
    let default = discriminator.and_then(|one| one.get("defaultMapping")?.as_str());
    let default = default.and_then(|target| mapped(written, target));
    Tag {
        property: name.to_owned(),
        values,
        is_certain,
        default: default.and_then(|target| choices.iter().position(|one| one.pointer == target)),
    }
}

/// The tag of one alternative.
struct Own {
    /// The values that the mapping gives it, or else its name, where its property may be that.
    claimed: Vec<String>,
    /// The values that its property may be. Several alternatives may share one enumeration of all tags.
    listed: Vec<String>,
    /// Its name in the document.
    name: Option<String>,
}

impl Own {
    fn of(
        written: &Written<'_>,
        choice: &Choice<'_>,
        property: &str,
        targets: &[(&String, String)],
    ) -> Self {
        let mapped = targets
            .iter()
            .filter(|(_, target)| *target == choice.pointer);
        let mut claimed: Vec<String> = mapped.map(|(value, _)| (*value).clone()).collect();
        let listed = values_of(written, choice, property);
        let reference = choice.written.get("$ref").and_then(Value::as_str);
        let name = reference
            .and_then(pointer::split_last)
            .map(|(_, name)| name);
        if claimed.is_empty() {
            claimed.extend(name.clone().filter(|name| listed.contains(name)));
        }
        Self {
            claimed,
            listed,
            name,
        }
    }
}

/// Returns the target of a discriminator's mapping: a reference, or the name of a schema.
fn mapped(written: &Written<'_>, target: &str) -> Option<String> {
    let at = match written.target(target) {
        Some((at, _)) => at,
        None => pointer::join("/components/schemas", target),
    };
    let schema = written.source.value.pointer(&at)?;
    Some(written.resolve(schema, &at).pointer)
}

/// Returns a property whose listed values differ in each alternative.
fn implicit(written: &Written<'_>, choices: &[Choice<'_>], kinds: &[Kind]) -> Option<Tag> {
    let objects = || {
        choices
            .iter()
            .zip(kinds)
            .filter(|(_, kind)| **kind == Kind::Object)
    };
    if objects().count() < 2 {
        return None;
    }
    let (first, _) = objects().next()?;
    let gathered = gather(written, first.schema, &first.pointer);
    let mut names = gathered.members.iter().map(|member| member.name);
    names.find_map(|name| {
        let mut seen = HashSet::new();
        let all: Option<Vec<Vec<String>>> = choices
            .iter()
            .zip(kinds)
            .map(|(choice, kind)| match kind {
                Kind::Object => {
                    let values = values_of(written, choice, name);
                    let is_own =
                        !values.is_empty() && values.iter().all(|value| seen.insert(value.clone()));
                    is_own.then_some(values)
                }
                _ => Some(Vec::new()),
            })
            .collect();
        all.map(|values| Tag {
            property: name.to_owned(),
            values,
            is_certain: true,
            default: None,
        })
    })
}

/// Returns the strings that a property of an alternative may be, if they are listed.
fn values_of(written: &Written<'_>, choice: &Choice<'_>, name: &str) -> Vec<String> {
    let gathered = gather(written, choice.schema, &choice.pointer);
    let [(schema, at)] = gathered.schemas_of(name) else {
        return Vec::new();
    };
    let resolved = written.resolve(schema, at);
    let listed = resolved.schema.get("enum").and_then(Value::as_array);
    let texts = listed.into_iter().flatten();
    texts.filter_map(Value::as_str).map(str::to_owned).collect()
}
