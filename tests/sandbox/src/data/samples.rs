//! All sample data of an operation: the bodies of a few calls that together have every field.

use serde_json::{Value, json};

use super::World;
use crate::arguments::Arguments;

/// The company with the most data.
const COMPANY: &str = "example.com";

impl World {
    /// Returns bodies that together show every field; empty for an operation without sample data. Submits companies.
    pub(crate) fn samples(&self, operation: &str) -> Vec<Value> {
        let of_company = || Arguments::sample([("company", json!(COMPANY))]);
        let calls = match operation {
            "companySearch" => vec![Arguments::sample([("query", json!("o"))])],
            "industrySearch" => vec![Arguments::sample([
                ("query", json!("business software")),
                ("level", json!(["all"])),
            ])],
            "productReviews" => vec![
                of_company(),
                Arguments::sample([
                    ("company", json!(COMPANY)),
                    ("products", json!(["101-1", "101-2", "101-3"])),
                ]),
            ],
            "addCompany" => vec![
                submission("Known", COMPANY),
                submission("New", "new.example"),
            ],
            "requestStatus" => return self.progress(),
            _ => vec![of_company()],
        };
        let bodies = calls
            .iter()
            .map(|arguments| self.body(operation, arguments));
        bodies.filter_map(|body| body.ok().flatten()).collect()
    }

    /// Returns the polls of a request that succeeds, and of one that fails.
    fn progress(&self) -> Vec<Value> {
        let mut bodies = Vec::new();
        for (name, domain) in [("New", "new.example"), ("Rejected", "rejected.example")] {
            let submitted = self.body("addCompany", &submission(name, domain));
            let submitted = submitted.ok().flatten().unwrap_or_default();
            let id = submitted.get("request_id").cloned().unwrap_or_default();
            let poll = Arguments::sample([("request_id", id)]);
            for _ in 0..3 {
                bodies.extend(self.body("requestStatus", &poll).ok().flatten());
            }
        }
        bodies
    }
}

fn submission(name: &str, website: &str) -> Arguments {
    Arguments::sample([("company_name", json!(name)), ("website", json!(website))])
}
