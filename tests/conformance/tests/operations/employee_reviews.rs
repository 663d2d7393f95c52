//! `employee_reviews`.

use company_intel::Credits;

use crate::paging::{COMPANY, assert_read_once, sandbox};
use crate::support::calls::sent;
use crate::support::document::parameter_of;
use crate::support::served::{SERVED, check};
use crate::support::wire::assert_get;

#[tokio::test]
async fn its_requests() {
    let minimal = sent(|client| client.employee_reviews("example.com").send()).await;
    assert_get(minimal, "employee_reviews", "", "?company=example.com");

    let full = sent(|client| {
        let call = client.employee_reviews("example.com");
        call.limit(100).offset(200).send()
    })
    .await;
    assert_get(
        full,
        "employee_reviews",
        "",
        "?company=example.com&limit=100&offset=200",
    );
}

#[tokio::test]
async fn a_quote_shows_what_large_pages_take() {
    let (sandbox, client) = sandbox().await;
    let reviews = || client.employee_reviews(COMPANY);
    let quote = reviews().items().take(250).quote();
    // Without a default in the document, nothing says how many pages there are.
    let expected = if parameter_of("employee_reviews", "limit")["schema"]["default"] == 10 {
        (Some(25), "37.5".parse().ok())
    } else {
        (None, None)
    };
    assert_eq!((quote.calls, quote.at_most), expected);
    let large = || reviews().limit(100).items().take(250).quote();
    assert_eq!(
        (large().calls, large().at_most),
        (Some(3), "18".parse().ok())
    );

    let mut all = reviews().limit(100).items();
    while let Some(review) = all.next().await {
        review.unwrap();
    }
    let bill = sandbox.bill();
    assert_eq!(bill.calls.len(), 1);
    // The price of such a page is known from now on.
    let at_most = large().at_most.map(Credits::micros);
    assert_eq!(at_most, Some(3 * bill.total_micros));
}

#[tokio::test]
async fn all_records_come_once_and_cost_what_the_service_bills() {
    let (sandbox, client) = sandbox().await;
    // The last page is not full.
    assert_read_once!(sandbox, client, client.employee_reviews(COMPANY).items(), 26 in 3);
}

#[tokio::test]
async fn what_the_sandbox_serves_is_read_whole() {
    let (_sandbox, client) = sandbox().await;
    for company in SERVED {
        check(client.employee_reviews(company).limit(100).send().await);
    }
}
