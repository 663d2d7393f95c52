//! A schema that became one of several alternatives, or the reverse.

use super::alternatives::alone;
use super::partition::{Partition, overlap, partition};
use super::shape::Shape;
use crate::schemas::comparison::{Form, Notes, Readings};
use crate::schemas::values::nulls;
use crate::verdicts::{Mark, Marks, Turn, rules, way};
use openapi_schemas::reading::{Reading, Site, is_wrapping, types};

/// Compares a schema that became one of several alternatives, or the reverse. Returns whether that is the case.
pub(crate) fn wrapping<'d>(
    notes: &mut Notes<'_, 'd>,
    old: &Site<'d>,
    new: &Site<'d>,
    both: Readings<'_, 'd>,
    form: Form,
) -> bool {
    let is_wrapped = is_alternative_of(both.old, both.new);
    if !is_wrapped && !is_alternative_of(both.new, both.old) {
        return false;
    }
    let (plain, plain_site, choice) = if is_wrapped {
        (both.old, old, both.new)
    } else {
        (both.new, new, both.old)
    };
    let Some(group) = choice.choices.first() else {
        return false;
    };
    let comparison = &mut *notes.comparison;
    let (plain_side, choice_side) = if is_wrapped {
        (&mut comparison.old, &mut comparison.new)
    } else {
        (&mut comparison.new, &mut comparison.old)
    };
    let whole = Shape::of(plain_side, plain_site);
    let mut shapes: Vec<Shape<'d>> = Vec::new();
    for one in &group.alternatives {
        shapes.push(Shape::of(choice_side, &Site::alternative(one)));
    }
    let likeness: Vec<u32> = shapes.iter().map(|other| whole.likeness(other)).collect();
    let Some(greatest) = likeness.iter().copied().max().filter(|most| *most > 0) else {
        notes.differ(&rules::TYPE_CHANGED, both.home(), || {
            "no alternative equals the earlier schema".to_owned()
        });
        return true;
    };
    let best = likeness.iter().position(|likeness| *likeness == greatest);
    nulls(notes, both);
    if is_wrapped && group.is_exclusive() && overlap(&whole, &shapes) {
        let marks = Marks::new(
            Mark::at(both.old.home),
            Mark::within(Some(group.list), both.new.home),
        );
        notes.differ(&rules::ALTERNATIVES_OVERLAP, marks, || {
            "several alternatives accept what the schema accepted, but a value must fit exactly one"
                .to_owned()
        });
    }
    let parts = partition(&whole, &shapes, plain.typed);
    if parts == Partition::Types {
        left_over(notes, both, plain, &shapes, is_wrapped);
    }
    for (index, one) in group.alternatives.iter().enumerate() {
        let shape = shapes
            .get(index)
            .filter(|_| likeness.get(index) != Some(&0));
        let Some(shape) = shape else {
            alone(notes, both, one, is_wrapped);
            continue;
        };
        let inner = Site::alternative(one);
        let whole = restricted(plain_site, parts, shape);
        let (a, b, one_way) = if is_wrapped {
            (whole, inner, way::RECEIVED)
        } else {
            (inner, whole, way::SENT)
        };
        // A sent value has to match one of the new alternatives; a received one may match any of them.
        let is_part = parts != Partition::None || Some(index) == best;
        let only = if is_part { way::BOTH } else { one_way };
        notes.child(a, b, form, only, Turn::Keep);
    }
    true
}

/// Returns whether a schema without a choice may be one of the alternatives of the other.
fn is_alternative_of(plain: &Reading<'_>, choice: &Reading<'_>) -> bool {
    plain.choices.is_empty() && choice.is_choice() && constrains(plain)
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

/// Reports types of the plain schema that no alternative has.
fn left_over<'d>(
    notes: &mut Notes<'_, 'd>,
    both: Readings<'_, 'd>,
    plain: &Reading<'d>,
    shapes: &[Shape<'d>],
    is_wrapped: bool,
) {
    let covered = shapes.iter().fold(0, |all, shape| all | shape.types);
    let rule = if is_wrapped {
        &rules::TYPE_NARROWED
    } else {
        &rules::TYPE_WIDENED
    };
    if plain.types & !covered != 0 {
        notes.differ(rule, both.home(), || {
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
