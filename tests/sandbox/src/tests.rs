//! Tests of the sandbox over its socket: with the client, or with plain requests where the client would refuse.

mod accounts;
mod addition;
mod coverage;
mod data;
mod dialects;
mod document;
mod edits;
mod faults;
mod fitting;
mod operations;
mod paging;
mod prices;
mod refusals;
mod responses;

use company_intel::Client;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use reqwest::{Method, RequestBuilder};
use serde_json::Value;

use crate::operation::Operation;
use crate::{Sandbox, made_up, vocabulary};

/// Identifier of Example Robotics, the largest company of the sample data.
const LARGEST: &str = "3f0c1a52-7d84-4b6e-9a51-c2e8d90b4f17";

/// Operation, path and query, and body.
type FullCall = (&'static str, &'static str, Option<&'static str>);

/// A request for each operation with sample data, which gets as much data as possible; with its body if it has one. The operation
/// stands for its path.
const FULL_CALLS: &[FullCall] = &[
    ("news", "news?company=example.com&limit=100", None),
    ("enrichment", "enrichment?company=example.com", None),
    ("companySearch", "companySearch?query=o", None),
    (
        "industrySearch",
        "industrySearch?query=business+software&level=all",
        None,
    ),
    (
        "headcountTrends",
        "headcountTrends?company=example.com",
        None,
    ),
    (
        "employeeReviews",
        "employeeReviews?company=example.com&limit=100",
        None,
    ),
    (
        "productReviews",
        "productReviews?company=example.com&products=101-1&products=101-2&products=101-3&limit=50",
        None,
    ),
    ("jobPosts", "jobPosts?company=example.com&limit=100", None),
    (
        "socialPosts",
        "socialPosts?company=example.com&limit=100",
        None,
    ),
    (
        "addCompany",
        "addCompany",
        Some(r#"{"company_name": "Newcomer", "website": "newcomer.example"}"#),
    ),
    // The status of the request that the call above submits.
    ("requestStatus", "requestStatus/{request_id}", None),
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

    /// Starts a sandbox with an edited document.
    async fn with_document(edit: impl FnOnce(&mut Value)) -> Self {
        Self::of(Self::try_document(edit).await.unwrap())
    }

    /// Starts a sandbox with an edited document, or returns the error.
    async fn try_document(edit: impl FnOnce(&mut Value)) -> anyhow::Result<Sandbox> {
        let mut document = vocabulary::document();
        let before = document.clone();
        edit(&mut document);
        assert_ne!(document, before, "nothing is edited");
        let document = serde_yaml::to_string(&document).unwrap();
        Sandbox::builder().document(document).start().await
    }

    /// Starts a sandbox that serves the sample data unchanged, even where the document differs.
    async fn with_written_data() -> Self {
        let builder = Sandbox::builder().with_written_data();
        Self::of(builder.start().await.unwrap())
    }

    fn of(sandbox: Sandbox) -> Self {
        let http = reqwest::Client::new();
        Self { sandbox, http }
    }

    fn client(&self) -> Client {
        let builder = Client::builder(self.sandbox.base_url());
        builder.api_key(self.sandbox.api_key()).build().unwrap()
    }

    /// Returns a path of the document: that of the operation that `call` begins with, followed by a path parameter or a query. A `call` that
    /// begins with a slash stays unchanged.
    fn path(&self, call: &str) -> String {
        if call.starts_with('/') {
            return call.to_owned();
        }
        let end = call.find(['/', '?']).unwrap_or(call.len());
        let (id, rest) = call.split_at(end);
        let operation = self.operation(id);
        let path = &operation
            .unwrap_or_else(|| panic!("no operation {id}"))
            .path;
        match (rest.strip_prefix('/'), path.split_once('{')) {
            (Some(value), Some((before, after))) => {
                let (_, after) = after.split_once('}').unwrap();
                format!("{before}{value}{after}")
            }
            _ => format!("{path}{rest}"),
        }
    }

    fn operation(&self, id: &str) -> Option<&Operation> {
        let mut operations = self.sandbox.service.document.operations.iter();
        operations.find(|one| one.id == id).map(AsRef::as_ref)
    }

    /// Returns the full calls of operations that the document has.
    fn full_calls(&self) -> Vec<&'static FullCall> {
        let calls = FULL_CALLS.iter();
        calls
            .filter(|(operation, ..)| self.operation(operation).is_some())
            .collect()
    }

    /// Builds a request without the key.
    fn bare(&self, method: Method, path: &str) -> RequestBuilder {
        let url = format!("{}{}", self.sandbox.base_url(), self.path(path));
        self.http.request(method, url)
    }

    /// Returns the enum values of a type, as violations list them.
    fn listed(&self, of: &str) -> String {
        let place = vocabulary::place(of).unwrap_or_else(|| panic!("no type {of}"));
        let document = &self.sandbox.service.document.served.0;
        let listed = document.pointer(&format!("{place}/enum")).unwrap();
        let listed = listed.as_array().unwrap().iter();
        let listed: Vec<_> = listed.map(|value| value.as_str().unwrap()).collect();
        listed.join(", ")
    }

    /// Returns a call of each operation that has no full call, with made-up values for required arguments.
    fn other_calls(&self) -> Vec<(String, Method, String, Value)> {
        let document = &self.sandbox.service.document;
        let is_known = |id: &str| FULL_CALLS.iter().any(|(known, ..)| *known == id);
        let others = document.operations.iter().filter(|one| !is_known(&one.id));
        let call = |operation: &std::sync::Arc<Operation>| {
            let mut path = operation.path.clone();
            let mut query = String::new();
            for parameter in operation
                .parameters
                .iter()
                .filter(|one| one["required"] == true)
            {
                let name = parameter["name"].as_str().unwrap();
                let value = made_up::value(document, &parameter["schema"], name, 0);
                let text = value
                    .as_str()
                    .map_or_else(|| value.to_string(), str::to_owned);
                let text = utf8_percent_encode(&text, NON_ALPHANUMERIC).to_string();
                if parameter["in"] == "path" {
                    path = path.replace(&format!("{{{name}}}"), &text);
                } else {
                    query += &format!("{name}={text}&");
                }
            }
            let body = operation.body.as_ref();
            let body = body.map(|schema| made_up::value(document, schema, "body", 0));
            let path = format!("{path}?{query}");
            let method = operation.method.clone();
            (operation.id.clone(), method, path, body.unwrap_or_default())
        };
        others.map(call).collect()
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

    /// Checks what a call costs, by its response and by the bill.
    async fn costs(&self, path: &str, micros: u64, is_made_up: bool) {
        let before = self.sandbox.bill().total_micros;
        let reply = self.get(path).await;
        assert_eq!(reply.status, 200, "{path}: {}", reply.text);
        let said = reply.json()["credits_consumed"].as_f64().unwrap();
        let billed = self.sandbox.bill().total_micros - before;
        assert_eq!((said * 1e6, billed), (micros as f64, micros), "{path}");
        let mark = reply.headers.get("x-sandbox-price");
        let expected = is_made_up.then_some("made-up");
        assert_eq!(mark.map(|mark| mark.to_str().unwrap()), expected, "{path}");
    }

    /// Checks that a call is refused by these rules.
    async fn refuses(&self, path: &str, violations: &[&str]) {
        let reply = self.get(path).await;
        assert_eq!(reply.status, 422, "{path}: {}", reply.text);
        assert_eq!(reply.violations(), violations, "{path}");
    }

    async fn post(&self, path: &str, body: &str) -> Reply {
        let request = self.bare(Method::POST, path);
        let request = request.header("x-api-key", self.sandbox.api_key());
        let request = request.header("content-type", "application/json");
        self.send(request.body(body.to_owned())).await
    }

    /// Returns the body of a successful call.
    async fn body(&self, path: &str) -> Value {
        let reply = self.get(path).await;
        assert_eq!(reply.status, 200, "{path}: {}", reply.text);
        reply.json()
    }

    /// Makes all full calls. Returns their operations and responses.
    async fn full_responses(&self) -> Vec<(&'static str, Reply)> {
        let mut responses = Vec::new();
        let mut request_id = String::new();
        for (operation, path, body) in self.full_calls() {
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

    /// Returns parameters and rules of a 422, as `limit must be at most 100`.
    fn violations(&self) -> Vec<String> {
        let body = self.json();
        let violations = body.pointer("/error/violations").and_then(Value::as_array);
        let line = |violation: &Value| {
            let [parameter, rule] = ["parameter", "rule"].map(|key| violation[key].as_str());
            format!("{} {}", parameter.unwrap(), rule.unwrap())
        };
        violations.unwrap().iter().map(line).collect()
    }
}
