//! A list of three pages, made from a document and a paging statement. Input: an accepted request. Output: its page.

use axum::Json;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use crate::document::Operation;
use crate::request::{is_json, schema};
use crate::schema::allows;
use crate::{Direction, Document, Given, Received, Values};

/// The parameter of the service's own links.
const FOLLOWED: &str = "checked-page";
const PAGES: usize = 3;

pub(crate) struct List {
    pub(crate) operation: String,
    statement: Value,
    status: StatusCode,
    /// Body of each page, without a link.
    pages: Vec<Value>,
    records: Vec<Value>,
    /// Number of records of a page; the last one has fewer.
    size: usize,
    /// Cursor of each page.
    cursors: Vec<Value>,
    /// True if links have a host.
    is_absolute: bool,
}

/// Returns the page of one of the service's own links, and removes the undocumented parameter.
pub(crate) fn followed(head: &mut Parts) -> Option<usize> {
    let query = head.uri.query().unwrap_or_default().to_owned();
    let (own, others): (Vec<&str>, Vec<&str>) = query
        .split('&')
        .filter(|pair| !pair.is_empty())
        .partition(|pair| pair.starts_with(FOLLOWED));
    let page = own.first()?.split_once('=')?.1.parse().ok();
    let mark = if others.is_empty() { "" } else { "?" };
    head.uri = format!("{}{mark}{}", head.uri.path(), others.join("&"))
        .parse()
        .ok()?;
    page
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
        let style = statement.get("style").cloned().unwrap_or_default();
        let (status, schema) = success(document, operation).ok_or("no success has JSON")?;
        let items = text(&statement, "/items");
        let mut values = Values::new(document, Direction::Response);
        let mut states = values.states(schema);
        states.extend(values.random(schema, 24));
        let record = |body: &Value| body.pointer(items)?.get(0).cloned();
        let whole = states
            .iter()
            .find(|body| record(body).is_some_and(|one| !one.is_null()));
        let template = match whole {
            Some(whole) => whole.clone(),
            None => {
                let schema =
                    element(document, schema, items).ok_or("its records have no schema")?;
                let one = values.states(&schema).into_iter().next();
                let mut body = states.into_iter().next().unwrap_or_default();
                write(&mut body, items, json!([one.ok_or("no record is made")?]));
                body
            }
        };
        let given = first(least, requests, operation, &statement)?;
        let size = match statement.get("short-is-last") {
            Some(Value::Bool(true)) => {
                limit(&given, operation, &statement).ok_or("no limit is known")?
            }
            _ => 2,
        };
        let count = (PAGES - 1) * size + 1;
        let mut records = vec![record(&template).unwrap_or_default(); count];
        let takes = target(operation, &style);
        let is_cursor = |value: &Value| takes.is_none_or(|schema| allows(document, schema, value));
        let next = style.get("next");
        let pointer = pointers(next).first().cloned().unwrap_or_default();
        let within = pointer
            .split_once("/-1")
            .map(|(_, within)| within.to_owned());
        let mut cursors = vec![Value::Null; PAGES];
        for (index, record) in records.iter_mut().enumerate() {
            mark(record, index);
            if let Some(within) = &within {
                let id = candidates(index + 1).into_iter().find(|one| is_cursor(one));
                let id = id.ok_or("no id is a cursor")?;
                write(record, within, id.clone());
                // The page after the last record of a page.
                if (index + 1).is_multiple_of(size)
                    && let Some(cursor) = cursors.get_mut((index + 1) / size)
                {
                    *cursor = id;
                }
            }
        }
        let says = |at: &str| {
            pointers(statement.pointer(at))
                .into_iter()
                .find(|one| !one.contains("/-1"))
        };
        let fits = |pointer: &str, value: &Value| {
            let mut body = template.clone();
            write(&mut body, pointer, value.clone());
            allows(document, schema, &body)
        };
        let mut pages = Vec::new();
        for (number, records) in records.chunks(size).enumerate() {
            let mut body = template.clone();
            let is_last = number + 1 == PAGES;
            write(&mut body, items, json!(records));
            let mut said = vec![
                ("/more", json!(!is_last)),
                ("/total", json!(count)),
                ("/style/pages", json!(PAGES)),
            ];
            said.retain(|(at, _)| says(at).is_some());
            for (at, value) in said {
                let pointer = says(at).unwrap_or_default();
                write(&mut body, &pointer, value);
            }
            match says("/style/next") {
                Some(pointer) if is_last => {
                    let nothing = [json!(null), json!("")]
                        .into_iter()
                        .find(|one| fits(&pointer, one));
                    match nothing {
                        Some(nothing) => write(&mut body, &pointer, nothing),
                        None => remove(&mut body, &pointer),
                    }
                }
                Some(pointer) if within.is_none() => {
                    let all = candidates(number + 1).into_iter();
                    let cursor = all
                        .filter(|one| is_cursor(one))
                        .find(|one| fits(&pointer, one));
                    let cursor = match text(&style, "/by") {
                        "link" => Value::Null,
                        _ => cursor.ok_or("no cursor fits the document")?,
                    };
                    write(&mut body, &pointer, cursor.clone());
                    if let Some(place) = cursors.get_mut(number + 1) {
                        *place = cursor;
                    }
                }
                _ => {}
            }
            pages.push(body);
        }
        if next.is_some_and(|next| next.get("header").is_some()) {
            for (number, cursor) in cursors.iter_mut().enumerate().skip(1) {
                let id = candidates(number).into_iter().find(|one| is_cursor(one));
                *cursor = id.ok_or("no cursor fits the document")?;
            }
        }
        let is_absolute = says("/style/next")
            .is_none_or(|pointer| fits(&pointer, &json!("http://127.0.0.1/path?a=b")));
        let list = Self {
            operation: operation.id.clone(),
            statement,
            status,
            pages,
            records,
            size,
            cursors,
            is_absolute,
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
        received: &Received,
        followed: Option<usize>,
        head: &Parts,
    ) -> Result<Response, String> {
        let style = self.statement.get("style").cloned().unwrap_or_default();
        let number = match followed {
            Some(number) => number,
            None => self.asked(received, &style)?,
        };
        let mut headers = HeaderMap::new();
        let has_more = number + 1 < PAGES;
        let last = || {
            let mut body = self.pages.last().cloned().unwrap_or_default();
            write(&mut body, text(&self.statement, "/items"), json!([]));
            body
        };
        let mut body = self.pages.get(number).cloned().unwrap_or_else(last);
        let query = head.uri.query().unwrap_or_default();
        let joint = if query.is_empty() { "" } else { "&" };
        let host = head
            .headers
            .get(header::HOST)
            .and_then(|host| host.to_str().ok());
        let origin = host
            .filter(|_| self.is_absolute)
            .map(|host| format!("http://{host}"));
        let link = format!(
            "{}{}?{query}{joint}{FOLLOWED}={}",
            origin.unwrap_or_default(),
            head.uri.path(),
            number + 1
        );
        let count = self.records.len();
        let cursor = self.cursors.get(number + 1).cloned().unwrap_or_default();
        for (at, value) in [
            ("/more", json!(has_more)),
            ("/total", json!(count)),
            ("/style/pages", json!(PAGES)),
            (
                "/style/next",
                if text(&style, "/by") == "link" {
                    json!(link)
                } else {
                    cursor
                },
            ),
        ] {
            let name = self
                .statement
                .pointer(at)
                .and_then(|at| at.get("header"))
                .and_then(Value::as_str);
            if let Some(name) = name
                && (has_more || at != "/style/next")
            {
                let value = value
                    .as_str()
                    .map_or_else(|| value.to_string(), str::to_owned);
                insert(&mut headers, name, &value);
            }
        }
        match text(&style, "/by") {
            "header" if has_more => {
                let relation = text(&style, "/relation");
                insert(
                    &mut headers,
                    "link",
                    &format!("<{link}>; rel=\"{relation}\""),
                );
            }
            "link" if has_more => {
                for pointer in pointers(style.get("next")).iter().take(1) {
                    write(&mut body, pointer, json!(link));
                }
            }
            _ => {}
        }
        if let Some(echo) = self.statement.get("echo").and_then(Value::as_str) {
            let last = self.records.len();
            write(&mut body, echo, json!(last.min(number * self.size)));
        }
        Ok((self.status, headers, Json(body)).into_response())
    }

    fn asked(&self, received: &Received, style: &Value) -> Result<usize, String> {
        let Some(target) = style.get("target") else {
            return Ok(0);
        };
        let asked = match target.get("body").and_then(Value::as_str) {
            Some(pointer) => received.body.pointer(pointer),
            None => {
                let name = text(target, "/parameter");
                let mut all = received.parameters.iter();
                all.find(|((_, one), _)| one == name)
                    .map(|(_, value)| value)
            }
        };
        let Some(asked) = asked.filter(|asked| !asked.is_null()) else {
            return Ok(0);
        };
        let asked = asked
            .as_str()
            .map_or_else(|| asked.to_string(), str::to_owned);
        let number = || {
            asked
                .parse::<usize>()
                .map_err(|error| format!("`{asked}`: {error}"))
        };
        match text(style, "/by") {
            "offset" => match number()? {
                offset if offset.is_multiple_of(self.size) => Ok(offset / self.size),
                // An offset after the last record.
                offset if offset >= self.records.len() => Ok(PAGES),
                offset => Err(format!("no page begins at {offset}")),
            },
            "number" => {
                let first = style
                    .get("first")
                    .and_then(Value::as_u64)
                    .unwrap_or_default();
                let first = usize::try_from(first).unwrap_or_default();
                number()?
                    .checked_sub(first)
                    .ok_or_else(|| format!("no page has the number {asked}"))
            }
            _ => {
                let is_it = |one: &Value| {
                    one.as_str().map_or_else(|| one.to_string(), str::to_owned) == asked
                };
                let known = self.cursors.iter().position(is_it);
                // The identifier of the last record of all.
                let last = self.pages.len();
                let is_end = self
                    .records
                    .last()
                    .is_some_and(|record| record.to_string().contains(&asked));
                known
                    .or(is_end.then_some(last))
                    .ok_or_else(|| format!("`{asked}` is no cursor of the list"))
            }
        }
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

/// Returns the schema of the elements of a list.
fn element(document: &Document, schema: &Value, pointer: &str) -> Option<Value> {
    let mut at = document.flat(schema, 12);
    for step in pointer.split('/').skip(1) {
        let name = step.replace("~1", "/").replace("~0", "~");
        at = document.flat(at.get("properties")?.get(&name)?, 12);
    }
    at.get("items").cloned()
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

/// Returns the schema of the paging parameter.
fn target<'d>(operation: &Operation<'d>, style: &Value) -> Option<&'d Value> {
    let name = style.pointer("/target/parameter").and_then(Value::as_str)?;
    let mut all = operation.parameters.iter();
    all.find(|one| text(one, "/name") == name)
        .map(|one| schema(one).0)
}

/// Returns candidates for a cursor or an identifier.
fn candidates(number: usize) -> [Value; 5] {
    [
        json!(format!("cursor-{number}")),
        json!(number + 100),
        json!(format!("00000000-0000-4000-8000-{number:012}")),
        json!(format!("{}", number + 100)),
        json!(format!("2025-01-{:02}T00:00:00Z", number + 1)),
    ]
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

fn text<'v>(value: &'v Value, pointer: &str) -> &'v str {
    value
        .pointer(pointer)
        .and_then(Value::as_str)
        .unwrap_or_default()
}

