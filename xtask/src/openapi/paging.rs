//! Where the pages of an operation have their records, and whether what `x-pagination` says of it is so.

use serde_json::Value;

use super::extensions::{self, Pagination};
use super::model::{Hop, Model};
use super::operation::{Operation, ParameterType};
use crate::finding::Finding;
use crate::source::Source;

/// An operation that answers in pages.
#[derive(Clone, Debug)]
pub struct Pages {
    /// Its id.
    pub operation: String,
    /// The way from the body to the array of records.
    pub items: Vec<Hop>,
    /// A record.
    pub item: Value,
    /// The way to the number of all records.
    pub total: Option<Branch>,
    /// The way to what tells one list from another.
    pub key: Option<Branch>,
    /// The member of the body that repeats the offset.
    pub answered_offset: Option<Hop>,
}

/// A way that leaves the one to the records.
#[derive(Clone, Debug)]
pub struct Branch {
    /// After so many hops.
    pub after: usize,
    /// How it goes on, through objects only.
    pub hops: Vec<Hop>,
}

const HELP: &str = "correct the override that writes `x-pagination`";

/// The operations that answer in pages, in the order of the document.
pub(super) fn read(model: &Model, source: &Source, findings: &mut Vec<Finding>) -> Vec<Pages> {
    let mut pages = Vec::new();
    for operation in &model.operations {
        let Some(pagination) = &operation.pagination else {
            continue;
        };
        let at = format!("{}/x-pagination", operation.pointer);
        let Some(success) = &operation.success else {
            let message = "the operation has no response body that could page";
            findings.push(source.finding("pagination", at, message, HELP));
            continue;
        };
        let mut wrong = |key: &str, message: String| {
            let at = format!("{at}/{key}");
            findings.push(source.finding("pagination", at, message, HELP));
        };
        parameters(operation, pagination, &mut wrong);
        let way = |path: &str| model.way(success, &extensions::steps(path)?);
        let Some((items, list)) = way(&pagination.items).filter(|(_, list)| is(list, "array"))
        else {
            let message = format!("`{}` leads to no array in the response", pagination.items);
            wrong("items", message);
            continue;
        };
        let mut branch = |key: &str, path: &Option<String>, kind: &str| {
            let path = path.as_ref()?;
            let found = way(path).filter(|(_, value)| {
                is(
                    model
                        .referenced(value)
                        .map_or(value, |schema| &schema.value),
                    kind,
                )
            });
            let Some((hops, _)) = found else {
                wrong(key, format!("`{path}` leads to no {kind} in the response"));
                return None;
            };
            let after = hops.iter().zip(&items).take_while(|(a, b)| a == b).count();
            let hops = hops.get(after..).unwrap_or_default().to_vec();
            if hops.iter().any(|hop| hop.is_list) {
                wrong(
                    key,
                    format!("`{path}` goes through a list that `items` does not go through"),
                );
                return None;
            }
            Some(Branch { after, hops })
        };
        let total = branch("total", &pagination.total, "integer");
        let key = branch("key", &pagination.key, "string");
        if pagination.key.is_none() && items.iter().any(|hop| hop.is_list) {
            let message = "`items` leads to several lists, and nothing tells them apart";
            findings.push(source.finding(
                "pagination",
                at,
                message,
                "give the path of an identifier beside them as `key`",
            ));
        }
        let answered_offset = way(&format!("$.{}", pagination.offset))
            .filter(|(_, value)| is(value, "integer"))
            .and_then(|(mut hops, _)| hops.pop());
        pages.push(Pages {
            operation: operation.id.clone(),
            item: list.get("items").cloned().unwrap_or_default(),
            items,
            total,
            key,
            answered_offset,
        });
    }
    pages
}

fn is(value: &Value, kind: &str) -> bool {
    value.get("type").and_then(Value::as_str) == Some(kind)
}

fn parameters(
    operation: &Operation,
    pagination: &Pagination,
    wrong: &mut impl FnMut(&str, String),
) {
    for (key, name, is_number) in [
        ("limit", Some(&pagination.limit), true),
        ("offset", Some(&pagination.offset), true),
        ("requires", pagination.requires.as_ref(), false),
    ] {
        let Some(name) = name else {
            continue;
        };
        match operation.parameter(name) {
            None => wrong(key, format!("`{name}` is no parameter of the operation")),
            Some(parameter) => {
                if is_number && !matches!(parameter.kind, ParameterType::Integer { .. }) {
                    wrong(key, format!("`{name}` is no whole number"));
                }
            }
        }
    }
}
