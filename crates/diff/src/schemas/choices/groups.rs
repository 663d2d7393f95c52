//! `oneOf` and `anyOf`: alternatives are matched by their content, never by their position.

use std::collections::HashSet;

use serde_json::Value;

use super::alternatives::{
    alternative_added, alternative_removed, child_added, child_removed, tags,
};
use super::matching::matches;
use super::shape::Shape;
use crate::schemas::comparison::{Form, Notes};
use crate::verdicts::{Mark, Turn, rules, way};
use openapi_schemas::reading::{Alternative, Choice, Document, Reading, Site};

/// Compares choices of both sides, or choices besides other constraints.
pub(crate) fn choices<'d>(
    notes: &mut Notes<'_, 'd>,
    old: &Reading<'d>,
    new: &Reading<'d>,
    form: Form,
) {
    // Choices with the same keyword are paired first; several with the same one are paired in order.
    let mut left: Vec<&Choice<'d>> = new.choices.iter().collect();
    for a in &old.choices {
        let found = left
            .iter()
            .position(|b| b.keyword == a.keyword)
            .or(if left.is_empty() { None } else { Some(0) });
        match found.map(|index| left.remove(index)) {
            Some(b) => groups(notes, (old, a), (new, b), form),
            None => notes.within(
                &rules::ALTERNATIVES_LIFTED,
                (old, Some(a.list)),
                (new, None),
                || {
                    format!(
                        "`{}` is gone: none of its alternatives has to fit",
                        a.keyword
                    )
                },
            ),
        }
    }
    for b in left {
        notes.within(
            &rules::ALTERNATIVES_INTRODUCED,
            (old, None),
            (new, Some(b.list)),
            || {
                format!(
                    "`{}` is new: one of its alternatives has to fit as well",
                    b.keyword
                )
            },
        );
    }
    children(notes, old, new, form);
}

/// Compares the schemas that a discriminator chooses beside listed alternatives.
fn children<'d>(notes: &mut Notes<'_, 'd>, old: &Reading<'d>, new: &Reading<'d>, form: Form) {
    let a = all_children(&mut notes.comparison.old, old);
    let b = all_children(&mut notes.comparison.new, new);
    if a.is_empty() && b.is_empty() {
        return;
    }
    let before = shapes(&mut notes.comparison.old, &a);
    let after = shapes(&mut notes.comparison.new, &b);
    let matched = matches(&before, &after);
    for (index, one) in a.iter().enumerate() {
        match matched.get(&index).and_then(|other| b.get(*other)) {
            Some(other) => {
                let site = |schema: &'d Value| Site::new(Some(schema), schema);
                notes.child(
                    site(one.schema),
                    site(other.schema),
                    form,
                    way::BOTH,
                    Turn::Keep,
                );
                chosen(notes, one, other);
            }
            None => child_removed(notes, new, one),
        }
    }
    let taken: HashSet<usize> = matched.values().copied().collect();
    for (index, one) in b.iter().enumerate() {
        if !taken.contains(&index) {
            child_added(notes, old, one);
        }
    }
}

/// Returns the schemas that the discriminators of a schema choose beside listed alternatives.
fn all_children<'d>(document: &mut Document<'d>, reading: &Reading<'d>) -> Vec<Alternative<'d>> {
    let mut all = Vec::new();
    for choice in &reading.children {
        all.extend(choice.alternatives(document));
    }
    all
}

fn groups<'d>(
    notes: &mut Notes<'_, 'd>,
    old: (&Reading<'d>, &Choice<'d>),
    new: (&Reading<'d>, &Choice<'d>),
    form: Form,
) {
    let (a, b) = (old.1, new.1);
    if a.keyword != b.keyword {
        notes.within(
            &rules::ALTERNATIVES_KIND,
            (old.0, Some(a.list)),
            (new.0, Some(b.list)),
            || format!("`{}` became `{}`", a.keyword, b.keyword),
        );
    }
    let a = a.alternatives(&mut notes.comparison.old);
    let b = b.alternatives(&mut notes.comparison.new);
    let before = shapes(&mut notes.comparison.old, &a);
    let after = shapes(&mut notes.comparison.new, &b);
    let matched = matches(&before, &after);
    for (index, one) in a.iter().enumerate() {
        match matched.get(&index).and_then(|other| b.get(*other)) {
            Some(other) => {
                notes.child(
                    Site::alternative(one.schema),
                    Site::alternative(other.schema),
                    form,
                    way::BOTH,
                    Turn::Keep,
                );
                chosen(notes, one, other);
            }
            None => alternative_removed(notes, new.0, one.schema),
        }
    }
    let taken: HashSet<usize> = matched.values().copied().collect();
    for (index, one) in b.iter().enumerate() {
        if !taken.contains(&index) {
            alternative_added(notes, old.0, one.schema);
        }
    }
}

/// Returns alternatives in the form in which they are matched.
fn shapes<'d>(document: &mut Document<'d>, alternatives: &[Alternative<'d>]) -> Vec<Shape<'d>> {
    let all = alternatives.iter().map(|one| Shape {
        tags: one.tags.clone(),
        ..Shape::of(document, &Site::alternative(one.schema))
    });
    all.collect()
}

/// Compares the values by which an alternative is chosen.
fn chosen<'d>(notes: &mut Notes<'_, 'd>, one: &Alternative<'d>, two: &Alternative<'d>) {
    let (x, y) = (&one.tags, &two.tags);
    if x == y || x.is_empty() || y.is_empty() {
        return;
    }
    let rule = match (x.is_subset(y), y.is_subset(x)) {
        (true, _) => &rules::DISCRIMINATOR_VALUE_ADDED,
        (_, true) => &rules::DISCRIMINATOR_VALUE_REMOVED,
        _ => &rules::DISCRIMINATOR_VALUE_CHANGED,
    };
    notes.differ(rule, Mark::at(one.schema), Mark::at(two.schema), || {
        let (x, y) = (tags(one), tags(two));
        format!("the alternative was chosen by {x}, and is now chosen by {y}")
    });
}
