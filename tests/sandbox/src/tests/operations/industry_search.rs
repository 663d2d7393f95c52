//! `industry_search`.

use serde_json::Value;

use crate::tests::data::list;
use crate::tests::{Server, edits};

#[tokio::test]
async fn industries_are_ranked_and_filtered_by_level() {
    let server = Server::with_written_data().await;
    let search = async |query: &str| server.body(&format!("industrySearch?query={query}")).await;
    let exact = search("industrial+robots").await;
    assert_eq!(list(&exact, "/data/industry_name")[0], "Industrial Robots");
    assert_eq!(exact["data"][0]["similarity"], 1.0);

    let all = search("food&level=all").await;
    let entries = all["data"].as_array().unwrap();
    let ranks: Vec<_> = entries
        .iter()
        .map(|e| e["similarity"].as_f64().unwrap())
        .collect();
    assert!(
        ranks.len() > 2 && ranks.is_sorted_by(|a, b| a >= b),
        "{ranks:?}"
    );
    assert_eq!(all["count"], ranks.len());

    let some = search("food&level=l2,l3").await;
    let best = ["Packaged Food", "Food Manufacturing"];
    assert_eq!(list(&some, "/data/industry_name")[..2], best);
    let default = search("food").await;
    assert_eq!(default, search("food&level=l4").await);
    assert_ne!(default, all);
    assert_eq!(
        search("xyzzy&level=all").await["data"],
        Value::Array(vec![])
    );
}

#[tokio::test]
async fn its_enum_values_are_those_of_the_document() {
    let server =
        Server::with_document(|document| edits::replace_enum_value(document, "l4", "l9")).await;
    let listed = server.listed("IndustryLevel");
    assert!(listed.contains("l9"), "{listed}");
    let rule = format!("level must be one of {listed}");
    server
        .refuses("industrySearch?query=food&level=l4", &[&rule])
        .await;
}
