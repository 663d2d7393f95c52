//! `oneOf` and `anyOf`: alternatives are matched by their content, never by their position.

use std::collections::{BTreeSet, HashSet};

use serde_json::Value;

use super::alternatives::{alternative_added, alternative_removed};
use super::matching::matches;
use super::shape::Shape;
use super::tags::tags;
use crate::schemas::comparison::{Form, Notes};
use crate::schemas::flat::{Flat, Group, Site};
use crate::schemas::side::Side;
use crate::verdicts::{Mark, Turn, rules, way};

/// Compares choices of both sides, or choices besides other constraints.
pub(crate) fn choices<'d>(notes: &mut Notes<'_, 'd>, old: &Flat<'d>, new: &Flat<'d>, form: Form) {
    // Choices with the same keyword are paired first; several with the same one are paired in order.
    let mut left: Vec<&Group<'d>> = new.groups.iter().collect();
    for a in &old.groups {
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
}

fn groups<'d>(
    notes: &mut Notes<'_, 'd>,
    old: (&Flat<'d>, &Group<'d>),
    new: (&Flat<'d>, &Group<'d>),
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
    let before = shapes(&mut notes.comparison.old, old.0, a);
    let after = shapes(&mut notes.comparison.new, new.0, b);
    let matched = matches(&before, &after);
    for (index, one) in a.alternatives.iter().enumerate() {
        match matched
            .get(&index)
            .and_then(|other| b.alternatives.get(*other))
        {
            Some(other) => {
                notes.child(
                    Site::alternative(one),
                    Site::alternative(other),
                    form,
                    way::BOTH,
                    Turn::Keep,
                );
            }
            None => alternative_removed(notes, new.0, one),
        }
    }
    let taken: HashSet<usize> = matched.values().copied().collect();
    for (index, one) in b.alternatives.iter().enumerate() {
        if !taken.contains(&index) {
            alternative_added(notes, old.0, one);
        }
    }
    for (index, other) in &matched {
        let shapes = (before.get(*index), after.get(*other));
        let alternatives = (a.alternatives.get(*index), b.alternatives.get(*other));
        if let ((Some(x), Some(y)), (Some(one), Some(two))) = (shapes, alternatives) {
            chosen(notes, (one, &x.tags), (two, &y.tags));
        }
    }
}

/// Returns the alternatives of a group in the form in which they are matched.
fn shapes<'d>(side: &mut Side<'d>, flat: &Flat<'d>, group: &Group<'d>) -> Vec<Shape<'d>> {
    let tags = tags(side, flat);
    let all = group.alternatives.iter().map(|one| Shape {
        tags: (tags.as_ref()).map_or_else(BTreeSet::new, |tags| tags.of(side, one)),
        ..Shape::of(side, &Site::alternative(one))
    });
    all.collect()
}

/// Returns the values by which an alternative is chosen.
fn chosen<'d>(
    notes: &mut Notes<'_, 'd>,
    (one, x): (&'d Value, &BTreeSet<&str>),
    (two, y): (&'d Value, &BTreeSet<&str>),
) {
    if x == y || x.is_empty() || y.is_empty() {
        return;
    }
    let rule = match (x.is_subset(y), y.is_subset(x)) {
        (true, _) => &rules::DISCRIMINATOR_VALUE_ADDED,
        (_, true) => &rules::DISCRIMINATOR_VALUE_REMOVED,
        _ => &rules::DISCRIMINATOR_VALUE_CHANGED,
    };
    notes.differ(rule, Mark::at(one), Mark::at(two), || {
        let (x, y) = (list(x), list(y));
        format!("the alternative was chosen by {x}, and is now chosen by {y}")
    });
}

fn list(tags: &BTreeSet<&str>) -> String {
    let all: Vec<String> = tags.iter().map(|tag| format!("`{tag}`")).collect();
    all.join(", ")
}
