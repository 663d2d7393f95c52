//! The pages of a list, by the paging statement of the generator. Input: a response with all records, and a request. Output: one page of it.

use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use serde_json::{Value, json};

use crate::document::Operation;
use crate::parameters::schema;
use crate::schema::{allows, violations};
use crate::{Direction, Document, Received, Values};

/// The parameter of the service's own links: the position of the first record.
const FOLLOWED: &str = "checked-from";

/// The extension with the statement, in a document that is served.
const STATEMENT: &str = "x-checked-pages";
/// The size of a page where neither the request nor the document has one.
const SIZE: usize = 10;

/// The pages of an operation.
pub(crate) struct Pages<'d> {
    pub(crate) document: &'d Document,
    pub(crate) operation: &'d Operation<'d>,
    pub(crate) statement: &'d Value,
    /// Schema of the response.
    pub(crate) schema: &'d Value,
}

/// Returns the position in one of the service's own links, and removes the undocumented parameter.
pub(crate) fn followed(head: &mut Parts) -> Option<usize> {
    let query = head.uri.query().unwrap_or_default().to_owned();
    let (own, others): (Vec<&str>, Vec<&str>) = query
        .split('&')
        .filter(|pair| !pair.is_empty())
        .partition(|pair| pair.starts_with(FOLLOWED));
    let position = own.first()?.split_once('=')?.1.parse().ok();
    let mark = if others.is_empty() { "" } else { "?" };
    head.uri = format!("{}{mark}{}", head.uri.path(), others.join("&"))
        .parse()
        .ok()?;
    position
}

impl<'d> Pages<'d> {
    /// Returns the pages of an operation that has a paging statement.
    pub(crate) fn of(
        document: &'d Document,
        operation: &'d Operation<'d>,
        schema: Option<&'d Value>,
    ) -> Option<Self> {
        Some(Self {
            document,
            operation,
            statement: operation.value.get(STATEMENT)?,
            schema: schema.unwrap_or(&Value::Bool(true)),
        })
    }

    /// Returns the headers and the body of the page that a request asks for.
    ///
    /// # Errors
    ///
    /// The list has no such page.
    pub(crate) fn requested(
        &self,
        whole: &Value,
        received: &Received,
        followed: Option<usize>,
        head: &Parts,
    ) -> Result<(HeaderMap, Value), String> {
        let size = self.size(received).unwrap_or(SIZE);
        let start = followed.map_or_else(|| self.start(received, whole, size), Ok)?;
        self.page(whole, start, size, head)
    }

    /// Returns the location of the records.
    pub(crate) fn items(&self) -> &str {
        text(self.statement, "/items")
    }

    /// Makes a response with at least one record.
    pub(crate) fn template(&self) -> Result<Value, String> {
        let mut values = Values::new(self.document, Direction::Response);
        let mut states = values.states(self.schema);
        states.extend(values.random(self.schema, 24));
        let has_record = |body: &&Value| {
            let record = body.pointer(self.items()).and_then(|all| all.get(0));
            record.is_some_and(|one| !one.is_null())
        };
        if let Some(whole) = states.iter().find(has_record) {
            return Ok(whole.clone());
        }
        let schema = element(self.document, self.schema, self.items());
        let schema = schema.ok_or("its records have no schema")?;
        let one = values.states(&schema).into_iter().next();
        let mut body = states.into_iter().next().unwrap_or_default();
        write(
            &mut body,
            self.items(),
            json!([one.ok_or("no record is made")?]),
        );
        Ok(body)
    }

    /// Returns the requested size of a page, or the documented one.
    pub(crate) fn size(&self, received: &Received) -> Option<usize> {
        let limit = self.statement.get("limit")?;
        let default = self.parameter(limit).and_then(|one| one.get("default"));
        let limit = argument(limit, received).or(default)?;
        let limit: usize = plain(limit).parse().ok()?;
        Some(limit.max(1))
    }

