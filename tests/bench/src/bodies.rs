//! Bodies of responses, made from the reviewed payloads of the tests.

use serde_json::{Value, json};

const NEWS: &str = include_str!("../../facts/payloads/news.json");
const JOBS: &str = include_str!("../../facts/payloads/job_posts.json");
const ENRICHMENT: &str = include_str!("../../facts/payloads/enrichment.json");

/// Prefix of the records' identifiers.
pub const FIRST: &str = "job-at-0";
/// Content of the long strings.
const PARAGRAPH: &str = "The company said on Tuesday that it opens a second plant next year, and that three hundred people will work there. \
    \"We have looked for a place for a long time\", said the head of its works council. Analysts had expected a smaller one.\n\n";
/// Paragraphs in the text of an article.
const ARTICLE: usize = 10;
/// Paragraphs in the description of a job.
const DESCRIPTION: usize = 2;

/// Returns a page of 100 articles of about 4 KB.
pub fn news() -> Result<String, serde_json::Error> {
    page(NEWS, "full_text", ARTICLE, 100)
}

/// Returns a page of this many job posts of about 1 KB.
pub fn jobs(records: usize) -> Result<String, serde_json::Error> {
    page(JOBS, "description", DESCRIPTION, records)
}

/// Returns a company with all sections.
pub fn enrichment() -> Result<String, serde_json::Error> {
    let record: Value = serde_json::from_str(ENRICHMENT)?;
    serde_json::to_string(&record)
}

fn page(
    payload: &str,
    text: &str,
    paragraphs: usize,
    records: usize,
) -> Result<String, serde_json::Error> {
    let mut page: Value = serde_json::from_str(payload)?;
    if let Some(list) = page.get_mut("data").and_then(Value::as_array_mut) {
        let record = list.pop().unwrap_or_default();
        let more = (0..records).map(|number| {
            let mut record = record.clone();
            let words = PARAGRAPH.repeat(paragraphs);
            if let Some(object) = record.as_object_mut() {
                object.insert(text.to_owned(), json!(words));
                // All records differ.
                for id in ["id", "job_id"].iter() {
                    object.entry(*id).and_modify(|id| match id {
                        Value::String(id) => *id = format!("{FIRST}-{number}"),
                        id => *id = json!(number),
                    });
                }
            }
            record
        });
        list.extend(more);
    }
    serde_json::to_string(&page)
}

/// Returns the page with the tags of articles as strings, which is undocumented.
pub fn in_other_form(news: &str) -> Result<String, serde_json::Error> {
    let mut page: Value = serde_json::from_str(news)?;
    let articles = page.get_mut("data").and_then(Value::as_array_mut);
    for article in articles.into_iter().flatten() {
        if let Some(name) = article.pointer("/primary_tag/name").cloned() {
            article["primary_tag"] = name;
        }
    }
    serde_json::to_string(&page)
}
