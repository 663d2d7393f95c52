//! Makes all calls of a client against the service of its document, and compares the received requests with the arguments.

use std::fmt::Display;
use std::process::ExitCode;
use std::sync::Arc;

use serde_json::json;

use crate::compare::difference;
use crate::document::{Operation, template};
use crate::list::List;
use crate::requests::requests;
use crate::responses::read;
use crate::{Call, Given, Report, Row, Sending, Service, Type};

/// Runs as a program: makes the calls of the named operations, or of all; prints a table and the defects.
pub async fn main<C, E: Display>(
    document: &str,
    client: impl Fn(&str) -> Result<C, E>,
    calls: &[Call<C>],
    types: &[Type],
) -> ExitCode {
    let only: Vec<String> = std::env::args().skip(1).collect();
    let most = if only.is_empty() { 3 } else { usize::MAX };
    match run(document, client, calls, types, &only).await {
        Ok(report) => {
            print!("{report}");
            for defect in report.defects(most) {
                println!("{defect}");
            }
            for row in report.rows.iter().chain(&report.types) {
                for note in row.notes.iter().take(most) {
                    println!("note: {}: {note}", row.operation);
                }
            }
            ExitCode::from(u8::from(!report.is_clean()))
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

/// Makes all calls of a client, or those of some operations, and reads values of its types, or of some of them.
///
/// # Errors
///
/// The document is not valid YAML, no port is free, or the client cannot be created.
pub async fn run<C, E: Display>(
    document: &str,
    client: impl Fn(&str) -> Result<C, E>,
    calls: &[Call<C>],
    types: &[Type],
    only: &[String],
) -> Result<Report, Box<dyn std::error::Error>> {
    let service = Service::start(document, &[]).await?;
    let client = client(&service.url()).map_err(|error| error.to_string())?;
    let mut report = Report::default();
    let is_wanted = |name: &str| only.is_empty() || only.iter().any(|one| one == name);
    for call in calls.iter().filter(|call| is_wanted(call.id)) {
        let mut row = Row {
            operation: call.id.to_owned(),
            ..Row::default()
        };
        let operations = service.document().operations();
        let operation = operations
            .iter()
            .find(|one| one.path == call.path && one.method.eq_ignore_ascii_case(call.method));
        match operation {
            Some(operation) if operations.iter().any(|one| hides(one, operation)) => {
                let why = "another operation has its requests: no service sees what is behind `#`";
                row.notes.push(why.to_owned());
                read(service.document(), call, operation, &mut row);
            }
            Some(operation) => {
                let requests = requests(service.document(), call, operation, &mut row);
                if let Some(statement) = call.list {
                    list(
                        &service, &client, call, operation, statement, &requests, &mut row,
                    )
                    .await;
                }
                send(&service, &client, call, operation, requests, &mut row).await;
                read(service.document(), call, operation, &mut row);
            }
            None => row
                .defects
                .push("the document has no such operation".to_owned()),
        }
        report.rows.push(row);
    }
    let types = types.iter().filter(|one| is_wanted(one.name));
    report.types = types
        .map(|one| crate::types::read(service.document(), one))
        .collect();
    Ok(report)
}

/// Returns whether a request of an operation is that of another one, whose path has a fragment.
fn hides(one: &Operation<'_>, other: &Operation<'_>) -> bool {
    let is_same = one.method == other.method
        && one.fixed() == other.fixed()
        && template(one.path) == template(other.path);
    is_same && !one.path.contains('#') && other.path.contains('#')
}

/// Reads a list to its end, and compares its records with those of the service.
async fn list<C>(
    service: &Service,
    client: &C,
    call: &Call<C>,
    operation: &Operation<'_>,
    statement: &str,
    requests: &[Given],
    row: &mut Row,
) {
    let document = service.document();
    let least = requests.iter().min_by_key(|given| given.parameters.len());
    let prepared = least.ok_or_else(|| "no request is made".to_owned());
    let prepared =
        prepared.and_then(|least| List::of(document, operation, statement, least, requests));
    let (list, given) = match prepared {
        Ok(prepared) => prepared,
        Err(why) => {
            row.notes.push(format!("no list is served: {why}"));
            return;
        }
    };
    let list = Arc::new(list);
    service.serve_list(Arc::clone(&list));
    let all = match (call.send)(client, &given) {
        Ok(Sending { all: Some(all), .. }) => all.await,
        Ok(_) => Err("the client has no records".to_owned()),
        Err(refusal) => Err(refusal.0),
    };
    let calls = service.take_all();
    let refused = calls.iter().find_map(|call| call.as_ref().err());
    let wrong = match (all, refused) {
        (_, Some(refused)) => format!("the service refuses: {refused}"),
        (Err(error), _) => error,
        (Ok(all), None) if all != list.records() => format!("the records {} came", json!(all)),
        (Ok(_), None) => {
            row.lists += 1;
            return;
        }
    };
    row.lost += 1;
    row.defects.push(format!(
        "list, after {} calls: {wrong} ({})",
        calls.len(),
        shown(&given)
    ));
}

/// Makes each request of an operation.
async fn send<C>(
    service: &Service,
    client: &C,
    call: &Call<C>,
    operation: &Operation<'_>,
    requests: Vec<Given>,
    row: &mut Row,
) {
    for given in requests {
        row.sent += 1;
        let sent = match (call.send)(client, &given) {
            Ok(sending) => sending.once.await,
            Err(refusal) => Err(refusal.0),
        };
        let arrived = service.take_all().pop();
        let wrong = match (arrived, sent) {
            (Some(Ok(received)), _) => {
                let wrong = difference(service.document(), operation, &given, &received);
                row.different += usize::from(wrong.is_some());
                wrong
            }
            (Some(Err(refusal)), _) => {
                row.refused += 1;
                Some(format!("the service refuses: {refusal}"))
            }
            (None, sent) => {
                row.refused += 1;
                let why = sent.err().unwrap_or_else(|| "nothing arrived".to_owned());
                Some(format!("the client refuses: {why}"))
            }
        };
        row.defects
            .extend(wrong.map(|wrong| format!("{wrong} ({})", shown(&given))));
    }
}

fn shown(given: &Given) -> String {
    let parameters = given
        .parameters
        .iter()
        .map(|((place, name), value)| format!("{place} {name}={value}"));
    let body = given
        .body
        .iter()
        .map(|(media_type, value)| format!("{media_type} {value}"));
    let all: Vec<String> = parameters.chain(body).collect();
    let text = all.join(", ");
    text.chars().take(400).collect()
}
