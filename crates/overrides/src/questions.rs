//! Open questions: facts that the reference leaves unknown, and the client's behaviour until they are known. They are one list, read as
//! strictly as an override, that changes nothing in the document. A question whose place is gone is a note, and stops nothing.

use std::path::Path;

use openapi_document::finding::{DocumentError, Finding, near};
use openapi_document::pointer;
use openapi_document::source::Source;
use openapi_overlay::{JsonPath, TooLarge};
use serde_json::{Map, Value};

/// The list, in the overrides folder.
pub(super) const FILE: &str = "open-questions.yaml";

const TEXTS: [&str; 5] = ["id", "question", "published", "meanwhile", "reference"];
const KNOWN: [&str; 6] = [
    "id",
    "question",
    "published",
    "meanwhile",
    "reference",
    "about",
];

/// All open questions, in the order of the file.
#[derive(Clone, Debug, Default)]
pub struct OpenQuestions {
    /// The file; `None` without one.
    pub source: Option<Source>,
    /// The questions.
    pub all: Vec<OpenQuestion>,
}

/// An unknown fact about the service.
#[derive(Clone, Debug)]
pub struct OpenQuestion {
    /// Its name, unique among questions and overrides.
    pub id: String,
    /// The question, which the documentation of its places contains.
    pub question: String,
    /// The known facts.
    pub published: String,
    /// The client's behaviour while it is open.
    pub meanwhile: String,
    /// Sections of the provider's reference.
    pub reference: String,
    /// JSONPath targets of what it is about.
    pub about: Vec<(String, JsonPath)>,
}

/// An open question and its places in one document.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The question.
    pub by: OpenQuestion,
    /// JSON Pointers of the places that the document has.
    pub places: Vec<String>,
    /// The targets that select nothing in the document.
    pub gone: Vec<String>,
}

impl OpenQuestions {
    /// Loads `root/folder/open-questions.yaml`. A missing file is an empty list, and a list without a question is a finding.
    ///
    /// # Errors
    ///
    /// The file is unreadable, or the list has errors.
    pub fn load(root: &Path, folder: &str) -> Result<Self, DocumentError> {
        let path = format!("{folder}/{FILE}");
        if !root.join(&path).exists() {
            return Ok(Self::default());
        }
        Self::parse(Source::read(root, &path)?).map_err(DocumentError::Findings)
    }

    /// Reads the list.
    ///
    /// # Errors
    ///
    /// The errors in it.
    pub fn parse(source: Source) -> Result<Self, Vec<Finding>> {
        let mut findings = Vec::new();
        let mut all: Vec<OpenQuestion> = Vec::new();
        let list = source.value.get("questions").and_then(Value::as_array);
        unknown_keys(&source, "", &source.value, &["questions"], &mut findings);
        if list.is_none_or(Vec::is_empty) {
            findings.push(source.finding(
                "open-questions",
                "/questions",
                "the file has no list `questions` with at least one question",
                "write the first question, or delete the file",
            ));
        }
        for (index, entry) in list.into_iter().flatten().enumerate() {
            let at = format!("/questions/{index}");
            let Some(one) = question(&source, &at, entry, &mut findings) else {
                continue;
            };
            if all.iter().any(|other| other.id == one.id) {
                findings.push(source.finding(
                    "open-question-id",
                    format!("{at}/id"),
                    format!("the id `{}` is taken by an earlier question", one.id),
                    "rename one of the two",
                ));
            }
            all.push(one);
        }
        if findings.is_empty() {
            Ok(Self {
                source: Some(source),
                all,
            })
        } else {
            Err(findings)
        }
    }

    /// The questions with their places in a document.
    ///
    /// # Errors
    ///
    /// A finding for each question whose places are too many.
    pub fn ask(&self, document: &Value) -> Result<Vec<Asked>, DocumentError> {
        let (mut asked, mut findings) = (Vec::new(), Vec::new());
        let Some(source) = &self.source else {
            return Ok(asked);
        };
        for (index, one) in self.all.iter().enumerate() {
            match one.ask(document) {
                Ok(one) => asked.push(one),
                Err(error) => {
                    findings.push(*error.finding(source, format!("/questions/{index}/about")));
                }
            }
        }
        DocumentError::unless_empty(findings)?;
        Ok(asked)
    }
}

