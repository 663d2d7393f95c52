//! Reports each difference once.

use std::collections::BTreeMap;

use openapi_diff::{About, Difference};

use super::walk::CODE;

/// Leaves out what another difference reports already: documentation and code of a place by an item of that place, both of a whole
/// type by anything below it.
pub(super) fn without_duplicates(differences: Vec<Difference>) -> Vec<Difference> {
    let mut by_place: BTreeMap<_, Vec<&Difference>> = BTreeMap::new();
    let mut by_owner: BTreeMap<_, Vec<&Difference>> = BTreeMap::new();
    for one in &differences {
        by_place.entry((&one.old, &one.new)).or_default().push(one);
        by_owner.entry(&one.owner).or_default().push(one);
    }
    let is_reported = |one: &Difference| {
        let here = by_place.get(&(&one.old, &one.new)).into_iter().flatten();
        let beside = by_owner.get(&one.owner).into_iter().flatten();
        let mut here = here.filter(|other| other.bump >= one.bump);
        let mut beside = beside.filter(|other| other.bump >= one.bump);
        let mut below = by_owner.get(&one.item).into_iter().flatten();
        match one.about {
            About::Item => false,
            // The documentation of a builder has what its setters say too.
            About::Docs => {
                here.any(|other| other.about != About::Docs)
                    || one.is_of_operation() && below.any(|other| other.is_below(one))
            }
            About::Behaviour => {
                here.any(|other| other.about == About::Item)
                    || beside.any(|other| match other.about {
                        About::Item => one.name == CODE || other.is_below(one),
                        About::Behaviour => one.name == CODE && other.name != CODE,
                        About::Docs => false,
                    })
            }
        }
    };
    differences
        .iter()
        .filter(|one| !is_reported(one))
        .cloned()
        .collect()
}
