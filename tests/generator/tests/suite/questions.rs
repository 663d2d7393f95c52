//! One test for each open question, named after it. Its line stands at its place in the emitted crate and what is known of it in OVERRIDES.md;
//! it changes nothing in the document, and no edit of its place makes it stop an update.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use serde_json::{Value, json};
use xtask::emit::FileTree;
use xtask::generate;
use xtask::overrides::{ReconciledDocument, judge, only_wording, reconcile};

use crate::support::Inputs;

struct Committed {
    inputs: Inputs,
    reconciled: ReconciledDocument,
    tree: FileTree,
}

static COMMITTED: LazyLock<Committed> = LazyLock::new(|| {
    let inputs = Inputs::committed();
    let (reconciled, tree) = (inputs.reconciled(), inputs.tree());
    Committed {
        inputs,
        reconciled,
        tree,
    }
});

/// The documentation above the first line that contains `item`, in the text after `from`.
fn documentation<'t>(text: &'t str, from: &str, item: &str) -> Vec<&'t str> {
    let start = text.find(from).unwrap_or_else(|| panic!("no `{from}`"));
    let lines: Vec<&str> = text[start..].lines().map(str::trim).collect();
    let at = lines
        .iter()
        .position(|line| line.contains(item))
        .unwrap_or_else(|| panic!("no `{item}` after `{from}`"));
    let mut docs: Vec<&str> = lines[..at]
        .iter()
        .rev()
        .skip_while(|line| line.starts_with("#["))
        .take_while(|line| line.starts_with("///"))
        .copied()
        .collect();
    docs.reverse();
    docs
}

/// The entry of a question in OVERRIDES.md.
fn entry<'t>(tree: &'t FileTree, id: &str) -> Option<&'t str> {
    let (_, questions) = tree
        .get("OVERRIDES.md")
        .unwrap()
        .split_once("\n## Open questions\n")?;
    let id = format!("- Id: `{id}`,");
    questions.split("\n### ").find(|one| one.contains(&id))
}

/// `known` is what the reader of the entry needs.
fn check(id: &str, file: &str, from: &str, item: &str, known: &str) {
    let Committed {
        inputs,
        reconciled,
        tree,
    } = &*COMMITTED;
    let line = format!("**Unknown** (`{id}` in OVERRIDES.md): ");
    let is_asked = |tree: &FileTree| {
        let docs = documentation(tree.get(file).unwrap(), from, item);
        docs.iter().any(|doc| doc.contains(&line))
    };
    assert!(is_asked(tree), "{line}");
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
    let without = generate::tree(&inputs.published, &set, &without).unwrap();
    assert!(!is_asked(&without), "{line}");
    assert_eq!(entry(&without, id), None);

    // Its place reads otherwise in the document, and no override minds.
    let asked = reconciled.report.asked.iter().find(|one| one.by.id == id);
    let asked = asked.unwrap();
    assert_eq!(asked.gone, [""; 0], "{id}");
    let mut edited = inputs.published.value.clone();
    for place in &asked.places {
        // A place that an override brings is in no published document.
        match edited.pointer_mut(place) {
            Some(Value::Object(place)) if item == "pub async fn send(" => {
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
    assert_ne!(edited, inputs.published.value, "{id}");
    let edited = inputs.published.with_value(edited);
    let judgements = judge(&edited, &inputs.overrides);
    assert_eq!(judgements.findings(&edited), []);
}

macro_rules! rows {
    ($($name:ident: $file:expr, $from:expr, $item:expr, $known:expr;)*) => {
        const IDS: &[&str] = &[$(stringify!($name)),*];

        $(
            #[test]
            fn $name() {
                check(&stringify!($name).replace('_', "-"), $file, $from, $item, $known);
            }
        )*
    };
}

const TYPES: &str = "src/types.rs";
const NEWS: &str = "src/operations/news.rs";

rows! {
    addition_status: TYPES, "pub struct CompanyAdditionDetail ", "pub status:", "A request is done when it has a `company_uuid`";
    company_status: TYPES, "", "pub enum CompanyStatus ", "`Unknown` is the service's own enum value";
    enterprise_sections: TYPES, "pub struct Enrichment ", "pub funding_detail:", "The section may be absent or null";
    error_responses: NEWS, "", "pub async fn send(", "with a body of any form that is kept unchanged";
    example_values: TYPES, "pub struct EmployeeReview ", "pub ceo_rating:", "takes any value";
    group_id: TYPES, "pub struct NewsArticle ", "pub group_id:", "nothing relies on it";
    news_codes: TYPES, "pub struct Tag ", "pub code:", "The code is an open text";
    open_objects: TYPES, "pub struct SocialPost ", "pub author:", "all of them are kept as they came";
    open_sections: TYPES, "pub struct Enrichment ", "pub trust_signal:", "any JSON value, kept as it came";
    rate_limits: NEWS, "", "pub async fn send(", "A `Retry-After` header is read, in seconds or as a date";
    request_detail: TYPES, "pub struct RequestStatus ", "pub detail:", "`detail` has the fields of `company_addition`";
    review_codes: TYPES, "pub struct EmployeeReview ", "pub language:", "Articles have two letters";
    salary_period: TYPES, "pub struct JobPost ", "pub salary_min_usd:", "without the period that they are for";
    search_identifiers: "src/operations/company_search.rs", "", "pub struct CompanySearch", "a name, a website or an identifier";
    search_size: TYPES, "pub struct CompanySearchResponse ", "pub data:", "there is no way to get more";
    sentiment_score: TYPES, "pub struct NewsArticle ", "pub sentiment_score:", "not for a scale from negative to positive";
    status_values: TYPES, "pub struct JobPostsResponse ", "pub status:", "The client does not act on the value";
    trailing_slashes: "src/client.rs", "", "pub fn builder(", "The client writes none";
    unpublished_parameters: "src/operations/job_posts.rs", "", "pub struct JobPosts", "no filter is shown";
    webhooks: "src/operations/request_status.rs", "", "pub struct RequestStatus", "The client polls";
    website_forms: TYPES, "pub struct CompanySearchResult ", "pub website:", "With or without a scheme";
}

#[test]
fn every_open_question_has_a_row() {
    let questions = &COMMITTED.inputs.overrides.questions.all;
    let asked: BTreeSet<String> = questions
        .iter()
        .map(|one| one.id.replace('-', "_"))
        .collect();
    let rows: BTreeSet<String> = IDS.iter().map(|id| (*id).to_owned()).collect();
    assert_eq!(asked, rows);
}

#[test]
fn no_committed_override_is_a_question() {
    assert_eq!(only_wording(&COMMITTED.reconciled.report.applied), []);
}
