//! `oneOf` and `anyOf`: alternatives are matched by their content, never by their position.

use std::collections::HashSet;

use serde_json::Value;

use super::alternatives::{alone, marks, tags};
use super::matching::matches;
use super::shape::Shape;
use crate::schemas::comparison::{Form, Notes, Readings};
use crate::verdicts::{Both, Turn, rules, way};
use openapi_schemas::reading::{Alternative, Choice, Document, Reading, Site};

/// Compares choices of both sides, or choices besides other constraints.
pub(crate) fn choices<'d>(notes: &mut Notes<'_, 'd>, both: Readings<'_, 'd>, form: Form) {
    // Choices with the same keyword are paired first; several with the same one are paired in order.
    let mut left: Vec<&Choice<'d>> = both.new.choices.iter().collect();
    for old in &both.old.choices {
        let found = left.iter().position(|new| new.keyword == old.keyword);
        if left.is_empty() {
            let gone = both.keyword(old.keyword, Some(old.list), None);
            notes.differ(&rules::ALTERNATIVES_LIFTED, gone, || {
                let keyword = old.keyword;
                format!("`{keyword}` is gone: none of its alternatives has to fit")
            });
            continue;
        }
        let new = left.remove(found.unwrap_or(0));
        if old.keyword != new.keyword {
            let lists = both.keyword(old.keyword, Some(old.list), Some(new.list));
            notes.differ(&rules::ALTERNATIVES_KIND, lists, || {
                format!("`{}` became `{}`", old.keyword, new.keyword)
            });
        }
        let alternatives = Alternatives {
            old: old.alternatives(&mut notes.comparison.old),
            new: new.alternatives(&mut notes.comparison.new),
            are_listed: true,
        };
        alternatives.compare(notes, both, form);
    }
    for new in left {
        let come = both.keyword(new.keyword, None, Some(new.list));
        notes.differ(&rules::ALTERNATIVES_INTRODUCED, come, || {
            let keyword = new.keyword;
            format!("`{keyword}` is new: one of its alternatives has to fit as well")
        });
    }
    let children = Alternatives {
        old: children(&mut notes.comparison.old, both.old),
        new: children(&mut notes.comparison.new, both.new),
        are_listed: false,
    };
    children.compare(notes, both, form);
}

/// Returns the schemas that the discriminators of a schema choose beside listed alternatives.
fn children<'d>(document: &mut Document<'d>, reading: &Reading<'d>) -> Vec<Alternative<'d>> {
    let mut all = Vec::new();
    for choice in &reading.children {
        all.extend(choice.alternatives(document));
    }
    all
}

/// Alternatives of two choices.
struct Alternatives<'d> {
    old: Vec<Alternative<'d>>,
    new: Vec<Alternative<'d>>,
    /// False for schemas that a discriminator chooses beside listed ones.
    are_listed: bool,
}

impl<'d> Alternatives<'d> {
    fn compare(&self, notes: &mut Notes<'_, 'd>, both: Readings<'_, 'd>, form: Form) {
        let before = shapes(&mut notes.comparison.old, &self.old);
        let after = shapes(&mut notes.comparison.new, &self.new);
        let matched = matches(&before, &after);
        for (index, old) in self.old.iter().enumerate() {
            let new = matched.get(&index).and_then(|other| self.new.get(*other));
            let Some(new) = new else {
                self.alone(notes, both, old, false);
                continue;
            };
            let a = self.site(old.schema, both.old);
            let b = self.site(new.schema, both.new);
            notes.child(a, b, form, way::BOTH, Turn::Keep);
            chosen(notes, old, new);
        }
        let taken: HashSet<usize> = matched.values().copied().collect();
        for (index, new) in self.new.iter().enumerate() {
            if !taken.contains(&index) {
                self.alone(notes, both, new, true);
            }
        }
    }

    fn site(&self, schema: &'d Value, around: &Reading<'d>) -> Site<'d> {
        if self.are_listed {
            Site {
                types: around.types,
                ..Site::alternative(schema)
            }
        } else {
            Site::new(Some(schema), schema)
        }
    }

    /// Records an alternative that only one side has.
    fn alone(
        &self,
        notes: &mut Notes<'_, 'd>,
        both: Readings<'_, 'd>,
        one: &Alternative<'d>,
        is_new: bool,
    ) {
        if self.are_listed {
            return alone(notes, both, one.schema, is_new);
        }
        let (rule, has) = if is_new {
            (&rules::DISCRIMINATOR_VALUE_ADDED, "has a new")
        } else {
            (&rules::DISCRIMINATOR_VALUE_REMOVED, "no longer has a")
        };
        notes.differ(rule, marks(both, one.schema, is_new), || {
            format!("the discriminator {has} value: {}", tags(one))
        });
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
    let schemas = Both::new(one.schema, two.schema);
    notes.differ(rule, schemas, || {
        let (x, y) = (tags(one), tags(two));
        format!("the alternative was chosen by {x}, and is now chosen by {y}")
    });
}
