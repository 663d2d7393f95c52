//! Checks one override: its verdicts, and what the reconciled document and the emitted crate lack without it.

use std::sync::LazyLock;

use serde_json::Value;
use xtask::emit::FileTree;
use xtask::finding::Stop;
use xtask::generate;
use xtask::overrides::{OverrideSet, ReconciledDocument, Verdict, judge, reconcile};

use crate::support::Inputs;

/// What one override brings.
pub(super) struct Row {
    pub(super) id: &'static str,
    /// Overrides that build on this one and cannot apply without it.
    pub(super) together_with: &'static [&'static str],
    /// A place in the reconciled document whose value is another one without the override.
    pub(super) place: &'static str,
    pub(super) emitted: Emitted,
}

/// What the override changes in the emitted crate.
pub(super) enum Emitted {
    /// The text is in the file, between the line that contains `from` and the end of its item.
    Text {
        file: &'static str,
        from: &'static str,
        text: &'static str,
    },
    /// Without the override nothing is emitted: this rule refuses the document.
    Refused(&'static str),
}

pub(super) fn in_type(from: &'static str, text: &'static str) -> Emitted {
    Emitted::Text {
        file: "src/types.rs",
        from,
        text,
    }
}

pub(super) fn in_file(file: &'static str, text: &'static str) -> Emitted {
    Emitted::Text {
        file,
        from: "",
        text,
    }
}

/// The item that starts at `from`, to its closing brace in the first column; the whole text for an empty `from`.
fn item<'t>(text: &'t str, from: &str) -> &'t str {
    if from.is_empty() {
        return text;
    }
    let Some(start) = text.find(from) else {
        return "";
    };
    let end = text[start..]
        .find("\n}\n")
        .map_or(text.len(), |end| start + end);
    &text[start..end]
}

fn generate(
    inputs: &Inputs,
    overrides: &OverrideSet,
) -> (ReconciledDocument, Result<FileTree, Stop>) {
    let reconciled = reconcile(&inputs.published, overrides).unwrap();
    let tree = generate::tree(&inputs.published, overrides, &reconciled);
    (reconciled, tree)
}

/// The verdict on one override, against a document.
fn verdict(inputs: &Inputs, document: Value, id: &str) -> Verdict {
    let judgements = judge(&inputs.published.with_value(document), &inputs.overrides);
    let judgement = judgements
        .all
        .iter()
        .find(|judgement| judgement.applied.by.id == id)
        .unwrap();
    judgement.verdict
}

/// The document as the overrides up to and including `id` leave it: their corrections, published.
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

/// The published document with another value at every place that an action of the override was written against.
fn edited(inputs: &Inputs, id: &str) -> Value {
    let one = inputs
        .overrides
        .overrides
        .iter()
        .find(|one| one.id == id)
        .unwrap();
    let mut document = inputs.published.value.clone();
    for action in &one.overlay.actions {
        let places: Vec<String> = action
            .query
            .query_located(&document)
            .locations()
            .map(|path| path.to_json_pointer())
            .collect();
        for place in places {
            if let Some(target) = document.pointer_mut(&place) {
                contradict(action.guard.as_ref().unwrap(), target);
            }
        }
    }
    assert_ne!(
        document, inputs.published.value,
        "`{id}` is written against nothing that is published"
    );
    document
}

/// Changes `value` so that `guard` no longer holds of it.
fn contradict(guard: &Value, value: &mut Value) {
    match (guard, &mut *value) {
        (Value::Object(guard), Value::Object(object)) if !guard.is_empty() => {
            let (key, guard) = guard.iter().next().unwrap();
            contradict(guard, object.entry(key.clone()).or_insert(Value::Null));
        }
        _ => *value = serde_json::json!({"description": "something else"}),
    }
}

/// The committed inputs, and what they give.
struct Committed {
    inputs: Inputs,
    reconciled: ReconciledDocument,
    tree: FileTree,
}

static COMMITTED: LazyLock<Committed> = LazyLock::new(|| {
    let inputs = Inputs::committed();
    let (reconciled, tree) = generate(&inputs, &inputs.overrides);
    let tree = tree.unwrap();
    Committed {
        inputs,
        reconciled,
        tree,
    }
});

pub(super) fn check(row: &Row) {
    let Committed {
        inputs,
        reconciled: with,
        tree,
    } = &*COMMITTED;
    assert_eq!(
        verdict(inputs, inputs.published.value.clone(), row.id),
        Verdict::Applied
    );
    assert_eq!(
        verdict(inputs, corrected(inputs, row.id), row.id),
        Verdict::Retired,
        "with its correction published"
    );
    let after_an_edit = verdict(inputs, edited(inputs, row.id), row.id);
    assert!(
        matches!(after_an_edit, Verdict::Outdated | Verdict::Orphaned),
        "with its target edited: {after_an_edit}"
    );
    let mut set = inputs.overrides.without(row.id);
    assert_eq!(
        set.overrides.len() + 1,
        inputs.overrides.overrides.len(),
        "no override `{}`",
        row.id
    );
    // The comparison is against the set without the dependents, so that only this file makes the difference.
    let mut base = inputs.overrides.clone();
    for dependent in row.together_with {
        set = set.without(dependent);
        base = base.without(dependent);
    }
    let (reconciled, without) = generate(inputs, &set);
    assert_ne!(
        with.value().pointer(row.place),
        None,
        "{} is not in the reconciled document",
        row.place
    );
    assert_ne!(
        with.value().pointer(row.place),
        reconciled.value().pointer(row.place),
        "{} is the same without `{}`",
        row.place,
        row.id
    );
    match (&row.emitted, without) {
        (Emitted::Text { file, from, text }, Ok(without)) => {
            let base = (!row.together_with.is_empty()).then(|| generate(inputs, &base).1.unwrap());
            for (name, tree) in [
                ("the committed crate", Some(tree)),
                ("the crate without dependents", base.as_ref()),
            ] {
                let Some(tree) = tree else { continue };
                let found = item(tree.get(file).unwrap_or_default(), from);
                assert!(
                    found.contains(text),
                    "{name}: `{text}` is not in {file} after `{from}`:\n{found}"
                );
            }
            let found = item(without.get(file).unwrap_or_default(), from);
            assert!(
                !found.contains(text),
                "`{text}` is in {file} without `{}`",
                row.id
            );
        }
        (Emitted::Refused(rule), Err(stop)) => {
            assert!(
                stop.findings().iter().all(|finding| finding.rule == *rule),
                "{stop}"
            );
        }
        (Emitted::Text { .. }, Err(stop)) => panic!("without `{}`:\n{stop}", row.id),
        (Emitted::Refused(rule), Ok(_)) => panic!("`{rule}` does not refuse the document"),
    }
}
