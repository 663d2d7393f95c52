//! A set of operations by their numbers.

/// The operations that reach a difference.
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

    /// The numbers, in their order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        let words = self.0.iter().enumerate().filter(|(_, word)| **word != 0);
        words.flat_map(|(index, word)| {
            (0..64)
                .filter(move |bit| word & (1 << bit) != 0)
                .map(move |bit| index * 64 + bit)
        })
    }
}
