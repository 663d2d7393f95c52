//! Waiting for a service that is done, fails, or sends something else: `cases/waits/`.

use std::time::Duration;

use company_intel::error::WaitingCause;
use company_intel::types::{AddCompanyRequest, RequestStatus};
use company_intel::waiting::Wait;
use company_intel::{Client, Error, Response};
use conformance_tests::cases::{self, Case, is_default};
use conformance_tests::service::{Deed, Service};
use serde::{Deserialize, Serialize};

use super::{join_all, kind_of};
use crate::support::calls::KEY;
use crate::support::whole::whole;

/// The service sends these responses to polls of a submitted addition, in order, and then repeats the last one.
type WaitCase = Case<Vec<String>, Waited>;

/// How a wait ends.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Waited {
    /// Seconds that the caller waits, a minute by default.
    #[serde(default, skip_serializing_if = "is_default")]
    deadline: Option<u64>,
    /// Number of polls.
    polls: usize,
    ends: String,
    /// The last response that the caller has.
    #[serde(default, skip_serializing_if = "is_default")]
    last: Option<String>,
}

const ID: &str = "request-whom-i-look-at";

/// Returns the reply to a status request.
fn deed(name: &str) -> Deed {
    let detail = match name {
        "pending" | "sleeping" => format!(r#""status": "{name}""#),
        "done" => r#""status": "pending", "company_uuid": "k7f3q9""#.to_owned(),
        "failed" => format!(r#""status": "pending", "reason": "no such website {KEY}""#),
        "nothing" => r#""status": "pending", "reason": "", "company_uuid": """#.to_owned(),
        "half" => return Deed::json(r#"{"detail": {"status": "pend"#),
        other => {
            let status = other.strip_prefix("status ").unwrap();
            return Deed::response(status.parse().unwrap(), &[], KEY);
        }
    };
    let status = format!(r#"{{"detail": {{{detail}}}, "credits_consumed": 0}}"#);
    Deed::json(&whole("request_status", &status))
}

/// Returns the name of the response that has a body.
fn name_of(body: &[u8]) -> String {
    let mut names = ["pending", "sleeping", "done", "failed", "nothing"].into_iter();
    let name = names.find(|name| deed(name).sends.ends_with(body));
    name.unwrap().to_owned()
}

async fn submitted(client: &Client, limit: u64) -> Wait<RequestStatus> {
    let call = client.add_company(AddCompanyRequest::new("Example", "whom-i-look-at.example"));
    let added = call.price("0".parse().unwrap()).send().await.unwrap();
    added
        .body
        .wait(client)
        .unwrap()
        .deadline(Duration::from_secs(limit))
}

/// Awaits the end, or reads all responses before it.
async fn wait(
    wait: Wait<RequestStatus>,
    is_polled: bool,
) -> Result<Response<RequestStatus>, Error> {
    if !is_polled {
        return wait.await;
    }
    let mut polls = wait.polls();
    let mut last = None;
    while let Some(response) = polls.next().await {
        last = Some(response);
    }
    last.unwrap()
}

fn ending(result: &Result<Response<RequestStatus>, Error>) -> (String, Option<String>) {
    let error = match result {
        Ok(response) => return ("done".to_owned(), Some(name_of(&response.raw))),
        Err(Error::Waiting(error)) => error,
        Err(error) => return (format!("{error:?}"), None),
    };
    let how = match &error.cause {
        WaitingCause::Failed { reason } => format!("failed: {reason}"),
        WaitingCause::Deadline => "deadline".to_owned(),
        WaitingCause::Call(Error::Status(error)) => format!("status {}", error.status.as_u16()),
        WaitingCause::Call(error) => kind_of(error),
        other => format!("{other:?}"),
    };
    let last = error.last.as_ref();
    (how, last.map(|response| name_of(&response.raw)))
}

/// A wait that ended.
struct Played {
    case: WaitCase,
    service: Service,
    result: Result<Response<RequestStatus>, Error>,
}

async fn play(case: WaitCase, is_polled: bool) -> Played {
    let names = case.service.clone();
    let service = Service::playing(move |request, before| match before {
        0 => Deed::json(&format!(
            r#"{{"request_id": "{ID}", "status": "pending", "already_exists": false}}"#
        )),
        _ => {
            let target = reviewed_facts::target("request_status", ID, "");
            assert!(request.line.starts_with(&format!("GET {target} ")));
            deed(&names[(before - 1).min(names.len() - 1)])
        }
    })
    .await;
    let client = Client::builder(service.url()).api_key(KEY).build().unwrap();
    let waiting = submitted(&client, case.caller.deadline.unwrap_or(60)).await;
    let result = wait(waiting, is_polled).await;
    Played {
        case,
        service,
        result,
    }
}

async fn play_all() -> Vec<Played> {
    let cases = cases::read("waits").into_iter();
    join_all(cases.flat_map(|case: WaitCase| [play(case.clone(), false), play(case, true)])).await
}

/// Returns all errors that end a wait, each with the file of its case.
pub(super) async fn errors() -> Vec<(String, Error)> {
    let played = play_all().await.into_iter();
    played
        .filter_map(|played| Some((played.case.file, played.result.err()?)))
        .collect()
}

#[tokio::test]
async fn every_wait_ends_as_its_case_says() {
    let played = play_all().await;
    assert!(played.len() > 20);
    for played in played {
        let case = &played.case;
        let (ends, last) = ending(&played.result);
        case.check(&Waited {
            deadline: case.caller.deadline,
            // The submission does not count.
            polls: played.service.requests().len() - 1,
            ends,
            last,
        });
        assert_eq!(played.service.complaints(), [""; 0], "{}", case.file);
    }
}