impl OpenQuestion {
    fn ask(&self, document: &Value) -> Result<Asked, TooLarge> {
        let (mut places, mut gone) = (Vec::new(), Vec::new());
        for (target, query) in &self.about {
            let before = places.len();
            places.extend(openapi_overlay::nodes(query, document)?);
            if places.len() == before {
                gone.push(target.clone());
            }
        }
        places.sort();
        places.dedup();
        Ok(Asked {
            by: self.clone(),
            places,
            gone,
        })
    }
}

/// Returns one entry; `None` if it has errors.
fn question(
    source: &Source,
    at: &str,
    entry: &Value,
    findings: &mut Vec<Finding>,
) -> Option<OpenQuestion> {
    let Some(object) = entry.as_object() else {
        findings.push(source.finding(
            "open-question",
            at,
            "a question is an object",
            format!("write the strings {}", TEXTS.join(", ")),
        ));
        return None;
    };
    let before = findings.len();
    unknown_keys(source, at, entry, &KNOWN, findings);
    let mut text = |key| required(source, at, object, key, findings);
    let [id, question, published, meanwhile, reference] = TEXTS.map(&mut text);
    let is_id = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if !id.chars().all(is_id) {
        findings.push(source.finding(
            "open-question-id",
            format!("{at}/id"),
            format!("`{id}` is not an id"),
            "write lower-case letters, digits and hyphens",
        ));
    }
    let about = targets(source, at, object, findings);
    (findings.len() == before).then_some(OpenQuestion {
        id,
        question,
        published,
        meanwhile,
        reference,
        about,
    })
}

fn unknown_keys(
    source: &Source,
    at: &str,
    value: &Value,
    known: &[&str],
    findings: &mut Vec<Finding>,
) {
    let keys = value.as_object().into_iter().flat_map(Map::keys);
    for key in keys.filter(|key| !known.contains(&key.as_str())) {
        let finding = source.finding(
            "open-question-key",
            pointer::join(at, key),
            format!("`{key}` is not a key of an open question"),
            format!("known here: {}", known.join(", ")),
        );
        findings.push(match near(key, known.iter().copied()) {
            Some(near) => finding.note(format!("did you mean `{near}`?")),
            None => finding,
        });
    }
}

/// Returns a required string of a question; empty, with a finding, if it is missing.
fn required(
    source: &Source,
    at: &str,
    object: &Map<String, Value>,
    key: &str,
    findings: &mut Vec<Finding>,
) -> String {
    let text = object.get(key).and_then(Value::as_str).unwrap_or_default();
    if text.trim().is_empty() {
        findings.push(source.finding(
            "open-question",
            pointer::join(at, key),
            format!("the question has no string `{key}`"),
            "write it, in quotes where YAML would read a number",
        ));
    }
    text.trim().to_owned()
}

fn targets(
    source: &Source,
    at: &str,
    object: &Map<String, Value>,
    findings: &mut Vec<Finding>,
) -> Vec<(String, JsonPath)> {
    let Some(about) = object.get("about") else {
        return Vec::new();
    };
    let Some(list) = about.as_array() else {
        findings.push(source.finding(
            "open-question",
            format!("{at}/about"),
            "`about` is a list of JSONPath targets",
            "write `- $.path.of.the.place` below it",
        ));
        return Vec::new();
    };
    let mut targets = Vec::new();
    for (index, target) in list.iter().enumerate() {
        let text = target.as_str().unwrap_or_default();
        match openapi_overlay::parse(text) {
            Ok(query) => targets.push((text.to_owned(), query)),
            Err(error) => findings.push(source.finding(
                "json-path",
                format!("{at}/about/{index}"),
                format!("`{text}` is not an RFC 9535 JSONPath: {error}"),
                "write names with other than letters, digits and `_` in brackets, as in $.paths['/v1/pets'].get",
            )),
        }
    }
    targets
}
