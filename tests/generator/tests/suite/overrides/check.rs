//! Checks one override: its verdicts, and the facts that the reconciled document and the emitted crate lack without it.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use client_generator::generate;
use client_generator::surface::{self, Surface};
use openapi_document::finding::DocumentError;
use openapi_document::pointer::is_within;
use openapi_overlay::ChangeKind;
use openapi_overrides::{Applied, OverrideSet, ReconciledDocument, Verdict, judge, reconcile};
use serde_json::Value;

use super::facts::missing;
use crate::support::Inputs;

/// Folder of the snapshots, below the package.
pub(super) const SNAPSHOTS: &str = "tests/suite/overrides/snapshots";

/// Returns the reconciled document and the surface of its crate. As strict as the commands that write this crate.
fn generated(
    inputs: &Inputs,
    overrides: &OverrideSet,
) -> (ReconciledDocument, Result<Surface, DocumentError>) {
    let reconciled = reconcile(&inputs.published, overrides).unwrap();
    let surface = surface_of(&reconciled);
    (reconciled, surface)
}

fn surface_of(reconciled: &ReconciledDocument) -> Result<Surface, DocumentError> {
    let code = generate::code(&reconciled.source, &reconciled.report)?;
    DocumentError::unless_empty(code.warnings.clone())?;
    surface::of(&reconciled.source, &code)
}

/// Returns the verdict on one override, against a document.
fn verdict(inputs: &Inputs, document: Value, id: &str) -> Verdict {
    let judgements = judge(&inputs.published.with_value(document), &inputs.overrides);
    let judgement = judgements
        .all
        .iter()
        .find(|judgement| judgement.applied.by.id == id)
        .unwrap();
    judgement.verdict
}

/// Returns the set of one override.
fn only(inputs: &Inputs, id: &str) -> OverrideSet {
    let mut set = inputs.overrides.clone();
    set.overrides.retain(|one| one.id == id);
    set
}

/// Returns the document after the overrides up to and including `id`: their corrections, published.
fn corrected(inputs: &Inputs, id: &str) -> Value {
    let last = inputs
        .overrides
        .overrides
        .iter()
        .position(|one| one.id == id)
        .unwrap();
    let upto = OverrideSet {
        overrides: inputs.overrides.overrides[..=last].to_vec(),
        ..OverrideSet::default()
    };
    reconcile(&inputs.published, &upto).unwrap().value().clone()
}

/// Changes the value at every location of the override's actions; `None` if the document has none of them.
fn edited(document: &Value, inputs: &Inputs, id: &str) -> Option<Value> {
    let mut all = inputs.overrides.overrides.iter();
    let one = all.find(|one| one.id == id).unwrap();
    let mut edited = document.clone();
    for action in &one.overlay.actions {
        let places = openapi_overlay::nodes(&action.query, &edited);
        for place in places {
            if let Some(target) = edited.pointer_mut(&place) {
                contradict(action.guard.as_ref().unwrap(), target);
            }
        }
    }
    (edited != *document).then_some(edited)
}

/// Changes `value` so that `guard` no longer holds for it.
fn contradict(guard: &Value, value: &mut Value) {
    match (guard, &mut *value) {
        (Value::Object(guard), Value::Object(object)) if !guard.is_empty() => {
            let (key, guard) = guard.iter().next().unwrap();
            contradict(guard, object.entry(key.clone()).or_insert(Value::Null));
        }
        _ => *value = serde_json::json!({"description": "something else"}),
    }
}

/// Surface of the committed crate.
static COMMITTED: LazyLock<Surface> =
    LazyLock::new(|| surface_of(Inputs::committed().reconciled()).unwrap());

