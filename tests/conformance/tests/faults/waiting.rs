//! Waiting for a service that is done, fails, or sends something else.

use std::time::Duration;

use company_intel::error::WaitingCause;
use company_intel::types::AddCompanyRequest;
use company_intel::types::RequestStatus;
use company_intel::waiting::Wait;
use company_intel::{Client, Error, Response};

use super::rows;
use super::server::{Deed, Service};
use crate::support::calls::KEY;
use crate::support::whole::whole;

const ID: &str = "request-whom-i-look-at";

/// Returns the reply to a status request.
fn deed(name: &str) -> Deed {
    let detail = match name {
        "pending" | "sleeping" => format!(r#""status": "{name}""#),
        "done" => r#""status": "pending", "company_uuid": "k7f3q9""#.to_owned(),
        "failed" => format!(r#""status": "pending", "reason": "no such website {KEY}""#),
        "nothing" => r#""status": "pending", "reason": "", "company_uuid": """#.to_owned(),
        "half" => return Deed::json(r#"{"detail": {"status": "pend"#),
        status => return Deed::response(status.parse().unwrap(), &[], KEY),
    };
    let status = format!(r#"{{"detail": {{{detail}}}, "credits_consumed": 0}}"#);
    Deed::json(&whole("request_status", &status))
}

/// Returns the name of the fault that produced a body.
fn name_of(body: &[u8]) -> String {
    let names = ["pending", "sleeping", "done", "failed", "nothing"];
    let said = names
        .into_iter()
        .find(|name| deed(name).sends.ends_with(body));
    said.unwrap().to_owned()
}

async fn submitted(client: &Client, limit: &str) -> Wait<RequestStatus> {
    let call = client.add_company(AddCompanyRequest::new("Example", "whom-i-look-at.example"));
    let added = call.price("0".parse().unwrap()).send().await.unwrap();
    let limit: u64 = limit.strip_suffix(" s").unwrap().parse().unwrap();
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

fn ending(result: &Result<Response<RequestStatus>, Error>) -> [String; 2] {
    let error = match result {
        Ok(response) => return ["done".to_owned(), name_of(&response.raw)],
        Err(Error::Waiting(error)) => error,
        Err(error) => return [format!("{error:?}"), String::new()],
    };
    let how = match &error.cause {
        WaitingCause::Failed { reason } => format!("failed: {reason}"),
        WaitingCause::Deadline => "deadline".to_owned(),
        WaitingCause::Call(Error::Status(error)) => format!("status {}", error.status.as_u16()),
        WaitingCause::Call(Error::Decode(_)) => "decode".to_owned(),
        other => format!("{other:?}"),
    };
    let last = error.last.as_ref().map(|response| name_of(&response.raw));
    [how, last.unwrap_or("-".to_owned())]
}

type Played = (Vec<String>, Service, Result<Response<RequestStatus>, Error>);

async fn play(row: Vec<String>, is_polled: bool) -> Played {
    let names: Vec<_> = row[0].split(' ').map(str::to_owned).collect();
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
    let waiting = submitted(&client, &row[1]).await;
    let result = wait(waiting, is_polled).await;
    (row, service, result)
}

async fn play_all() -> Vec<Played> {
    let playing: Vec<_> = rows("Waiting")
        .into_iter()
        .flat_map(|row| [(row.clone(), false), (row, true)])
        .map(|(row, is_polled)| tokio::spawn(play(row, is_polled)))
        .collect();
    let mut played = Vec::new();
    for playing in playing {
        played.push(playing.await.unwrap());
    }
    played
}

/// Returns all errors that end a wait, each with the response of the service.
pub(super) async fn errors() -> Vec<(String, Error)> {
    let ended = play_all().await.into_iter();
    let error = |(row, _, result): Played| Some((row[0].clone(), result.err()?));
    ended.filter_map(error).collect()
}

#[tokio::test]
async fn every_wait_ends_as_the_table_says() {
    let played = play_all().await;
    assert!(played.len() > 20);
    for (row, service, result) in played {
        // The submission does not count.
        let asked = service.requests().len() - 1;
        let [how, last] = ending(&result);
        let seen = [row[0].clone(), row[1].clone(), asked.to_string(), how, last];
        assert_eq!(seen[..], row[..]);
        assert_eq!(service.complaints(), [""; 0], "{row:?}");
    }
}
