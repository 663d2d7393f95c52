//! A schema that became one of several alternatives, or the other way round.

use super::shape::Shape;
use crate::diff::schemas::comparison::{Comparison, Form};
use crate::diff::schemas::flat::{Flat, Site, is_annotation};
use crate::diff::verdicts::{Mark, Pair, Turn, rules, way};

impl<'d> Comparison<'d> {
    /// A schema that became one of several alternatives, or the other way round. Returns whether it was that.
    pub(in crate::diff) fn wrapping(
        &mut self,
        pair: &mut Pair,
        old: (&Site<'d>, &Flat<'d>),
        new: (&Site<'d>, &Flat<'d>),
        form: Form,
    ) -> bool {
        let wrapped = old.1.groups.is_empty() && new.1.is_choice() && constrains(old.1);
        let unwrapped = new.1.groups.is_empty() && old.1.is_choice() && constrains(new.1);
        if !wrapped && !unwrapped {
            return false;
        }
        let plain = if wrapped { old } else { new };
        let Some(group) = (if wrapped { new.1 } else { old.1 }).groups.first() else {
            return false;
        };
        let (plain_side, choice_side) = if wrapped {
            (&mut self.old, &mut self.new)
        } else {
            (&mut self.new, &mut self.old)
        };
        let shape = Shape::of(plain_side, plain.0);
        let shapes: Vec<Shape<'d>> = group
            .alternatives
            .iter()
            .map(|one| Shape::of(choice_side, &Site::new(Some(one), one)))
            .collect();
        let best = shapes
            .iter()
            .enumerate()
            .map(|(index, other)| (shape.likeness(other), index))
            .filter(|(likeness, _)| *likeness > 0)
            .max_by_key(|(likeness, index)| (*likeness, std::cmp::Reverse(*index)));
        let Some((_, best)) = best else {
            self.differ(
                pair,
                &rules::TYPE_CHANGED,
                Mark::at(old.1.home),
                Mark::at(new.1.home),
                || "none of the alternatives is what the whole schema was".to_owned(),
            );
            return true;
        };
        let fits = shapes.iter().filter(|other| other.may_take(&shape)).count();
        if wrapped && group.keyword == "oneOf" && fits > 1 {
            self.differ(pair, &rules::ALTERNATIVES_OVERLAP, Mark::at(old.1.home), Mark::within(Some(group.list), new.1.home), || {
                format!("{fits} alternatives take what the schema took, and a value has to fit exactly one")
            });
        }
        for (index, one) in group.alternatives.iter().enumerate() {
            let inner = Site::new(Some(one), one);
            if index == best {
                let (a, b) = if wrapped {
                    (old.0.clone(), inner)
                } else {
                    (inner, new.0.clone())
                };
                self.child(pair, a, b, form, way::BOTH, Turn::Keep);
            } else if wrapped {
                self.alternative_added(pair, old.1, one);
            } else {
                self.alternative_removed(pair, new.1, one);
            }
        }
        true
    }
}

/// Whether a schema excludes any value.
fn constrains(flat: &Flat<'_>) -> bool {
    flat.typed
        || flat.parts.iter().any(|part| {
            part.as_object().is_some_and(|map| {
                map.keys()
                    .any(|key| !is_annotation(key) && key != "$ref" && key != "allOf")
            })
        })
}
