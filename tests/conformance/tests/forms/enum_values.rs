//! Enum values in several spellings, and values that the document does not have.

use company_intel::types::{CompanyStatus, JobType, OtherRatingType, Sentiment};
use serde_json::{Value, json};

use crate::support::calls::respond_with;
use crate::support::decoded::{job, news, wire};
use crate::support::server::json_response;

#[tokio::test]
async fn sentiments_are_capitalised_or_not() {
    for (value, expected, written) in [
        ("Positive", Sentiment::Positive, "Positive"),
        ("positive", Sentiment::Positive, "Positive"),
        ("Negative", Sentiment::Negative, "Negative"),
        ("negative", Sentiment::Negative, "Negative"),
        ("Neutral", Sentiment::Neutral, "Neutral"),
        ("neutral", Sentiment::Neutral, "Neutral"),
        ("Mixed", Sentiment::Unrecognized("Mixed".into()), "Mixed"),
        (
            "POSITIVE",
            Sentiment::Unrecognized("POSITIVE".into()),
            "POSITIVE",
        ),
    ] {
        let read = news(json!({"sentiment": value})).await;
        assert_eq!(read.sentiment, Some(expected), "{value}");
        assert_eq!(wire(&read)["sentiment"], written);
    }
}

#[tokio::test]
async fn job_types_are_open_words() {
    for (value, expected) in [
        ("FULL_TIME", JobType::FullTime),
        ("PART_TIME", JobType::PartTime),
        ("CONTRACT", JobType::Contract),
        ("CONTRACTOR", JobType::Contractor),
        ("INTERNSHIP", JobType::Internship),
        ("", JobType::Unrecognized(String::new())),
        ("TEMPORARY", JobType::Unrecognized("TEMPORARY".into())),
    ] {
        let read = job(json!({"type": value})).await;
        assert_eq!(read.type_, Some(expected), "{value}");
        assert_eq!(wire(&read)["type"], value);
    }
}

#[test]
fn every_open_word_is_kept_and_written_back() {
    fn round(value: &str) -> [Value; 3] {
        let text = json!(value);
        let status: CompanyStatus = serde_json::from_value(text.clone()).unwrap();
        let aspect: OtherRatingType = serde_json::from_value(text.clone()).unwrap();
        let sentiment: Sentiment = serde_json::from_value(text).unwrap();
        [wire(&status), wire(&aspect), wire(&sentiment)]
    }
    for value in [
        "in_liquidation",
        "",
        "Ünbekannt",
        "a \"quoted\" text",
        "Unrecognized",
    ] {
        assert_eq!(round(value), [json!(value), json!(value), json!(value)]);
    }
    for value in CompanyStatus::KNOWN {
        assert_eq!(wire(&CompanyStatus::from(*value)), *value);
        let unrecognized = matches!(CompanyStatus::from(*value), CompanyStatus::Unrecognized(_));
        assert!(!unrecognized, "{value}");
    }
    // A value of the document, not the catch-all.
    assert_eq!(CompanyStatus::from("unknown"), CompanyStatus::Unknown);
}

#[tokio::test]
async fn company_search_words_are_those_of_the_reference() {
    use CompanyStatus::*;
    for (value, expected) in [
        ("public", Public),
        ("private", Private),
        ("acquired", Acquired),
        ("delisted", Delisted),
        ("unknown", Unknown),
    ] {
        let body = json!({"data": [{"company_status": value}]}).to_string();
        let call = |client: company_intel::Client| client.company_search("x").send();
        let found = respond_with(json_response(&body), call).await.unwrap();
        assert_eq!(found.body.data[0].company_status, Some(expected), "{value}");
    }
}
