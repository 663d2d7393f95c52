//! The literal requests of every operation, from parts 1, 4 and 5 of the reference.

use company_intel::types::AddCompanyRequest;
use company_intel::types::{EnrichmentSection, IndustryLevel};
use company_intel::{Method, Outcome};
use reviewed_facts::path;

use crate::support::calls::{KEY, respond_with, sent, sent_below};
use crate::support::server::{Recorded, json_response};

/// Checks the headers that all requests share; returns the path and query of a GET.
fn get(request: Recorded) -> String {
    assert_common(&request);
    assert!(request.header("content-type").is_empty());
    assert_eq!(request.body, "");
    let target = request.line.strip_prefix("GET ").unwrap();
    in_order(target.strip_suffix(" HTTP/1.1").unwrap())
}

/// Returns the path and query of an operation, from the reference.
fn target(operation: &str, rest: &str, query: &str) -> String {
    in_order(&reviewed_facts::target(operation, rest, query))
}

/// Sorts the parameters of a path and query by name, because the order across names has no meaning. Values of one name
/// keep theirs.
fn in_order(target: &str) -> String {
    let Some((path, query)) = target.split_once('?') else {
        return target.to_owned();
    };
    let mut pairs: Vec<&str> = query.split('&').collect();
    pairs.sort_by_key(|pair| pair.split('=').next());
    format!("{path}?{}", pairs.join("&"))
}

fn assert_common(request: &Recorded) {
    assert_eq!(request.header("x-api-key"), [KEY]);
    assert_eq!(request.header("accept"), ["application/json"]);
    assert_eq!(request.header("user-agent").len(), 1);
    assert!(request.header("authorization").is_empty());
    let shown = request.line.contains(KEY) || request.body.contains(KEY);
    assert!(!shown, "the key stands outside of its header: {request:?}");
}

#[tokio::test]
async fn news() {
    let minimal = sent(|client| client.news("example.com").send()).await;
    assert_eq!(get(minimal), target("news", "", "?company=example.com"));

    let call = |unique| {
        sent(move |client| {
            let call = client.news("example.com").unique_article(unique);
            call.limit(25).offset(50).send()
        })
    };
    assert_eq!(
        get(call(true).await),
        target(
            "news",
            "",
            "?company=example.com&limit=25&offset=50&unique_article=true"
        ),
    );
    assert_eq!(
        get(call(false).await),
        target(
            "news",
            "",
            "?company=example.com&limit=25&offset=50&unique_article=false"
        ),
    );
}

#[tokio::test]
async fn enrichment() {
    let minimal = sent(|client| client.enrichment("example.com").send()).await;
    assert_eq!(
        get(minimal),
        target("enrichment", "", "?company=example.com")
    );

    let full = sent(|client| {
        use EnrichmentSection::*;
        let sections = [
            Firmographic,
            BusinessModel,
            CompanyAssessment,
            TrustSignal,
            CompanyHierarchy,
            DigitalPresence,
            FinancialEstimate,
            Location,
            ManagementProfile,
            ProductOffering,
            StrategicSignal,
            CustomerProfile,
            Industry,
            Technology,
            FundingDetail,
            MnaAndInvestment,
        ];
        client.enrichment("example.com").sections(sections).send()
    })
    .await;
    assert_eq!(
        get(full),
        target(
            "enrichment",
            "",
            "?company=example.com&sections=firmographic,business_model,company_assessment,\
         trust_signal,company_hierarchy,digital_presence,financial_estimate,location,management_profile,\
         product_offering,strategic_signal,customer_profile,industry,technology,funding_detail,mna_and_investment"
        ),
    );
}

#[tokio::test]
async fn no_sections_are_all_sections() {
    let none: [EnrichmentSection; 0] = [];
    let request = sent(|client| client.enrichment("k7f3q9").sections(none).send()).await;
    assert_eq!(get(request), target("enrichment", "", "?company=k7f3q9"));
}

#[tokio::test]
async fn company_search() {
    let request = sent(|client| client.company_search("Nordwind").send()).await;
    assert_eq!(
        get(request),
        target("company_search", "", "?query=Nordwind")
    );
}

#[tokio::test]
async fn industry_search() {
    let minimal = sent(|client| client.industry_search("robots").send()).await;
    assert_eq!(get(minimal), target("industry_search", "", "?query=robots"));

    let full = sent(|client| {
        use IndustryLevel::*;
        let call = client.industry_search("robots");
        call.level([L1, L2, L3, L4, All]).send()
    })
    .await;
    assert_eq!(
        get(full),
        target("industry_search", "", "?level=l1,l2,l3,l4,all&query=robots"),
    );
}

#[tokio::test]
async fn request_status() {
    let id = "6f1d2c3b-4a59-4e87-9b60-1c2d3e4f5a6b";
    let request = sent(|client| client.request_status(id).send()).await;
    assert_eq!(get(request), target("request_status", id, ""));
}

#[tokio::test]
async fn add_company() {
    let request = sent(|client| {
        client
            .add_company(AddCompanyRequest::new(
                "Müller & Söhne",
                "https://mueller.example/",
            ))
            .send()
    })
    .await;
    assert_common(&request);
    let line = format!("POST {} HTTP/1.1", path("add_company"));
    assert_eq!(request.line, line);
    assert_eq!(request.header("content-type"), ["application/json"]);
    assert_eq!(
        request.body,
        r#"{"company_name":"Müller & Söhne","website":"https://mueller.example/"}"#,
    );
}

#[tokio::test]
async fn headcount_trends() {
    let request = sent(|client| client.headcount_trends("example.com").send()).await;
    assert_eq!(
        get(request),
        target("headcount_trends", "", "?company=example.com")
    );
}

