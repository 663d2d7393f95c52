//! Checks that prices are about parameters that exist.

use super::notes::Notes;
use crate::{Location, Model};

pub(super) fn check(notes: &mut Notes<'_>, model: &Model) {
    for operation in &model.operations {
        let conditions = operation.prices.iter().flat_map(|price| price.when.keys());
        for name in conditions.filter(|name| operation.parameter(name).is_none()) {
            notes.wrong(
                "price",
                &format!("{}/x-credits", operation.pointer),
                format!("`{name}` is not a parameter of the operation"),
                "correct the override that writes `x-credits`",
            );
        }
        for (index, name) in operation.credits_by.iter().flatten().enumerate() {
            let parameter = operation.parameter(name);
            if parameter.is_some_and(|parameter| parameter.location == Location::Query) {
                continue;
            }
            notes.wrong(
                "price",
                &format!("{}/x-credits-by/{index}", operation.pointer),
                format!("`{name}` is not a query parameter of the operation"),
                "correct the override that writes `x-credits-by`",
            );
        }
    }
}
