//! Operations whose responses no longer report the charge where the crate reads it: every call's price is at risk. A person has to confirm
//! that a new member is the charge.

use std::collections::BTreeMap;

use client_generator::generate;
use client_generator::operations::own_charge;
use openapi_document::finding::{DocumentError, Finding};
use openapi_document::pointer;
use openapi_document::readable::{counted, listed};
use openapi_document::source::Source;
use openapi_model::Model;
use openapi_overlay::Effect;
use openapi_overrides::OverrideSet;
use serde_json::Value;

/// Operations are listed up to this many.
const LISTED: usize = 6;

/// Charges that a client of the new document does not read, or reads elsewhere.
pub(super) struct Lost {
    /// The operations, as `GET /books`, by the member that had the charge and its replacement.
    operations: BTreeMap<(String, Option<String>), Vec<String>>,
    /// The overrides that declare the member of the charge.
    by: Vec<String>,
}

/// Finds the charges that the new crate does not read; `callers` is what the old one was generated from, with operations where they moved to.
pub(super) fn lost(
    callers: &Source,
    new: &Model,
    set: &OverrideSet,
) -> Result<Option<Lost>, DocumentError> {
    let old = generate::read(callers)?.model;
    let now = charges(new);
    let mut operations: BTreeMap<_, Vec<String>> = BTreeMap::new();
    for (name, (shown, member)) in charges(&old) {
        let there = now.get(&name).map(|(_, member)| member.clone());
        let mut operations_there = new.operations.iter();
        let is_there = operations_there.any(|one| one.rust_name == name);
        if is_there && there.as_ref() != Some(&member) {
            operations.entry((member, there)).or_default().push(shown);
        }
    }
    let by = set.overrides.iter().filter(|one| {
        let mut actions = one.overlay.actions.iter();
        actions.any(|action| matches!(&action.effect, Effect::Update(update) if is_charge(update)))
    });
    Ok((!operations.is_empty()).then(|| Lost {
        operations,
        by: by.map(|one| one.source.path.clone()).collect(),
    }))
}

impl Lost {
    /// Returns the finding that stops the update.
    pub(super) fn finding(&self, document: &str) -> Finding {
        let place = match self.by.as_slice() {
            [] => "an override that gives the member `x-rust-type: Credits`".to_owned(),
            by => format!("the target in {}", by.join(" and ")),
        };
        Finding::about(
            "charge",
            document,
            self.sentence(),
            format!(
                "if the charge is in another member, correct {place}; if all of this is right, run the same command with `--accept`"
            ),
        )
    }

    /// Describes the lost member in one sentence.
    pub(super) fn sentence(&self) -> String {
        let sentences = self.operations.iter().map(|((member, there), all)| {
            let count = counted(all.len(), "operation");
            let listed = listed(all, LISTED);
            match there {
                None => format!(
                    "the crate no longer reads the charge of {count}, which was `{member}`, and the price of every call is at risk: \
                     {listed}"
                ),
                Some(there) => format!(
                    "the crate reads the charge of {count} from `{there}` and no longer from `{member}`: {listed}"
                ),
            }
        });
        sentences.collect::<Vec<_>>().join("; ")
    }
}

/// Returns the member with the charge, for each operation whose response has one.
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
