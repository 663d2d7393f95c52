//! Where each item of a module belongs: with the one group that reaches it, or with what is always there.

use std::collections::{BTreeSet, HashMap};

/// The part of a module that contains an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Membership {
    /// The part that is always there.
    Shared,
    /// The part of a group, by its position in the model.
    Group(usize),
}

/// The items that each item mentions, by name.
pub(super) type Edges = HashMap<String, BTreeSet<String>>;

/// The membership of each item. `roots` are what operations mention, each with the membership of the operation.
pub(super) fn memberships<'e>(
    edges: &'e Edges,
    roots: impl IntoIterator<Item = (&'e str, Membership)>,
) -> HashMap<&'e str, Membership> {
    let mut memberships = HashMap::new();
    spread(&mut memberships, edges, roots.into_iter().collect());
    // Unreached items can be named by every caller, and so can the items that they mention.
    let mut others: Vec<(&str, Membership)> = edges
        .keys()
        .filter(|name| !memberships.contains_key(name.as_str()))
        .map(|name| (name.as_str(), Membership::Shared))
        .collect();
    others.sort_unstable();
    spread(&mut memberships, edges, others);
    memberships
}

/// A membership changes at most once, from a group to what is shared: the time is linear in the mentions.
fn spread<'e>(
    memberships: &mut HashMap<&'e str, Membership>,
    edges: &'e Edges,
    mut waiting: Vec<(&'e str, Membership)>,
) {
    while let Some((name, membership)) = waiting.pop() {
        let known = memberships.get(name).copied();
        let joined = match known {
            Some(known) if known != membership => Membership::Shared,
            _ => membership,
        };
        if known == Some(joined) {
            continue;
        }
        memberships.insert(name, joined);
        let mentioned = edges.get(name).into_iter().flatten();
        waiting.extend(mentioned.map(|name| (name.as_str(), joined)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edges(of: &[(&str, &[&str])]) -> Edges {
        of.iter()
            .map(|(name, mentioned)| {
                let mentioned = mentioned.iter().map(|name| (*name).to_owned());
                ((*name).to_owned(), mentioned.collect())
            })
            .collect()
    }

    #[test]
    fn what_two_groups_reach_is_shared_with_all_that_it_mentions() {
        let edges = edges(&[
            ("A", &["Both", "OnlyA"]),
            ("B", &["Both"]),
            ("Both", &["Below"]),
            ("Below", &["Both"]),
            ("OnlyA", &["OnlyA"]),
            ("Unreached", &["OnlyB"]),
            ("OnlyB", &[]),
            ("Always", &[]),
        ]);
        let (a, b) = (Membership::Group(0), Membership::Group(1));
        let roots = [
            ("A", a),
            ("B", b),
            ("OnlyB", b),
            ("Always", a),
            ("Always", Membership::Shared),
        ];
        let found = memberships(&edges, roots);
        let mut found: Vec<(&str, Membership)> = found.into_iter().collect();
        found.sort_unstable();
        assert_eq!(
            found,
            [
                ("A", a),
                ("Always", Membership::Shared),
                ("B", b),
                ("Below", Membership::Shared),
                ("Both", Membership::Shared),
                ("OnlyA", a),
                ("OnlyB", Membership::Shared),
                ("Unreached", Membership::Shared),
            ]
        );
    }
}
