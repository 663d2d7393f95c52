//! The whole numbers that a schema allows, by its bounds, formats and enum values.

use serde_json::Value;

use openapi_schemas::reading::{MAXIMUM, MINIMUM, Reading, limits, whole};

/// Inclusive range of whole numbers; the least and the greatest of 128 bits are no bounds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Range {
    low: i128,
    high: i128,
}

impl Range {
    pub(super) fn new(low: Option<i128>, high: Option<i128>) -> Self {
        Self {
            low: low.unwrap_or(i128::MIN),
            high: high.unwrap_or(i128::MAX),
        }
    }

    /// Returns the range of a format.
    pub(super) fn of_format(name: &str) -> Option<Self> {
        let (low, high) = limits(name)?;
        Some(Self { low, high })
    }

    pub(super) fn is_within(self, outer: Self) -> bool {
        self.low >= outer.low && self.high <= outer.high
    }
}

/// Returns the whole numbers that a schema allows, ignoring formats.
pub(super) fn bounded(flat: &Reading<'_>) -> Range {
    if let Some(values) = &flat.enum_values {
        let numbers = values.iter().filter_map(|one| whole(one.value));
        return Range::new(numbers.clone().min(), numbers.max());
    }
    let [low, high] =
        [MINIMUM, MAXIMUM].map(|limit| flat.bound(&limit).and_then(|bound| bound.whole));
    Range::new(low, high)
}

/// Returns the whole numbers that a schema allows.
pub(super) fn range(flat: &Reading<'_>) -> Range {
    let mut range = bounded(flat);
    let formats = flat.all("format").filter_map(Value::as_str);
    for limits in formats.filter_map(Range::of_format) {
        range.low = range.low.max(limits.low);
        range.high = range.high.min(limits.high);
    }
    range
}
