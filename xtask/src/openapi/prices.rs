//! Whether the conditions of prices are about parameters that there are.

use super::model::Model;
use crate::finding::Finding;
use crate::source::Source;

pub(super) fn check(model: &Model, source: &Source, findings: &mut Vec<Finding>) {
    for operation in &model.operations {
        let conditions = operation.prices.iter().flat_map(|price| price.when.keys());
        for name in conditions.filter(|name| operation.parameter(name).is_none()) {
            findings.push(source.finding(
                "price",
                format!("{}/x-credits", operation.pointer),
                format!("`{name}` is no parameter of the operation"),
                "correct the override that writes `x-credits`",
            ));
        }
    }
}