#[tokio::test]
async fn employee_reviews() {
    let minimal = sent(|client| client.employee_reviews("example.com").send()).await;
    assert_eq!(
        get(minimal),
        target("employee_reviews", "", "?company=example.com")
    );

    let full = sent(|client| {
        let call = client.employee_reviews("example.com");
        call.limit(100).offset(200).send()
    })
    .await;
    assert_eq!(
        get(full),
        target(
            "employee_reviews",
            "",
            "?company=example.com&limit=100&offset=200"
        ),
    );
}

#[tokio::test]
async fn product_reviews() {
    let minimal = sent(|client| client.product_reviews("example.com").send()).await;
    assert_eq!(
        get(minimal),
        target("product_reviews", "", "?company=example.com")
    );

    let full = sent(|client| {
        let call = client.product_reviews("example.com");
        call.products(["lift", "tug"]).limit(50).offset(5).send()
    })
    .await;
    assert_eq!(
        get(full),
        target(
            "product_reviews",
            "",
            "?company=example.com&products=lift&products=tug&limit=50&offset=5"
        ),
    );
}

#[tokio::test]
async fn job_posts() {
    let minimal = sent(|client| client.job_posts("example.com").send()).await;
    assert_eq!(
        get(minimal),
        target("job_posts", "", "?company=example.com")
    );

    let full = sent(|client| {
        let call = client.job_posts("example.com");
        call.limit(10).offset(30).send()
    })
    .await;
    assert_eq!(
        get(full),
        target("job_posts", "", "?company=example.com&offset=30&limit=10")
    );
}

#[tokio::test]
async fn social_posts() {
    let minimal = sent(|client| client.social_posts("example.com").send()).await;
    assert_eq!(
        get(minimal),
        target("social_posts", "", "?company=example.com")
    );

    let full = sent(|client| {
        let call = client.social_posts("example.com");
        call.limit(10).offset(30).send()
    })
    .await;
    assert_eq!(
        get(full),
        target(
            "social_posts",
            "",
            "?company=example.com&limit=10&offset=30"
        )
    );
}

#[tokio::test]
async fn a_limit_and_an_offset_of_zero_are_sent() {
    let request = sent(|client| {
        let call = client.employee_reviews("example.com");
        call.limit(0).offset(0).send()
    })
    .await;
    assert_eq!(
        get(request),
        target(
            "employee_reviews",
            "",
            "?company=example.com&limit=0&offset=0"
        ),
    );
}

#[tokio::test]
async fn values_cannot_pass_for_more_than_values() {
    for (value, encoded) in [
        ("a b", "a%20b"),
        ("a&b=c", "a%26b%3Dc"),
        ("a/b", "a%2Fb"),
        ("Müller", "M%C3%BCller"),
        ("c++", "c%2B%2B"),
        ("100%", "100%25"),
        ("a#b?c", "a%23b%3Fc"),
        (
            "https://example.com/a?b=c",
            "https%3A%2F%2Fexample.com%2Fa%3Fb%3Dc",
        ),
    ] {
        let request = sent(|client| client.news(value).send()).await;
        assert_eq!(
            get(request),
            target("news", "", &format!("?company={encoded}"))
        );

        let request = sent(|client| client.company_search(value).send()).await;
        assert_eq!(
            get(request),
            target("company_search", "", &format!("?query={encoded}"))
        );

        let request = sent(|client| {
            let call = client.product_reviews("k7f3q9");
            call.products([value]).send()
        })
        .await;
        assert_eq!(
            get(request),
            target(
                "product_reviews",
                "",
                &format!("?company=k7f3q9&products={encoded}")
            ),
        );

        let request = sent(|client| client.request_status(value).send()).await;
        assert_eq!(get(request), target("request_status", encoded, ""));
    }
}

#[tokio::test]
async fn the_base_url_keeps_its_path_and_needs_no_slash() {
    for (prefix, expected) in [
        ("", ""),
        ("/", ""),
        ("/api", "/api"),
        ("/api/", "/api"),
        ("/a/b/api", "/a/b/api"),
    ] {
        let request = sent_below(prefix, |client| client.news("k7f3q9").send()).await;
        assert_eq!(
            get(request),
            expected.to_owned() + &target("news", "", "?company=k7f3q9"),
            "{prefix}"
        );

        let request = sent_below(prefix, |client| client.request_status("r1").send()).await;
        assert_eq!(
            get(request),
            expected.to_owned() + &target("request_status", "r1", ""),
            "{prefix}"
        );

        let request = sent_below(prefix, |client| {
            client
                .add_company(AddCompanyRequest::new("A", "a.example"))
                .send()
        });
        assert_eq!(
            request.await.line,
            format!("POST {expected}{} HTTP/1.1", path("add_company")),
            "{prefix}",
        );
    }
}

#[tokio::test]
async fn an_endpoint_that_the_crate_does_not_have() {
    let request = sent_below("/api", |client| {
        let call = client.raw(Method::GET, "/v1/company/investors");
        let call = call.query("company", "example.com").query("limit", 5);
        call.send::<serde_json::Value>()
    });
    assert_eq!(
        get(request.await),
        "/api/v1/company/investors?company=example.com&limit=5"
    );

    let response = json_response(r#"{"credits_consumed": 1.5}"#);
    let response = respond_with(response, |client| {
        let call = client.raw(Method::POST, "/v1/company/investors");
        call.send::<serde_json::Value>()
    });
    let cost = "1.5".parse().unwrap();
    assert_eq!(
        response.await.unwrap().meta.outcome(),
        Outcome::Charged(cost)
    );
}