    /// Returns the position of the first record that a request asks for.
    ///
    /// # Errors
    ///
    /// The list has no such position.
    pub(crate) fn start(
        &self,
        received: &Received,
        whole: &Value,
        size: usize,
    ) -> Result<usize, String> {
        let asked = self.style().get("target");
        let asked = asked.and_then(|target| argument(target, received));
        let Some(asked) = asked.filter(|asked| !asked.is_null()) else {
            return Ok(0);
        };
        let asked = plain(asked);
        let number = || {
            let number = asked.parse::<usize>();
            number.map_err(|error| format!("`{asked}`: {error}"))
        };
        match text(self.style(), "/by") {
            "offset" => number(),
            "number" => {
                let first = self.style().get("first").and_then(Value::as_u64);
                let number = number()?.checked_sub(first.unwrap_or_default() as usize);
                let number = number.ok_or_else(|| format!("no page has the number {asked}"))?;
                Ok(number.saturating_mul(size))
            }
            _ => {
                let is_it = |at: &usize| {
                    self.cursor(whole, *at)
                        .is_ok_and(|one| plain(&one) == asked)
                };
                let found = (1..=self.records(whole).len()).find(is_it);
                found.ok_or_else(|| format!("`{asked}` is no cursor of the list"))
            }
        }
    }

    /// Returns the headers and the body of a page.
    ///
    /// # Errors
    ///
    /// No cursor fits the document.
    pub(crate) fn page(
        &self,
        whole: &Value,
        start: usize,
        size: usize,
        head: &Parts,
    ) -> Result<(HeaderMap, Value), String> {
        let records = self.records(whole);
        let start = start.min(records.len());
        let end = start.saturating_add(size).min(records.len());
        let has_more = end < records.len();
        let mut body = whole.clone();
        let page = records.get(start..end).unwrap_or_default();
        write(&mut body, self.items(), json!(page));
        let mut headers = HeaderMap::new();
        for (at, value) in [
            ("/more", json!(has_more)),
            ("/total", json!(records.len())),
            ("/style/pages", json!(records.len().div_ceil(size))),
        ] {
            let source = self.statement.pointer(at);
            say(source, value, &mut headers, &mut body);
        }
        if let Some(echo) = self.statement.get("echo").and_then(Value::as_str) {
            write(&mut body, echo, json!(start));
        }
        let next = self.style().get("next");
        match text(self.style(), "/by") {
            "header" if has_more => {
                let link = self.link(head, whole, end);
                let relation = text(self.style(), "/relation");
                insert(
                    &mut headers,
                    "link",
                    &format!("<{link}>; rel=\"{relation}\""),
                );
            }
            "link" | "cursor" if !has_more => self.end(&mut body),
            "link" => {
                let link = self.link(head, whole, end);
                say(next, json!(link), &mut headers, &mut body);
            }
            "cursor" => {
                let cursor = self.cursor(whole, end)?;
                say(next, cursor, &mut headers, &mut body);
            }
            _ => {}
        }
        Ok((headers, body))
    }

    fn style(&self) -> &Value {
        self.statement.get("style").unwrap_or(&Value::Null)
    }

    fn records<'v>(&self, whole: &'v Value) -> &'v [Value] {
        let records = whole.pointer(self.items()).and_then(Value::as_array);
        records.map(Vec::as_slice).unwrap_or_default()
    }

    /// Returns the schema of the parameter that a statement names.
    fn parameter(&self, target: &Value) -> Option<&Value> {
        let name = target.get("parameter")?;
        let mut all = self.operation.parameters.iter();
        let found = all.find(|one| one.get("name") == Some(name));
        found.map(|one| schema(one).0)
    }

    /// Returns the location of the next cursor within the last record of a page, if it is there.
    pub(crate) fn within(&self) -> Option<String> {
        let first = pointers(self.style().get("next")).into_iter().next()?;
        first.split_once("/-1").map(|(_, within)| within.to_owned())
    }

    /// Returns whether a request takes a value as the cursor.
    pub(crate) fn takes(&self, cursor: &Value) -> bool {
        let target = self.style().get("target");
        let schema = target.and_then(|target| self.parameter(target));
        schema.is_none_or(|schema| allows(self.document, schema, cursor))
    }

    /// Returns whether the body of a response may have a value at a location. An example may break rules elsewhere.
    fn fits(&self, whole: &Value, pointer: &str, value: &Value) -> bool {
        let mut body = whole.clone();
        write(&mut body, pointer, value.clone());
        let [before, after] =
            [whole, &body].map(|body| violations(self.document, self.schema, body, "").len());
        after <= before
    }

    /// Returns the cursor of the page that begins at a position.
    fn cursor(&self, whole: &Value, position: usize) -> Result<Value, String> {
        if let Some(within) = self.within() {
            let last = position
                .checked_sub(1)
                .and_then(|last| self.records(whole).get(last));
            let cursor = last.and_then(|last| last.pointer(&within));
            return cursor
                .cloned()
                .ok_or_else(|| "a record has no cursor".to_owned());
        }
        let pointer = body_pointer(self.style().get("next"));
        let mut all = candidates(position).into_iter();
        let found = all.find(|one| {
            let pointer = pointer.as_deref();
            self.takes(one) && pointer.is_none_or(|pointer| self.fits(whole, pointer, one))
        });
        found.ok_or_else(|| "no cursor fits the document".to_owned())
    }

    /// Writes what the last page has in place of a cursor or a link.
    fn end(&self, body: &mut Value) {
        let Some(pointer) = body_pointer(self.style().get("next")) else {
            return;
        };
        let mut all = [json!(null), json!("")].into_iter();
        match all.find(|one| self.fits(body, &pointer, one)) {
            Some(nothing) => write(body, &pointer, nothing),
            None => remove(body, &pointer),
        }
    }

    /// Returns a link to the page that begins at a position: with a host, unless the document allows none.
    fn link(&self, head: &Parts, whole: &Value, position: usize) -> String {
        let host = head.headers.get(header::HOST);
        let host = host.and_then(|host| host.to_str().ok());
        let origin = host
            .map(|host| format!("http://{host}"))
            .unwrap_or_default();
        let query = head.uri.query().unwrap_or_default();
        let joint = if query.is_empty() { "" } else { "&" };
        let path = format!("{}?{query}{joint}{FOLLOWED}={position}", head.uri.path());
        let link = format!("{origin}{path}");
        let pointer = body_pointer(self.style().get("next"));
        if pointer.is_none_or(|pointer| self.fits(whole, &pointer, &json!(link))) {
            return link;
        }
        path
    }
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

