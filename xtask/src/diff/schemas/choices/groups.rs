//! `oneOf` and `anyOf`: alternatives are matched by what they are, never by their position.

use std::collections::{BTreeSet, HashSet};

use super::matching::matches;
use super::shape::Shape;
use super::tags::tags;
use crate::diff::schemas::comparison::{Comparison, Form};
use crate::diff::schemas::flat::{Flat, Group, Site};
use crate::diff::schemas::side::Side;
use crate::diff::verdicts::{Mark, Pair, Turn, rules, way};

impl<'d> Comparison<'d> {
    /// Choices on both sides, or besides other constraints.
    pub(in crate::diff) fn choices(
        &mut self,
        pair: &mut Pair,
        old: &Flat<'d>,
        new: &Flat<'d>,
        form: Form,
    ) {
        // Choices of one keyword first: with several of them, order is all there is to go by.
        let mut left: Vec<&Group<'d>> = new.groups.iter().collect();
        for a in &old.groups {
            let found = left
                .iter()
                .position(|b| b.keyword == a.keyword)
                .or(if left.is_empty() { None } else { Some(0) });
            match found.map(|index| left.remove(index)) {
                Some(b) => self.groups(pair, (old, a), (new, b), form),
                None => self.differ(
                    pair,
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
            self.differ(
                pair,
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

    fn groups(
        &mut self,
        pair: &mut Pair,
        old: (&Flat<'d>, &Group<'d>),
        new: (&Flat<'d>, &Group<'d>),
        form: Form,
    ) {
        let (a, b) = (old.1, new.1);
        if a.keyword != b.keyword {
            self.differ(
                pair,
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
        let before = shapes(&mut self.old, old.0, a);
        let after = shapes(&mut self.new, new.0, b);
        let matched = matches(&before, &after);
        for (index, one) in a.alternatives.iter().enumerate() {
            match matched
                .get(&index)
                .and_then(|other| b.alternatives.get(*other))
            {
                Some(other) => {
                    self.child(
                        pair,
                        Site::alternative(one),
                        Site::alternative(other),
                        form,
                        way::BOTH,
                        Turn::Keep,
                    );
                }
                None => self.alternative_removed(pair, new.0, one),
            }
        }
        let taken: HashSet<usize> = matched.values().copied().collect();
        for (index, one) in b.alternatives.iter().enumerate() {
            if !taken.contains(&index) {
                self.alternative_added(pair, old.0, one);
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
                let (Some(one), Some(two)) =
                    (a.alternatives.get(*index), b.alternatives.get(*other))
                else {
                    continue;
                };
                self.differ(pair, rule, Mark::at(one), Mark::at(two), || {
                    format!(
                        "the alternative was chosen by {} and is by {}",
                        list(&x.tags),
                        list(&y.tags)
                    )
                });
            }
        }
    }
}

fn list(tags: &BTreeSet<&str>) -> String {
    let all: Vec<String> = tags.iter().map(|tag| format!("`{tag}`")).collect();
    all.join(", ")
}
