//! One test for each override, named after it; the build script lists them. Without the file, facts are missing from the reconciled
//! document and from the emitted crate; with its target edited in the published document it is outdated or orphaned; with its correction
//! published it is retired. These facts are a reviewed snapshot with the name of the override.

mod check;
mod facts;

use std::collections::BTreeSet;

use serde_json::Value;

use crate::support::Inputs;

include!(concat!(env!("OUT_DIR"), "/overrides.rs"));

fn ids() -> BTreeSet<&'static str> {
    let overrides = Inputs::committed().overrides.overrides.iter();
    overrides.map(|one| one.id.as_str()).collect()
}

#[test]
fn every_override_has_a_test() {
    // The build script may not have run since an override was deleted.
    let tested: BTreeSet<&str> = IDS.iter().copied().collect();
    let untested: Vec<_> = ids().difference(&tested).copied().collect();
    assert!(untested.is_empty(), "no test for {untested:?}");
}

#[test]
fn what_is_about_an_override_goes_with_it() {
    let files = ids();
    let folder = crate::support::package().join(check::SNAPSHOTS);
    for entry in std::fs::read_dir(folder).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let Some(id) = name.strip_suffix(".snap") else {
            continue;
        };
        if !files.contains(id) {
            let snapshot = format!("../generator/{}/{name}", check::SNAPSHOTS);
            reviewed_facts::assert_reviewed(&snapshot, None);
        }
    }
    for (id, text) in reviewed_facts::all("forms") {
        let kept = files.contains(id.as_str()).then(|| forms_of_types(&text));
        reviewed_facts::assert_reviewed(&format!("forms/{id}.json"), kept.flatten().as_deref());
    }
}

/// Returns the forms of types that the crate has, of a file with one in each line; `None` without any.
fn forms_of_types(text: &str) -> Option<String> {
    let types = Inputs::committed().types();
    let mut kept = Vec::new();
    for line in text.lines() {
        let form = line.trim().trim_end_matches(',');
        if let Ok(Value::Object(members)) = serde_json::from_str(form)
            && types.contains_key(members["schema"].as_str().unwrap())
        {
            kept.push(format!("  {form}"));
        }
    }
    (!kept.is_empty()).then(|| format!("[\n{}\n]\n", kept.join(",\n")))
}
