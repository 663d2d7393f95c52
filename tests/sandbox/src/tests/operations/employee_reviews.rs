//! `employee_reviews`.

use crate::tests::Server;
use crate::tests::document::with;

#[tokio::test]
async fn its_arguments_are_refused_by_their_rules() {
    let server = Server::start().await;
    let rule = "limit must be at most 100";
    server
        .refuses("employeeReviews?company=example.com&limit=101", &[rule])
        .await;
    server
        .body("employeeReviews?company=example.com&limit=100")
        .await;
}

#[tokio::test]
async fn its_price_is_that_of_the_document() {
    let server = Server::start().await;
    let path = "employeeReviews?company=example.com";
    server.costs(path, 1_500_000, false).await;
}

#[tokio::test]
async fn its_maximum_is_that_of_the_document() {
    let server = with("maximum", 100.into(), Some(7.into())).await;
    let path = "employeeReviews?company=example.com&limit=8";
    server.refuses(path, &["limit must be at most 7"]).await;
}
