//! Changes share a few lists of operations. Each list is parted once, and changes share the parts.

use std::collections::HashMap;
use std::rc::Rc;

use super::attribution::Entry;

/// Operations that a change reaches.
pub(super) type Names = Rc<[Rc<str>]>;

/// Lists of operations, with those that are meant, and the others.
#[derive(Default)]
pub(super) struct Parts {
    /// By where a list is, which the list itself keeps from being used again.
    known: HashMap<*const Rc<str>, (Names, Names, Names)>,
}

impl Parts {
    /// The operations that are meant, and the others. What is meant has to be the same each time.
    pub(super) fn split(
        &mut self,
        names: &Names,
        is_meant: impl Fn(&str) -> bool,
    ) -> (Names, Names) {
        let (_, meant, others) = self.known.entry(names.as_ptr()).or_insert_with(|| {
            let (meant, others): (Vec<_>, Vec<_>) =
                names.iter().cloned().partition(|name| is_meant(name));
            let part = |part: Vec<Rc<str>>| match part.len() == names.len() {
                true => Rc::clone(names),
                false => part.into(),
            };
            (Rc::clone(names), part(meant), part(others))
        });
        (Rc::clone(meant), Rc::clone(others))
    }
}

/// How much of a change is meant.
pub(super) enum Meant {
    All,
    Nothing,
    /// What it does to these operations, and not what it does to those.
    Part(Names, Names),
}

impl From<(Names, Names)> for Meant {
    fn from((meant, others): (Names, Names)) -> Self {
        match (meant.is_empty(), others.is_empty()) {
            (true, _) => Self::Nothing,
            (false, true) => Self::All,
            (false, false) => Self::Part(meant, others),
        }
    }
}

/// The changes that are meant, and the others. One that is meant in part is in both.
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