/// Returns the JSON Pointers in the body that a source names.
fn pointers(source: Option<&Value>) -> Vec<String> {
    let all = source
        .and_then(|source| source.get("body"))
        .and_then(Value::as_array);
    let all = all.into_iter().flatten().filter_map(Value::as_str);
    all.map(str::to_owned).collect()
}

/// Writes a value at a JSON Pointer, and creates the objects on its path.
fn write(body: &mut Value, pointer: &str, value: Value) {
    let mut at = body;
    for step in pointer.split('/').skip(1) {
        let name = step.replace("~1", "/").replace("~0", "~");
        if !at.is_object() {
            *at = json!({});
        }
        at = match at.as_object_mut() {
            Some(members) => members.entry(name).or_insert(Value::Null),
            None => return,
        };
    }
    *at = value;
}

fn remove(body: &mut Value, pointer: &str) {
    let Some((holder, name)) = pointer.rsplit_once('/') else {
        return;
    };
    if let Some(Value::Object(members)) = body.pointer_mut(holder) {
        members.remove(name);
    }
}

fn insert(headers: &mut HeaderMap, name: &str, value: &str) {
    let name = header::HeaderName::from_bytes(name.as_bytes());
    if let (Ok(name), Ok(value)) = (name, HeaderValue::from_str(value)) {
        headers.insert(name, value);
    }
}
