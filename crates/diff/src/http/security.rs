//! The credentials that an operation requires.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::documents::Documents;
use super::schemes::scheme_in_new;
use super::scope::Scope;
use crate::verdicts::{Both, Marks, rules};
use openapi_schemas::reading::Document;

/// One security requirement.
struct Demand<'d> {
    /// Schemes, each with its required scopes.
    schemes: BTreeMap<&'d str, BTreeSet<&'d str>>,
    /// Value to point at.
    place: &'d Value,
}

/// The alternative security requirements of an operation.
struct Demands<'d> {
    all: Vec<Demand<'d>>,
    /// List of the requirements, or the object that lacks one.
    place: &'d Value,
}

impl<'d> Demands<'d> {
    /// Reads the requirements of an operation, or those of the document.
    fn of(side: &mut Document<'d>, operation: &'d Value) -> Self {
        let own = operation.get("security");
        let home = if own.is_some() { operation } else { side.root };
        let list = own.or_else(|| side.root.get("security"));
        let list = list.and_then(|list| side.object(list));
        let place = list.unwrap_or(home);
        let listed = list.and_then(Value::as_array).into_iter().flatten();
        let mut all: Vec<Demand<'d>> = listed.map(Demand::of).collect();
        // No credentials are required.
        if all.is_empty() {
            all.push(Demand {
                schemes: BTreeMap::new(),
                place,
            });
        }
        Self { all, place }
    }

    /// Returns whether a caller that meets a requirement meets one of these.
    fn accept(&self, demand: &Demand<'_>) -> bool {
        self.all.iter().any(|one| one.is_met_by(demand))
    }
}

impl<'d> Demand<'d> {
    fn of(place: &'d Value) -> Self {
        let mut schemes = BTreeMap::new();
        for (scheme, scopes) in place.as_object().into_iter().flatten() {
            let scopes = scopes.as_array().into_iter().flatten();
            schemes.insert(scheme.as_str(), scopes.filter_map(Value::as_str).collect());
        }
        Self { schemes, place }
    }

    /// Returns whether a caller that meets the other requirement meets this one.
    fn is_met_by(&self, other: &Self) -> bool {
        self.schemes.iter().all(|(scheme, scopes)| {
            let other = other.schemes.get(scheme);
            other.is_some_and(|has| scopes.is_subset(has))
        })
    }

    fn spell(&self) -> String {
        if self.schemes.is_empty() {
            return "no credential".to_owned();
        }
        let mut all = Vec::new();
        for (scheme, scopes) in &self.schemes {
            let scopes: Vec<&str> = scopes.iter().copied().collect();
            let with = if scopes.is_empty() { "" } else { " with " };
            all.push(format!("`{scheme}`{with}{}", scopes.join(", ")));
        }
        all.join(" and ")
    }
}

/// Compares the credentials that an operation requires.
pub(super) fn security<'d>(documents: &mut Documents<'d>, scope: Scope, both: Both<'d>) {
    let mut before = Demands::of(&mut documents.schemas.old, both.old);
    let after = Demands::of(&mut documents.schemas.new, both.new);
    for demand in &mut before.all {
        let schemes = std::mem::take(&mut demand.schemes).into_iter();
        demand.schemes = schemes
            .map(|(scheme, scopes)| (scheme_in_new(documents, scheme), scopes))
            .collect();
    }
    for demand in before.all.iter().chain(&after.all) {
        for scheme in demand.schemes.keys() {
            let users = documents.scheme_users.entry(scheme).or_default();
            if users.last() != Some(&scope.operation) {
                users.push(scope.operation);
            }
        }
    }
    for demand in before.all.iter().filter(|demand| !after.accept(demand)) {
        let marks = Marks::removed_from(after.place, demand.place);
        documents.note(scope, &rules::SECURITY_TIGHTENED, marks, || {
            let now: Vec<String> = after.all.iter().map(Demand::spell).collect();
            let (demand, now) = (demand.spell(), now.join(", or "));
            format!("{demand} is no longer enough: it takes {now}")
        });
    }
    for demand in after.all.iter().filter(|demand| !before.accept(demand)) {
        let marks = Marks::added_to(before.place, demand.place);
        documents.note(scope, &rules::SECURITY_LOOSENED, marks, || {
            format!("{} is enough now", demand.spell())
        });
    }
}
