//! Splits sets of operations. Changes share a few sets, so each set is split once, and changes share the parts.

use std::collections::HashMap;
use std::rc::Rc;

use super::attribution::Entry;
use crate::verdicts::{Operations, Reached};

/// Sets of operations, each with its selected operations and the rest.
#[derive(Default)]
pub(super) struct Parts {
    /// Selected operations for each list of names.
    meant: HashMap<*const String, (Rc<[String]>, Operations)>,
    /// Split sets by address. Each set is kept, so its address stays unique.
    known: HashMap<*const Operations, (Reached, Reached, Reached)>,
}

impl Parts {
    /// Splits a set into the selected operations and the rest. The selection has to be the same each time.
    pub(super) fn split(
        &mut self,
        reached: &Reached,
        is_meant: impl Fn(&str) -> bool,
    ) -> (Reached, Reached) {
        let Self { meant, known } = self;
        let parted = || {
            let all = reached.all();
            let (_, meant) = meant.entry(all.as_ptr()).or_insert_with(|| {
                let mut meant = Operations::default();
                let numbered = all.iter().enumerate();
                let named = numbered.filter(|(_, name)| is_meant(name));
                named.for_each(|(number, _)| meant.insert(number));
                (Rc::clone(all), meant)
            });
            let (within, beyond) = reached.parted(meant);
            (reached.clone(), within, beyond)
        };
        let (_, within, beyond) = known
            .entry(Rc::as_ptr(reached.set()))
            .or_insert_with(parted);
        (within.clone(), beyond.clone())
    }
}

/// Selected part of a change.
pub(super) enum Meant {
    All,
    Nothing,
    /// Its effect on these operations, without that on the others.
    Part(Reached, Reached),
}

impl From<(Reached, Reached)> for Meant {
    fn from((meant, others): (Reached, Reached)) -> Self {
        match (meant.is_empty(), others.is_empty()) {
            (true, _) => Self::Nothing,
            (false, true) => Self::All,
            (false, false) => Self::Part(meant, others),
        }
    }
}

/// Returns the selected changes and the rest. A change that is selected in part is in both.
pub(super) fn divided(
    changes: Vec<Entry>,
    mut meant: impl FnMut(&Entry) -> Meant,
) -> (Vec<Entry>, Vec<Entry>) {
    let (mut named, mut others) = (Vec::new(), Vec::new());
    for mut entry in changes {
        match meant(&entry) {
            Meant::All => named.push(entry),
            Meant::Nothing => others.push(entry),
            Meant::Part(operations, left) => {
                let mut part = entry.clone();
                part.change.operations = operations;
                named.push(part);
                entry.change.operations = left;
                others.push(entry);
            }
        }
    }
    (named, others)
}
