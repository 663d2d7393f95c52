//! The whole numbers that a schema allows, by its bounds, formats and enum values.

use serde_json::Value;

use openapi_schemas::reading::{MAXIMUM, MINIMUM, Reading, limits, whole};

/// Inclusive range of whole numbers; `None` is no bound.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Range {
    low: Option<i128>,
    high: Option<i128>,
}

impl Range {
    /// Returns the range of a format.
    pub(super) fn of_format(name: &str) -> Option<Self> {
        let (low, high) = limits(name)?;
        Some(Self {
            low: Some(low),
            high: Some(high),
        })
    }

    pub(super) fn is_within(self, outer: Self) -> bool {
        let above = match (self.low, outer.low) {
            (Some(own), Some(other)) => own >= other,
            (own, other) => own.is_some() || other.is_none(),
        };
        let below = match (self.high, outer.high) {
            (Some(own), Some(other)) => own <= other,
            (own, other) => own.is_some() || other.is_none(),
        };
        above && below
    }

    fn narrowed(&mut self, other: Self) {
        self.low = self.low.max(other.low);
        self.high = match (self.high, other.high) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
    }
}

/// Returns the whole numbers that a schema allows, ignoring formats.
pub(super) fn bounded(flat: &Reading<'_>) -> Range {
    if let Some(values) = &flat.enum_values {
        let numbers = values.iter().filter_map(|one| whole(one.value));
        return Range {
            low: numbers.clone().min(),
            high: numbers.max(),
        };
    }
    Range {
        low: flat.bound(&MINIMUM).and_then(|bound| bound.whole),
        high: flat.bound(&MAXIMUM).and_then(|bound| bound.whole),
    }
}

/// Returns the whole numbers that a schema allows.
pub(super) fn range(flat: &Reading<'_>) -> Range {
    let mut range = bounded(flat);
    let formats = flat.all("format").filter_map(Value::as_str);
    for limits in formats.filter_map(Range::of_format) {
        range.narrowed(limits);
    }
    range
}
