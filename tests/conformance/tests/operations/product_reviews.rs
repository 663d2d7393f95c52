//! `product_reviews`.

use company_intel::{Client, Credits, Error};
use serde_json::{Value, json};

use crate::forms::assert_read;
use crate::paging::{COMPANY, all, sandbox, spent};
use crate::support::calls::{refused, respond_with, sent};
use crate::support::document::{meant, schema_of};
use crate::support::operations::call;
use crate::support::payloads::essence;
use crate::support::records::{fields, left_out, read, rejects};
use crate::support::served::{SERVED, check};
use crate::support::server::json_response;
use crate::support::wire::assert_get;

#[tokio::test]
async fn its_requests() {
    let minimal = sent(|client| client.product_reviews("example.com").send()).await;
    assert_get(minimal, "product_reviews", "", "?company=example.com");

    let full = sent(|client| {
        let call = client.product_reviews("example.com");
        call.products(["lift", "tug"]).limit(50).offset(5).send()
    })
    .await;
    assert_get(
        full,
        "product_reviews",
        "",
        "?company=example.com&products=lift&products=tug&limit=50&offset=5",
    );
}

#[tokio::test]
async fn one_bad_record_costs_itself_alone() {
    let body = r#"{"data": {"product": [
        {"id": "lift", "reviews": {"data": [{"review_id": 1}, {"review_id": "two"}, 7], "total": 2}},
        {"id": "tug", "reviews": {"data": [null, {"review_id": 4}], "total": 2}}
    ]}}"#;
    let response = read("product_reviews", body, |client| {
        let call = client.product_reviews("k7f3q9");
        call.products(["lift", "tug"]).send()
    })
    .await;
    let products = &response.body.data.products;
    let lift = &products[0].reviews.as_ref().unwrap().data;
    let tug = &products[1].reviews.as_ref().unwrap().data;
    assert_eq!(fields(lift, "review_id"), [json!(1), Value::Null]);
    assert_eq!(fields(tug, "review_id"), [4]);
    assert_eq!(rejects(lift), [(2, "", json!(7.0))]);
    assert_eq!(rejects(tug), [(0, "", Value::Null)]);
    let place = "/data/product/0/reviews/data/1/review_id";
    assert_eq!(left_out(&response), [(place, "\"two\"")]);
}

#[tokio::test]
async fn the_path_of_a_decode_error_leads_to_the_field() {
    let body = r#"{"data": {"product": [{"id": "a"}, {"id": [7]}]}}"#;
    let call = |client: Client| client.product_reviews("k7f3q9").send();
    let error = respond_with(json_response(body), call).await.unwrap_err();
    assert_eq!(error.path(), Some("/data/product/1/id"));
}

#[tokio::test]
async fn a_limit_on_reviews_of_no_products_is_refused() {
    refused("limit", |client| {
        client.product_reviews("k7f3q9").limit(5).send()
    })
    .await;
    let none: [&str; 0] = [];
    refused("limit", |client| {
        let call = client.product_reviews("k7f3q9");
        call.products(none).limit(5).send()
    })
    .await;
}

/// Returns whether the document has a type for numbers of stars: some frameworks publish any value.
fn has_star_counts() -> bool {
    let counts = &schema_of("Product")["properties"]["star_distribution"];
    !meant(counts)["type"].is_null()
}

#[tokio::test]
async fn numbers_of_stars_are_left_out_where_they_are_none() {
    if !has_star_counts() {
        return;
    }
    let read = json!({"a": {"1": 1, "2": 0, "4": 0, "5": 3, "total": 4}, "b": {}});
    for sent in [
        json!({"a": {"1": 1, "2": 0, "3": null, "4": 0, "5": 3, "total": 4}, "b": {}, "d": null}),
        json!({"a": {"1": 1, "2": 0, "3": null, "4": 0, "5": 3, "total": 4}, "b": {}, "c": {"5": "many"}, "d": null}),
    ] {
        let [sent, read] = [&sent, &read].map(|counts| json!({"star_distribution": counts}));
        assert_read("Product", &sent, &read).await;
    }
}

