//! Reports each difference once.

use std::collections::BTreeMap;

use openapi_diff::{About, Difference};

use super::walk::CODE;

/// Leaves out what another difference reports already: documentation and code of a place by an item of that place, both of a whole
/// type by anything below it.
pub(super) fn without_duplicates(differences: Vec<Difference>) -> Vec<Difference> {
    let mut reports = Reports::default();
    for one in &differences {
        let here = reports.by_place.entry((&one.old, &one.new));
        here.or_default().push(one);
        reports.by_owner.entry(&one.owner).or_default().push(one);
    }
    let distinct = differences.iter().filter(|one| !reports.has(one));
    distinct.cloned().collect()
}

#[derive(Default)]
struct Reports<'d> {
    by_place: BTreeMap<(&'d Option<String>, &'d Option<String>), Vec<&'d Difference>>,
    by_owner: BTreeMap<&'d String, Vec<&'d Difference>>,
}

impl Reports<'_> {
    /// Returns whether another difference reports this one.
    fn has(&self, one: &Difference) -> bool {
        let here = self.by_place.get(&(&one.old, &one.new));
        let here = here.into_iter().flatten();
        let beside = self.by_owner.get(&one.owner).into_iter().flatten();
        let mut here = here.filter(|other| other.bump >= one.bump);
        let mut beside = beside.filter(|other| other.bump >= one.bump);
        let mut below = self.by_owner.get(&one.item).into_iter().flatten();
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
    }
}
