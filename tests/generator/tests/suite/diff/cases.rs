//! The files of `crates/diff/cases`, whose page describes their form: changes of each rule, and spellings of one meaning.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use openapi_diff::Wire::{Breaking, Risky, Safe};
use openapi_diff::{Differences, RULES};
use openapi_document::source::{Reading, Root, bundled};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::lines;
use super::quiet::QUIET;
use crate::support::repository;

/// Two fragments of documents, and what is reported for them.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Case {
    old: Value,
    new: Value,
    /// Verdict of the rule's change, by frame.
    verdicts: BTreeMap<String, String>,
    /// What the change says.
    says: String,
    /// Rules of all other changes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) beside: Vec<String>,
}

/// Fragments with the same meaning.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Spellings {
    frames: Vec<String>,
    same: Vec<Value>,
    /// Rules of what is reported for them, none of which is about a message.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    notes: BTreeSet<String>,
}

/// The documents around fragments, by name.
pub(crate) struct Frames(BTreeMap<String, Value>);

impl Frames {
    pub(crate) fn read() -> Self {
        let text = fs::read_to_string(folder().join("frames.yaml")).unwrap();
        Self(serde_yaml::from_str(&text).unwrap())
    }

    /// Returns the document of a fragment, as JSON. A string is the fragment as it is written.
    fn document(&self, frame: &str, fragment: &Value) -> String {
        let Some(frame) = self.0.get(frame) else {
            panic!("there is no frame `{frame}`");
        };
        match fragment.as_str() {
            Some(text) => frame.to_string().replace(r#""@""#, text),
            None => placed(frame, fragment).to_string(),
        }
    }
}

/// Returns a frame with a fragment in place of each value `@`, and with its members in place of each key `@`.
fn placed(frame: &Value, fragment: &Value) -> Value {
    match frame {
        Value::String(text) if text == "@" => fragment.clone(),
        Value::Array(items) => items.iter().map(|item| placed(item, fragment)).collect(),
        Value::Object(map) => {
            let mut all = serde_json::Map::new();
            for (key, value) in map {
                if key == "@" {
                    all.extend(fragment.as_object().unwrap().clone());
                } else {
                    all.insert(key.clone(), placed(value, fragment));
                }
            }
            Value::Object(all)
        }
        other => other.clone(),
    }
}

impl Case {
    /// Returns the old and the new document of each frame, as JSON.
    pub(crate) fn documents(&self, frames: &Frames) -> Vec<(&str, [String; 2])> {
        let mut documents = Vec::new();
        for name in self.verdicts.keys() {
            let both = [&self.old, &self.new].map(|fragment| frames.document(name, fragment));
            documents.push((name.as_str(), both));
        }
        documents
    }

    /// Returns the case as it is reported, and the directions of the rule's change.
    fn seen(&self, rule: &str, frames: &Frames) -> Result<(Self, BTreeSet<String>), String> {
        let mut seen = self.clone();
        let mut directions = BTreeSet::new();
        for (name, [old, new]) in self.documents(frames) {
            for Differences { mut changes, .. } in compared(&old, &new) {
                let own = changes.iter().position(|change| change.rule.id == rule);
                let Some(own) = own else {
                    return Err(format!("{name}: no such change: {:#?}", lines(&changes)));
                };
                let own = changes.remove(own);
                directions.insert(own.direction.to_string());
                seen.verdicts.insert(name.to_owned(), own.wire.to_string());
                seen.says = own.what;
                seen.beside = changes.iter().map(|one| one.rule.id.to_owned()).collect();
                if seen.says != self.says || seen.beside != self.beside {
                    return Ok((seen, directions));
                }
            }
        }
        Ok((seen, directions))
    }
}

impl Spellings {
    /// Returns the group as its fragments are reported, each with each.
    fn seen(&self, frames: &Frames) -> Self {
        let mut seen = self.clone();
        seen.notes.clear();
        for frame in &self.frames {
            let documents = self.same.iter().map(|one| frames.document(frame, one));
            let documents: Vec<String> = documents.collect();
            for old in &documents {
                for new in &documents {
                    let changes = compared(old, new).into_iter().flat_map(|one| one.changes);
                    seen.notes.extend(changes.map(|one| one.rule.id.to_owned()));
                }
            }
        }
        seen
    }
}

/// Compares two documents, as JSON and as YAML.
fn compared(old: &str, new: &str) -> [Differences; 2] {
    // JSON has no comments.
    [("openapi.json", ""), ("openapi.yaml", "# YAML\n")].map(|(name, head)| {
        let [old, new] = [old, new].map(|text| {
            let text = format!("{head}{text}");
            bundled(name, text, Reading::Tolerant, &Root::Own, &|_| Ok(None)).unwrap()
        });
        openapi_diff::compare(&old, &new)
    })
}

fn folder() -> PathBuf {
    repository().join("crates/diff/cases")
}

/// Reads the files of a folder, by stem, or returns what is wrong with one.
fn read_folder<T: DeserializeOwned>(folder: &Path) -> Result<BTreeMap<String, Vec<T>>, String> {
    let mut all = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        let Some(stem) = name.strip_suffix(".yaml") else {
            return Err(format!("{name}: its name does not end in `.yaml`"));
        };
        let text = fs::read_to_string(&path).unwrap();
        let cases = serde_yaml::from_str(&text).map_err(|error| format!("{name}: {error}"))?;
        all.insert(stem.to_owned(), cases);
    }
    Ok(all)
}

