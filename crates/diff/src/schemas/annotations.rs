//! Keywords that constrain no value: descriptions, defaults, extensions and the like.

use std::collections::HashSet;

use openapi_document::keywords::{is_annotation, is_words};
use serde_json::Value;

use super::comparison::{Form, Notes, Readings};
use crate::verdicts::{Both, Keyword, rules};
use openapi_schemas::decimal::first_alone;
use openapi_schemas::reading::{Peeled, Reading};

/// Compares the keywords that constrain no value.
pub(crate) fn annotations<'d>(notes: &mut Notes<'_, 'd>, both: Readings<'_, 'd>, form: Form) {
    for name in keywords(both)
        .into_iter()
        .filter(|name| is_annotation(name))
    {
        let (a, b) = (said(both.old, name), said(both.new, name));
        let (gone, come) = (first_alone(&a, &b), first_alone(&b, &a));
        if gone.is_some() || come.is_some() {
            // If a keyword occurs several times, equal occurrences on both sides are not reported.
            let is_even = a.len() == b.len();
            let gone = gone.or(a.first().copied().filter(|_| is_even));
            let come = come.or(b.first().copied().filter(|_| is_even));
            annotation(notes, both.keyword(name, gone, come), form);
        }
    }
}

/// Compares one annotation.
pub(super) fn annotation<'d>(notes: &mut Notes<'_, 'd>, keyword: Keyword<'_, 'd>, form: Form) {
    let rule = match keyword.name {
        "deprecated" => keyword.switched([&rules::DEPRECATED, &rules::UNDEPRECATED]),
        "readOnly" => keyword.switched([&rules::READ_ONLY_ADDED, &rules::READ_ONLY_REMOVED]),
        "writeOnly" => keyword.switched([&rules::WRITE_ONLY_ADDED, &rules::WRITE_ONLY_REMOVED]),
        "default" if keyword.old.is_none() => Some(&rules::DEFAULT_ADDED),
        "default" if form.is_always_sent() || form.is_text() && is_written_alike(keyword) => {
            Some(&rules::NO_EFFECT)
        }
        "default" if form.is_parameter() => Some(&rules::PARAMETER_DEFAULT),
        "default" => Some(&rules::DEFAULT_CHANGED),
        "xml" => Some(&rules::XML_CHANGED),
        name if is_words(name) => Some(&rules::DOCS_CHANGED),
        _ => Some(&rules::EXTENSION_CHANGED),
    };
    if let Some(rule) = rule {
        notes.changed(rule, keyword);
    }
}

/// Returns whether two values are the same plain string.
fn is_written_alike(keyword: Keyword<'_, '_>) -> bool {
    let [old, new] = [keyword.old, keyword.new].map(|value| {
        let value = value?;
        Some(
            value
                .as_str()
                .map_or_else(|| value.to_string(), str::to_owned),
        )
    });
    old == new
}

/// Compares annotations of the wrappers of a reference, except those that the other side has elsewhere.
pub(super) fn wrapped<'d>(notes: &mut Notes<'_, 'd>, old: &Peeled<'d>, new: &Peeled<'d>) {
    let [old_home, new_home] =
        [old, new].map(|peeled| peeled.wrappers.first().unwrap_or(&peeled.site.home));
    let wrappers = old.wrappers.iter().chain(&new.wrappers);
    for name in names(wrappers)
        .into_iter()
        .filter(|name| is_annotation(name))
    {
        let (gone, come) = (lacking(name, old, new), lacking(name, new, old));
        if gone.is_none() && come.is_none() {
            continue;
        }
        // An annotation beside the reference on one side may be in the target on the other.
        let keyword = Keyword {
            name,
            home: Both::new(old_home, new_home),
            old: gone.or_else(|| old.site.parts.iter().find_map(|part| part.get(name))),
            new: come.or_else(|| new.site.parts.iter().find_map(|part| part.get(name))),
        };
        annotation(notes, keyword, Form::Data);
    }
}

/// Returns the value of a keyword in wrappers that the other side lacks, also in its target.
fn lacking<'d>(name: &str, own: &Peeled<'d>, other: &Peeled<'d>) -> Option<&'d Value> {
    let mut values = own.wrappers.iter().filter_map(|wrapper| wrapper.get(name));
    values.find(|value| {
        let mut others = other.wrappers.iter().chain(&other.site.parts);
        !others.any(|part| part.get(name) == Some(value))
    })
}

/// Returns the values of a keyword in a schema and its plain alternatives.
fn said<'d>(flat: &Reading<'d>, keyword: &str) -> Vec<&'d Value> {
    let about = flat.about.iter().filter_map(|one| one.get(keyword));
    flat.all(keyword).chain(about).collect()
}

/// Returns all keywords of two schemas, each once.
pub(super) fn keywords<'d>(both: Readings<'_, 'd>) -> Vec<&'d str> {
    let parts = both.old.parts.iter().chain(&both.new.parts);
    names(parts.chain(&both.old.about).chain(&both.new.about))
}

/// Returns the names of all members of these objects, each once.
fn names<'v, 'd: 'v>(objects: impl Iterator<Item = &'v &'d Value>) -> Vec<&'d str> {
    let mut all: Vec<&'d str> = Vec::new();
    let mut known: HashSet<&str> = HashSet::new();
    for (name, _) in objects.filter_map(|object| object.as_object()).flatten() {
        if known.insert(name) {
            all.push(name);
        }
    }
    all
}
