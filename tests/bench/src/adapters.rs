//! The clients of other generators by the adapter protocol, set up as their documentation does, with the key as a header.

use std::time::Duration;

use conformance_tests::adapter::{Ended, Report, Task};
use progenitor_client::{Error, ResponseValue};
use reqwest::header::HeaderMap;

use crate::openapi_to_rust::client::{ApiOpError, HttpClient};
use crate::peer;

fn timeout(task: &Task) -> Duration {
    Duration::from_millis(task.timeout_ms)
}

/// Makes a call with progenitor's client.
pub async fn progenitor(task: Task) -> Report {
    let mut headers = HeaderMap::new();
    headers.insert("x-api-key", task.key.parse().unwrap());
    let http = reqwest::Client::builder()
        .default_headers(headers)
        .timeout(timeout(&task))
        .build()
        .unwrap();
    let client = peer::Client::new_with_client(&task.base_url, http);
    if task.call == "job_posts" {
        let company = task.arguments["company"].parse().unwrap();
        let result = client.job_posts(&company, None, None).await;
        of_progenitor(result, |page| page.credits_consumed).await
    } else {
        let query = task.arguments["query"].parse().unwrap();
        let result = client.company_search(&query).await;
        of_progenitor(result, |found| found.credits_consumed).await
    }
}

async fn of_progenitor<T>(
    result: Result<ResponseValue<T>, Error<()>>,
    charge: impl Fn(&T) -> f32,
) -> Report {
    let error = match result {
        Ok(response) => {
            return Report {
                ended: Ended::Response,
                status: Some(response.status().as_u16()),
                cost: charge(&response).to_string().parse().ok(),
                ..Report::default()
            };
        }
        Err(error) => error,
    };
    let mut report = Report {
        status: error.status().map(|status| status.as_u16()),
        ..Report::default()
    };
    match error {
        Error::UnexpectedResponse(response) => {
            report.ended = Ended::Status;
            report.body = response.text().await.ok();
        }
        Error::ErrorResponse(_) => report.ended = Ended::Status,
        Error::InvalidResponsePayload(body, _) => {
            report.ended = Ended::Decode;
            report.body = Some(String::from_utf8_lossy(&body).into_owned());
        }
        Error::CommunicationError(_) | Error::ResponseBodyError(_) => {
            report.ended = Ended::Transport;
        }
        _ => report.ended = Ended::Other,
    }
    report
}

/// Makes a call with openapi-to-rust's client.
pub async fn openapi_to_rust(task: Task) -> Report {
    let http = reqwest::Client::builder().timeout(timeout(&task));
    let client = HttpClient::with_client(http.build().unwrap())
        .with_base_url(&task.base_url)
        .with_header("x-api-key", &task.key);
    if task.call == "job_posts" {
        let result = client.job_posts(&task.arguments["company"], None, None);
        of_openapi_to_rust(result.await.map(|page| page.credits_consumed))
    } else {
        let result = client.company_search(&task.arguments["query"]);
        of_openapi_to_rust(result.await.map(|found| found.credits_consumed))
    }
}

/// Reports a result, of which only the charge is left.
fn of_openapi_to_rust(result: Result<f64, ApiOpError<serde_json::Value>>) -> Report {
    match result {
        Ok(charge) => Report {
            ended: Ended::Response,
            status: Some(200),
            cost: Some(charge),
            ..Report::default()
        },
        Err(ApiOpError::Api(error)) => Report {
            ended: if error.status == 200 {
                Ended::Decode
            } else {
                Ended::Status
            },
            status: Some(error.status),
            body: Some(error.body),
            ..Report::default()
        },
        Err(ApiOpError::Transport(_)) => Report {
            ended: Ended::Transport,
            ..Report::default()
        },
    }
}
