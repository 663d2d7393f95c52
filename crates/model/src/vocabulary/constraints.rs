//! The bounds of a place that a client checks before it sends a value.

use super::bounds::Constraints;
use super::place::{Place, Shape};

impl Place {
    /// Returns the bounds that can be checked for a value of the schema `resolved`, to which this place may refer. Bounds of a string do not
    /// apply to other types or to enum values.
    pub fn constraints(&self, resolved: &Self) -> Constraints {
        let bounds = &self.bounds;
        let text = Some(bounds).filter(|_| resolved.is_any_string());
        let is_positive = |number: &serde_json::Number| number.as_f64().is_some_and(|of| of > 0.0);
        Constraints {
            minimum: bounds.minimum.clone(),
            maximum: bounds.maximum.clone(),
            above: bounds.above.clone(),
            below: bounds.below.clone(),
            multiple_of: bounds.multiple_of.clone().filter(is_positive),
            min_length: text.and_then(|text| text.min_length),
            max_length: text.and_then(|text| text.max_length),
            format: text.and(resolved.bounds.format),
            pattern: text
                .and_then(|text| text.pattern.clone())
                .filter(|pattern| regex_lite::Regex::new(pattern).is_ok()),
            ..Constraints::default()
        }
    }

    /// Returns the bounds of a list, beside those of its elements.
    pub fn constraints_of_list(&self, elements: Constraints) -> Constraints {
        Constraints {
            min_items: self.bounds.min_items,
            max_items: self.bounds.max_items,
            unique_items: self.bounds.unique_items,
            ..elements
        }
    }

    /// Returns whether it has a pattern that is not checked for values of the schema `resolved`.
    pub fn has_unchecked_pattern(&self, resolved: &Self) -> bool {
        let is_enum = matches!(&resolved.shape, Shape::Texts { .. })
            || matches!(&resolved.shape, Shape::Scalar { listed, .. } if !listed.is_empty());
        self.bounds.pattern.is_some() && self.constraints(resolved).pattern.is_none() && !is_enum
    }
}
