//! Keywords that constrain no value: descriptions, defaults, extensions and the like.

use std::collections::HashSet;

use openapi_document::keywords::{is_annotation, is_words};
use serde_json::Value;

use super::comparison::{Form, Notes};
use crate::verdicts::{Mark, changed, rules};
use openapi_schemas::decimal::first_alone;
use openapi_schemas::reading::{Peeled, Reading};

/// Compares the keywords that constrain no value.
pub(crate) fn annotations<'d>(
    notes: &mut Notes<'_, 'd>,
    old: &Reading<'d>,
    new: &Reading<'d>,
    form: Form,
) {
    for keyword in keywords(old, new) {
        if !is_annotation(keyword) {
            continue;
        }
        let (a, b): (Vec<_>, Vec<_>) = (said(old, keyword), said(new, keyword));
        let (gone, come) = (first_alone(&a, &b), first_alone(&b, &a));
        if gone.is_some() || come.is_some() {
            // If a keyword occurs several times, equal occurrences on both sides are not reported.
            let gone = gone.or(a.first().copied().filter(|_| b.len() == a.len()));
            let come = come.or(b.first().copied().filter(|_| b.len() == a.len()));
            annotation(
                notes,
                keyword,
                Mark::within(gone, old.home),
                Mark::within(come, new.home),
                form,
            );
        }
    }
}

/// Compares one annotation.
pub(super) fn annotation<'d>(
    notes: &mut Notes<'_, 'd>,
    keyword: &'d str,
    old: Mark<'d>,
    new: Mark<'d>,
    form: Form,
) {
    let on = |mark: Mark<'d>| mark.value == Some(&Value::Bool(true));
    let switch = |added, removed| match (on(old), on(new)) {
        (false, true) => Some(added),
        (true, false) => Some(removed),
        // `false` means the same as absence.
        _ => None,
    };
    let rule = match keyword {
        "deprecated" => switch(&rules::DEPRECATED, &rules::UNDEPRECATED),
        "readOnly" => switch(&rules::READ_ONLY_ADDED, &rules::READ_ONLY_REMOVED),
        "writeOnly" => switch(&rules::WRITE_ONLY_ADDED, &rules::WRITE_ONLY_REMOVED),
        "default" if old.value.is_none() => Some(&rules::DEFAULT_ADDED),
        "default" if form.is_text() => Some(&rules::PARAMETER_DEFAULT),
        "default" => Some(&rules::DEFAULT_CHANGED),
        "xml" => Some(&rules::XML_CHANGED),
        _ if is_words(keyword) => Some(&rules::DOCS_CHANGED),
        _ => Some(&rules::EXTENSION_CHANGED),
    };
    if let Some(rule) = rule {
        notes.differ(rule, old, new, || changed(keyword, old.value, new.value));
    }
}

/// Compares annotations of the wrappers of a reference, except those that the other side has elsewhere.
pub(super) fn wrapped<'d>(notes: &mut Notes<'_, 'd>, old: &Peeled<'d>, new: &Peeled<'d>) {
    let mut keywords: Vec<&'d str> = Vec::new();
    for key in old
        .wrappers
        .iter()
        .chain(&new.wrappers)
        .filter_map(|wrap| wrap.as_object())
        .flat_map(|map| map.keys())
    {
        if is_annotation(key) && !keywords.contains(&key.as_str()) {
            keywords.push(key);
        }
    }
    for keyword in keywords {
        let has = |peeled: &Peeled<'d>, value: &Value| {
            let wrappers = peeled.wrappers.iter();
            wrappers
                .chain(&peeled.site.parts)
                .any(|part| part.get(keyword) == Some(value))
        };
        let gone = old
            .wrappers
            .iter()
            .find_map(|wrap| wrap.get(keyword).filter(|value| !has(new, value)));
        let come = new
            .wrappers
            .iter()
            .find_map(|wrap| wrap.get(keyword).filter(|value| !has(old, value)));
        if gone.is_none() && come.is_none() {
            continue;
        }
        let home = |peeled: &Peeled<'d>| {
            let first = peeled.wrappers.first().copied();
            first.unwrap_or(peeled.site.home)
        };
        // An annotation beside the reference on one side may be in the target on the other.
        let gone = gone.or_else(|| old.site.parts.iter().find_map(|part| part.get(keyword)));
        let come = come.or_else(|| new.site.parts.iter().find_map(|part| part.get(keyword)));
        annotation(
            notes,
            keyword,
            Mark::within(gone, home(old)),
            Mark::within(come, home(new)),
            Form::Data,
        );
    }
}

/// Returns the values of a keyword in a schema and its plain alternatives.
fn said<'d>(flat: &Reading<'d>, keyword: &str) -> Vec<&'d Value> {
    let about = flat.about.iter().filter_map(|one| one.get(keyword));
    flat.all(keyword).chain(about).collect()
}

/// Returns all keywords of two schemas, each once.
pub(super) fn keywords<'d>(old: &Reading<'d>, new: &Reading<'d>) -> Vec<&'d str> {
    let mut all: Vec<&'d str> = Vec::new();
    let mut known: HashSet<&str> = HashSet::new();
    for map in old
        .parts
        .iter()
        .chain(&new.parts)
        .chain(&old.about)
        .chain(&new.about)
        .filter_map(|part| part.as_object())
    {
        for key in map.keys() {
            if known.insert(key) {
                all.push(key);
            }
        }
    }
    all
}
