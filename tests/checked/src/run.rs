//! Makes all calls of a client against the service of its document, and compares what arrived with what was meant.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::process::ExitCode;
use std::sync::Arc;

use serde_json::{Map, Value, json};

use crate::document::Operation;
use crate::list::List;
use crate::request::{is_json, schema};
use crate::schema::same;
use crate::{
    Call, Direction, Document, Given, Received, Report, Row, Sending, Service, Values, check, wire,
};

/// How many states of a body are sent, and how many values at random.
const STATES: usize = 400;
const RANDOM: usize = 24;

/// Headers that are no parameters, whatever a document says.
pub(crate) const NO_PARAMETERS: [&str; 3] = ["accept", "content-type", "authorization"];

/// A program: makes the calls of the operations that its arguments name, or of all; prints a table and what is wrong.
pub async fn main<C, E: Display>(
    document: &str,
    client: impl Fn(&str) -> Result<C, E>,
    calls: &[Call<C>],
) -> ExitCode {
    let only: Vec<String> = std::env::args().skip(1).collect();
    let most = if only.is_empty() { 3 } else { usize::MAX };
    match run(document, client, calls, &only).await {
        Ok(report) => {
            print!("{report}");
            for defect in report.defects(most) {
                println!("{defect}");
            }
            for row in &report.rows {
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

/// Makes all calls of a client, or those of some operations.
///
/// # Errors
///
/// A document that is no YAML, a port that cannot be had, and a client that cannot be made.
pub async fn run<C, E: Display>(
    document: &str,
    client: impl Fn(&str) -> Result<C, E>,
    calls: &[Call<C>],
    only: &[String],
) -> Result<Report, Box<dyn std::error::Error>> {
    let service = Service::start(document, &[]).await?;
    let client = client(&service.url()).map_err(|error| error.to_string())?;
    let mut report = Report::default();
    for call in calls
        .iter()
        .filter(|call| only.is_empty() || only.iter().any(|id| id == call.id))
    {
        let mut row = Row {
            operation: call.id.to_owned(),
            ..Row::default()
        };
        let operations = service.document().operations();
        let mut operations = operations.into_iter();
        let operation = operations
            .find(|one| one.path == call.path && one.method.eq_ignore_ascii_case(call.method));
        match operation {
            Some(operation) => {
                let requests = requests(service.document(), call, &operation, &mut row);
                if let Some(statement) = call.list {
                    list(
                        &service, &client, call, &operation, statement, &requests, &mut row,
                    )
                    .await;
                }
                send(&service, &client, call, &operation, requests, &mut row).await;
                read(service.document(), call, &operation, &mut row);
            }
            None => row
                .defects
                .push("the document has no such operation".to_owned()),
        }
        report.rows.push(row);
    }
    Ok(report)
}

/// Reads a list to its end, and compares its records with those that the service has.
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

/// The requests of an operation: the states of its parameters, and those of its bodies.
fn requests<C>(
    document: &Document,
    call: &Call<C>,
    operation: &Operation<'_>,
    row: &mut Row,
) -> Vec<Given> {
    let mut values = Values::new(document, Direction::Request);
    let mut parameters: Vec<Argument> = Vec::new();
    for parameter in &operation.parameters {
        let text = |key: &str| {
            parameter
                .get(key)
                .and_then(Value::as_str)
                .unwrap_or_default()
                .to_owned()
        };
        let (place, name) = (text("in"), text("name"));
        if place == "header"
            && NO_PARAMETERS
                .iter()
                .any(|header| name.eq_ignore_ascii_case(header))
        {
            continue;
        }
        let (schema, is_json) = schema(parameter);
        let mut states = values.states(schema);
        states.extend(values.random(schema, RANDOM / 3));
        let states = states.into_iter().filter_map(|value| {
            let value = if is_json {
                Some(value)
            } else {
                on_the_wire(&value)
            }?;
            let is_sendable = can_travel(&value, &place, reserved(parameter, &place, &value))
                && check(document, schema, &value, "").is_ok();
            is_sendable.then_some(value)
        });
        let is_required = place == "path" || parameter.get("required") == Some(&json!(true));
        let states = states.collect();
        let argument = Argument {
            at: (place, name),
            is_required,
            states,
        };
        if argument.states.is_empty() {
            row.notes.push(format!(
                "no value is made for the parameter `{}`",
                argument.at.1
            ));
            if is_required {
                return Vec::new();
            }
        }
        parameters.push(argument);
    }
    let bodies = bodies(document, call, operation, &mut values, row);
    let declared = operation
        .value
        .get("requestBody")
        .map(|body| document.meant(body));
    let is_required = declared.is_some_and(|body| body.get("required") == Some(&json!(true)));
    if is_required && bodies.is_empty() {
        row.notes.push("no body is made".to_owned());
        return Vec::new();
    }
    let body = bodies.first().filter(|_| is_required).cloned();
    let with = |parameters: BTreeMap<(String, String), Value>| Given {
        parameters,
        body: body.clone(),
    };
    let first = |is_wanted: &dyn Fn(&Argument) -> bool| -> BTreeMap<(String, String), Value> {
        let wanted = parameters.iter().filter(|one| is_wanted(one));
        wanted
            .filter_map(|one| Some((one.at.clone(), one.states.first()?.clone())))
            .collect()
    };
    let (whole, least) = (first(&|_| true), first(&|one| one.is_required));
    let mut all = vec![with(whole.clone()), with(least.clone())];
    for one in &parameters {
        if !one.is_required {
            let mut without = whole.clone();
            without.remove(&one.at);
            all.push(with(without));
        }
        for state in &one.states {
            let mut changed = whole.clone();
            changed.insert(one.at.clone(), state.clone());
            all.push(with(changed));
        }
    }
    let with_body = bodies.into_iter().map(|body| Given {
        parameters: least.clone(),
        body: Some(body),
    });
    all.extend(with_body);
    // An extension of ours: a limit that means nothing without another parameter.
    let paging = |key: &str| {
        operation
            .value
            .pointer(&format!("/x-pagination/{key}"))
            .and_then(Value::as_str)
    };
    let has = |given: &Given, key: &str| {
        paging(key).is_some_and(|name| {
            given
                .parameters
                .contains_key(&("query".to_owned(), name.to_owned()))
        })
    };
    if paging("requires").is_some() {
        all.retain(|given| has(given, "requires") || !has(given, "limit"));
    }
    let mut different: Vec<Given> = Vec::new();
    for given in all {
        if !different.contains(&given) {
            different.push(given);
        }
    }
    different
}

/// A parameter with its values.
struct Argument {
    at: (String, String),
    is_required: bool,
    states: Vec<Value>,
}

/// A value without what has no form outside of JSON: null, and what is empty.
fn on_the_wire(value: &Value) -> Option<Value> {
    match value {
        Value::Null => None,
        Value::Array(all) => {
            let all: Vec<Value> = all.iter().filter_map(on_the_wire).collect();
            (!all.is_empty()).then(|| all.into())
        }
        Value::Object(all) => {
            let all = all
                .iter()
                .filter_map(|(name, value)| Some((name.clone(), on_the_wire(value)?)));
            let all: Map<String, Value> = all.collect();
            (!all.is_empty()).then(|| all.into())
        }
        scalar => Some(scalar.clone()),
    }
}

/// Whether a place can hold a value: a path no empty text, and a header visible ASCII. `reserved` are the characters that are not encoded there.
fn can_travel(value: &Value, place: &str, reserved: &str) -> bool {
    match value {
        // A list inside of an object of this style has no form.
        Value::Array(all) if reserved == NESTED => all.is_empty(),
        Value::Array(all) => all.iter().all(|one| can_travel(one, place, reserved)),
        Value::Object(all) => all.values().all(|one| can_travel(one, place, reserved)),
        Value::String(text) => {
            let is_seen = text.chars().all(|c| c == ' ' || c.is_ascii_graphic());
            !text.contains(|c| reserved.contains(c))
                && match place {
                    "path" => ![".", "..", ""].contains(&text.as_str()),
                    "header" => text.trim() == text && !text.is_empty() && is_seen,
                    _ => true,
                }
        }
        _ => true,
    }
}

/// Stands for the lists inside of an object of the style `deepObject`.
const NESTED: &str = "\0";

/// The characters that OpenAPI gives no way to encode in a value of this style: what stands between elements, and `%` of what is taken as it is.
fn reserved(declared: &Value, place: &str, value: &Value) -> &'static str {
    let is_flat = !value.is_array() && !value.is_object();
    let style = declared.get("style").and_then(Value::as_str);
    match (place, style) {
        _ if declared.get("allowReserved") == Some(&json!(true)) => "%+,",
        ("header", _) if !is_flat => ",=",
        (_, Some("deepObject")) if value.is_object() => NESTED,
        (_, Some("spaceDelimited")) => " ",
        (_, Some("pipeDelimited")) => "|",
        _ => "",
    }
}

/// The bodies of an operation, each with its media type.
fn bodies<C>(
    document: &Document,
    call: &Call<C>,
    operation: &Operation<'_>,
    values: &mut Values<'_>,
    row: &mut Row,
) -> Vec<(String, Value)> {
    let declared = operation
        .value
        .get("requestBody")
        .map(|body| document.meant(body));
    let content = declared
        .and_then(|body| body.get("content"))
        .and_then(Value::as_object);
    let mut all = Vec::new();
    for media_type in call.media_types {
        let Some(media) = content.and_then(|content| content.get(*media_type)) else {
            row.notes
                .push(format!("the document has no `{media_type}`"));
            continue;
        };
        let any = json!({});
        let schema = media.get("schema").unwrap_or(&any);
        let is_form =
            ["application/x-www-form-urlencoded", "multipart/form-data"].contains(media_type);
        if !is_json(media_type) && !is_form {
            all.push(((*media_type).to_owned(), json!("as it is: \u{e4}")));
            continue;
        }
        let mut found = values.states(schema);
        if found.len() > STATES {
            row.notes.push(format!(
                "{STATES} of {} states of `{media_type}` are sent",
                found.len()
            ));
            found.truncate(STATES);
        }
        found.extend(values.random(schema, RANDOM));
        if is_form {
            let encodings = media.get("encoding").unwrap_or(&any);
            let is_sendable = |value: &Value| {
                let members = value.as_object();
                members.into_iter().flatten().all(|(name, value)| {
                    let encoding = encodings.get(name).unwrap_or(&any);
                    can_travel(value, "body", reserved(encoding, "body", value))
                })
            };
            let kept = found.iter().filter_map(on_the_wire).filter(is_sendable);
            found = kept
                .filter(|value| check(document, schema, value, "").is_ok())
                .collect();
        }
        all.extend(
            found
                .into_iter()
                .map(|value| ((*media_type).to_owned(), value)),
        );
    }
    all
}

/// What differs between what was meant and what arrived.
fn difference(
    document: &Document,
    operation: &Operation<'_>,
    given: &Given,
    received: &Received,
) -> Option<String> {
    if received.operation != operation.id {
        return Some(format!("arrives at `{}`", received.operation));
    }
    for (at, meant) in &given.parameters {
        let arrived = received.parameters.get(at);
        let is_same = arrived.is_some_and(|arrived| same_text(meant, arrived));
        if !is_same {
            let arrived = arrived.map_or_else(|| "nothing".to_owned(), Value::to_string);
            return Some(format!(
                "{} `{}`: {arrived} arrives for {meant}",
                at.0, at.1
            ));
        }
    }
    if let Some(((place, name), value)) = received
        .parameters
        .iter()
        .find(|(at, _)| !given.parameters.contains_key(at))
    {
        return Some(format!("{place} `{name}`: {value} arrives for nothing"));
    }
    let (media_type, meant) = match &given.body {
        Some((media_type, meant)) => (media_type, meant),
        None if received.body.is_null() => return None,
        None => return Some(format!("the body {} arrives for none", received.body)),
    };
    let declared = operation
        .value
        .get("requestBody")
        .map(|body| document.meant(body));
    let is_optional = declared.is_some_and(|body| body.get("required") != Some(&json!(true)));
    // An optional body without a member is none.
    if is_optional && received.media_type.is_none() && on_the_wire(meant).is_none() {
        return None;
    }
    let arrived_as = received.media_type.as_deref().unwrap_or_default();
    let named = media_type.split(';').next().unwrap_or_default().trim();
    if !arrived_as.eq_ignore_ascii_case(named) {
        return Some(format!("`{arrived_as}` arrives for `{media_type}`"));
    }
    let is_same = match named {
        named if is_json(named) => same(meant, &received.body),
        "application/x-www-form-urlencoded" => same_text(meant, &received.body),
        "multipart/form-data" => same_parts(meant, &received.body),
        _ => *meant == received.body,
    };
    (!is_same).then(|| format!("the body {} arrives for {meant}", received.body))
}

/// Whether texts are what was meant: a number in any form of it, and a list of one element also by itself.
fn same_text(meant: &Value, arrived: &Value) -> bool {
    match (meant, arrived) {
        (Value::String(meant), Value::String(arrived)) => meant == arrived,
        (Value::Number(meant), Value::String(arrived)) => {
            let arrived: Option<f64> = arrived.parse().ok();
            arrived.is_some() && arrived == meant.as_f64()
        }
        (Value::Bool(meant), Value::String(arrived)) => meant.to_string() == *arrived,
        (Value::Array(meant), Value::Array(arrived)) => {
            let mut pairs = meant.iter().zip(arrived);
            meant.len() == arrived.len() && pairs.all(|(meant, arrived)| same_text(meant, arrived))
        }
        (Value::Array(meant), one) => {
            meant.len() == 1 && meant.iter().all(|meant| same_text(meant, one))
        }
        (one, Value::Array(arrived)) => {
            arrived.len() == 1 && arrived.iter().all(|arrived| same_text(one, arrived))
        }
        (Value::Object(meant), Value::Object(arrived)) => {
            meant.len() == arrived.len()
                && meant.iter().all(|(name, meant)| {
                    arrived
                        .get(name)
                        .is_some_and(|arrived| same_text(meant, arrived))
                })
        }
        (meant, arrived) => same(meant, arrived),
    }
}

/// Whether the parts of a form are what was meant: a part for each element of a list, or all of it as JSON.
fn same_parts(meant: &Value, arrived: &Value) -> bool {
    let mut by_name: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for part in arrived.as_array().into_iter().flatten() {
        let text = |key: &str| part.get(key).and_then(Value::as_str).unwrap_or_default();
        by_name.entry(text("name")).or_default().push(text("text"));
    }
    let meant = meant.as_object();
    let is_text = |meant: &Value, text: &str| match meant {
        Value::Object(_) | Value::Array(_) => {
            serde_json::from_str(text).is_ok_and(|arrived| same(meant, &arrived))
        }
        scalar => same_text(scalar, &json!(text)),
    };
    let is_same = |(name, meant): (&String, &Value)| {
        let texts = by_name
            .get(name.as_str())
            .map(Vec::as_slice)
            .unwrap_or_default();
        match (meant, texts) {
            (Value::Array(all), texts)
                if all.len() == texts.len()
                    && all.iter().zip(texts).all(|(one, text)| is_text(one, text)) =>
            {
                true
            }
            (meant, [text]) => is_text(meant, text),
            _ => false,
        }
    };
    meant.is_some_and(|meant| meant.len() == by_name.len() && meant.iter().all(is_same))
}

/// Reads the documented examples of each response, and the states of its schema, and writes them again.
fn read<C>(document: &Document, call: &Call<C>, operation: &Operation<'_>, row: &mut Row) {
    let responses = operation.value.get("responses").and_then(Value::as_object);
    for (status, response) in responses.into_iter().flatten() {
        let is_success = status.starts_with('2');
        let exact = call.reads.iter().find(|(of, _)| of == status);
        let usual = call.reads.iter().find(|(of, _)| *of == "2XX" && is_success);
        let Some((_, again)) = exact.or(usual) else {
            continue;
        };
        let content = document
            .meant(response)
            .get("content")
            .and_then(Value::as_object);
        for (media_type, media) in content
            .into_iter()
            .flatten()
            .filter(|(media_type, _)| is_json(media_type))
        {
            let Some(schema) = media.get("schema") else {
                continue;
            };
            let named = media.get("examples").and_then(Value::as_object);
            let named = named.into_iter().flat_map(Map::values);
            let named = named.filter_map(|example| document.meant(example).get("value"));
            let mut all: Vec<Value> = media
                .get("example")
                .into_iter()
                .chain(named)
                .cloned()
                .collect();
            all.extend(document.meant(schema).get("example").cloned());
            all.retain(|example| {
                let checked = check(document, schema, example, "");
                row.notes.extend(checked.as_ref().err().map(|why| {
                    let why: String = why.chars().take(160).collect();
                    format!("the example of {status} `{media_type}` contradicts its schema: {why}")
                }));
                checked.is_ok()
            });
            let mut values = Values::new(document, Direction::Response);
            all.extend(values.states(schema).into_iter().take(STATES));
            all.extend(values.random(schema, RANDOM));
            for value in all {
                row.read += 1;
                let meant = known(&wire::declared(document, schema, &value, 12));
                let wrong = match again(&value) {
                    Ok(written) if same(&known(&written), &meant) => continue,
                    Ok(written) => format!("{} is written", known(&written)),
                    Err(error) => format!("it does not decode: {error}"),
                };
                row.changed += 1;
                row.defects
                    .push(format!("response {status} {meant}: {wrong}"));
            }
        }
    }
}

/// Without nulls, empty lists and empty maps, which an object that is only read does not tell from nothing.
fn known(value: &Value) -> Value {
    match value {
        Value::Object(all) => {
            let all = all.iter().map(|(name, value)| (name.clone(), known(value)));
            all.filter(|(_, value)| !value.is_null() && *value != json!([]) && *value != json!({}))
                .collect()
        }
        Value::Array(all) => all.iter().map(known).collect(),
        other => other.clone(),
    }
}
