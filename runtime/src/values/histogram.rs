use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::kept::kept_value;

/// How often each number of stars was given: a JSON object from the number, as text, to the count.
///
/// A key is a whole number from 1 up, without a sign and without zeros in front; a count is a whole JSON number from 0 up. What else is in
/// the object is kept and not counted.
///
/// ```
/// use metered_client::Histogram;
///
/// let stars: Histogram = serde_json::from_str(r#"{"5": 3, "4": 1}"#)?;
/// assert_eq!(stars.count(5), 3);
/// assert_eq!(stars.count(1), 0);
/// assert_eq!(stars.total(), 4);
/// assert_eq!(stars.mean(), Some(4.75));
/// assert!(stars.iter().eq([(4, 1), (5, 3)]));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Histogram(Value);

kept_value!(Histogram);

impl Histogram {
    /// How often so many stars were given; 0 when the service does not say.
    pub fn count(&self, stars: u64) -> u64 {
        let count = self.0.get(stars.to_string()).and_then(Value::as_u64);
        // Nobody gives no star: such a key means something else.
        count.filter(|_| stars > 0).unwrap_or_default()
    }

    /// The sum of all counts.
    pub fn total(&self) -> u64 {
        self.iter()
            .fold(0, |total, (_, count)| total.saturating_add(count))
    }

    /// The average number of stars; `None` when nothing was counted.
    pub fn mean(&self) -> Option<f64> {
        let (mut total, mut sum) = (0.0, 0.0);
        for (stars, count) in self.iter() {
            total += count as f64;
            sum += stars as f64 * count as f64;
        }
        (total > 0.0).then_some(sum / total)
    }

    /// Each number of stars that the object names, with its count, the fewest stars first.
    pub fn iter(&self) -> impl Iterator<Item = (u64, u64)> {
        let object = self.0.as_object();
        let mut counts: Vec<(u64, u64)> = object
            .into_iter()
            .flatten()
            .filter_map(|(key, count)| Some((stars(key)?, count.as_u64()?)))
            .collect();
        counts.sort_unstable();
        counts.into_iter()
    }
}

/// Only the shortest spelling counts: with `01` beside `1`, one number of stars would have two counts.
fn stars(key: &str) -> Option<u64> {
    let starts_well = key.starts_with(|first: char| matches!(first, '1'..='9'));
    starts_well.then(|| key.parse().ok())?
}

/// An object without a count.
impl Default for Histogram {
    fn default() -> Self {
        Self(Map::new().into())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn histogram(value: Value) -> Histogram {
        value.into()
    }

    #[test]
    fn stars_are_counted_in_their_order_as_numbers() {
        let stars = histogram(json!({"10": 1, "5": 3, "2": 0, "1": 4}));
        assert!(stars.iter().eq([(1, 4), (2, 0), (5, 3), (10, 1)]));
        for (star, count) in [(1, 4), (2, 0), (3, 0), (5, 3), (10, 1), (u64::MAX, 0)] {
            assert_eq!(stars.count(star), count, "{star}");
        }
        assert_eq!(stars.total(), 8);
        assert_eq!(stars.mean(), Some(29.0 / 8.0));
    }

    #[test]
    fn what_is_no_star_or_no_count_is_kept_and_not_counted() {
        for value in [
            json!({}),
            json!({"0": 1}),
            json!({"-1": 1}),
            json!({"+1": 1}),
            json!({"01": 1}),
            json!({" 1": 1}),
            json!({"1.5": 1}),
            json!({"": 1}),
            json!({"one": 1}),
            json!({"average": 4.5}),
            json!({"18446744073709551616": 1}),
            json!({"1": null}),
            json!({"1": -1}),
            json!({"1": 1.5}),
            json!({"1": "1"}),
            json!({"1": true}),
            json!({"1": [1]}),
            json!({"1": {"1": 1}}),
        ] {
            let stars = histogram(value.clone());
            assert_eq!(stars.iter().count(), 0, "{value}");
            assert_eq!((stars.count(0), stars.count(1)), (0, 0), "{value}");
            assert_eq!((stars.total(), stars.mean()), (0, None), "{value}");
            assert_eq!(stars.into_value(), value);
        }
        let mixed = histogram(json!({"5": 2, "average": 4.5, "4": null}));
        assert_eq!((mixed.total(), mixed.mean()), (2, Some(5.0)));
    }

    #[test]
    fn counts_that_are_all_zero_have_no_mean() {
        let stars = histogram(json!({"1": 0, "5": 0}));
        assert_eq!((stars.total(), stars.mean()), (0, None));
    }

    #[test]
    fn large_counts_never_wrap() {
        let stars = histogram(json!({"1": u64::MAX, "3": u64::MAX}));
        assert_eq!((stars.total(), stars.mean()), (u64::MAX, Some(2.0)));
        assert!(
            histogram(json!({"18446744073709551615": u64::MAX}))
                .mean()
                .is_some()
        );
    }

    #[test]
    fn display_is_the_json() {
        assert_eq!(histogram(json!({"5": 2})).to_string(), r#"{"5":2}"#);
        assert_eq!(Histogram::default().to_string(), "{}");
    }
}
