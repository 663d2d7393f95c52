//! One test for each open question, named after it. Its line is at its location in the emitted crate, and the known facts are in OVERRIDES.md;
//! it changes nothing in the document, and no edit of its location makes it stop an update.

use std::collections::BTreeSet;

use client_generator::emit::FileTree;
use openapi_document::source::Source;
use openapi_overrides::{OverrideSet, judge, only_wording, reconcile};
use serde_json::{Value, json};

use crate::support::{Emitted, Inputs, Workspace};

/// Returns whether the documentation of a location has this line.
fn is_documented(tree: &FileTree, place: &str, line: &str) -> bool {
    let mut files = tree
        .iter()
        .filter(|(path, text)| path.ends_with(".rs") && text.contains(line));
    files.any(|(path, text)| {
        let emitted = Emitted::of_file(path, text);
        let documentation = emitted.find_documentation(place);
        documentation.is_some_and(|documentation| documentation.contains(line))
    })
}

/// Returns the entry of a question in OVERRIDES.md.
fn entry<'t>(tree: &'t FileTree, id: &str) -> Option<&'t str> {
    let (_, questions) = tree
        .get("OVERRIDES.md")
        .unwrap()
        .split_once("\n## Open questions\n")?;
    let id = format!("- Id: `{id}`,");
    questions.split("\n### ").find(|one| one.contains(&id))
}

/// Checks a question. `known` has the facts that the entry must contain.
fn check(id: &str, place: &str, known: &str) {
    let inputs = Inputs::committed();
    let (reconciled, tree) = (inputs.reconciled(), inputs.tree());
    let line = format!("(crate::overrides#{id})");
    let is_asked = |tree: &FileTree| is_documented(tree, place, &line);
    // A document may lack the location of the question.
    let questions = inputs.overrides.questions.all.iter();
    let mut about = questions
        .filter(|one| one.id == id)
        .flat_map(|one| &one.about);
    let has_place = about.any(|(_, query)| !query.query(reconciled.value()).is_empty());
    assert_eq!(is_asked(tree), has_place, "{line}");
    let found = entry(tree, id).unwrap_or_else(|| panic!("`{id}` is not in OVERRIDES.md"));
    assert!(found.contains(known), "`{known}`:\n{found}");

    let mut set = inputs.overrides.clone();
    set.questions.all.retain(|one| one.id != id);
    assert_eq!(
        set.questions.all.len() + 1,
        inputs.overrides.questions.all.len()
    );
    let without = reconcile(&inputs.published, &set).unwrap();
    assert_eq!(without.value(), reconciled.value());
    let without = crate::support::tool::tree(&inputs.published, &set, &without).unwrap();
    assert!(!is_asked(&without), "{line}");
    assert_eq!(entry(&without, id), None);

    // The location changes in the document, and no override is affected.
    let asked = reconciled.report.asked.iter().find(|one| one.by.id == id);
    let asked = asked.unwrap();
    assert_eq!(asked.gone.is_empty(), has_place, "{id}");
    let mut edited = inputs.published.value.clone();
    let is_of_responses = place.ends_with(".send");
    for place in &asked.places {
        // A location that an override adds is in no published document.
        match edited.pointer_mut(place) {
            Some(Value::Object(place)) if is_of_responses => {
                place.insert("418".to_owned(), json!({"description": "Something else."}));
            }
            Some(Value::Object(place)) => {
                place.insert("description".to_owned(), json!("Something else."));
            }
            Some(Value::Array(servers)) => {
                servers[0]["description"] = json!("Something else.");
            }
            Some(other) => panic!("{place}: {other}"),
            None => {}
        }
    }
    let is_published = |at: &String| inputs.published.value.pointer(at).is_some();
    let has_published = asked.places.iter().any(is_published);
    assert_eq!(edited != inputs.published.value, has_published, "{id}");
    let edited = inputs.published.with_value(edited);
    let judgements = judge(&edited, &inputs.overrides);
    assert_eq!(judgements.findings(&edited), []);
}

