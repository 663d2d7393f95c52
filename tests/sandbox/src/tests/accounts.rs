//! Several keys, each with its balance.

use reqwest::Method;
use serde_json::{Value, json};

use super::Server;
use crate::{Bill, Sandbox};

const CALL: &str = "headcountTrends?company=example.com";

async fn status(server: &Server, key: &str) -> (u16, String) {
    let request = server.bare(Method::GET, CALL).header("x-api-key", key);
    let reply = server.send(request).await;
    (reply.status, reply.text)
}

#[tokio::test]
async fn each_key_has_a_balance_of_its_own_and_none_goes_below_zero() {
    let builder = Sandbox::builder().api_key("first").api_key("second");
    let builder = builder.balance("6".parse().unwrap());
    let server = Server::of(builder.start().await.unwrap());
    assert_eq!(server.sandbox.api_key(), "first");
    for expected in [200, 200, 402] {
        assert_eq!(status(&server, "first").await.0, expected);
    }
    let (_, message) = status(&server, "first").await;
    let left = "costs 2.5 credits, and the key has 1 left";
    assert!(message.contains(left), "{message}");
    assert_eq!(status(&server, "second").await.0, 200);
    assert_eq!(status(&server, "third").await.0, 401);
    // Free operations work without a balance.
    let free = server.get("companySearch?query=example").await;
    assert_eq!(free.status, 200);
    assert_eq!(server.sandbox.bill().spent_micros, [5_000_000, 2_500_000]);
}

#[tokio::test]
async fn many_calls_at_once_spend_no_more_than_the_balance() {
    let builder = Sandbox::builder().balance("6".parse().unwrap());
    let server = std::sync::Arc::new(Server::of(builder.start().await.unwrap()));
    let calls = (0..20).map(|_| {
        let server = server.clone();
        tokio::spawn(async move { server.get(CALL).await.status })
    });
    let mut served = 0;
    for call in calls.collect::<Vec<_>>() {
        served += usize::from(call.await.unwrap() == 200);
    }
    assert_eq!((served, server.sandbox.bill().total_micros), (2, 5_000_000));
}

#[tokio::test]
async fn the_bill_is_shown_by_key_and_operation() {
    let server = Server::start().await;
    server.get(CALL).await;
    server.get(CALL).await;
    server.get("companySearch?query=example").await;
    server.get("companySearch").await;
    let url = server.sandbox.base_url().replace("/api", "/_sandbox/bill");
    let shown = server.send(server.http.get(url)).await;
    let shown: Value = serde_json::from_str(&shown.text).unwrap();
    assert_eq!(
        shown,
        json!({
            "credits": 5,
            "calls": 3,
            "refused": 1,
            "keys": [{"credits": 5}],
            "operations": {
                "companySearch": {"calls": 1, "credits": 0},
                "headcountTrends": {"calls": 2, "credits": 5},
            },
        })
    );
    assert_ne!(server.sandbox.bill(), Bill::default());
}

#[tokio::test]
async fn the_page_shows_the_bill_the_calls_and_the_document() {
    let server = Server::start().await;
    server.get("jobPosts?company=example.com").await;
    server.get("jobPosts?company=nobody.example").await;
    let address = server.sandbox.base_url().replace("/api", "");
    let read = async |path: &str| {
        let response = server.http.get(format!("{address}{path}")).send().await;
        let response = response.unwrap();
        (response.status().as_u16(), response.text().await.unwrap())
    };
    let (status, page) = read("/").await;
    let has_link = page.contains("/_sandbox/explorer/");
    assert!(status == 200 && has_link, "{page}");
    // The page must not show a key, which may be one of the provider's.
    assert!(!page.contains(server.sandbox.api_key()));
    let (_, calls) = read("/_sandbox/calls").await;
    let calls: Value = serde_json::from_str(&calls).unwrap();
    for (call, status, credits) in [(&calls[0], 200, 4), (&calls[1], 404, 0)] {
        assert_eq!(
            (&call["status"], &call["credits"]),
            (&status.into(), &credits.into())
        );
    }
    let (status, explorer) = read("/_sandbox/explorer/").await;
    #[cfg(feature = "explorer")]
    assert!(
        status == 200 && explorer.contains("swagger-ui"),
        "{explorer}"
    );
    #[cfg(not(feature = "explorer"))]
    assert!(
        status == 404 && explorer.contains("--features explorer"),
        "{explorer}"
    );
    let (_, document) = read("/_sandbox/openapi.json").await;
    let document: Value = serde_json::from_str(&document).unwrap();
    assert_eq!(document["servers"][0]["url"], "/api");
}
