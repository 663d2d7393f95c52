//! Submitted companies: pending for two polls, then completed; or failed, if the name contains "reject".

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::data::companies::{Company, hash, uuid};
use crate::refusal::Refusal;

/// Number of polls that find the request pending.
const PENDING_POLLS: u64 = 2;

const PENDING: &str = "pending";
// Only `pending` is published. These two status values are made up; do not rely on them.
pub(super) const COMPLETED: &str = "completed";
const FAILED: &str = "failed";

/// Requests by identifier, and the companies that they added.
#[derive(Debug, Default)]
pub(super) struct Additions {
    requests: BTreeMap<String, Submission>,
    completed: Vec<Company>,
}

#[derive(Debug)]
struct Submission {
    company_name: String,
    domain: String,
    polls: u64,
}

impl Additions {
    pub(super) fn completed(&self) -> &[Company] {
        &self.completed
    }

    /// Submits a company. Its identifier depends only on the arguments: the same submission returns the same request.
    pub(super) fn submit(&mut self, company_name: &str, domain: &str) -> Value {
        let id = uuid(hash(&format!("{company_name} {domain}")));
        self.requests
            .entry(id.clone())
            .or_insert_with(|| Submission {
                company_name: company_name.to_owned(),
                domain: domain.to_owned(),
                polls: 0,
            });
        json!({
            "already_exists": false,
            "company": null,
            "request_id": id,
            "status": PENDING,
        })
    }

    /// Polls a request, which advances its progress by one step.
    pub(super) fn poll(&mut self, id: &str) -> Result<Value, Refusal> {
        let Some(submission) = self.requests.get_mut(id) else {
            return Err(Refusal::not_found(format!("there is no request `{id}`")));
        };
        submission.polls = (submission.polls + 1).min(PENDING_POLLS + 1);
        let detail = submission.detail();
        let (name, domain) = (&submission.company_name, &submission.domain);
        let is_known = self.completed.iter().any(|c| c.domain == *domain);
        if submission.status() == COMPLETED && !is_known {
            self.completed.push(Company::added(name, domain));
        }
        Ok(json!({
            "request_id": id,
            "request_type": "company_addition",
            "detail": detail,
        }))
    }
}

impl Submission {
    fn status(&self) -> &'static str {
        if self.polls <= PENDING_POLLS {
            PENDING
        } else if self.company_name.to_lowercase().contains("reject") {
            FAILED
        } else {
            COMPLETED
        }
    }

    fn detail(&self) -> Value {
        let status = self.status();
        let company = Company::added(&self.company_name, &self.domain);
        let company_uuid = (status == COMPLETED).then_some(company.uuid);
        let reason = (status == FAILED).then_some("The website does not belong to this company.");
        json!({
            "company_name": self.company_name,
            "domain": self.domain,
            "status": status,
            "reason": reason,
            "company_uuid": company_uuid,
            "created_at": "2025-07-01T09:00:00Z",
            "updated_at": format!("2025-07-01T09:0{}:00Z", self.polls),
        })
    }
}
