//! How alternatives divide the values of one schema among them.

use super::shape::Shape;

/// What decides which alternative a value of the schema belongs to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Partition<'d> {
    /// Its type.
    Types,
    /// The value of this property.
    Tag(&'d str),
    /// Nothing that can be seen.
    None,
}

/// How the alternatives that are like a schema divide its values.
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
    if is_typed && each_pair(&like, |a, b| a.types & b.types == 0) {
        return Partition::Types;
    }
    // Where the property may be left out, nothing chooses.
    for (name, all) in whole
        .marks
        .iter()
        .filter(|(name, _)| whole.required.contains(*name))
    {
        let lists: Vec<_> = like.iter().filter_map(|one| one.marks.get(name)).collect();
        let covers = all
            .iter()
            .all(|value| lists.iter().any(|list| list.contains(value)));
        let is_exact = lists.iter().all(|list| list.is_subset(all));
        if covers
            && is_exact
            && lists.len() == like.len()
            && each_pair(&lists, |a, b| a.is_disjoint(b))
        {
            return Partition::Tag(name);
        }
    }
    Partition::None
}

/// Whether a value of the schema may fit two of the alternatives.
pub(super) fn overlap(whole: &Shape<'_>, shapes: &[Shape<'_>]) -> bool {
    let fitting: Vec<&Shape<'_>> = shapes
        .iter()
        .filter(|other| other.may_take(whole))
        .collect();
    !each_pair(&fitting, |a, b| a.excludes(b))
}

fn each_pair<T>(all: &[T], holds: impl Fn(&T, &T) -> bool) -> bool {
    let mut rest = all;
    while let Some((first, others)) = rest.split_first() {
        if !others.iter().all(|other| holds(first, other)) {
            return false;
        }
        rest = others;
    }
    true
}