/// Reads the cases of all rules below a folder, or returns which file is wrong or missing.
fn read_rules(folder: &Path) -> Result<BTreeMap<String, Vec<Case>>, String> {
    let all: BTreeMap<String, Vec<Case>> = read_folder(folder)?;
    for rule in RULES {
        if !all.contains_key(rule.id) {
            return Err(format!("{}.yaml: the rule has no file", rule.id));
        }
    }
    match all
        .keys()
        .find(|id| RULES.iter().all(|rule| rule.id != **id))
    {
        Some(id) => Err(format!("{id}.yaml: there is no such rule")),
        None => Ok(all),
    }
}

/// Returns the cases of each rule.
pub(crate) fn rules() -> BTreeMap<String, Vec<Case>> {
    read_rules(&folder().join("rules")).unwrap()
}

#[test]
fn every_case_of_a_rule_is_reported_as_its_file_says() {
    let frames = Frames::read();
    let mut wrong = Vec::new();
    for (rule, cases) in rules() {
        let mut all_directions = BTreeSet::new();
        for case in cases {
            match case.seen(&rule, &frames) {
                Err(problem) => {
                    let case = serde_yaml::to_string(&[case]).unwrap();
                    wrong.push(format!("{rule}.yaml: {problem}\n{case}"));
                }
                Ok((seen, directions)) => {
                    all_directions.extend(directions);
                    if seen != case {
                        let seen = serde_yaml::to_string(&[seen]).unwrap();
                        wrong.push(format!("{rule}.yaml: a case is reported as\n{seen}"));
                    }
                }
            }
        }
        let is_whole = all_directions.contains("both") || all_directions.contains("none");
        if !is_whole && all_directions.len() != 2 {
            wrong.push(format!("{rule}.yaml: its cases are all {all_directions:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn spellings_of_one_meaning_are_equal() {
    let frames = Frames::read();
    let mut wrong = Vec::new();
    let groups: BTreeMap<String, Vec<Spellings>> =
        read_folder(&folder().join("spellings")).unwrap();
    for (file, group) in groups
        .iter()
        .flat_map(|(file, all)| all.iter().map(move |one| (file, one)))
    {
        let seen = group.seen(&frames);
        if seen != *group || !seen.notes.iter().all(|id| QUIET.contains(&id.as_str())) {
            let seen = serde_yaml::to_string(&[seen]).unwrap();
            wrong.push(format!("{file}.yaml: spellings are reported as\n{seen}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_file_that_is_no_case_of_a_rule_is_refused_by_name() {
    const GOOD: &str = "- {old: {}, new: false, verdicts: {request: breaking}, says: a}\n";
    let unknown = GOOD.replace("says", "tells");
    for (name, text, error) in [
        ("a.yml", GOOD, "a.yml: its name does not end in `.yaml`"),
        (
            "deprecated.yaml",
            &unknown,
            "deprecated.yaml: .[0]: unknown field `tells`",
        ),
        (
            "deprecated.yaml",
            GOOD,
            "schema.type-changed.yaml: the rule has no file",
        ),
        ("no-rule.yaml", GOOD, "no-rule.yaml: there is no such rule"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let has_all = name == "no-rule.yaml";
        for rule in RULES
            .iter()
            .filter(|rule| has_all || rule.id == "deprecated")
        {
            fs::write(folder.path().join(format!("{}.yaml", rule.id)), GOOD).unwrap();
        }
        fs::write(folder.path().join(name), text).unwrap();
        let refused = read_rules(folder.path()).unwrap_err();
        assert!(refused.starts_with(error), "{refused}");
    }
}

#[test]
fn the_page_of_the_crate_has_the_table_of_rules() {
    const FILE: &str = "crates/diff/README.md";
    const HEAD: &str = "| sent | received | rules |\n|---|---|---|\n";
    let page = fs::read_to_string(repository().join(FILE)).unwrap();
    let (before, rest) = page.split_once(HEAD).unwrap();
    let (_, after) = rest.split_once("\n\n").unwrap();
    let mut table = String::new();
    for request in [Breaking, Risky, Safe] {
        for response in [Breaking, Risky, Safe] {
            let rules = RULES
                .iter()
                .filter(|rule| rule.request == request && rule.response == response);
            let ids: Vec<String> = rules.map(|rule| format!("`{}`", rule.id)).collect();
            if !ids.is_empty() {
                table += &format!("| {request} | {response} | {} |\n", ids.join(", "));
            }
        }
    }
    let now = format!("{before}{HEAD}{table}\n{after}");
    reviewed_facts::assert_reviewed(&format!("../../{FILE}"), Some(&now));
}
