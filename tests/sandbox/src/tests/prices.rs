//! Reported costs: as documented, made up where undocumented, and equal to the bill.

use super::Server;

#[tokio::test]
async fn prices_and_their_conditions_are_those_of_the_document() {
    let server = Server::start().await;
    for (path, micros) in [
        ("companySearch?query=example", 0),
        ("headcountTrends?company=example.com", 2_500_000),
        ("jobPosts?company=example.com", 4_000_000),
    ] {
        server.costs(path, micros, false).await;
    }
}

#[tokio::test]
async fn prices_that_the_document_lacks_are_marked_as_made_up() {
    let server = Server::start().await;
    let mut marked = Vec::new();
    for (operation, reply) in server.full_responses().await {
        if let Some(mark) = reply.headers.get("x-sandbox-price") {
            assert_eq!(mark, "made-up");
            assert!(reply.json()["credits_consumed"].as_f64().unwrap() > 0.0);
            marked.push(operation);
        }
    }
    // The calls for reviews, jobs and posts have a limit.
    let mut expected = vec![
        "news",
        "enrichment",
        "employeeReviews",
        "productReviews",
        "jobPosts",
        "socialPosts",
        "addCompany",
    ];
    expected.retain(|operation| server.operation(operation).is_some());
    assert_eq!(marked, expected);
}

#[tokio::test]
async fn the_bill_lists_every_answer_with_what_it_said() {
    let server = Server::start().await;
    let responses = server.full_responses().await;
    let bill = server.sandbox.bill();
    let mut total = 0;
    for ((operation, reply), billed) in responses.iter().zip(&bill.calls) {
        let said = reply.json()["credits_consumed"].to_string();
        let said: company_intel::Credits = said.parse().unwrap();
        assert_eq!(
            (&*billed.operation, billed.micros),
            (*operation, said.micros())
        );
        total += said.micros();
    }
    let billed = &bill.calls;
    assert_eq!(billed.len(), responses.len());
    assert_eq!(billed.len(), server.full_calls().len());
    assert_eq!(bill.total_micros, total);
    let credits = company_intel::Credits::from_micros(bill.total_micros);
    let line = format!("{credits} credits for {} calls", billed.len());
    assert_eq!(bill.to_string(), line);
}
