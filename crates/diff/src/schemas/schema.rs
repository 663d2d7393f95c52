//! Compares two schemas, by keyword. Keywords that no function handles are reported as unhandled.

use openapi_document::keywords::Role::{Condition, Content, Dependency, Presence, Rest};
use openapi_document::keywords::{About, is_annotation, keyword, rows};
use openapi_document::source::leaves;
use serde_json::Value;

use super::annotations::{annotations, keywords};
use super::choices::{choices, discriminators, wrapping};
use super::comparison::{Comparison, Form, Notes};
use super::nested::{arrays, conditions, definitions, objects};
use super::values::{bounds, holds, kinds, texts};
use crate::verdicts::{Mark, Pair, Turn, changed, rules, way};
use openapi_schemas::reading::{Reading, Site, Unresolved, is_wrapping, read, referring, types};

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
        for delta in referring.iter().flat_map(|_| &pair.deltas) {
            comparison.graph.refer(*delta, referring);
        }
        if let Some(slot) = comparison.graph.pairs.get_mut(index) {
            *slot = pair;
        }
    }
}

/// Compares two schemas; those below them are queued.
pub(crate) fn schemas<'d>(notes: &mut Notes<'_, 'd>, old: &Site<'d>, new: &Site<'d>, form: Form) {
    let a = read(&mut notes.comparison.old, old);
    let b = read(&mut notes.comparison.new, new);
    annotations(notes, &a, &b, form);
    unresolved(notes, &a, &b);
    // Since 3.1 a part of bytes has no schema.
    if form == Form::Part && is_bytes(&a) && is_bytes(&b) {
        return;
    }
    if wrapping(notes, (old, &a), (new, &b), form) || became_list(notes, (old, &a), &b, form) {
        return;
    }
    if !kinds(notes, &a, &b, form) {
        return;
    }
    bounds(notes, &a, &b);
    texts(notes, &a, &b);
    if holds(notes, about(About::Object), types::OBJECT, &a, &b) {
        objects(notes, &a, &b, form);
    }
    if holds(notes, about(About::Array), types::ARRAY, &a, &b) {
        arrays(notes, &a, &b, form);
    }
    definitions(notes, &a, &b, form);
    conditions(notes, &a, &b);
    choices(notes, &a, &b, form);
    discriminators(notes, &a, &b);
    unhandled(notes, &a, &b);
}

/// Reports that two schemas were not read as a whole. In equal documents, that is no difference.
fn cut<'d>(notes: &mut Notes<'_, 'd>, old: &Site<'d>, new: &Site<'d>) {
    let a = std::mem::take(&mut notes.comparison.old.is_cut);
    let b = std::mem::take(&mut notes.comparison.new.is_cut);
    if (a || b) && !notes.comparison.is_same {
        let (old, new) = (Mark::at(old.home), Mark::at(new.home));
        notes.differ(&rules::UNHANDLED, old, new, || {
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
fn unresolved<'d>(notes: &mut Notes<'_, 'd>, old: &Reading<'d>, new: &Reading<'d>) {
    let texts = |flat: &Reading<'d>| {
        let references = flat.unresolved.iter().map(|one| one.reference);
        references.collect::<Vec<_>>()
    };
    let (a, b) = (texts(old), texts(new));
    let mark = |found: Option<&Unresolved<'d>>, home: &'d Value| {
        let value = found.and_then(|one| referring(one.holder, one.reference));
        Mark::within(value.map(|(_, value)| value), home)
    };
    let gone = old
        .unresolved
        .iter()
        .find(|one| !b.contains(&one.reference));
    let come = new
        .unresolved
        .iter()
        .find(|one| !a.contains(&one.reference));
    let rule = match (gone, come) {
        (None, None) => {
            let outside = |one: &&Unresolved<'_>| leaves(one.reference);
            let find = |flat: &Reading<'d>| flat.unresolved.iter().find(outside).copied();
            let (Some(x), Some(y)) = (find(old), find(new)) else {
                return;
            };
            let text = x.reference;
            let marks = (mark(Some(&x), x.holder), mark(Some(&y), y.holder));
            return notes.differ(&rules::REFERENCE_UNKNOWN, marks.0, marks.1, || {
                format!("the target of `{text}` is unknown")
            });
        }
        (None, Some(_)) => &rules::REFERENCE_BROKEN,
        (Some(_), None) => &rules::REFERENCE_MENDED,
        (Some(_), Some(_)) => &rules::UNHANDLED,
    };
    let (old, new) = (mark(gone, old.home), mark(come, new.home));
    notes.differ(rule, old, new, || {
        let lost = come.or(gone).map_or("", |one| one.reference);
        format!("the reference `{lost}` leads nowhere in this document")
    });
}

/// Compares a parameter that took one string and takes a list of them, with one element written as before.
fn became_list<'d>(
    notes: &mut Notes<'_, 'd>,
    old: (&Site<'d>, &Reading<'d>),
    new: &Reading<'d>,
    form: Form,
) -> bool {
    use types::{ARRAY, BOOLEAN, NUMBER, STRING};
    let plain = BOOLEAN | NUMBER | STRING;
    let single = old.1.typed && old.1.types & !plain == 0 && old.1.types != 0;
    if form != Form::Repeated || !single || new.types != ARRAY {
        return false;
    }
    notes.differ(
        &rules::PARAMETER_LIST,
        Mark::at(old.1.home),
        Mark::at(new.home),
        || {
            "a single value became a list; a list of one element is written like the earlier value"
                .to_owned()
        },
    );
    bounds_of_list(notes, old.1, new);
    let items = Site::all(new.all("items").collect(), new.home);
    notes.child(old.0.clone(), items, Form::Text, way::BOTH, Turn::Keep);
    true
}

/// Reports a list that needs several elements, or none: that does not widen a single value.
fn bounds_of_list<'d>(notes: &mut Notes<'_, 'd>, old: &Reading<'d>, new: &Reading<'d>) {
    let least = new
        .first("minItems")
        .filter(|value| value.as_u64().is_some_and(|least| least > 1));
    if let Some(least) = least {
        notes.within(&rules::BOUND_ADDED, (old, None), (new, Some(least)), || {
            changed("minItems", None, Some(least))
        });
    }
}

/// Reports keywords that no function handles.
fn unhandled<'d>(notes: &mut Notes<'_, 'd>, old: &Reading<'d>, new: &Reading<'d>) {
    let all = keywords(old, new).into_iter();
    for name in all.filter(|name| !is_annotation(name) && keyword(name).is_none()) {
        let (a, b): (Vec<_>, Vec<_>) = (old.all(name).collect(), new.all(name).collect());
        if a != b {
            let (a, b) = (a.first().copied(), b.first().copied());
            notes.changed(&rules::UNHANDLED, name, (old, a), (new, b));
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
