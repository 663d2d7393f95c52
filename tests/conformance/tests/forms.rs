//! Where the reference disagrees with itself: the published form decodes, the observed one does, and both at once.

use company_intel::types::{
    CompanyId, CompanyStatus, JobPost, JobPostsResponse, JobType, NewsArticle, NewsResponse,
    OtherRatingType, Sentiment,
};
use company_intel::{Meta, Response};
use serde_json::{Value, json};

use crate::support::{answered, json as answer_json};

/// The page that a body with this one article decodes to.
async fn news(article: Value) -> NewsArticle {
    let body = json!({"total": 1, "count": 1, "data": [article], "credits_consumed": 1});
    let response = news_page(&body.to_string()).await;
    assert!(response.body.data.rejects().is_empty());
    response.into_body().data.into_vec().remove(0)
}

async fn news_page(body: &str) -> Response<NewsResponse> {
    let call = |client: company_intel::Client| client.news("k7f3q9").send();
    answered(answer_json(body), call).await.unwrap()
}

async fn job(post: Value) -> JobPost {
    let body = json!({"status": "success", "data": [post], "count": 1});
    let call = |client: company_intel::Client| client.job_posts("k7f3q9").send();
    let response: Response<JobPostsResponse> = answered(answer_json(&body.to_string()), call)
        .await
        .unwrap();
    assert!(response.body.data.rejects().is_empty());
    response.into_body().data.into_vec().remove(0)
}

fn wire(value: &impl serde::Serialize) -> Value {
    serde_json::to_value(value).unwrap()
}

#[tokio::test]
async fn event_tags_are_called_tags_or_types() {
    let published = json!([{"name": "Merger", "code": "merger", "is_primary": true}]);
    let observed = json!([{"name": "Expansion", "code": "expansion", "is_primary": false}]);
    for (article, expected) in [
        (json!({"tags": observed}), &observed),
        (json!({"types": published}), &published),
        (json!({"tags": observed, "types": published}), &observed),
        (json!({"types": published, "tags": observed}), &observed),
        (json!({"tags": null, "types": published}), &published),
        (json!({"tags": observed, "types": null}), &observed),
        // No tags is an answer, too.
        (json!({"tags": [], "types": published}), &json!([])),
        (json!({}), &json!([])),
    ] {
        let read = news(article.clone()).await;
        assert_eq!(wire(&read.tags), *expected, "{article}");
        assert!(wire(&read).get("types").is_none(), "{article}");
    }
}

#[tokio::test]
async fn the_company_of_a_mention_is_called_uuid_or_company_id() {
    let long = "3d0c1a52-9b1e-4f6c-8a57-0e2b7c9d4f10";
    for (mention, expected) in [
        (json!({"uuid": "k7f3q9"}), Some("k7f3q9")),
        (json!({"company_id": long}), Some(long)),
        (
            json!({"uuid": "k7f3q9", "company_id": long}),
            Some("k7f3q9"),
        ),
        (
            json!({"company_id": long, "uuid": "k7f3q9"}),
            Some("k7f3q9"),
        ),
        (json!({"uuid": null, "company_id": long}), Some(long)),
        (
            json!({"uuid": "k7f3q9", "company_id": null}),
            Some("k7f3q9"),
        ),
        (json!({"uuid": "", "company_id": long}), Some("")),
        (json!({}), None),
    ] {
        let read = news(json!({"company_mentions": [mention]})).await;
        let mention_read = &read.company_mentions[0];
        let uuid = mention_read.uuid.as_ref().map(CompanyId::as_str);
        assert_eq!(uuid, expected, "{mention}");
        assert!(wire(mention_read).get("company_id").is_none(), "{mention}");
    }
}

/// The reference has `job_url` and one response `url`. Where both stand, the reference's name is taken: neither is known to be wrong.
#[tokio::test]
async fn the_link_of_a_job_is_called_job_url_or_url() {
    for (post, expected) in [
        (
            json!({"job_url": "https://a.example"}),
            Some("https://a.example"),
        ),
        (
            json!({"url": "https://b.example"}),
            Some("https://b.example"),
        ),
        (
            json!({"url": "https://b.example", "job_url": "https://a.example"}),
            Some("https://a.example"),
        ),
        (
            json!({"job_url": null, "url": "https://b.example"}),
            Some("https://b.example"),
        ),
        (json!({}), None),
    ] {
        let read = job(post.clone()).await;
        assert_eq!(wire(&read.job_url), json!(expected), "{post}");
    }
}

