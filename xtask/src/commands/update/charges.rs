//! Operations whose responses said what a call costs, and no longer say it where the overrides look for it: every call's price is at risk.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::finding::{Finding, Stop};
use crate::generate;
use crate::openapi::Model;
use crate::operations::own_charge;
use crate::overlay::Effect;
use crate::overrides::{Override, OverrideSet};
use crate::pointer;
use crate::source::Source;

/// Operations are listed up to this many.
const LISTED: usize = 6;

/// Charges that a client of the new document does not read.
pub(super) struct Lost {
    /// The operations by their names, each as `GET /books`, with the member that had the charge.
    operations: BTreeMap<String, (String, String)>,
    /// The overrides that say where the charge is.
    by: Vec<String>,
}

/// Finds the charges that the new crate does not read; `callers` is what the old one was generated from, with operations where they moved to.
pub(super) fn lost(callers: &Source, new: &Model, set: &OverrideSet) -> Result<Option<Lost>, Stop> {
    let old = generate::read(callers)?.model;
    let now = charges(new);
    let is_there = |name: &String| new.operations.iter().any(|one| one.rust_name == *name);
    let mut operations = charges(&old);
    operations.retain(|name, _| is_there(name) && !now.contains_key(name));
    let says = |one: &&Override| {
        let mut actions = one.overlay.actions.iter();
        actions.any(|action| matches!(&action.effect, Effect::Update(update) if is_charge(update)))
    };
    let by = set.overrides.iter().filter(says);
    Ok((!operations.is_empty()).then(|| Lost {
        operations,
        by: by.map(|one| one.source.path.clone()).collect(),
    }))
}

impl Lost {
    /// What stops the update.
    pub(super) fn finding(&self, document: &str) -> Finding {
        let place = match self.by.as_slice() {
            [] => "an override that gives the member `x-rust-type: Credits`".to_owned(),
            by => format!("the target in {}", by.join(" and ")),
        };
        Finding::about(
            "charge-lost",
            document,
            self.sentence(),
            format!(
                "if the charge has another name now, correct {place}; if these operations report none any more, run the same command \
                 with `--accept`"
            ),
        )
    }

    /// What is lost, in one sentence.
    pub(super) fn sentence(&self) -> String {
        let count = match self.operations.len() {
            1 => "1 operation has".to_owned(),
            many => format!("{many} operations have"),
        };
        let all = self.operations.values();
        let members: BTreeSet<String> = all
            .clone()
            .map(|(_, member)| format!("`{member}`"))
            .collect();
        let members: Vec<String> = members.into_iter().collect();
        let listed: Vec<&str> = all
            .map(|(operation, _)| operation.as_str())
            .take(LISTED)
            .collect();
        let more = match self.operations.len().saturating_sub(LISTED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        format!(
            "the responses of {count} no {} any more, and the price of every call is at risk: {}{more}",
            members.join(" or "),
            listed.join(", "),
        )
    }
}

/// The member with the charge, for each operation whose response has one.
fn charges(model: &Model) -> BTreeMap<String, (String, String)> {
    let all = model.operations.iter().filter_map(|one| {
        let shown = format!("{} {}", one.method.to_uppercase(), one.path);
        Some((
            one.rust_name.clone(),
            (shown, own_charge(model, one)?.to_owned()),
        ))
    });
    all.collect()
}

fn is_charge(update: &Value) -> bool {
    let mut is_charge = false;
    pointer::walk(update, "", &mut |_, value| {
        is_charge |= value
            .get("x-rust-type")
            .is_some_and(|name| name == "Credits");
    });
    is_charge
}
