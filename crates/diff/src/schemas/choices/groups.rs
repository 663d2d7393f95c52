//! `oneOf` and `anyOf`: alternatives are matched by what they are, never by their position.

use std::collections::BTreeSet;

use super::alternatives::{alternative_added, alternative_removed};
use super::matching::matches;
use super::shape::Shape;
use super::tags::tags;
use crate::schemas::comparison::{Form, Notes};
use crate::schemas::flat::{Flat, Group, Site};
use crate::schemas::side::Side;
use crate::verdicts::{Mark, Turn, rules, way};

/// Choices on both sides, or besides other constraints.
pub(crate) fn choices<'d>(notes: &mut Notes<'_, 'd>, old: &Flat<'d>, new: &Flat<'d>, form: Form) {
    // Choices of one keyword first: with several of them, order is all there is to go by.
    let mut left: Vec<&Group<'d>> = new.groups.iter().collect();
    for a in &old.groups {
        let found = left
            .iter()
            .position(|b| b.keyword == a.keyword)
            .or(if left.is_empty() { None } else { Some(0) });
        match found.map(|index| left.remove(index)) {
            Some(b) => groups(notes, (old, a), (new, b), form),
            None => notes.differ(
                &rules::ALTERNATIVES_LIFTED,
                Mark::within(Some(a.list), old.home),
                Mark::within(None, new.home),
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
        notes.differ(
            &rules::ALTERNATIVES_INTRODUCED,
            Mark::within(None, old.home),
            Mark::within(Some(b.list), new.home),
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
        notes.differ(
            &rules::ALTERNATIVES_KIND,
            Mark::within(Some(a.list), old.0.home),
            Mark::within(Some(b.list), new.0.home),
            || format!("`{}` became `{}`", a.keyword, b.keyword),
        );
    }
    let shapes = |side: &mut Side<'d>, flat: &Flat<'d>, group: &Group<'d>| -> Vec<Shape<'d>> {
        let tags = tags(side, flat);
        group
            .alternatives
            .iter()
            .map(|one| Shape {
                tags: tags
                    .as_ref()
                    .map(|tags| tags.of(side, one))
                    .unwrap_or_default(),
                ..Shape::of(side, &Site::alternative(one))
            })
            .collect()
    };
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
    for (index, one) in b.alternatives.iter().enumerate() {
        if !matched.values().any(|other| *other == index) {
            alternative_added(notes, old.0, one);
        }
    }
    for (index, other) in &matched {
        let (Some(x), Some(y)) = (before.get(*index), after.get(*other)) else {
            continue;
        };
        if x.tags != y.tags && !x.tags.is_empty() && !y.tags.is_empty() {
            let rule = if x.tags.is_disjoint(&y.tags) {
                &rules::DISCRIMINATOR_VALUE_CHANGED
            } else if x.tags.is_subset(&y.tags) {
                &rules::DISCRIMINATOR_VALUE_ADDED
            } else if y.tags.is_subset(&x.tags) {
                &rules::DISCRIMINATOR_VALUE_REMOVED
            } else {
                &rules::DISCRIMINATOR_VALUE_CHANGED
            };
            let (Some(one), Some(two)) = (a.alternatives.get(*index), b.alternatives.get(*other))
            else {
                continue;
            };
            notes.differ(rule, Mark::at(one), Mark::at(two), || {
                format!(
                    "the alternative was chosen by {} and is by {}",
                    list(&x.tags),
                    list(&y.tags)
                )
            });
        }
    }
}

fn list(tags: &BTreeSet<&str>) -> String {
    let all: Vec<String> = tags.iter().map(|tag| format!("`{tag}`")).collect();
    all.join(", ")
}
