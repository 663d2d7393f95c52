//! Where each item of a module is at home: with the one group that reaches it, or with what is always there.

use std::collections::{BTreeSet, HashMap};

/// The part of a module that contains an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Home {
    /// The part that is always there.
    Shared,
    /// The part of a group, by its position in the model.
    Group(usize),
}

/// The items that each item mentions, by name.
pub(super) type Edges = HashMap<String, BTreeSet<String>>;

/// The home of each item. `roots` are what operations mention, each with the home of the operation.
pub(super) fn homes<'e>(
    edges: &'e Edges,
    roots: impl IntoIterator<Item = (&'e str, Home)>,
) -> HashMap<&'e str, Home> {
    let mut homes = HashMap::new();
    spread(&mut homes, edges, roots.into_iter().collect());
    // Unreached items can be named by every caller, and so can the items that they mention.
    let mut others: Vec<(&str, Home)> = edges
        .keys()
        .filter(|name| !homes.contains_key(name.as_str()))
        .map(|name| (name.as_str(), Home::Shared))
        .collect();
    others.sort_unstable();
    spread(&mut homes, edges, others);
    homes
}

/// A home changes at most once, from a group to what is shared: the time is linear in the mentions.
fn spread<'e>(
    homes: &mut HashMap<&'e str, Home>,
    edges: &'e Edges,
    mut waiting: Vec<(&'e str, Home)>,
) {
    while let Some((name, home)) = waiting.pop() {
        let known = homes.get(name).copied();
        let joined = match known {
            Some(known) if known != home => Home::Shared,
            _ => home,
        };
        if known == Some(joined) {
            continue;
        }
        homes.insert(name, joined);
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
        let (a, b) = (Home::Group(0), Home::Group(1));
        let roots = [
            ("A", a),
            ("B", b),
            ("OnlyB", b),
            ("Always", a),
            ("Always", Home::Shared),
        ];
        let found = homes(&edges, roots);
        let mut found: Vec<(&str, Home)> = found.into_iter().collect();
        found.sort_unstable();
        assert_eq!(
            found,
            [
                ("A", a),
                ("Always", Home::Shared),
                ("B", b),
                ("Below", Home::Shared),
                ("Both", Home::Shared),
                ("OnlyA", a),
                ("OnlyB", Home::Shared),
                ("Unreached", Home::Shared),
            ]
        );
    }
}
