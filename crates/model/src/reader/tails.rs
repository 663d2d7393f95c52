//! Ids of operations without what a framework puts at their end.
//!
//! FastAPI appends the path and the method to the name of a function: `read_items_v1_items_get`.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::ids::{Identified, identified};
use crate::names;

/// Returns the names of operations whose id has such a tail, by their ids: the part before it, if it is unique.
pub fn without_tails(document: &Value) -> BTreeMap<String, String> {
    let mut cuts = BTreeMap::new();
    let mut counted: BTreeMap<String, usize> = BTreeMap::new();
    let mut ids = BTreeSet::new();
    for Identified { path, method, id } in identified(document) {
        ids.insert(names::pascal(id));
        if let Some(name) = id
            .strip_suffix(&tail(path, &method))
            .filter(|name| !name.is_empty())
        {
            *counted.entry(names::pascal(name)).or_default() += 1;
            cuts.insert(id.to_owned(), name.to_owned());
        }
    }
    cuts.retain(|_, name| {
        let name = names::pascal(name);
        counted.get(&name) == Some(&1) && !ids.contains(&name)
    });
    cuts
}

/// Returns the tail behind the name of a function.
fn tail(path: &str, method: &str) -> String {
    let path = path.replace(|c: char| !c.is_alphanumeric(), "_");
    format!("{path}_{method}")
}

#[cfg(test)]
mod tests {
    use openapi_document::source::Source;

    use super::*;

    #[test]
    fn the_tail_of_an_id_is_cut_where_the_rest_has_no_double() {
        let document = "paths:\n  \
            /v1/items: {get: {operationId: read_items_v1_items_get}, post: {operationId: add_v1_items_post}}\n  \
            '/v1/items/{item_id}': {get: {operationId: read_item_v1_items__item_id__get}, put: {operationId: add_v1_items__item_id__put}}\n  \
            /v1/users: {get: {operationId: listUsers}, put: {operationId: list_users_v1_users_put}, post: {operationId: _v1_users_post}}\n";
        let source = Source::parse("openapi.yaml", document.to_owned()).unwrap();
        let cuts = without_tails(&source.value);
        let cuts: Vec<(&str, &str)> = cuts.iter().map(|(id, name)| (&**id, &**name)).collect();
        assert_eq!(
            cuts,
            [
                ("read_item_v1_items__item_id__get", "read_item"),
                ("read_items_v1_items_get", "read_items"),
            ]
        );
    }
}
