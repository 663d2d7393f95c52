//! A schema that became one of several alternatives, or the reverse.

use super::alternatives::{alternative_added, alternative_removed};
use super::partition::{Partition, overlap, partition};
use super::shape::Shape;
use crate::schemas::comparison::{Form, Notes};
use crate::schemas::values::nulls;
use crate::verdicts::{Mark, Turn, rules, way};
use openapi_schemas::reading::{Reading, Site, is_wrapping, types};

/// Compares a schema that became one of several alternatives, or the reverse. Returns whether that is the case.
pub(crate) fn wrapping<'d>(
    notes: &mut Notes<'_, 'd>,
    old: (&Site<'d>, &Reading<'d>),
    new: (&Site<'d>, &Reading<'d>),
    form: Form,
) -> bool {
    let wrapped = old.1.choices.is_empty() && new.1.is_choice() && constrains(old.1);
    let unwrapped = new.1.choices.is_empty() && old.1.is_choice() && constrains(new.1);
    if !wrapped && !unwrapped {
        return false;
    }
    let (plain, choice) = if wrapped { (old, new) } else { (new, old) };
    let Some(group) = choice.1.choices.first() else {
        return false;
    };
    let (plain_side, choice_side) = if wrapped {
        (&mut notes.comparison.old, &mut notes.comparison.new)
    } else {
        (&mut notes.comparison.new, &mut notes.comparison.old)
    };
    let shape = Shape::of(plain_side, plain.0);
    let shapes: Vec<Shape<'d>> = group
        .alternatives
        .iter()
        .map(|one| Shape::of(choice_side, &Site::alternative(one)))
        .collect();
    let likeness: Vec<u32> = shapes.iter().map(|other| shape.likeness(other)).collect();
    let best = likeness
        .iter()
        .zip(0..)
        .filter(|(likeness, _)| **likeness > 0)
        .max_by_key(|(likeness, index)| (**likeness, std::cmp::Reverse(*index)));
    let Some((_, best)) = best else {
        notes.differ(
            &rules::TYPE_CHANGED,
            Mark::at(old.1.home),
            Mark::at(new.1.home),
            || "no alternative equals the earlier schema".to_owned(),
        );
        return true;
    };
    nulls(notes, old.1, new.1);
    if wrapped && group.is_exclusive() && overlap(&shape, &shapes) {
        notes.differ(
            &rules::ALTERNATIVES_OVERLAP,
            Mark::at(old.1.home),
            Mark::within(Some(group.list), new.1.home),
            || {
                "several alternatives accept what the schema accepted, but a value must fit exactly one"
                    .to_owned()
            },
        );
    }
    let parts = partition(&shape, &shapes, plain.1.typed);
    if parts == Partition::Types {
        left_over(notes, old.1, new.1, &shapes, wrapped);
    }
    let all = group.alternatives.iter().zip(&shapes);
    for ((one, shape), (likeness, index)) in all.zip(likeness.iter().zip(0..)) {
        if *likeness == 0 {
            if wrapped {
                alternative_added(notes, old.1, one);
            } else {
                alternative_removed(notes, new.1, one);
            }
            continue;
        }
        let (inner, whole) = (Site::alternative(one), restricted(plain.0, parts, shape));
        let (a, b, one_way) = if wrapped {
            (whole, inner, way::RECEIVED)
        } else {
            (inner, whole, way::SENT)
        };
        // A sent value has to match one of the new alternatives; a received one may match any of them.
        let is_part = parts != Partition::None || index == best;
        let only = if is_part { way::BOTH } else { one_way };
        notes.child(a, b, form, only, Turn::Keep);
    }
    true
}

/// Returns a schema restricted to the values of an alternative.
fn restricted<'d>(whole: &Site<'d>, parts: Partition<'d>, shape: &Shape<'d>) -> Site<'d> {
    Site {
        or_null: true,
        types: match parts {
            Partition::Types => shape.types,
            _ => types::ALL,
        },
        tag: match parts {
            Partition::Tag(tag) => Some(tag),
            _ => None,
        },
        ..whole.clone()
    }
}

/// Reports types of the schema that no alternative has.
fn left_over<'d>(
    notes: &mut Notes<'_, 'd>,
    old: &Reading<'d>,
    new: &Reading<'d>,
    shapes: &[Shape<'d>],
    wrapped: bool,
) {
    let covered = shapes.iter().fold(0, |all, shape| all | shape.types);
    let (plain, rule) = if wrapped {
        (old, &rules::TYPE_NARROWED)
    } else {
        (new, &rules::TYPE_WIDENED)
    };
    if plain.types & !covered != 0 {
        notes.differ(rule, Mark::at(old.home), Mark::at(new.home), || {
            "the alternatives have fewer types than the schema".to_owned()
        });
    }
}

/// Returns whether a schema excludes any value.
fn constrains(flat: &Reading<'_>) -> bool {
    flat.typed
        || flat.parts.iter().any(|part| {
            part.as_object()
                .is_some_and(|map| map.keys().any(|key| !is_wrapping(key)))
        })
}
