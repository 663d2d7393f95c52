//! How alternatives divide the values of one schema among them.

use std::collections::HashSet;
use std::hash::Hash;

use super::shape::Shape;

/// Alternatives of which each two are looked at.
const MOST: usize = 1000;

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
    let types = like.iter().map(|shape| shape.types);
    if is_typed
        && are_apart(types.flat_map(|all| (0..u8::BITS).filter(move |bit| all & (1 << bit) != 0)))
    {
        return Partition::Types;
    }
    // Where the property may be left out, nothing chooses.
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

/// Whether a value of the schema may fit two of the alternatives.
pub(super) fn overlap(whole: &Shape<'_>, shapes: &[Shape<'_>]) -> bool {
    let fitting: Vec<&Shape<'_>> = shapes
        .iter()
        .filter(|other| other.may_take(whole))
        .collect();
    // In a long list one property tells all of them apart, or it is too long to look at each two.
    let Some(first) = fitting.first() else {
        return false;
    };
    let tells = |name: &&str| {
        let lists = fitting.iter().map_while(|one| {
            let values = one.marks.get(name)?;
            one.required.contains(name).then_some(values)
        });
        let lists: Vec<_> = lists.collect();
        lists.len() == fitting.len() && are_apart(lists.into_iter().flatten())
    };
    if first.marks.keys().any(tells) {
        return false;
    }
    fitting.len() > MOST || !each_pair(&fitting, |a, b| a.excludes(b))
}

/// Whether no two of these are the same.
fn are_apart<T: Hash + Eq>(all: impl Iterator<Item = T>) -> bool {
    let mut known = HashSet::new();
    all.into_iter().all(|one| known.insert(one))
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
