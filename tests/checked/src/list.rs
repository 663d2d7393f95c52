//! A list of three pages, made from a document and a paging statement. Input: an accepted request. Output: its page.

use axum::Json;
use axum::http::StatusCode;
use axum::http::request::{Parts, Request};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use crate::document::Operation;
use crate::pages::{Pages, candidates, remove, text, write};
use crate::parameters::schema;
use crate::request::is_json;
use crate::{Document, Given, Received};

const PAGES: usize = 3;

pub(crate) struct List {
    pub(crate) operation: String,
    statement: Value,
    status: StatusCode,
    /// The body with all records.
    whole: Value,
    records: Vec<Value>,
    /// Number of records of a page; the last one has fewer.
    size: usize,
}

impl List {
    /// Makes the list of an operation, and the request for its first page.
    ///
    /// # Errors
    ///
    /// No list can be made; the error has the reason.
    pub(crate) fn of(
        document: &Document,
        operation: &Operation<'_>,
        statement: &str,
        least: &Given,
        requests: &[Given],
    ) -> Result<(Self, Given), String> {
        let statement: Value =
            serde_json::from_str(statement).map_err(|error| error.to_string())?;
        let (status, schema) = success(document, operation).ok_or("no success has JSON")?;
        let pages = Pages {
            document,
            operation,
            statement: &statement,
            schema,
        };
        let mut whole = pages.template()?;
        let given = first(least, requests, operation, &statement)?;
        let size = match statement.get("short-is-last") {
            Some(Value::Bool(true)) => {
                limit(&given, operation, &statement).ok_or("no limit is known")?
            }
            _ => 2,
        };
        let record = whole.pointer(pages.items()).and_then(|all| all.get(0));
        let count = (PAGES - 1) * size + 1;
        let mut records = vec![record.cloned().unwrap_or_default(); count];
        for (index, record) in records.iter_mut().enumerate() {
            mark(record, index);
            if let Some(within) = pages.within() {
                let mut all = candidates(index + 1).into_iter();
                let id = all
                    .find(|one| pages.takes(one))
                    .ok_or("no id is a cursor")?;
                write(record, &within, id);
            }
        }
        write(&mut whole, pages.items(), json!(records));
        let (head, ()) = Request::new(()).into_parts();
        pages.page(&whole, 0, size, &head)?;
        let list = Self {
            operation: operation.id.clone(),
            status,
            whole,
            records,
            size,
            statement,
        };
        Ok((list, given))
    }

    pub(crate) fn records(&self) -> &[Value] {
        &self.records
    }

    /// Returns the requested page, or an empty one after the last.
    ///
    /// # Errors
    ///
    /// The request matches no page of the list.
    pub(crate) fn page(
        &self,
        document: &Document,
        received: &Received,
        followed: Option<usize>,
        head: &Parts,
    ) -> Result<Response, String> {
        let operations = document.operations();
        let mut operations = operations.iter();
        let operation = operations.find(|one| one.id == self.operation);
        let operation = operation.ok_or("the document has no such operation")?;
        let (_, schema) = success(document, operation).ok_or("no success has JSON")?;
        let pages = Pages {
            document,
            operation,
            statement: &self.statement,
            schema,
        };
        let start = match followed {
            Some(start) => start,
            None => pages.start(received, &self.whole, self.size)?,
        };
        if start < self.records.len() && !start.is_multiple_of(self.size) {
            return Err(format!("no page begins at {start}"));
        }
        let (headers, body) = pages.page(&self.whole, start, self.size, head)?;
        Ok((self.status, headers, Json(body)).into_response())
    }
}

/// Returns the status code of the first success with JSON, and its schema.
fn success<'d>(
    document: &'d Document,
    operation: &Operation<'d>,
) -> Option<(StatusCode, &'d Value)> {
    let responses = operation.value.get("responses")?.as_object()?;
    responses.iter().find_map(|(status, response)| {
        let status = match status.to_ascii_uppercase().as_str() {
            "2XX" => 200,
            status => status
                .parse()
                .ok()
                .filter(|status| (200..300).contains(status))?,
        };
        let content = document.meant(response).get("content")?.as_object()?;
        let (_, media) = content.iter().find(|(media_type, _)| is_json(media_type))?;
        Some((StatusCode::from_u16(status).ok()?, media.get("schema")?))
    })
}

/// Returns the request for the first page: the one with the fewest parameters, without a start position.
fn first(
    least: &Given,
    requests: &[Given],
    operation: &Operation<'_>,
    statement: &Value,
) -> Result<Given, String> {
    let mut given = least.clone();
    if let Some(name) = statement.get("requires").and_then(Value::as_str) {
        let at = ("query".to_owned(), name.to_owned());
        let value = requests.iter().find_map(|one| one.parameters.get(&at));
        given.parameters.insert(
            at,
            value.cloned().ok_or("what paging requires has no value")?,
        );
    }
    let style = statement.get("style").cloned().unwrap_or_default();
    let beginning = match text(&style, "/by") {
        "number" => style.get("first").cloned().unwrap_or_default(),
        _ => json!(0),
    };
    if let Some(name) = style.pointer("/target/parameter").and_then(Value::as_str) {
        let is_given = given.parameters.keys().any(|(_, one)| one == name);
        let is_cursor = text(&style, "/by") == "cursor";
        if is_given && is_cursor {
            return Err("its cursor is required".to_owned());
        }
        for ((_, one), value) in &mut given.parameters {
            if one == name {
                *value = beginning.clone();
            }
        }
    }
    let body = style.pointer("/target/body").and_then(Value::as_str);
    if let (Some(pointer), Some((_, value))) = (body, &mut given.body) {
        remove(value, pointer);
    }
    // If the request with the fewest parameters has no body, the body is optional and takes only the cursor.
    if body.is_some() && given.body.is_none() {
        given.body = operation
            .value
            .get("requestBody")
            .map(|_| ("application/json".to_owned(), json!({})));
    }
    Ok(given)
}

/// Returns the page size, if a shorter page is the last one.
fn limit(given: &Given, operation: &Operation<'_>, statement: &Value) -> Option<usize> {
    let name = statement
        .pointer("/limit/parameter")
        .and_then(Value::as_str)?;
    let set = given.parameters.iter().find(|((_, one), _)| one == name);
    let declared = operation
        .parameters
        .iter()
        .find(|one| text(one, "/name") == name);
    let default = declared.and_then(|one| schema(one).0.get("default"));
    let limit = set.map(|(_, value)| value).or(default)?.as_u64()?;
    usize::try_from(limit).ok().filter(|limit| *limit > 0)
}

/// Makes a record differ from all others.
fn mark(record: &mut Value, index: usize) {
    match record {
        Value::Object(members) => _ = members.insert("checked-record".to_owned(), json!(index)),
        Value::String(text) => *text = format!("{text}-{index}"),
        Value::Number(_) => *record = json!(index),
        Value::Array(elements) => elements.push(json!(index)),
        _ => {}
    }
}
