//! Numbers drawn from a seed, the same at each run.

/// SplitMix64.
#[derive(Debug)]
pub(crate) struct Draw(pub(crate) u64);

impl Draw {
    /// Returns a number below a bound; 0 without one.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        let mixed = mixed ^ (mixed >> 31);
        (mixed as usize).checked_rem(bound).unwrap_or_default()
    }
}
