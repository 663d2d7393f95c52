//! The cases of `fixtures/rebase/cases.yaml`, whose first lines describe their form: an override of a small document, and new documents.

use std::collections::BTreeMap;

use openapi_overrides::{Judgements, OverrideSet, Rebase, Verdict, judge, rebase};
use serde::Deserialize;
use serde_json::Value;

use super::{DOCUMENT, file, set, source};

/// Texts, each with another one in its place.
type Edits = Vec<[String; 2]>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    cases: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    about: String,
    #[serde(default)]
    old: Edits,
    #[serde(default)]
    actions: String,
    /// Edits after those of each play.
    #[serde(default)]
    always: Edits,
    plays: Vec<Play>,
}

/// New documents, and what is compared of the override that follows them. Members that are absent are not.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Play {
    #[serde(default)]
    new: Edits,
    #[serde(default)]
    more: String,
    #[serde(default = "accepted")]
    accept: bool,
    stops: Option<String>,
    verdict: Option<String>,
    as_it_is: Option<String>,
    text: Option<Edits>,
    #[serde(default)]
    has: Vec<String>,
    #[serde(default)]
    document: BTreeMap<String, Value>,
    #[serde(default, deserialize_with = "given")]
    note: Option<Option<String>>,
    #[serde(default)]
    briefly: Vec<String>,
    decides: Option<bool>,
    decision: Option<String>,
    proposals: Option<usize>,
    retired: Option<usize>,
    names: Option<Vec<(String, String)>>,
    kept: Option<Vec<String>>,
    reasons: Option<Vec<String>>,
}

fn accepted() -> bool {
    true
}

/// Reads a member that is there, though it may be null.
fn given<'d, D: serde::Deserializer<'d>>(from: D) -> Result<Option<Option<String>>, D::Error> {
    Option::deserialize(from).map(Some)
}

fn edited(text: &str, edits: &[[String; 2]]) -> String {
    edits.iter().fold(text.to_owned(), |text, [from, to]| {
        assert!(text.contains(from), "{from} in\n{text}");
        text.replace(from, to)
    })
}

fn first_verdict(judged: &Judgements) -> String {
    let first = judged.all.first();
    format!("{:?}", first.map_or(Verdict::Retired, |one| one.verdict))
}

impl Case {
    fn check(&self, play: &Play) {
        let old = edited(DOCUMENT, &self.old);
        let new = source(&edited(&edited(&old, &play.new), &self.always));
        let old = source(&old);
        let actions = self.actions.replace("MORE", &play.more);
        let about = format!("{} {:?}", self.about, play.new);
        let own = if actions.is_empty() {
            OverrideSet::default()
        } else {
            let own = set(&actions);
            assert_eq!(first_verdict(&judge(&old, &own)), "Applied", "{about}");
            own
        };
        match (rebase(&old, &new, &own, play.accept), &play.stops) {
            (Ok(moved), None) => {
                let judged = judge(&new, &moved.set);
                let as_it_is = first_verdict(&judge(&new, &own));
                assert_eq!(play.seen(&moved, &judged, as_it_is), *play, "{about}");
                play.check_words(&about, &file(&actions), &moved);
            }
            (Err(stop), Some(rule)) => assert_eq!(stop.findings()[0].rule, rule, "{about}"),
            (moved, _) => panic!("{about}: {:?}", moved.map(|moved| moved.files)),
        }
    }
}

impl Play {
    /// Returns what is found, as far as it is compared.
    fn seen(&self, moved: &Rebase, judged: &Judgements, as_it_is: String) -> Self {
        let reasons = moved.retired.iter().map(|one| format!("{:?}", one.reason));
        let decision = moved.decisions.first();
        let found = |at: &String| judged.document.pointer(at).cloned().unwrap_or_default();
        let document = self.document.keys().map(|at| (at.clone(), found(at)));
        Self {
            verdict: self.verdict.as_ref().map(|_| first_verdict(judged)),
            as_it_is: self.as_it_is.as_ref().map(|_| as_it_is),
            document: document.collect(),
            decides: self.decides.map(|_| decision.is_some()),
            decision: self
                .decision
                .as_ref()
                .and(decision.map(|one| one.reason.clone())),
            proposals: self.proposals.map(|_| moved.proposals.len()),
            retired: self.retired.map(|_| moved.retired.len()),
            names: self.names.as_ref().map(|_| moved.names.clone()),
            kept: self.kept.as_ref().map(|_| moved.kept.clone()),
            reasons: self.reasons.as_ref().map(|_| reasons.collect()),
            ..self.clone()
        }
    }

    /// Checks the words of the file and of the proposals.
    fn check_words(&self, about: &str, old: &str, moved: &Rebase) {
        let text = moved.files.first().map_or("", |(_, text)| text);
        match self.text.as_deref() {
            Some([]) => assert_eq!(text, "", "{about}"),
            Some(edits) => assert_eq!(text, edited(old, edits), "{about}"),
            None => {}
        }
        for words in &self.has {
            assert!(text.contains(words), "{about}: {words} in\n{text}");
        }
        let proposed = moved.proposed("new.yaml", true);
        match &self.note {
            Some(Some(words)) => {
                let note = &proposed.as_ref().unwrap().notes[0];
                assert!(note.contains(words), "{about}: {note}");
            }
            Some(None) => assert!(proposed.is_none(), "{about}"),
            None => {}
        }
        if !self.briefly.is_empty() {
            let proposed = moved.proposed("new.yaml", false).unwrap();
            let [note] = proposed.notes.as_slice() else {
                panic!("{about}: {proposed}");
            };
            let mut words = self.briefly.iter();
            assert!(words.all(|words| note.contains(words)), "{about}: {note}");
        }
    }
}

#[test]
fn an_override_follows_a_new_document_as_its_case_says() {
    let file: File =
        serde_yaml::from_str(include_str!("../../../fixtures/rebase/cases.yaml")).unwrap();
    for case in &file.cases {
        assert!(case.about.ends_with('.'), "{}", case.about);
        for play in &case.plays {
            case.check(play);
        }
    }
}