macro_rules! rows {
    ($($name:ident: $place:expr, $known:expr;)*) => {
        const IDS: &[&str] = &[$(stringify!($name)),*];

        $(
            #[test]
            fn $name() {
                check(&stringify!($name).replace('_', "-"), $place, $known);
            }
        )*
    };
}

rows! {
    addition_status: "types::CompanyAdditionDetail.status", "A request is done when it has a `company_uuid`";
    company_status: "types::CompanyStatus", "`Unknown` is the service's own enum value";
    enterprise_sections: "types::Enrichment.funding_detail", "The section may be absent or null";
    error_responses: "impl News.send", "with a body of any form that is kept unchanged";
    example_values: "types::EmployeeReview.ceo_rating", "takes any value";
    group_id: "types::NewsArticle.group_id", "nothing relies on it";
    news_codes: "types::Tag.code", "The code is a string";
    open_objects: "types::SocialPost.author", "all of them are kept unchanged";
    open_sections: "types::Enrichment.trust_signal", "any JSON value, kept unchanged";
    rate_limits: "impl News.send", "A `Retry-After` header is read, in seconds or as a date";
    request_detail: "types::RequestStatus.detail", "`detail` has the fields of `company_addition`";
    review_codes: "types::EmployeeReview.language", "Articles have two letters";
    salary_period: "types::JobPost.salary_min_usd", "without the period that they are for";
    search_identifiers: "operations::company_search::CompanySearch", "a name, a website or an identifier";
    search_size: "types::CompanySearchResponse.data", "no further results can be requested";
    sentiment_score: "types::NewsArticle.sentiment_score", "not for a scale from negative to positive";
    status_values: "types::JobPostsResponse.status", "The client does not act on the value";
    trailing_slashes: "impl Client.builder", "The client writes none";
    unpublished_parameters: "operations::job_posts::JobPosts", "no filter is shown";
    webhooks: "operations::request_status::RequestStatusCall", "The client polls";
    website_forms: "types::CompanySearchResult.website", "With or without a scheme";
}

#[test]
fn every_open_question_has_a_row() {
    let questions = &Inputs::committed().overrides.questions.all;
    let asked: BTreeSet<String> = questions
        .iter()
        .map(|one| one.id.replace('-', "_"))
        .collect();
    let rows: BTreeSet<String> = IDS.iter().map(|id| (*id).to_owned()).collect();
    assert_eq!(asked, rows);
}

#[test]
fn no_committed_override_is_a_question() {
    assert_eq!(
        only_wording(&Inputs::committed().reconciled().report.applied),
        []
    );
}

#[test]
fn a_description_of_what_is_not_there_is_more_than_words() {
    let document = "openapi: 3.0.3\ninfo: {title: Small, version: '1'}\npaths: {}\ncomponents: {schemas: {Thing: {type: object, description: A thing.}}}\n";
    let file = |update: &str| {
        format!(
            "overlay: 1.1.0\ninfo: {{title: A fact, version: 1.0.0}}\nx-override: {{published: p, observed: o, reference: '1', retire-when: Never.}}\nactions:\n  - target: $.components.schemas.Thing\n    x-expect: {{additionalProperties: null}}\n    update: {update}\n"
        )
    };
    let workspace = Workspace::with(document)
        .file(
            "overrides/assumed/more.yaml",
            &file("{additionalProperties: {description: More.}}"),
        )
        .file(
            "overrides/assumed/words.yaml",
            &file("{description: Some thing.}"),
        );
    let set = OverrideSet::load(workspace.root(), "overrides").unwrap();
    let published = Source::read(workspace.root(), "spec/openapi.yaml").unwrap();
    let reconciled = reconcile(&published, &set).unwrap();
    let found = only_wording(&reconciled.report.applied);
    let files: Vec<&str> = found.iter().map(|one| one.file.as_str()).collect();
    assert_eq!(files, ["overrides/assumed/words.yaml"]);
}
