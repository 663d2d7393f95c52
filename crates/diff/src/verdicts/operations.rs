//! Sets of operations: by number during the comparison, and with names in the report. A set has one bit per
//! operation, because thousands of changes may reach thousands of operations each.

use std::collections::HashSet;
use std::rc::Rc;

/// Operations that reach a difference.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Operations(Vec<u64>);

impl Operations {
    pub(crate) fn insert(&mut self, operation: usize) {
        let (word, bit) = (operation / 64, operation % 64);
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        if let Some(word) = self.0.get_mut(word) {
            *word |= 1 << bit;
        }
    }

    pub(crate) fn extend(&mut self, other: &Self) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (word, more) in self.0.iter_mut().zip(&other.0) {
            *word |= more;
        }
    }

    pub(crate) fn has(&self, operation: usize) -> bool {
        let word = self.0.get(operation / 64).copied().unwrap_or_default();
        word & (1 << (operation % 64)) != 0
    }

    fn len(&self) -> usize {
        let ones = self.0.iter().map(|word| word.count_ones() as usize);
        ones.sum()
    }

    /// Returns the numbers, in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        let words = self.0.iter().enumerate().filter(|(_, word)| **word != 0);
        words.flat_map(|(index, word)| {
            (0..64)
                .filter(move |bit| word & (1 << bit) != 0)
                .map(move |bit| index * 64 + bit)
        })
    }
}

/// Operations that a change reaches. Changes that reach the same ones share the set, and all of a comparison share the names.
#[derive(Clone, Debug)]
pub struct Reached {
    names: Rc<[String]>,
    set: Rc<Operations>,
}

impl Reached {
    /// Returns the number of operations.
    pub fn len(&self) -> usize {
        self.set.len()
    }

    /// Returns whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.set.iter().next().is_none()
    }

    /// Returns the names, as `GET /books`, in the order of the new document.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        let names = self.set.iter().filter_map(|index| self.names.get(index));
        names.map(String::as_str)
    }

    /// Returns all operations of the comparison by number.
    pub(crate) fn all(&self) -> &[String] {
        &self.names
    }

    /// Returns the set, which equal changes share.
    pub(crate) fn set(&self) -> &Rc<Operations> {
        &self.set
    }
}

/// Builder of a comparison's sets, which stores equal ones once.
pub(crate) struct Sets {
    names: Rc<[String]>,
    known: HashSet<Rc<Operations>>,
}

impl Sets {
    pub(crate) fn of(names: Vec<String>) -> Self {
        Self {
            names: names.into(),
            known: HashSet::new(),
        }
    }

    pub(crate) fn share(&mut self, set: Operations) -> Reached {
        let known = self.known.get(&set).cloned();
        let set = known.unwrap_or_else(|| {
            let set = Rc::new(set);
            self.known.insert(Rc::clone(&set));
            set
        });
        Reached {
            names: Rc::clone(&self.names),
            set,
        }
    }
}
