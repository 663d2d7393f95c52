//! Partition of one schema's values among alternatives.

use std::collections::HashSet;
use std::hash::Hash;

use super::shape::Shape;

/// Maximum number of alternatives that are compared pairwise.
const MOST: usize = 1000;

/// Criterion that decides to which alternative a value of the schema belongs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Partition<'d> {
    /// Type of the value.
    Types,
    /// Value of this property.
    Tag(&'d str),
    /// No known criterion.
    None,
}

/// Returns the partition of a schema's values among similar alternatives.
pub(super) fn partition<'d>(
    whole: &Shape<'d>,
    shapes: &[Shape<'d>],
    is_typed: bool,
) -> Partition<'d> {
    let like: Vec<&Shape<'d>> = shapes
        .iter()
        .filter(|shape| whole.likeness(shape) > 0)
        .collect();
    if like.len() < 2 {
        return Partition::None;
    }
    let types = like.iter().map(|shape| shape.types);
    if is_typed
        && are_apart(types.flat_map(|all| (0..u8::BITS).filter(move |bit| all & (1 << bit) != 0)))
    {
        return Partition::Types;
    }
    // An optional property chooses nothing if it is left out.
    for (name, all) in whole
        .marks
        .iter()
        .filter(|(name, _)| whole.required.contains(*name))
    {
        let lists: Vec<_> = like.iter().filter_map(|one| one.marks.get(name)).collect();
        let listed: HashSet<&String> = lists.iter().copied().flatten().collect();
        let covers = all.iter().all(|value| listed.contains(value));
        let is_exact = listed.iter().all(|value| all.contains(*value));
        if covers
            && is_exact
            && lists.len() == like.len()
            && are_apart(lists.iter().copied().flatten())
        {
            return Partition::Tag(name);
        }
    }
    Partition::None
}

/// Returns whether a value of the schema may match two of the alternatives.
pub(super) fn overlap(whole: &Shape<'_>, shapes: &[Shape<'_>]) -> bool {
    let fitting: Vec<&Shape<'_>> = shapes
        .iter()
        .filter(|other| other.may_take(whole))
        .collect();
    // In a long list one property distinguishes all of them, or it is too long for pairwise comparison.
    let Some(first) = fitting.first() else {
        return false;
    };
    if first.marks.keys().any(|name| distinguishes(name, &fitting)) {
        return false;
    }
    fitting.len() > MOST || !exclude_each_other(&fitting)
}

/// Returns whether every alternative requires a property, each with other values.
fn distinguishes(name: &str, shapes: &[&Shape<'_>]) -> bool {
    let requiring = shapes.iter().filter(|one| one.required.contains(name));
    let lists: Vec<_> = requiring.filter_map(|one| one.marks.get(name)).collect();
    lists.len() == shapes.len() && are_apart(lists.into_iter().flatten())
}

fn exclude_each_other(shapes: &[&Shape<'_>]) -> bool {
    let mut rest = shapes;
    while let Some((first, others)) = rest.split_first() {
        if !others.iter().all(|other| first.excludes(other)) {
            return false;
        }
        rest = others;
    }
    true
}

/// Returns whether all of these are different.
fn are_apart<T: Hash + Eq>(all: impl Iterator<Item = T>) -> bool {
    let mut known = HashSet::new();
    all.into_iter().all(|one| known.insert(one))
}