/// Returns the overrides that depend on `id`, in order, and the output without all
/// of them. An error that names no override is the purpose of `id`.
fn without(
    inputs: &Inputs,
    id: &str,
) -> (
    Vec<String>,
    ReconciledDocument,
    Result<Surface, DocumentError>,
) {
    let mut set = inputs.overrides.without(id);
    assert_eq!(
        set.overrides.len() + 1,
        inputs.overrides.overrides.len(),
        "no override `{id}`"
    );
    let mut dependents = Vec::new();
    loop {
        let judgements = judge(&inputs.published, &set);
        let mut next: Vec<String> = judgements
            .all
            .iter()
            .filter(|judgement| judgement.verdict != Verdict::Applied)
            .map(|judgement| judgement.applied.by.id.clone())
            .collect();
        if next.is_empty() {
            let (reconciled, surface) = generated(inputs, &set);
            if let Err(stop) = &surface {
                // An extension of another override that no longer fits.
                for finding in stop.findings() {
                    let place = &finding.pointer;
                    let wrote = |is_it: &dyn Fn(&str) -> bool| -> Vec<String> {
                        let all = reconciled.report.applied.iter();
                        let has = |one: &&Applied| one.changes.iter().any(|at| is_it(&at.pointer));
                        all.filter(has).map(|one| one.by.id.clone()).collect()
                    };
                    let extensions = wrote(&|at| {
                        at.strip_prefix(place)
                            .is_some_and(|rest| rest.starts_with("/x-"))
                    });
                    next.extend(if extensions.is_empty() {
                        wrote(&|at| is_within(place, at))
                    } else {
                        extensions
                    });
                }
            }
            if next.is_empty() {
                return (dependents, reconciled, surface);
            }
        }
        for dependent in next {
            set = set.without(&dependent);
            if !dependents.contains(&dependent) {
                dependents.push(dependent);
            }
        }
    }
}

/// Checks the verdicts on an override, and compares its changes with its snapshot: locations of the document, and facts of the crate.
pub(super) fn check(id: &str) {
    let inputs = Inputs::committed();
    let with = inputs.reconciled();
    // The build script lists the overrides, and cargo does not always run it again when one is deleted.
    if inputs.overrides.overrides.iter().all(|one| one.id != id) {
        return;
    }
    assert_eq!(
        verdict(inputs, inputs.published.value.clone(), id),
        Verdict::Applied
    );
    // Applied alone: an earlier one that replaces a schema would remove the change of this one.
    let (document, own) = (corrected(inputs, id), only(inputs, id));
    let published = inputs.published.with_value(document.clone());
    assert_eq!(
        judge(&published, &own).all[0].verdict,
        Verdict::Retired,
        "with its correction published"
    );
    let after_an_edit = match edited(&inputs.published.value, inputs, id) {
        Some(document) => verdict(inputs, document, id),
        // Earlier files add its target.
        None => {
            let document = edited(&document, inputs, id).unwrap();
            judge(&inputs.published.with_value(document), &own).all[0].verdict
        }
    };
    assert!(
        matches!(after_an_edit, Verdict::Outdated | Verdict::Orphaned),
        "with its target edited: {after_an_edit}"
    );
    let (dependents, reconciled, without) = without(inputs, id);
    let mut text = String::new();
    for dependent in &dependents {
        text += &format!("needed by {dependent}\n");
    }
    let applied = with.report.applied.iter().find(|one| one.by.id == id);
    for change in &applied.unwrap().changes {
        let place = &change.pointer;
        // Both sides lack the dependents, so that only this file makes a difference. Another file may move the elements of a list.
        let list = place.rsplit_once('/').map(|(list, _)| list);
        let is_list = |at: &&str| with.value().pointer(at).is_some_and(Value::is_array);
        let at = list.filter(is_list).unwrap_or(place);
        let same = with.value().pointer(at) == reconciled.value().pointer(at);
        assert!(!same, "{place} is the same without `{id}`");
        let kind = match change.kind {
            ChangeKind::Added => "adds",
            ChangeKind::Changed => "changes",
            ChangeKind::Removed => "removes",
        };
        text += &format!("{kind} {place}\n");
    }
    match without {
        Err(stop) => {
            let rules: BTreeSet<&str> =
                stop.findings().iter().map(|finding| finding.rule).collect();
            text += &format!("refused without it: {rules:?}\n");
        }
        Ok(without) => {
            // Both sides lack the dependents, so that only this file makes the difference.
            let base = (!dependents.is_empty()).then(|| {
                let base = dependents
                    .iter()
                    .fold(inputs.overrides.clone(), |set, one| set.without(one));
                generated(inputs, &base).1.unwrap()
            });
            let brings = missing(base.as_ref().unwrap_or(&COMMITTED), &without);
            assert_ne!(brings, [""; 0], "`{id}` brings nothing into the crate");
            text += &brings.join("\n");
        }
    }
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("snapshots");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(id, text));
}
