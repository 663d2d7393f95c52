//! One record in the response of an operation that has it, as the client decodes it.

use company_intel::Response;
use company_intel::types::{
    Enrichment, JobPost, JobPostsResponse, NewsArticle, NewsResponse, Product,
};
use serde_json::{Value, json};

use super::calls::respond_with;
use super::server::json_response;

/// The page that a body with this one article decodes to.
pub(crate) async fn news(article: Value) -> NewsArticle {
    let body = json!({"total": 1, "count": 1, "data": [article], "credits_consumed": 1});
    let response = news_page(&body.to_string()).await;
    assert!(response.body.data.rejects().is_empty());
    response.into_body().data.into_vec().remove(0)
}

pub(crate) async fn news_page(body: &str) -> Response<NewsResponse> {
    let call = |client: company_intel::Client| client.news("k7f3q9").send();
    respond_with(json_response(body), call).await.unwrap()
}

pub(crate) async fn job(post: Value) -> JobPost {
    let body = json!({"status": "success", "data": [post], "count": 1});
    let call = |client: company_intel::Client| client.job_posts("k7f3q9").send();
    let response: Response<JobPostsResponse> = respond_with(json_response(&body.to_string()), call)
        .await
        .unwrap();
    assert!(response.body.data.rejects().is_empty());
    response.into_body().data.into_vec().remove(0)
}

pub(crate) async fn enriched(data: Value) -> Enrichment {
    let body = json!({ "data": data }).to_string();
    let call = |client: company_intel::Client| client.enrichment("k7f3q9").send();
    let response = respond_with(json_response(&body), call).await.unwrap();
    response.into_body().data
}

pub(crate) async fn product(product: Value) -> Product {
    let body = json!({"data": {"product": [product]}}).to_string();
    let call = |client: company_intel::Client| {
        let call = client.product_reviews("k7f3q9");
        call.products(["p1"]).send()
    };
    let response = respond_with(json_response(&body), call).await.unwrap();
    response.into_body().data.products.remove(0)
}

pub(crate) fn wire(value: &impl serde::Serialize) -> Value {
    serde_json::to_value(value).unwrap()
}