#[tokio::test]
async fn sentiments_are_capitalised_or_not() {
    for (word, expected, written) in [
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
        let read = news(json!({"sentiment": word})).await;
        assert_eq!(read.sentiment, Some(expected), "{word}");
        assert_eq!(wire(&read)["sentiment"], written);
    }
}

#[tokio::test]
async fn dates_are_a_day_or_a_time_without_a_zone() {
    for date in [
        "2025-03-04",
        "2025-03-04T08:15:00",
        "2025-03-04T08:15:00.250",
        "2025-03-04T08:15:00Z",
        "2025-03-04T08:15:00+02:00",
        "",
        "yesterday",
    ] {
        let read = news(json!({"published_date": date})).await;
        assert_eq!(wire(&read.published_date), json!(date));
    }
}

#[tokio::test]
async fn codes_of_countries_and_languages_have_either_form() {
    for (countries, language) in [
        (json!(["DEU", "POL"]), "EN"),
        (json!(["DE", "PL"]), "en"),
        (json!(["DEU", "PL"]), "eng"),
    ] {
        let read = news(json!({"countries": countries, "original_language": language})).await;
        assert_eq!(wire(&read.countries), countries);
        assert_eq!(wire(&read.original_language), language);
    }
}

#[tokio::test]
async fn the_two_scores_are_two_fields() {
    for (article, news_score, newsworthiness) in [
        (json!({"news_score": 0.61}), json!(0.61), json!(null)),
        (
            json!({"newsworthiness_score": 0.74}),
            json!(null),
            json!(0.74),
        ),
        (
            json!({"news_score": 0.61, "newsworthiness_score": 0.74}),
            json!(0.61),
            json!(0.74),
        ),
        (
            json!({"news_score": 1, "newsworthiness_score": 0}),
            json!(1.0),
            json!(0.0),
        ),
    ] {
        let read = news(article).await;
        assert_eq!(wire(&read.news_score), news_score);
        assert_eq!(wire(&read.newsworthiness_score), newsworthiness);
    }
}

#[tokio::test]
async fn job_types_are_open_words() {
    for (word, expected) in [
        ("FULL_TIME", JobType::FullTime),
        ("PART_TIME", JobType::PartTime),
        ("CONTRACT", JobType::Contract),
        ("CONTRACTOR", JobType::Contractor),
        ("INTERNSHIP", JobType::Internship),
        ("", JobType::Unrecognized(String::new())),
        ("TEMPORARY", JobType::Unrecognized("TEMPORARY".into())),
    ] {
        let read = job(json!({"type": word})).await;
        assert_eq!(read.type_, Some(expected), "{word}");
        assert_eq!(wire(&read)["type"], word);
    }
}

#[test]
fn every_open_word_is_kept_and_written_back() {
    fn round(word: &str) -> [Value; 3] {
        let text = json!(word);
        let status: CompanyStatus = serde_json::from_value(text.clone()).unwrap();
        let aspect: OtherRatingType = serde_json::from_value(text.clone()).unwrap();
        let sentiment: Sentiment = serde_json::from_value(text).unwrap();
        [wire(&status), wire(&aspect), wire(&sentiment)]
    }
    for word in [
        "in_liquidation",
        "",
        "Ünbekannt",
        "a \"quoted\" word",
        "Unrecognized",
    ] {
        assert_eq!(round(word), [json!(word), json!(word), json!(word)]);
    }
    for word in CompanyStatus::KNOWN {
        assert_eq!(wire(&CompanyStatus::from(*word)), *word);
        let unrecognized = matches!(CompanyStatus::from(*word), CompanyStatus::Unrecognized(_));
        assert!(!unrecognized, "{word}");
    }
    // A word of the document, not the catch-all.
    assert_eq!(CompanyStatus::from("unknown"), CompanyStatus::Unknown);
}

#[tokio::test]
async fn company_search_words_are_those_of_the_reference() {
    use CompanyStatus::*;
    for (word, expected) in [
        ("public", Public),
        ("private", Private),
        ("acquired", Acquired),
        ("delisted", Delisted),
        ("unknown", Unknown),
    ] {
        let body = json!({"data": [{"company_status": word}]}).to_string();
        let call = |client: company_intel::Client| client.company_search("x").send();
        let found = answered(answer_json(&body), call).await.unwrap();
        assert_eq!(found.body.data[0].company_status, Some(expected), "{word}");
    }
}

