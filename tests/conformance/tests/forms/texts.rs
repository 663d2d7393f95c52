//! Texts that hold something else: dates, ranges, counts, codes, identifiers.

use company_intel::types::CompanyId;
use company_intel::{TextDate, TextRange};
use serde_json::json;

use crate::support::calls::{respond_with, sent};
use crate::support::decoded::{enriched, job, news, product, wire};
use crate::support::server::json_response;

/// Date, whether that is all, and the offset in minutes.
type Read = (Option<(i32, u8, u8)>, bool, Option<i32>);

const DATES: [(&str, Read); 7] = [
    ("2025-03-04", (Some((2025, 3, 4)), true, None)),
    ("2025-03-04T08:15:00", (Some((2025, 3, 4)), false, None)),
    ("2025-03-04T08:15:00.250", (Some((2025, 3, 4)), false, None)),
    ("2025-03-04T08:15:00Z", (Some((2025, 3, 4)), false, Some(0))),
    (
        "2025-03-04T08:15:00+02:00",
        (Some((2025, 3, 4)), false, Some(120)),
    ),
    ("", (None, false, None)),
    ("yesterday", (None, false, None)),
];

fn is_read_as(date: Option<TextDate>, text: &str, expected: Read) {
    let date = date.unwrap();
    let read = (date.date(), date.is_date_only(), date.offset_minutes());
    assert_eq!(read, expected, "{text}");
    assert_eq!(wire(&date), json!(text));
}

#[tokio::test]
async fn dates_are_a_day_or_a_time_with_or_without_a_zone_or_nothing() {
    for (text, expected) in DATES {
        let article = news(json!({"published_date": text})).await;
        is_read_as(article.published_date, text, expected);
        is_read_as(
            job(json!({"date_posted": text})).await.date_posted,
            text,
            expected,
        );
    }
}

#[tokio::test]
async fn the_date_of_a_review_may_be_empty() {
    for (text, expected) in DATES {
        let review = json!({"employee_reviews": {"reviews": {"data": [{"review_date": text}]}}});
        let body = json!({ "data": review }).to_string();
        let call = |client: company_intel::Client| client.employee_reviews("k7f3q9").send();
        let response = respond_with(json_response(&body), call).await.unwrap();
        let reviews = response.into_body().data.employee_reviews.unwrap();
        let review = reviews.reviews.unwrap().data.into_vec().remove(0);
        is_read_as(review.review_date, text, expected);
    }
}

#[tokio::test]
async fn experience_is_a_range_a_lower_bound_or_empty() {
    for (text, bounds) in [
        ("2-5", Some((2, Some(5)))),
        ("5+", Some((5, None))),
        ("", None),
        ("senior", None),
    ] {
        let read = job(json!({"experience_level": text})).await;
        let range = read.experience_level.unwrap();
        assert_eq!(range.bounds(), bounds, "{text}");
        assert_eq!(wire(&range), text);
    }
}

#[tokio::test]
async fn size_bands_are_ranges_as_far_as_they_are_numbers() {
    for (text, bounds) in [
        ("201-500", Some((201, Some(500)))),
        ("10,001+", Some((10_001, None))),
        ("51-200 employees", None),
    ] {
        let data = enriched(json!({"firmographic": {"headcount_range": text}})).await;
        let range = data.firmographic.unwrap().headcount_range;
        assert_eq!(range.as_ref().map(TextRange::bounds), Some(bounds));
        assert_eq!(wire(&range), text);
    }
}

#[tokio::test]
async fn counts_of_pros_are_texts_also_where_a_number_comes() {
    for (count, text, number) in [
        (json!("12"), Some("12"), Some(12)),
        (json!(12), Some("12"), Some(12)),
        (json!("1,204"), Some("1,204"), None),
        (json!("a dozen"), Some("a dozen"), None),
        (json!(""), Some(""), None),
        (json!(null), None, None),
    ] {
        let more = json!({"text": "Small", "count": "3", "share": 0.5});
        let pros = json!([{"text": "Quiet", "count": count}, null, more]);
        let read = product(json!({"pros_list": pros})).await;
        assert_eq!(read.pros_list.len(), 2, "{count}");
        assert_eq!(read.pros_list[0].text.as_deref(), Some("Quiet"));
        let read = read.pros_list[0].count.as_deref();
        assert_eq!(read, text, "{count}");
        assert_eq!(read.and_then(|count| count.parse::<u64>().ok()), number);
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
async fn identifiers_of_companies_are_short_texts_or_uuids_and_go_back_as_they_came() {
    for id in ["k7f3q9", "3d0c1a52-9b1e-4f6c-8a57-0e2b7c9d4f10", "42"] {
        let body = json!({"data": [{"uuid": id}]}).to_string();
        let call = |client: company_intel::Client| client.company_search("x").send();
        let found = respond_with(json_response(&body), call).await.unwrap();
        let company = &found.body.data[0];
        assert_eq!(company.uuid.as_ref().map(CompanyId::as_str), Some(id));

        let request = sent(|client| client.headcount_trends(company).send()).await;
        let line = format!("GET /v1/company/headcount-trends?company={id} HTTP/1.1");
        assert_eq!(request.line, line);
    }
}
