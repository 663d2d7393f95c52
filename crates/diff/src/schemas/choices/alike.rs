//! Schemas that are matched by likeness alone, such as components that no operation uses.

use serde_json::Value;

use super::matching::matches;
use super::shape::Shape;
use crate::schemas::comparison::{Comparison, Form};
use openapi_schemas::reading::Site;

/// Minimum likeness of two matching schemas; two with the same members have 101.
const LEAST: u32 = 75;

/// Pairs and compares similar schemas, and returns the pairs. Each schema is in one pair at most.
pub(crate) fn alike<'d>(
    comparison: &mut Comparison<'d>,
    before: &[&'d Value],
    after: &[&'d Value],
) -> Vec<(&'d Value, &'d Value)> {
    let mut shapes = (Vec::new(), Vec::new());
    for schema in before {
        let site = Site::new(Some(schema), schema);
        shapes.0.push(Shape::of(&mut comparison.old, &site));
    }
    for schema in after {
        let site = Site::new(Some(schema), schema);
        shapes.1.push(Shape::of(&mut comparison.new, &site));
    }
    let mut pairs = Vec::new();
    for (index, other) in matches(&shapes.0, &shapes.1) {
        let (Some(x), Some(y)) = (shapes.0.get(index), shapes.1.get(other)) else {
            continue;
        };
        let (Some(a), Some(b)) = (before.get(index), after.get(other)) else {
            continue;
        };
        // A nearly empty schema resembles every other: only members distinguish schemas.
        let tells = !x.properties.is_empty() || !x.enum_values.is_empty();
        if tells && x.likeness(y) >= LEAST {
            pairs.push((index, *a, *b));
        }
    }
    pairs.sort_by_key(|(index, ..)| *index);
    for (_, a, b) in &pairs {
        let [a, b] = [a, b].map(|schema| Site::new(Some(*schema), schema));
        comparison.start(a, b, Form::Data);
    }
    pairs.into_iter().map(|(_, a, b)| (a, b)).collect()
}
