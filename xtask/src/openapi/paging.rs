//! The arrays that `x-pagination` names, and whether what it says of an operation is so.

use serde_json::Value;

use super::extensions;
use super::model::Model;
use crate::finding::Finding;
use crate::source::Source;

/// Schema and property of every array that pages.
pub(super) fn records(
    model: &Model,
    source: &Source,
    findings: &mut Vec<Finding>,
) -> Vec<(String, String)> {
    let mut records = Vec::new();
    for operation in &model.operations {
        for price in &operation.prices {
            let unknown = price
                .when
                .keys()
                .filter(|name| !operation.parameters.iter().any(|one| one.name == **name));
            for name in unknown {
                findings.push(source.finding(
                    "price",
                    format!("{}/x-credits", operation.pointer),
                    format!("`{name}` is no parameter of the operation"),
                    "correct the override that writes `x-credits`",
                ));
            }
        }
        let Some(pagination) = &operation.pagination else {
            continue;
        };
        let at = format!("{}/x-pagination", operation.pointer);
        let Some(success) = &operation.success else {
            findings.push(source.finding(
                "pagination",
                at,
                "the operation has no response body that could page",
                "correct the override that writes `x-pagination`",
            ));
            continue;
        };
        let mut wrong = |key: &str, message: String| {
            findings.push(source.finding(
                "pagination",
                format!("{at}/{key}"),
                message,
                "correct the override that writes `x-pagination`",
            ));
        };
        for (key, parameter) in [
            ("limit", Some(&pagination.limit)),
            ("offset", Some(&pagination.offset)),
            ("requires", pagination.requires.as_ref()),
        ] {
            if let Some(parameter) = parameter
                && !operation
                    .parameters
                    .iter()
                    .any(|one| one.name == *parameter)
            {
                wrong(
                    key,
                    format!("`{parameter}` is no parameter of the operation"),
                );
            }
        }
        let find =
            |path: &str| extensions::steps(path).and_then(|steps| model.member(success, &steps));
        if let Some(total) = &pagination.total
            && find(total).is_none()
        {
            wrong(
                "total",
                format!("`{total}` leads to nothing in the response"),
            );
        }
        match find(&pagination.items) {
            Some((owner, property, value))
                if value.get("type").and_then(Value::as_str) == Some("array") =>
            {
                records.push((owner.name.clone(), property));
            }
            _ => wrong(
                "items",
                format!("`{}` leads to no array in the response", pagination.items),
            ),
        }
    }
    records.sort();
    records.dedup();
    records
}
