//! The sandbox over its socket: with the client where the client can do it, with plain requests where it refuses to.

mod addition;
mod coverage;
mod data;
mod document;
mod paging;
mod prices;
mod refusals;
mod responses;

use company_intel::Client;
use reqwest::{Method, RequestBuilder};
use serde_json::Value;

use crate::Sandbox;

/// The identifier of Example Robotics, the largest company of the sample data.
const LARGEST: &str = "3f0c1a52-7d84-4b6e-9a51-c2e8d90b4f17";

/// One request for each operation that gets as much data as there is, with its body if it has one.
const FULL_CALLS: &[(&str, &str, Option<&str>)] = &[
    ("news", "/v1/news?company=example.com&limit=100", None),
    (
        "enrichment",
        "/v1/company/enrichment?company=example.com",
        None,
    ),
    ("companySearch", "/v1/company/search?query=o", None),
    (
        "industrySearch",
        "/v1/industry/search?query=business+software&level=all",
        None,
    ),
    (
        "headcountTrends",
        "/v1/company/headcount-trends?company=example.com",
        None,
    ),
    (
        "employeeReviews",
        "/v1/company/employee-reviews?company=example.com&limit=100",
        None,
    ),
    (
        "productReviews",
        "/v1/company/product-reviews?company=example.com&products=101-1&products=101-2&products=101-3&limit=50",
        None,
    ),
    (
        "jobPosts",
        "/v1/company/jobs?company=example.com&limit=100",
        None,
    ),
    (
        "socialPosts",
        "/v1/company/posts?company=example.com&limit=100",
        None,
    ),
    (
        "addCompany",
        "/v1/company/addition",
        Some(r#"{"company_name": "Newcomer", "website": "newcomer.example"}"#),
    ),
    // Of the request that the call above makes.
    ("requestStatus", "/v1/status/{request_id}", None),
];

struct Server {
    sandbox: Sandbox,
    http: reqwest::Client,
}

struct Reply {
    status: u16,
    headers: reqwest::header::HeaderMap,
    text: String,
}

impl Server {
    async fn start() -> Self {
        Self::of(Sandbox::start().await.unwrap())
    }

    /// A sandbox whose document has `from` replaced by `to`, wherever it stands.
    async fn with_document(from: &str, to: &str) -> Self {
        assert!(company_intel::OPENAPI.contains(from), "{from}");
        let document = company_intel::OPENAPI.replace(from, to);
        Self::of(Sandbox::builder().document(document).start().await.unwrap())
    }

    fn of(sandbox: Sandbox) -> Self {
        let http = reqwest::Client::new();
        Self { sandbox, http }
    }

    fn client(&self) -> Client {
        let builder = Client::builder(self.sandbox.base_url());
        builder.api_key(self.sandbox.api_key()).build().unwrap()
    }

    /// A request without the key.
    fn bare(&self, method: Method, path: &str) -> RequestBuilder {
        let url = format!("{}{path}", self.sandbox.base_url());
        self.http.request(method, url)
    }

    async fn send(&self, request: RequestBuilder) -> Reply {
        let response = request.send().await.unwrap();
        Reply {
            status: response.status().as_u16(),
            headers: response.headers().clone(),
            text: response.text().await.unwrap(),
        }
    }

    async fn get(&self, path: &str) -> Reply {
        let request = self.bare(Method::GET, path);
        self.send(request.header("x-api-key", self.sandbox.api_key()))
            .await
    }

    async fn post(&self, path: &str, body: &str) -> Reply {
        let request = self.bare(Method::POST, path);
        let request = request.header("x-api-key", self.sandbox.api_key());
        let request = request.header("content-type", "application/json");
        self.send(request.body(body.to_owned())).await
    }

    /// The body of a call that works.
    async fn body(&self, path: &str) -> Value {
        let reply = self.get(path).await;
        assert_eq!(reply.status, 200, "{path}: {}", reply.text);
        reply.json()
    }

    /// Makes all full calls. Returns their operations and responses.
    async fn full_responses(&self) -> Vec<(&'static str, Reply)> {
        let mut responses = Vec::new();
        let mut request_id = String::new();
        for (operation, path, body) in FULL_CALLS {
            let reply = match body {
                Some(body) => self.post(path, body).await,
                None => self.get(&path.replace("{request_id}", &request_id)).await,
            };
            assert_eq!(reply.status, 200, "{path}: {}", reply.text);
            if let Some(id) = reply.json().get("request_id").and_then(Value::as_str) {
                request_id = id.to_owned();
            }
            responses.push((*operation, reply));
        }
        responses
    }
}

impl Reply {
    fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|e| panic!("{e}: {}", self.text))
    }

    /// Parameters and rules of a 422, as `limit must be at most 100`.
    fn violations(&self) -> Vec<String> {
        let body = self.json();
        let violations = body.pointer("/error/violations").and_then(Value::as_array);
        violations
            .unwrap()
            .iter()
            .map(|v| {
                format!(
                    "{} {}",
                    v["parameter"].as_str().unwrap(),
                    v["rule"].as_str().unwrap()
                )
            })
            .collect()
    }
}
