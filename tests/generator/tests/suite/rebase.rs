//! Overrides that follow a new document: what is written in another way is no change, and what means something else keeps its verdict.

mod cases;
pub(crate) mod committed;
pub(crate) mod components;
mod guarded;
mod nulls;
mod renamed;
mod retired;
mod reusable;
mod rules;
mod taken;

use openapi_document::source::Source;
use openapi_overrides::{Family, Override, OverrideSet, judge, rebase};

use crate::support::Workspace;

const DOCUMENT: &str = include_str!("../../fixtures/rebase/document.yaml");

/// An override of these actions.
fn file(actions: &str) -> String {
    format!(
        "overlay: 1.1.0\n\
         info: {{title: A fact, version: 1.0.0}}\n\
         x-override: {{published: p, observed: o, reference: '1', retire-when: Never.}}\n\
         actions:\n{actions}"
    )
}

/// A set with one override of these actions.
fn set(actions: &str) -> OverrideSet {
    let workspace = Workspace::with(DOCUMENT).file("overrides/assumed/one.yaml", &file(actions));
    OverrideSet::load(workspace.root(), "overrides").unwrap()
}

/// A set with one override of these actions, which is in no folder.
fn alone(actions: &str) -> OverrideSet {
    let source = Source::parse("overrides/assumed/one.yaml", file(actions)).unwrap();
    OverrideSet {
        overrides: vec![Override::parse(Family::Assumed, source).unwrap()],
        ..OverrideSet::default()
    }
}

fn source(text: &str) -> Source {
    Source::parse("openapi.yaml", text.to_owned()).unwrap()
}

fn edited(from: &str, to: &str) -> String {
    assert!(DOCUMENT.contains(from), "{from}");
    DOCUMENT.replace(from, to)
}

#[test]
fn each_decision_says_what_changed() {
    let names: Vec<String> = (0..9).map(|index| format!("field_{index}")).collect();
    let with = |kind: &str| {
        let line = |name: &String| format!("        {name}: {{type: {kind}}}\n");
        let fields: String = names.iter().map(line).collect();
        source(&edited("        kind:", &format!("{fields}        kind:")))
    };
    let mut workspace = Workspace::with(DOCUMENT);
    for name in &names {
        let action = format!(
            "  - target: $.components.schemas.Thing.properties.{name}\n    x-expect: {{type: string}}\n    remove: true\n"
        );
        workspace = workspace.file(&format!("overrides/assumed/{name}.yaml"), &file(&action));
    }
    let set = OverrideSet::load(workspace.root(), "overrides").unwrap();
    let (old, new) = (with("string"), with("integer"));
    let rebase = rebase(&old, &new, &set, false).unwrap();
    let findings = judge(&new, &rebase.set).findings();
    assert_eq!(findings.len(), names.len());
    let all = rebase.explained(findings);
    assert_eq!(all.len(), names.len());
    let changed = "what changed: `type` was \"string\" and is \"integer\" now";
    let mut notes = all[0].notes.iter();
    assert!(notes.any(|note| note.starts_with(changed)), "{}", all[0]);
    assert_eq!(rebase.decisions.len(), names.len());
}