/// Returns an argument of a request, by the statement's name of it.
fn argument<'r>(target: &Value, received: &'r Received) -> Option<&'r Value> {
    if let Some(pointer) = target.get("body").and_then(Value::as_str) {
        return received.body.pointer(pointer);
    }
    let name = target.get("parameter").and_then(Value::as_str)?;
    let mut all = received.parameters.iter();
    all.find(|((_, one), _)| one == name)
        .map(|(_, value)| value)
}

/// Returns candidates for a cursor or an identifier.
pub(crate) fn candidates(number: usize) -> [Value; 5] {
    [
        json!(format!("cursor-{number}")),
        json!(number + 100),
        json!(format!("00000000-0000-4000-8000-{number:012}")),
        json!(format!("{}", number + 100)),
        json!(format!("2025-01-{:02}T00:00:00Z", number + 1)),
    ]
}

/// Writes a value where the statement has it: in a header, or in the body.
fn say(source: Option<&Value>, value: Value, headers: &mut HeaderMap, body: &mut Value) {
    let name = source.and_then(|source| source.get("header"));
    if let Some(name) = name.and_then(Value::as_str) {
        insert(headers, name, &plain(&value));
    }
    if let Some(pointer) = body_pointer(source) {
        write(body, &pointer, value);
    }
}

fn plain(value: &Value) -> String {
    let text = value.as_str().map(str::to_owned);
    text.unwrap_or_else(|| value.to_string())
}

pub(crate) fn text<'v>(value: &'v Value, pointer: &str) -> &'v str {
    let text = value.pointer(pointer).and_then(Value::as_str);
    text.unwrap_or_default()
}

/// Returns the first location in the body that a source names, unless it is within a record.
fn body_pointer(source: Option<&Value>) -> Option<String> {
    let mut all = pointers(source).into_iter();
    all.find(|pointer| !pointer.contains("/-1"))
}

/// Returns the JSON Pointers in the body that a source names.
fn pointers(source: Option<&Value>) -> Vec<String> {
    let all = source.and_then(|source| source.get("body"));
    let all = all.and_then(Value::as_array).into_iter().flatten();
    all.filter_map(Value::as_str).map(str::to_owned).collect()
}

/// Writes a value at a JSON Pointer, and creates the objects on its path.
pub(crate) fn write(body: &mut Value, pointer: &str, value: Value) {
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

pub(crate) fn remove(body: &mut Value, pointer: &str) {
    let Some((holder, name)) = pointer.rsplit_once('/') else {
        return;
    };
    if let Some(Value::Object(members)) = body.pointer_mut(holder) {
        members.remove(name);
    }
}

fn insert(headers: &mut HeaderMap, name: &str, value: &str) {
    let name = HeaderName::from_bytes(name.as_bytes());
    if let (Ok(name), Ok(value)) = (name, HeaderValue::from_str(value)) {
        headers.insert(name, value);
    }
}