#[tokio::test]
async fn identifiers_of_companies_are_short_texts_or_uuids_and_go_back_as_they_came() {
    for id in ["k7f3q9", "3d0c1a52-9b1e-4f6c-8a57-0e2b7c9d4f10", "42"] {
        let body = json!({"data": [{"uuid": id}]}).to_string();
        let call = |client: company_intel::Client| client.company_search("x").send();
        let found = answered(answer_json(&body), call).await.unwrap();
        let company = &found.body.data[0];
        assert_eq!(company.uuid.as_ref().map(CompanyId::as_str), Some(id));

        let request = crate::support::sent(|client| client.headcount_trends(company).send()).await;
        let line = format!("GET /v1/company/headcount-trends?company={id} HTTP/1.1");
        assert_eq!(request.line, line);
    }
}

#[tokio::test]
async fn unknown_fields_are_ignored_at_every_depth() {
    let read = news(json!({
        "title": "A",
        "unheard_of": {"a": [1, null, {"b": 1e3}]},
        "entities": {"person": ["Ada Sample"], "animal": ["a cat"]},
        "company_mentions": [{"uuid": "k7f3q9", "ticker": "NWR"}],
    }))
    .await;
    assert_eq!(wire(&read.title), "A");
    assert_eq!(wire(&read.entities.unwrap().person), json!(["Ada Sample"]));
    assert_eq!(wire(&read.company_mentions[0].uuid), "k7f3q9");

    let page = news_page(r#"{"total": 0, "data": [], "next": "/v1/news?page=2"}"#).await;
    assert_eq!(page.body.total, Some(0));
}

#[tokio::test]
async fn what_a_call_cost_never_costs_its_answer() {
    // (as sent, millionths of a credit)
    for (cost, expected) in [
        (r#", "credits_consumed": 2"#, Some(2_000_000)),
        (r#", "credits_consumed": 1.5"#, Some(1_500_000)),
        (r#", "credits_consumed": 0.00"#, Some(0)),
        (r#", "credits_consumed": 0"#, Some(0)),
        (r#", "credits_consumed": 2.5e0"#, Some(2_500_000)),
        (r#", "credits_consumed": 0.1"#, Some(100_000)),
        (r#", "credits_consumed": null"#, None),
        (r#", "credits_consumed": "1.5""#, None),
        (r#", "credits_consumed": """#, None),
        (r#", "credits_consumed": -1"#, None),
        (r#", "credits_consumed": -0.5"#, None),
        (r#", "credits_consumed": 1e300"#, None),
        (r#", "credits_consumed": 1e999"#, None),
        (r#", "credits_consumed": 99999999999999999999999"#, None),
        (r#", "credits_consumed": true"#, None),
        (r#", "credits_consumed": {"amount": 2}"#, None),
        ("", None),
    ] {
        let body = format!(r#"{{"total": 7, "data": [{{"id": 1}}]{cost}}}"#);
        let Response {
            body: page, meta, ..
        } = news_page(&body).await;
        let Meta {
            credits_consumed, ..
        } = meta;
        assert_eq!(credits_consumed.map(|c| c.micros()), expected, "{cost}");
        assert_eq!(page.credits_consumed, credits_consumed, "{cost}");
        assert_eq!((page.total, page.data.len()), (Some(7), 1), "{cost}");
    }
}

#[tokio::test]
async fn a_known_company_has_no_request_and_a_pending_one_no_reason() {
    let known = r#"{"already_exists": true, "company": {"uuid": "k7f3q9"}, "request_id": null, "status": "exists", "credits_consumed": 0}"#;
    let call = |client: company_intel::Client| client.add_company("A", "a.example").send();
    let known = answered(answer_json(known), call).await.unwrap().body;
    assert_eq!(known.already_exists, Some(true));
    assert_eq!(known.request_id, None);
    assert_eq!(known.company.unwrap()["uuid"], "k7f3q9");

    let pending = r#"{"request_id": "r1", "request_type": "company_addition", "detail": {"status": "pending", "reason": null, "company_uuid": null}}"#;
    let call = |client: company_intel::Client| client.request_status("r1").send();
    let pending = answered(answer_json(pending), call).await.unwrap().body;
    let detail = pending.detail.unwrap();
    assert_eq!(wire(&detail.status), "pending");
    assert_eq!((detail.reason, detail.company_uuid), (None, None));
}
