//! Compares two schemas, by keyword. Keywords that no function handles are reported as unhandled.

use openapi_document::keywords::Role::{Condition, Content, Dependency, Presence, Rest};
use openapi_document::keywords::{About, is_annotation, keyword, rows};
use openapi_document::source::leaves;
use serde_json::Value;

use super::annotations::{annotations, keywords};
use super::choices::{choices, discriminators, wrapping};
use super::comparison::{Comparison, Form, Notes, Readings};
use super::nested::{arrays, conditions, definitions, nested, objects};
use super::values::{became_string, bounds, holds, kinds, texts};
use crate::verdicts::{Both, Mark, Marks, Pair, Turn, rules, way};
use openapi_schemas::reading::{
    Document, Reading, Site, Unresolved, is_wrapping, read, referring, types,
};

/// Compares all queued pairs, and those that they lead to.
pub(crate) fn drain(comparison: &mut Comparison<'_>) {
    while let Some((index, old, new, form)) = comparison.waiting.pop() {
        let mut pair = Pair::default();
        let mut notes = Notes {
            comparison,
            pair: &mut pair,
        };
        schemas(&mut notes, &old, &new, form);
        cut(&mut notes, &old, &new);
        let referring = comparison.retargeted.get(&index).copied();
        for delta in &pair.deltas {
            comparison.graph.refer(*delta, referring);
        }
        if let Some(slot) = comparison.graph.pairs.get_mut(index) {
            *slot = pair;
        }
    }
}

/// Compares two schemas; those below them are queued.
pub(crate) fn schemas<'d>(notes: &mut Notes<'_, 'd>, old: &Site<'d>, new: &Site<'d>, form: Form) {
    let mut read_old = read(&mut notes.comparison.old, old);
    let mut read_new = read(&mut notes.comparison.new, new);
    // A type beside alternatives may repeat theirs.
    if read_old.typed != read_new.typed {
        restrict_to_alternatives(&mut notes.comparison.old, &mut read_old);
        restrict_to_alternatives(&mut notes.comparison.new, &mut read_new);
    }
    let both = Readings {
        old: &read_old,
        new: &read_new,
    };
    annotations(notes, both, form);
    unresolved(notes, both);
    // Since 3.1 a part of bytes has no schema.
    if form == Form::Part && is_bytes(both.old) && is_bytes(both.new) {
        return;
    }
    if wrapping(notes, old, new, both, form) || became_list(notes, old, both, form) {
        return;
    }
    if !kinds(notes, both, form) {
        return;
    }
    // What became a string has to meet the conditions of a string.
    if became_string(both, form) {
        read_old.types |= types::STRING;
    }
    let both = Readings {
        old: &read_old,
        new: &read_new,
    };
    bounds(notes, both);
    texts(notes, both);
    if holds(notes, about(About::Object), types::OBJECT, both) {
        objects(notes, both, form);
    }
    if holds(notes, about(About::Array), types::ARRAY, both) {
        arrays(notes, both, form);
    }
    definitions(notes, both, form);
    conditions(notes, both);
    choices(notes, both, form);
    discriminators(notes, both);
    unhandled(notes, both);
}

/// Restricts the types of a schema to those of its alternatives.
fn restrict_to_alternatives<'d>(document: &mut Document<'d>, reading: &mut Reading<'d>) {
    for choice in &reading.choices {
        let alternatives = choice.alternatives.iter();
        let types = alternatives.fold(0, |all, one| {
            all | read(document, &Site::alternative(one)).types
        });
        reading.types &= types;
    }
}

/// Reports that two schemas were not read as a whole. In equal documents, that is no difference.
fn cut<'d>(notes: &mut Notes<'_, 'd>, old: &Site<'d>, new: &Site<'d>) {
    let a = std::mem::take(&mut notes.comparison.old.is_cut);
    let b = std::mem::take(&mut notes.comparison.new.is_cut);
    if (a || b) && !notes.comparison.is_same {
        let both = Both::new(old.home, new.home);
        notes.differ(&rules::UNHANDLED, both, || {
            "too many schemas apply at once here, so not all of them are compared".to_owned()
        });
    }
}

/// Returns the keywords about members or elements of a type's values.
fn about(about: About) -> impl Iterator<Item = &'static str> {
    let all = rows(&[Content, Rest, Presence, Dependency, Condition]);
    all.filter(move |row| row.about == about)
        .map(|row| row.name)
}

