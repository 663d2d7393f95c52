//! Which operations reach which difference, and in which direction.

use super::compare::Comparison;

impl Comparison<'_> {
    /// Walks from every operation to the differences below it.
    pub(super) fn reach(&mut self) {
        let hot = self.hot();
        // The operation that saw a pair last, and in which ways.
        let mut seen: Vec<(usize, u8)> = vec![(usize::MAX, 0); self.pairs.len()];
        let roots = std::mem::take(&mut self.roots);
        for (operation, root, ways) in roots {
            let mut waiting = vec![(root, ways)];
            while let Some((index, ways)) = waiting.pop() {
                if hot.get(index) != Some(&true) {
                    continue;
                }
                let Some(slot) = seen.get_mut(index) else {
                    continue;
                };
                if slot.0 != operation {
                    *slot = (operation, 0);
                }
                let fresh = ways & !slot.1;
                if fresh == 0 {
                    continue;
                }
                slot.1 |= fresh;
                let Some(pair) = self.pairs.get(index) else {
                    continue;
                };
                for edge in &pair.edges {
                    waiting.push((edge.to, edge.follow(fresh)));
                }
                for delta in pair.deltas.clone() {
                    self.reached(delta, operation, fresh);
                }
            }
        }
    }

    /// The pairs from which a difference can be reached; the others are not worth a visit.
    fn hot(&self) -> Vec<bool> {
        let mut sources: Vec<Vec<usize>> = vec![Vec::new(); self.pairs.len()];
        let mut waiting = Vec::new();
        for (index, pair) in self.pairs.iter().enumerate() {
            if !pair.deltas.is_empty() {
                waiting.push(index);
            }
            for edge in &pair.edges {
                if let Some(slot) = sources.get_mut(edge.to) {
                    slot.push(index);
                }
            }
        }
        let mut hot = vec![false; self.pairs.len()];
        while let Some(index) = waiting.pop() {
            let Some(slot) = hot.get_mut(index).filter(|slot| !**slot) else {
                continue;
            };
            *slot = true;
            waiting.extend(sources.get(index).into_iter().flatten());
        }
        hot
    }
}
