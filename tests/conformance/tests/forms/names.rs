//! Fields under several names, and names with several places.

use company_intel::types::CompanyId;
use serde_json::json;

use crate::support::decoded::{enriched, job, news, news_page, wire};

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
        // An empty list of tags is a value, too.
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