/// Compares references that cannot be resolved: equal ones are considered the same.
fn unresolved<'d>(notes: &mut Notes<'_, 'd>, both: Readings<'_, 'd>) {
    let gone = first_lost(both.old, both.new);
    let come = first_lost(both.new, both.old);
    let rule = match (gone, come) {
        (None, None) => {
            let (Some(old), Some(new)) = (outside(both.old), outside(both.new)) else {
                return;
            };
            let marks = Marks::new(mark(old, old.holder), mark(new, new.holder));
            return notes.differ(&rules::REFERENCE_UNKNOWN, marks, || {
                format!("the target of `{}` is unknown", old.reference)
            });
        }
        (None, Some(_)) => &rules::REFERENCE_BROKEN,
        (Some(_), None) => &rules::REFERENCE_MENDED,
        (Some(_), Some(_)) => &rules::UNHANDLED,
    };
    let Both { old, new } = both.home();
    let marks = Marks::new(
        gone.map_or(Mark::within(None, old), |one| mark(one, old)),
        come.map_or(Mark::within(None, new), |one| mark(one, new)),
    );
    notes.differ(rule, marks, || {
        let lost = come.or(gone).map_or("", |one| one.reference);
        format!("the reference `{lost}` leads nowhere in this document")
    });
}

/// Returns the first reference of a schema that cannot be resolved, unless the other schema has it too.
fn first_lost<'r, 'd>(own: &'r Reading<'d>, other: &Reading<'d>) -> Option<&'r Unresolved<'d>> {
    own.unresolved.iter().find(|one| {
        let mut others = other.unresolved.iter();
        others.all(|other| other.reference != one.reference)
    })
}

/// Returns the first reference of a schema that leaves the document.
fn outside<'r, 'd>(flat: &'r Reading<'d>) -> Option<&'r Unresolved<'d>> {
    let mut all = flat.unresolved.iter();
    all.find(|one| leaves(one.reference))
}

fn mark<'d>(one: &Unresolved<'d>, home: &'d Value) -> Mark<'d> {
    let found = referring(one.holder, one.reference);
    Mark::within(found.map(|(_, value)| value), home)
}

/// Compares a parameter that took one string and takes a list of them, with one element written as before.
fn became_list<'d>(
    notes: &mut Notes<'_, 'd>,
    old: &Site<'d>,
    both: Readings<'_, 'd>,
    form: Form,
) -> bool {
    use types::{ARRAY, BOOLEAN, NUMBER, STRING};
    let was = both.old.types;
    let is_single = both.old.typed && was & !(BOOLEAN | NUMBER | STRING) == 0 && was != 0;
    // A string may contain the separator of a joined list.
    let is_one = match form {
        Form::Repeated { .. } => true,
        Form::Text { .. } => was & STRING == 0,
        _ => false,
    };
    if !is_one || !is_single || both.new.types != ARRAY {
        return false;
    }
    notes.differ(&rules::PARAMETER_LIST, both.home(), || {
        "a single value became a list; a list of one element is written like the earlier value"
            .to_owned()
    });
    // A list that needs several elements does not widen a single value.
    let least = both.new.first("minItems");
    let least = least.filter(|value| value.as_u64().is_some_and(|least| least > 1));
    if least.is_some() {
        notes.changed(&rules::BOUND_ADDED, both.keyword("minItems", None, least));
    }
    let items = Site::all(both.new.all("items").collect(), both.new.home);
    notes.child(old.clone(), items, nested(form), way::BOTH, Turn::Keep);
    true
}

/// Reports keywords that no function handles.
fn unhandled<'d>(notes: &mut Notes<'_, 'd>, both: Readings<'_, 'd>) {
    let mut all = keywords(both);
    all.retain(|name| !is_annotation(name) && keyword(name).is_none());
    for name in all {
        if !both.old.all(name).eq(both.new.all(name)) {
            notes.changed(&rules::UNHANDLED, both.first(name));
        }
    }
}

/// Returns whether a schema allows any bytes.
fn is_bytes(flat: &Reading<'_>) -> bool {
    let maps = flat.parts.iter().filter_map(|part| part.as_object());
    maps.flatten()
        .all(|(keyword, value)| match keyword.as_str() {
            "type" => value == "string",
            "format" => value == "binary",
            "contentMediaType" => value == "application/octet-stream",
            keyword => is_wrapping(keyword),
        })
        && (!flat.typed
            || flat.all("format").any(|format| format == "binary")
            || flat.first("contentMediaType").is_some())
}
