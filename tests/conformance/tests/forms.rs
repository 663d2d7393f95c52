//! Where the reference disagrees with itself: the published form decodes, the observed one does, and both at once.

use company_intel::types::{
    CodeLabel, CompanyId, CompanyStatus, Enrichment, JobPost, JobPostsResponse, JobType,
    NewsArticle, NewsResponse, OtherRatingType, Product, Sentiment,
};
use company_intel::{Loose, Meta, Response, TextDate, TextRange};
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

async fn enriched(data: Value) -> Enrichment {
    let body = json!({ "data": data }).to_string();
    let call = |client: company_intel::Client| client.enrichment("k7f3q9").send();
    let response = answered(answer_json(&body), call).await.unwrap();
    response.into_body().data
}

async fn product(product: Value) -> Product {
    let body = json!({"data": {"product": [product]}}).to_string();
    let call = |client: company_intel::Client| {
        let call = client.product_reviews("k7f3q9");
        call.products(["p1"]).send()
    };
    let response = answered(answer_json(&body), call).await.unwrap();
    response.into_body().data.products.remove(0)
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
        let response = answered(answer_json(&body), call).await.unwrap();
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
async fn stars_are_counted_by_provider() {
    let stars = json!({"1": 1, "2": 0, "3": null, "4": 0, "5": 3, "total": 4});
    let distribution =
        json!({"provider_a": stars, "provider_b": {}, "provider_c": {"5": "many"}, "d": null});
    // Strict as long as all of it fits, which `null` and other keys do.
    for (distribution, providers) in [
        (json!({"provider_a": stars, "provider_b": {}, "d": null}), 2),
        (distribution, 2),
    ] {
        let read = product(json!({"id": "p1", "star_distribution": distribution})).await;
        assert_eq!(read.id.as_deref(), Some("p1"));
        let read = read.star_distribution;
        assert_eq!(read.len(), providers, "{distribution}");
        let expected = [("1", 1), ("2", 0), ("4", 0), ("5", 3), ("total", 4)];
        let known = read["provider_a"].iter();
        assert!(
            known
                .map(|(key, count)| (key.as_str(), *count))
                .eq(expected)
        );
        assert_eq!(read["provider_a"]["5"], 3);
        assert!(read["provider_b"].is_empty());
    }
}

#[tokio::test]
async fn ratings_of_aspects_are_numbers_and_one_that_is_none_costs_no_other() {
    for (aspect, value, expected) in [
        ("ceo", json!(0.8), Some(Some(0.8))),
        ("business_outlook", json!(1), Some(Some(1.0))),
        ("work_life_balance", json!(4), Some(Some(4.0))),
        ("work_life_balance", json!(null), Some(None)),
        // Outside of the scale: kept as it came.
        ("ceo", json!(4), Some(Some(4.0))),
        ("parking", json!(4), Some(Some(4.0))),
        ("ceo", json!("high"), None),
    ] {
        let other = json!({"type": "ceo", "provider": "provider_b", "value": 0.5, "votes": 7});
        let ratings = json!([{"type": aspect, "provider": "provider_a", "value": value}, other]);
        let body = json!({"data": {"employee_reviews": {"other_ratings": ratings}}}).to_string();
        let call = |client: company_intel::Client| client.employee_reviews("k7f3q9").send();
        let response = answered(answer_json(&body), call).await.unwrap();
        let reviews = response.into_body().data.employee_reviews.unwrap();
        let (last, before) = reviews.other_ratings.split_last().unwrap();
        assert_eq!(last.value, Some(0.5), "{aspect} {value}");
        let read = before.first().map(|rating| rating.value);
        assert_eq!(
            (before.len(), read),
            (usize::from(expected.is_some()), expected)
        );
    }
}

#[test]
fn what_a_plain_type_leaves_open_is_documented_at_its_field() {
    let source = include_str!("../../../generated/src/types.rs");
    for (declared, fact) in [
        (
            "    pub count: Option<String>,",
            "How many reviewers made it, a number written as text.",
        ),
        (
            "    pub value: Option<f64>,",
            "from 0 to 1 for `business_outlook`, `ceo` and `recommend_to_friend`, from 0 to 5 for the others.",
        ),
        (
            "pub struct StarCounts(",
            "How many ratings there are for each number of stars; the keys are `1` to `5`.",
        ),
    ] {
        let (before, _) = source.split_once(declared).unwrap();
        let about = before.rsplit("\n}\n").next().unwrap();
        assert!(about.contains(fact), "{declared} {about}");
    }
}

#[tokio::test]
async fn coded_fields_are_a_pair_several_pairs_or_a_text() {
    let rust = json!({"code": "rust", "label": "Rust"});
    let go = json!({"code": "go", "label": "Go"});
    for (sent, codes, text) in [
        (rust.clone(), vec!["rust"], None),
        (json!([rust, go]), vec!["rust", "go"], None),
        (json!([]), vec![], None),
        (json!("Rust"), vec![], Some("Rust")),
        (json!(["Rust", "Go", "Zig"]), vec![], None),
    ] {
        let data = enriched(json!({
            "technology": {"api_detail": {"has_api": true, "sdk_language": sent}},
            "customer_profile": {"icp": [{"target_buyer": sent, "sales_motion": sent}]},
        }))
        .await;
        let api = data.technology.unwrap().api_detail.unwrap();
        assert_eq!(api.has_api, Some(true));
        let customer = &data.customer_profile.unwrap().icp[0];
        for read in [
            &api.sdk_language,
            &customer.target_buyer,
            &customer.sales_motion,
        ] {
            let read: &Loose<CodeLabel> = read.as_ref().unwrap();
            let found: Vec<_> = read
                .as_slice()
                .iter()
                .filter_map(|one| one.code.as_deref())
                .collect();
            assert_eq!(found, codes, "{sent}");
            assert_eq!(read.text(), text, "{sent}");
            assert_eq!(wire(read), sent);
        }
    }
}

#[tokio::test]
async fn a_list_of_texts_is_not_taken_for_a_code_and_its_label() {
    let data =
        enriched(json!({"technology": {"api_detail": {"sdk_language": ["Rust", "Go"]}}})).await;
    let read = data
        .technology
        .unwrap()
        .api_detail
        .unwrap()
        .sdk_language
        .unwrap();
    assert_eq!(read.first(), None);
    assert_eq!(read.other(), Some(&json!(["Rust", "Go"])));
}

#[tokio::test]
async fn earlier_employers_are_kept_under_whatever_name_they_come() {
    let data = enriched(json!({"management_profile": [
        {"name": "A. Person", "employers_so_far": [{"name": "Old & Co"}]},
    ]}))
    .await;
    let people = data.management_profile.unwrap();
    let extra = &people.first().unwrap().extra;
    assert_eq!(extra["employers_so_far"], json!([{"name": "Old & Co"}]));
}

#[tokio::test]
async fn texts_without_a_type_never_cost_the_record() {
    for (sent, texts) in [
        (json!("Tools"), vec!["Tools"]),
        (json!(["Tools", "Time"]), vec!["Tools", "Time"]),
        (json!({"text": "Tools"}), vec![]),
        (json!(7), vec![]),
    ] {
        let data = enriched(json!({
            "firmographic": {"name": sent, "founded_year": 2009},
            "customer_profile": {"icp": [{"pain_points": sent, "geography": sent}]},
        }))
        .await;
        let firm = data.firmographic.unwrap();
        assert_eq!(firm.founded_year, Some(2009));
        let customer = &data.customer_profile.unwrap().icp[0];
        for read in [&firm.name, &customer.pain_points, &customer.geography] {
            let read = read.as_ref().unwrap();
            assert_eq!(read.as_slice(), texts, "{sent}");
            assert_eq!(wire(read), sent);
        }
    }
}

#[tokio::test]
async fn the_people_of_a_company_are_a_list_or_one_object() {
    let ada = json!({"name": "Ada Sample", "designation": "Founder"});
    let jo = json!({"name": "Jo Sample"});
    for (sent, names) in [
        (json!([ada, jo]), vec!["Ada Sample", "Jo Sample"]),
        (ada.clone(), vec!["Ada Sample"]),
        (json!([]), vec![]),
        (json!("Ada Sample"), vec![]),
    ] {
        let data = enriched(json!({"uuid": "k7f3q9", "management_profile": sent})).await;
        let people = data.management_profile.unwrap();
        let found: Vec<_> = people
            .as_slice()
            .iter()
            .map(|one| one.name.as_ref().unwrap().first().unwrap().as_str())
            .collect();
        assert_eq!(found, names, "{sent}");
        assert_eq!(wire(&people), sent);
    }
}

#[tokio::test]
async fn status_and_primary_tag_are_read_from_the_page_and_from_the_article() {
    let tag = json!({"name": "Merger", "code": "merger", "is_primary": true});
    for sent in [tag.clone(), json!([tag]), json!("merger")] {
        let article = json!({"status": "ok", "primary_tag": sent});
        let body = json!({"status": "ok", "primary_tag": sent, "data": [article]});
        let page = news_page(&body.to_string()).await.into_body();
        assert_eq!(wire(&page.status), "ok");
        assert_eq!(wire(&page.primary_tag), sent);
        assert_eq!(wire(&page.data[0].status), "ok");
        assert_eq!(wire(&page.data[0].primary_tag), sent);
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
            reported_charge: credits_consumed,
            ..
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
    let detail = pending.detail;
    assert_eq!(wire(&detail.status), "pending");
    assert_eq!((detail.reason, detail.company_uuid), (None, None));
}
