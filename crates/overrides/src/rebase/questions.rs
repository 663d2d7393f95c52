//! Moves the locations of open questions.

use std::collections::BTreeSet;

use openapi_document::finding::DocumentError;
use openapi_document::keywords::is_words;
use openapi_document::pointer;
use openapi_document::source::Source;
use serde_json::Value;

use super::causes;
use super::correspondence::Correspondence;
use super::equality::Equality;
use super::moved::{Cause, Follow, Rebase};
use super::outcome::Documents;
use super::places::Wants;
use super::pointers::component;
use super::preserve::{Types, wrappers};
use super::query::queries;
use super::text::with_elements;
use crate::questions::OpenQuestions;

/// Moves the list of open questions, and records those about changed locations. `types` are those of the new document.
pub(super) fn follow(
    to: &Correspondence<'_>,
    documents: &Documents<'_>,
    types: &Types,
    questions: &OpenQuestions,
    rebase: &mut Rebase,
) -> Result<(), DocumentError> {
    rebase.set.questions = questions.clone();
    let Some(source) = &questions.source else {
        return Ok(());
    };
    let mut changed = Vec::new();
    let mut follows = Vec::new();
    for (index, question) in questions.all.iter().enumerate() {
        let mut is_touched = false;
        for (position, (text, query)) in question.about.iter().enumerate() {
            let place = format!("/questions/{index}/about/{position}");
            let targets = match documents.targets(to, query) {
                Ok(targets) => targets,
                Err(error) => {
                    let finding = error.finding(source, place);
                    return Err(DocumentError::Findings(vec![*finding]));
                }
            };
            is_touched |= touched(to, &targets);
            let Some((new, causes)) = about(to, (documents, types), text, &targets) else {
                continue;
            };
            changed.push((place, new.clone()));
            let targets: Vec<(String, String)> =
                new.iter().map(|new| (text.clone(), new.clone())).collect();
            follows.extend(causes.into_iter().map(|cause| Follow {
                cause,
                id: question.id.clone(),
                is_question: true,
                targets: targets.clone(),
            }));
        }
        if is_touched {
            rebase.touched.push(question.id.clone());
        }
    }
    let text = with_elements(source, &changed).filter(|_| !changed.is_empty());
    let parsed = text.and_then(|text| Source::parse(&source.path, text).ok());
    let Some(moved) = parsed.and_then(|source| OpenQuestions::parse(source).ok()) else {
        return Ok(());
    };
    if let Some(source) = &moved.source {
        rebase
            .files
            .push((source.path.clone(), source.text.clone()));
    }
    rebase.set.questions = moved;
    rebase.follows.extend(follows);
    Ok(())
}

/// Returns the effect of a question, which concerns a whole location, and a component wherever it is inlined.
fn wants(at: &str) -> Wants<'static> {
    match component(at) {
        Some(_) => Wants::Update(&Value::Null),
        None => Wants::Remove,
    }
}

/// Returns whether the locations of a question differ, including their documentation.
fn touched(to: &Correspondence<'_>, targets: &BTreeSet<String>) -> bool {
    targets.iter().any(|at| {
        let locations = to.target_locations(at, wants(at), targets);
        locations.is_empty()
            || locations.iter().any(|location| {
                let mut equality = Equality::new(to, to.old, to.new, at);
                !equality.places((at, ""), (&location.at, ""))
                    || words(to.old, at) != words(to.new, &location.at)
            })
    })
}

/// Returns the documentation at a location.
fn words(root: &Value, at: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let value = root.pointer(at).unwrap_or(&Value::Null);
    pointer::walk(value, "", &mut |_, value| {
        let members = value.as_object().into_iter().flatten();
        let words = members.filter(|(key, _)| is_words(key));
        found.extend(words.map(|(_, text)| text.to_string()));
    });
    found
}

/// Returns the locations at which a question is read: for a component without a type, such as one beside the empty string, the types that
/// contain it.
fn asked(to: &Correspondence<'_>, types: &Types, a: &str, b: String) -> BTreeSet<String> {
    let is_no_type = component(&b).is_some() && !types.contains_key(&b);
    let found = is_no_type.then(|| wrappers(to, a, &b));
    let found = found.into_iter().flatten().flat_map(|(_, nodes)| nodes);
    let places: BTreeSet<String> = found.filter(|at| types.contains_key(at)).collect();
    match places.is_empty() {
        true => BTreeSet::from([b]),
        false => places,
    }
}

/// Returns the target of a question in the terms of the new document; `None` if it stays, or is gone.
fn about(
    to: &Correspondence<'_>,
    (documents, types): (&Documents<'_>, &Types),
    text: &str,
    targets: &BTreeSet<String>,
) -> Option<(Vec<String>, BTreeSet<Cause>)> {
    let (mut places, mut causes) = (BTreeSet::new(), BTreeSet::new());
    for at in targets {
        for location in to.target_locations(at, wants(at), targets) {
            causes.extend(causes::of(to, at, &location.at));
            let asked = asked(to, types, at, location.at).into_iter();
            places.extend(asked.map(|at| documents.now(to, &at)));
        }
    }
    // Locations that overrides remove are dropped, if any others are left.
    if places.iter().any(|at| documents.new.pointer(at).is_some()) {
        places.retain(|at| documents.new.pointer(at).is_some());
    }
    let selects = |text: &str| to.selects(documents.new, text, &places);
    if places.is_empty() || selects(text) {
        return None;
    }
    let places: Vec<String> = places.iter().cloned().collect();
    let new = match to.respelled(text).filter(|text| selects(text)) {
        Some(text) => vec![text],
        None => {
            let all = queries(documents.new, &places).into_iter();
            all.map(|(text, _)| text).collect()
        }
    };
    Some((new, causes))
}
