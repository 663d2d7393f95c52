//! Pages: they add up to all records, and the places named in `x-pagination` hold the right values.

use serde_json::Value;

use super::Server;

/// Operation, path, array, total, and number of records in the sample data.
type Paged = (
    &'static str,
    &'static str,
    &'static str,
    &'static str,
    usize,
);

const PAGED: &[Paged] = &[
    ("news", "news?company=example.com", "/data", "/total", 37),
    (
        "employeeReviews",
        "employeeReviews?company=example.com",
        "/data/employee_reviews/reviews/data",
        "/data/employee_reviews/reviews/total",
        26,
    ),
    (
        "productReviews",
        "productReviews?company=example.com&products=101-1",
        "/data/product/0/reviews/data",
        "/data/product/0/reviews/total",
        12,
    ),
    (
        "jobPosts",
        "jobPosts?company=example.com",
        "/data",
        "/count",
        23,
    ),
    (
        "socialPosts",
        "socialPosts?company=example.com",
        "/data/posts",
        "/count",
        14,
    ),
];

/// Returns the rows of operations that the document has.
fn paged(server: &Server) -> Vec<&'static Paged> {
    let rows = PAGED.iter();
    rows.filter(|(operation, ..)| server.operation(operation).is_some())
        .collect()
}

pub(super) fn records<'a>(body: &'a Value, place: &str) -> &'a [Value] {
    body.pointer(place).and_then(Value::as_array).unwrap()
}

#[tokio::test]
async fn pages_add_up_to_all_records_without_repeats() {
    let server = Server::with_written_data().await;
    for (operation, path, items, total, expected) in paged(&server) {
        let mut all = Vec::new();
        for offset in (0..).step_by(5) {
            let page = server
                .body(&format!("{path}&limit=5&offset={offset}"))
                .await;
            assert_eq!(
                page.pointer(total),
                Some(&Value::from(*expected)),
                "{operation}"
            );
            assert_eq!(page["limit"], 5, "{operation}");
            assert_eq!(page["offset"], offset, "{operation}");
            let records = records(&page, items);
            assert_eq!(
                records.len(),
                expected.saturating_sub(offset).min(5),
                "{operation}"
            );
            if records.is_empty() {
                break;
            }
            all.extend(records.to_vec());
        }
        assert_eq!(all.len(), *expected, "{operation}");
        for (place, record) in all.iter().enumerate() {
            assert!(!all[..place].contains(record), "{operation}: {record}");
        }
        let at_once = server.body(&format!("{path}&limit=50")).await;
        assert_eq!(records(&at_once, items), all, "{operation}");
    }
}

#[tokio::test]
async fn the_documents_defaults_are_applied_and_echoed() {
    let server = Server::with_written_data().await;
    for (operation, path, items, _, _) in paged(&server) {
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
    let all: Vec<_> = document
        .operations
        .iter()
        .filter(|operation| operation.paging.is_some())
        .map(|operation| {
            let paging = operation.paging.as_ref().unwrap();
            let pointer = |path: &str| path.replace("[*]", ".0").replace('$', "").replace('.', "/");
            let total = paging.total.as_deref().map(pointer).unwrap_or_default();
            (operation.id.as_str(), pointer(&paging.items), total)
        })
        .collect();
    let expected: Vec<_> = paged(&server)
        .into_iter()
        .map(|(operation, _, items, total, _)| (*operation, items.to_string(), total.to_string()))
        .collect();
    for operation in expected {
        assert!(all.contains(&operation), "{operation:?}");
    }
}

#[tokio::test]
async fn an_offset_beyond_the_end_and_a_company_without_records_give_empty_pages() {
    let server = Server::with_written_data().await;
    let beyond = server
        .body("jobPosts?company=example.com&offset=9999999999")
        .await;
    assert_eq!(
        (&beyond["count"], records(&beyond, "/data")),
        (&23.into(), &[][..])
    );
    let none = server
        .body("jobPosts?company=tidewater-logistics.example")
        .await;
    assert_eq!(
        (&none["count"], records(&none, "/data")),
        (&0.into(), &[][..])
    );
}
