use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::kept::kept_value;

/// A number that says little without its scale, such as 4 of 5.
///
/// The scale is not part of it: a service may write it in another field, or in its documentation alone. A JSON number, and nothing else,
/// has a value.
///
/// ```
/// use metered_client::Scaled;
///
/// let grade: Scaled = serde_json::from_str("4.0")?;
/// assert_eq!(grade.value(), Some(4.0));
/// assert_eq!(grade.on_scale(5.0), Some(0.8));
/// assert_eq!(grade.on_scale(1.0), None);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Scaled(Value);

kept_value!(Scaled);

impl Scaled {
    /// The number as it was sent.
    pub fn value(&self) -> Option<f64> {
        self.0.as_f64()
    }

    /// The number as a fraction of the most that it can be: 0 at the lower end of the scale, 1 at the upper.
    ///
    /// `None` when it lies outside of the scale from 0 to `max`, as it does when that is not its scale.
    pub fn on_scale(&self, max: f64) -> Option<f64> {
        let value = self.value()?;
        let is_scale = max.is_finite() && max > 0.0;
        (is_scale && (0.0..=max).contains(&value)).then(|| value / max)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_value_on_its_scale_is_a_fraction() {
        for (value, max, fraction) in [
            (json!(0), 5.0, Some(0.0)),
            (json!(-0.0), 5.0, Some(0.0)),
            (json!(4), 5.0, Some(0.8)),
            (json!(2.5), 5.0, Some(0.5)),
            (json!(5), 5.0, Some(1.0)),
            (json!(0.75), 1.0, Some(0.75)),
            (json!(5e-324), 1e308, Some(0.0)),
            (json!(5.1), 5.0, None),
            (json!(-0.1), 5.0, None),
            (json!(4), 1.0, None),
            (json!(0), 0.0, None),
            (json!(0), -1.0, None),
            (json!(1), f64::INFINITY, None),
            (json!(1), f64::NAN, None),
        ] {
            let scaled = Scaled::from(value.clone());
            assert_eq!(scaled.value(), value.as_f64());
            assert_eq!(scaled.on_scale(max), fraction, "{value} on {max}");
        }
    }

    #[test]
    fn what_is_not_a_json_number_has_no_value() {
        for value in [
            json!(null),
            json!(true),
            json!("4"),
            json!([4]),
            json!({"value": 4}),
        ] {
            let scaled = Scaled::from(value.clone());
            assert_eq!(
                (scaled.value(), scaled.on_scale(5.0)),
                (None, None),
                "{value}"
            );
            assert_eq!(scaled.into_value(), value);
        }
        assert_eq!(Scaled::default(), Scaled::from(Value::Null));
    }

    #[test]
    fn display_is_the_number_as_it_was_sent() {
        for json in ["4", "4.0", "0.75"] {
            let scaled: Scaled = serde_json::from_str(json).unwrap();
            assert_eq!(scaled.to_string(), json);
        }
    }
}
