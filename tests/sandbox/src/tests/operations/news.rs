//! `news`.

use crate::tests::Server;

#[tokio::test]
async fn unique_articles_leave_out_the_repeats_of_a_group() {
    let server = Server::with_written_data().await;
    let groups = async |query: &str| -> Vec<i64> {
        let body = server
            .body(&format!("news?company=example.com&limit=100{query}"))
            .await;
        let articles = body["data"].as_array().unwrap();
        assert_eq!(body["total"], articles.len());
        articles
            .iter()
            .map(|a| a["group_id"].as_i64().unwrap())
            .collect()
    };
    let all = groups("").await;
    let mut distinct = all.clone();
    distinct.dedup();
    assert_eq!((all.len(), distinct.len()), (37, 32));
    assert_eq!(groups("&unique_article=true").await, distinct);
    assert_eq!(groups("&unique_article=false").await, all);
}

#[tokio::test]
async fn forms_are_the_observed_ones_where_they_differ_from_the_published() {
    let server = Server::with_written_data().await;
    let news = server.body("news?company=example.com").await;
    let article = &news["data"][0];
    assert_eq!(article["sentiment"], "Positive");
    assert_eq!(article["published_date"], "2025-06-30T06:15:00");
    assert_eq!(article["original_language"], "EN");
    assert_eq!(article["countries"][0], "NLD");
    assert!(article["tags"].is_array() && article.get("types").is_none());
    let mentions = article["company_mentions"].as_array().unwrap();
    assert!(
        mentions
            .iter()
            .all(|m| m["uuid"].is_string() && m.get("company_id").is_none())
    );
}
