//! Finds the operations that reach each difference, and the direction: sets of operations are passed along each edge once.
//! Pairs in a cycle share one set, so the work is linear in the edges, however many operations reach them.

use super::graph::Graph;
use super::operations::Operations;

/// Number of ways, one bit each: a pair and a way are a state.
const WAYS: usize = 4;

impl Graph<'_> {
    /// Passes the operations from their roots to every difference below.
    pub(crate) fn reach(&mut self) {
        let hot = self.hot();
        let circles = self.circles(&hot);
        let mut sets: Vec<Operations> = vec![Operations::default(); circles.members.len()];
        for (operation, root, ways) in std::mem::take(&mut self.roots) {
            for state in states(root, ways) {
                if let Some(set) = circles.of(state).and_then(|circle| sets.get_mut(circle)) {
                    set.insert(operation);
                }
            }
        }
        // Predecessors of a cycle come before it.
        for (circle, members) in circles.members.iter().enumerate().rev() {
            // Those that follow have smaller numbers.
            let Some((following, [set, ..])) = sets.split_at_mut_checked(circle) else {
                continue;
            };
            if *set == Operations::default() {
                continue;
            }
            for next in members.iter().flat_map(|state| self.next(*state, &hot)) {
                if let Some(other) = circles.of(next).and_then(|other| following.get_mut(other)) {
                    other.extend(set);
                }
            }
        }
        for index in (0..self.pairs.len()).filter(|index| hot.get(*index) == Some(&true)) {
            for way in 0..WAYS {
                let state = index * WAYS + way;
                let set = circles.of(state).and_then(|circle| sets.get(circle));
                let set = set.filter(|set| **set != Operations::default());
                let (Some(set), Some(pair)) = (set, self.pairs.get(index)) else {
                    continue;
                };
                for delta in pair.deltas.clone() {
                    self.reached_by(delta, set, 1 << way);
                }
            }
        }
    }

    /// Returns the successors of a state that can reach a difference.
    fn next<'h>(&'h self, state: usize, hot: &'h [bool]) -> impl Iterator<Item = usize> + 'h {
        let edges = self
            .pairs
            .get(state / WAYS)
            .map(|pair| pair.edges.as_slice())
            .unwrap_or_default();
        edges
            .iter()
            .filter(|edge| hot.get(edge.to) == Some(&true))
            .flat_map(move |edge| states(edge.to, edge.follow(1 << (state % WAYS))))
    }

    /// Returns the pairs from which a difference can be reached; the others are skipped.
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

    /// Tarjan's strongly connected components, from a list rather than by recursion.
    fn circles(&self, hot: &[bool]) -> Circles {
        const UNSEEN: usize = usize::MAX;
        let number = self.pairs.len() * WAYS;
        let mut circles = Circles {
            of: vec![UNSEEN; number],
            members: Vec::new(),
        };
        let mut order = vec![UNSEEN; number];
        let mut low = vec![UNSEEN; number];
        let mut count = 0;
        let mut stack: Vec<usize> = Vec::new();
        let roots = self
            .roots
            .iter()
            .flat_map(|(_, root, ways)| states(*root, *ways));
        for root in roots.filter(|root| hot.get(root / WAYS) == Some(&true)) {
            if order.get(root) != Some(&UNSEEN) {
                continue;
            }
            let mut path: Vec<(usize, Vec<usize>)> = Vec::new();
            let mut entered = Some(root);
            loop {
                if let Some(state) = entered.take() {
                    set(&mut order, state, count);
                    set(&mut low, state, count);
                    count += 1;
                    stack.push(state);
                    path.push((state, self.next(state, hot).collect()));
                }
                let Some((state, left)) = path.last_mut() else {
                    break;
                };
                let state = *state;
                if let Some(next) = left.pop() {
                    if get(&order, next) == UNSEEN {
                        entered = Some(next);
                    } else if get(&circles.of, next) == UNSEEN {
                        let lowest = get(&low, state).min(get(&order, next));
                        set(&mut low, state, lowest);
                    }
                    continue;
                }
                path.pop();
                if let Some((parent, _)) = path.last() {
                    let lowest = get(&low, *parent).min(get(&low, state));
                    set(&mut low, *parent, lowest);
                }
                if get(&low, state) == get(&order, state) {
                    let mut members = Vec::new();
                    while let Some(member) = stack.pop() {
                        set(&mut circles.of, member, circles.members.len());
                        members.push(member);
                        if member == state {
                            break;
                        }
                    }
                    circles.members.push(members);
                }
            }
        }
        circles
    }
}

/// States by strongly connected component; a state outside of cycles is its only member. A component has a smaller number than
/// its predecessors.
struct Circles {
    of: Vec<usize>,
    members: Vec<Vec<usize>>,
}

impl Circles {
    fn of(&self, state: usize) -> Option<usize> {
        let circle = self.of.get(state).copied();
        circle.filter(|circle| *circle < self.members.len())
    }
}

fn states(pair: usize, ways: u8) -> impl Iterator<Item = usize> {
    (0..WAYS)
        .filter(move |way| ways & (1 << way) != 0)
        .map(move |way| pair * WAYS + way)
}

fn get(list: &[usize], index: usize) -> usize {
    list.get(index).copied().unwrap_or(usize::MAX)
}

fn set(list: &mut [usize], index: usize, value: usize) {
    if let Some(slot) = list.get_mut(index) {
        *slot = value;
    }
}
