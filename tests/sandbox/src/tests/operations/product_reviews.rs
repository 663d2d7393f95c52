//! `product_reviews`.

use serde_json::Value;

use crate::tests::paging::records;
use crate::tests::{Server, edits};

#[tokio::test]
async fn each_product_has_pages_of_its_own() {
    let server = Server::with_written_data().await;
    let path = "productReviews?company=example.com";
    let listed = server.body(path).await;
    let products = records(&listed, "/data/product");
    let ids: Vec<_> = products.iter().map(|p| p["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["101-1", "101-2", "101-3"]);
    assert!(
        products
            .iter()
            .all(|product| product.get("reviews").is_none())
    );

    let page = server
        .body(&format!(
            "{path}&products=101-3&products=101-1&limit=4&offset=2"
        ))
        .await;
    let sizes: Vec<_> = records(&page, "/data/product")
        .iter()
        .map(|product| {
            let reviews = &product["reviews"];
            let by_provider = reviews["total_by_provider"].as_object().unwrap();
            let sum: u64 = by_provider.values().filter_map(Value::as_u64).sum();
            assert_eq!(reviews["total"], sum);
            (
                product["id"].as_str().unwrap(),
                records(reviews, "/data").len(),
                sum,
            )
        })
        .collect();
    assert_eq!(sizes, [("101-1", 4, 12), ("101-3", 1, 3)]);
}

#[tokio::test]
async fn its_arguments_are_refused_by_their_rules() {
    let server = Server::start().await;
    for (arguments, rule) in [
        ("limit=51", "limit must be at most 50"),
        (
            "products=102-1",
            "products must be products of the company; `102-1` is not",
        ),
    ] {
        let path = format!("productReviews?company=example.com&{arguments}");
        server.refuses(&path, &[rule]).await;
    }
    server
        .body("productReviews?company=example.com&products=101-1&limit=50")
        .await;
}

#[tokio::test]
async fn its_price_is_that_of_the_document() {
    let server = Server::start().await;
    for (arguments, micros, is_made_up) in [
        ("", 500_000, false),
        ("&limit=5", 500_000, false),
        ("&products=101-1", 1_500_000, false),
        ("&products=101-1&limit=3", 1_500_000, true),
    ] {
        let path = format!("productReviews?company=example.com{arguments}");
        server.costs(&path, micros, is_made_up).await;
    }
}

#[tokio::test]
async fn conditions_of_prices_that_nobody_knows_are_refused_at_the_start() {
    type Edit = fn(&mut Value);
    let edits: [(Edit, &str); 2] = [
        (
            |document| edits::set(document, "products", "absent", Some("seldom".into())),
            "seldom",
        ),
        (
            |document| edits::rename(document, "products", "absent", "product"),
            "depends on product,",
        ),
    ];
    for (edit, reason) in edits {
        let error = Server::try_document(edit).await.err();
        let error = format!("{:#}", error.unwrap_or_else(|| panic!("{reason}: taken")));
        assert!(error.contains(reason), "{error}");
    }
}