#[tokio::test]
async fn a_product_list_without_reviews_has_empty_extras() {
    let whole: Value = serde_json::from_str(&reviewed_facts::payload("product_reviews")).unwrap();
    let product = &whole["data"]["product"][0];
    for (name, value) in product.as_object().unwrap() {
        let body = json!({"data": {"product": [{name.as_str(): value}]}});
        let read = call("product_reviews", &body.to_string()).await.unwrap();
        assert_eq!(essence(&read.value), essence(&body), "{name}");
    }
}

#[tokio::test]
async fn counts_that_are_texts_are_read_from_numbers_too() {
    for (count, read) in [
        (json!("12"), json!("12")),
        (json!(12), json!("12")),
        (json!("a dozen"), json!("a dozen")),
        (json!(""), json!("")),
        (json!(null), json!(null)),
    ] {
        let of = |count: &Value| json!({"text": "Quiet", "count": count});
        assert_read("CountedText", &of(&count), &of(&read)).await;
    }
}

#[tokio::test]
async fn reviews_of_several_products_go_on_side_by_side() {
    let (sandbox, client) = sandbox().await;
    let listed = client.product_reviews(COMPANY).send().await.unwrap();
    let listed: Value = serde_json::from_slice(&listed.raw).unwrap();
    let products = listed["data"]["product"].as_array().unwrap().iter();
    let id = |one: &Value| one["id"].as_str().unwrap().to_owned();
    let products: Vec<String> = products.map(id).collect();
    assert_eq!(products.len(), 3);
    let mut alone = Vec::new();
    for product in &products {
        let call = client.product_reviews(COMPANY).products([product.as_str()]);
        alone.extend(all!(call.limit(50).items()));
    }
    let calls = sandbox.bill().calls.len();
    let call = client.product_reviews(COMPANY).products(products);
    let mut together = all!(call.limit(5).items());
    // The largest product has twelve reviews.
    assert_eq!(sandbox.bill().calls.len() - calls, 3);
    alone.sort_unstable();
    together.sort_unstable();
    assert_eq!(together, alone);
    assert!(alone.len() > 12);
    spent(&sandbox, &client);
}

#[tokio::test]
async fn reviews_of_products_need_products_and_a_limit() {
    let (sandbox, client) = sandbox().await;
    let call = client.product_reviews(COMPANY);
    for (call, argument) in [
        (call.clone(), "products"),
        (call.clone().limit(5), "limit"),
        (call.clone().products(["101-1"]), "limit"),
        (call.clone().products(["101-1"]).limit(0), "limit"),
    ] {
        let error = call.items().next().await.unwrap().unwrap_err();
        let Error::Argument(refused) = &error else {
            panic!("{error:?}");
        };
        assert_eq!(refused.argument(), argument);
    }
    assert_eq!(spent(&sandbox, &client), Credits::ZERO);
}

#[tokio::test]
async fn the_path_to_the_records_is_required() {
    // So are the members that distinguish their lists.
    for (body, path) in [
        (r#"{"data": {"product": {}}}"#, "/data/product"),
        (
            r#"{"data": {"uuid": "a", "product": [{"id": [7]}]}}"#,
            "/data/product/0/id",
        ),
        (
            r#"{"data": {"product": [{"reviews": []}]}}"#,
            "/data/product/0/reviews",
        ),
    ] {
        let call = |client: Client| client.product_reviews("a.example").send();
        let error = respond_with(json_response(body), call).await.unwrap_err();
        assert_eq!(error.path(), Some(path));
    }
}

#[tokio::test]
async fn a_limit_above_its_maximum_is_refused() {
    refused("limit", |client| {
        let call = client.product_reviews("k7f3q9");
        call.products(["lift"]).limit(51).send()
    })
    .await;
}

#[tokio::test]
async fn what_the_sandbox_serves_is_read_whole() {
    let (_sandbox, client) = sandbox().await;
    for company in SERVED {
        check(client.product_reviews(company).send().await);
    }
    let products = client.product_reviews(COMPANY).products(["101-1", "101-2"]);
    check(products.limit(50).send().await);
}
