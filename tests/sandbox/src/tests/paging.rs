//! Pages: the places named in `x-pagination` hold the right values. The tests of operations in `tests/conformance` read all pages.

use serde_json::Value;

use super::Server;

/// Operation, path, array and total.
const PAGED: &[[&str; 4]] = &[
    ["news", "news?company=example.com", "/data", "/total"],
    [
        "employeeReviews",
        "employeeReviews?company=example.com",
        "/data/employee_reviews/reviews/data",
        "/data/employee_reviews/reviews/total",
    ],
    [
        "productReviews",
        "productReviews?company=example.com&products=101-1",
        "/data/product/0/reviews/data",
        "/data/product/0/reviews/total",
    ],
    [
        "jobPosts",
        "jobPosts?company=example.com",
        "/data",
        "/count",
    ],
    [
        "socialPosts",
        "socialPosts?company=example.com",
        "/data/posts",
        "/count",
    ],
];

/// Returns the rows of operations that the document has.
fn paged(server: &Server) -> Vec<&'static [&'static str; 4]> {
    let rows = PAGED.iter();
    rows.filter(|[operation, ..]| server.operation(operation).is_some())
        .collect()
}

pub(super) fn records<'a>(body: &'a Value, place: &str) -> &'a [Value] {
    body.pointer(place).and_then(Value::as_array).unwrap()
}

#[tokio::test]
async fn the_documents_defaults_are_applied_and_echoed() {
    let server = Server::with_written_data().await;
    for [operation, path, items, _] in paged(&server) {
        // Reviews per product have no documented default limit.
        let limit = if *operation == "productReviews" {
            0
        } else {
            10
        };
        let page = server.body(path).await;
        assert_eq!(page["limit"], limit, "{operation}");
        assert_eq!(page["offset"], 0, "{operation}");
        assert_eq!(records(&page, items).len(), limit, "{operation}");
    }
}

#[tokio::test]
async fn every_operation_that_the_document_pages_is_paged_here_by_its_pointers() {
    let server = Server::with_written_data().await;
    let document = &server.sandbox.service.document;
    let pointer = |path: &str| path.replace("[*]", ".0").replace('$', "").replace('.', "/");
    for [id, _, items, total] in paged(&server) {
        let operation = document.operations.iter().find(|one| one.id == *id);
        let paging = operation.unwrap().paging.as_ref().unwrap();
        let found = paging.total.as_deref().map(pointer);
        assert_eq!(pointer(&paging.items), *items, "{id}");
        assert_eq!(found.unwrap_or_default(), *total, "{id}");
    }
}

#[tokio::test]
async fn an_offset_beyond_the_end_and_a_company_without_records_give_empty_pages() {
    let server = Server::with_written_data().await;
    for (arguments, count) in [
        ("company=example.com&offset=9999999999", 23),
        ("company=tidewater-logistics.example", 0),
    ] {
        let page = server.body(&format!("jobPosts?{arguments}")).await;
        assert_eq!(page["count"], count, "{arguments}");
        assert!(records(&page, "/data").is_empty(), "{arguments}");
    }
}
