//! The bounds of a place that a client checks before it sends a value.

use super::bounds::Constraints;
use super::place::{Place, Shape};

impl Place {
    /// Returns the bounds that can be checked for a value of the schema `resolved`, to which this place may refer. Bounds of a string do not
    /// apply to other types or to enum values.
    pub fn constraints(&self, resolved: &Self) -> Constraints {
        let bounds = &self.bounds;
        let text = Some(bounds).filter(|_| resolved.is_any_string());
        let patterns = text.map_or(&[][..], |text| &text.patterns);
        Constraints {
            minimum: bounds.minimum.clone(),
            maximum: bounds.maximum.clone(),
            above: bounds.above.clone(),
            below: bounds.below.clone(),
            multiples_of: bounds
                .multiples_of
                .iter()
                .filter(|number| number.as_f64().is_some_and(|of| of > 0.0))
                .cloned()
                .collect(),
            min_length: text.and_then(|text| text.min_length),
            max_length: text.and_then(|text| text.max_length),
            format: text.and(resolved.bounds.format),
            patterns: patterns
                .iter()
                .filter(|pattern| regex_lite::Regex::new(pattern).is_ok())
                .cloned()
                .collect(),
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

    /// Returns the number of patterns that are not checked for values of the schema `resolved`.
    pub fn unchecked_patterns(&self, resolved: &Self) -> usize {
        let is_enum = matches!(&resolved.shape, Shape::Texts { .. })
            || matches!(&resolved.shape, Shape::Scalar { listed, .. } if !listed.is_empty());
        if is_enum {
            return 0;
        }
        let checked = self.constraints(resolved).patterns.len();
        self.bounds.patterns.len().saturating_sub(checked)
    }
}
