//! Paging of an operation as in `x-pagination`: the requested records, and the reference from a page to the next one.

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

/// The parameter of the sandbox's own links.
pub(crate) const FOLLOWED: &str = "sandbox-from";
/// Limit of a paged operation without a documented one: the observed limit.
const SEEN_LIMIT: u64 = 10;
/// Maximum number of records of a made-up page, so that a list has several pages.
const SHORT: u64 = 2;

/// The `x-pagination` extension, in its notation: `$.data`, `$response.header.X-Total`, `$request.body#/page`, or a parameter.
pub(crate) struct Paging {
    pub(crate) limit: Option<String>,
    /// Place of the records.
    pub(crate) items: String,
    /// Place of their total number, if the response has it.
    pub(crate) total: Option<String>,
    more: Option<String>,
    style: Style,
    short_is_last: bool,
}

enum Style {
    Offset(String),
    Number {
        parameter: String,
        first: u64,
        pages: Option<String>,
    },
    Cursor {
        parameter: String,
        next: String,
        is_integer: bool,
    },
    Link(String),
    LinkHeader(String),
}

/// The requested page.
#[derive(Debug, Clone)]
pub(crate) struct Page {
    pub(crate) limit: u64,
    pub(crate) offset: u64,
    /// Cursor or identifier of the last record before the page.
    after: Option<String>,
}

impl Paging {
    /// Reads the `x-pagination` of an operation whose parameters have these schemas.
    pub(crate) fn read(paging: &Value, schema: impl Fn(&str) -> Option<Value>) -> Result<Self> {
        let text = |key: &str| paging.get(key).and_then(Value::as_str).map(str::to_owned);
        let parameter = |key: &str| {
            let Some(name) = text(key) else {
                return Ok(None);
            };
            let is_known = in_body(&name).is_some() || schema(&name).is_some();
            ensure!(is_known, "paging by {name}, which is not a parameter");
            Ok(Some(name))
        };
        let next = text("next");
        let style = if let Some(offset) = parameter("offset")? {
            Style::Offset(offset)
        } else if let Some(parameter) = parameter("page")? {
            let first = paging.get("first").and_then(Value::as_u64).unwrap_or(1);
            Style::Number {
                parameter,
                first,
                pages: text("pages"),
            }
        } else if let Some(parameter) = parameter("cursor")? {
            let is_integer = schema(&parameter)
                .is_some_and(|schema| schema.get("type") == Some(&json!("integer")));
            let next = next.context("paging by a cursor without `next`")?;
            Style::Cursor {
                parameter,
                next,
                is_integer,
            }
        } else if let Some(next) = next {
            Style::Link(next)
        } else {
            Style::LinkHeader(text("link").context("nothing says how the next page is asked for")?)
        };
        Ok(Self {
            limit: parameter("limit")?,
            items: text("items").context("there is no string at /items")?,
            total: text("total"),
            more: text("more"),
            style,
            short_is_last: paging.get("short-is-last") == Some(&json!(true)),
        })
    }

    /// Returns the requested page. Arguments are strings by JSON Pointer; `followed` is the target of a link of the sandbox.
    pub(crate) fn page(
        &self,
        argument: impl Fn(&str) -> Option<String>,
        followed: Option<u64>,
    ) -> Page {
        let asked = |parameter: &str| match in_body(parameter) {
            Some(pointer) => argument(pointer),
            None => argument(&format!("/{parameter}")),
        };
        let number = |parameter: &str| asked(parameter)?.parse::<u64>().ok();
        let limit = self.limit.as_deref().and_then(number);
        let limit = match &self.style {
            Style::Offset(_) => limit.unwrap_or(SEEN_LIMIT),
            _ if self.short_is_last => limit.unwrap_or(SEEN_LIMIT),
            _ => limit.unwrap_or(SHORT).min(SHORT),
        };
        let mut after = None;
        let offset = match &self.style {
            Style::Offset(parameter) => number(parameter).unwrap_or_default(),
            Style::Number {
                parameter, first, ..
            } => {
                let passed = number(parameter).unwrap_or(*first).saturating_sub(*first);
                passed.saturating_mul(limit)
            }
            Style::Cursor {
                parameter, next, ..
            } if of_last(next).is_some() => {
                after = asked(parameter);
                0
            }
            Style::Cursor { parameter, .. } => number(parameter).unwrap_or_default(),
            Style::Link(_) | Style::LinkHeader(_) => followed.unwrap_or_default(),
        };
        Page {
            limit,
            offset,
            after,
        }
    }

    /// Returns the parameters that a response repeats: limit and offset.
    pub(crate) fn echoed(&self) -> impl Iterator<Item = &String> {
        let offset = match &self.style {
            Style::Offset(offset) => Some(offset),
            _ => None,
        };
        let limit = self.limit.iter().filter(move |_| offset.is_some());
        limit.chain(offset).filter(|name| in_body(name).is_none())
    }

    /// Returns the applied values of these.
    pub(crate) fn echo(&self, page: &Page) -> Vec<(String, Value)> {
        let applied = [page.limit, page.offset].map(Value::from);
        self.echoed().cloned().zip(applied).collect()
    }

    /// Reduces made-up records to the requested page, and adds the reference to the next page to the body or to the returned headers.
    /// Records in several lists stay unchanged.
    pub(crate) fn cut(&self, page: &Page, query: &str, body: &mut Value) -> Vec<(String, String)> {
        let mut headers = Vec::new();
        let Some(Value::Array(records)) = body.pointer_mut(&pointer(&self.items)) else {
            return headers;
        };
        let all = std::mem::take(records);
        let mut page = page.clone();
        if let (Some(after), Style::Cursor { next, .. }) = (&page.after, &self.style) {
            let id = |record: &Value| record.pointer(&of_last(next)?).map(plain);
            let last = all
                .iter()
                .position(|record| id(record).as_ref() == Some(after));
            page.offset = last.map_or(all.len(), |last| last.saturating_add(1)) as u64;
        }
        let total = all.len() as u64;
        *records = page.of(all);
        let end = page.offset.saturating_add(page.limit);
        let has_more = end < total;
        let mut say = |at: Option<&String>, value: Value| {
            let Some(at) = at else { return };
            match at.strip_prefix("$response.header.") {
                Some(_) if value.is_null() => {}
                Some(name) => headers.push((name.to_owned(), plain(&value))),
                None => {
                    if let Some(place) = body.pointer_mut(&pointer(at)) {
                        *place = value;
                    }
                }
            }
        };
        say(self.total.as_ref(), total.into());
        say(self.more.as_ref(), has_more.into());
        let others = query
            .split('&')
            .filter(|pair| !pair.is_empty() && !pair.starts_with(FOLLOWED));
        let own = format!("{FOLLOWED}={end}");
        let link = format!(
            "?{}",
            others.chain([own.as_str()]).collect::<Vec<_>>().join("&")
        );
        match &self.style {
            Style::Offset(_) => {}
            Style::Number { pages, .. } => {
                say(pages.as_ref(), total.div_ceil(page.limit.max(1)).into());
            }
            Style::Cursor { next, .. } if of_last(next).is_some() => {}
            Style::Cursor {
                next, is_integer, ..
            } => {
                let cursor = if *is_integer {
                    json!(end)
                } else {
                    json!(end.to_string())
                };
                say(Some(next), if has_more { cursor } else { Value::Null });
            }
            Style::Link(next) => {
                say(Some(next), if has_more { json!(link) } else { Value::Null });
            }
            Style::LinkHeader(relation) => {
                let link = format!("<{link}>; rel=\"{relation}\"");
                if has_more {
                    headers.push(("link".to_owned(), link));
                }
            }
        }
        headers
    }
}

impl Page {
    pub(crate) fn of(&self, records: Vec<Value>) -> Vec<Value> {
        let number = |value: u64| usize::try_from(value).unwrap_or(usize::MAX);
        let records = records.into_iter().skip(number(self.offset));
        records.take(number(self.limit)).collect()
    }
}

/// Returns the JSON Pointer of a member of the request body.
fn in_body(place: &str) -> Option<&str> {
    place.strip_prefix("$request.body#")
}

/// Returns the JSON Pointer within the last record that a path refers to.
fn of_last(path: &str) -> Option<String> {
    path.split_once("[-1]").map(|(_, rest)| pointer(rest))
}

fn pointer(path: &str) -> String {
    path.trim_start_matches('$').replace('.', "/")
}

/// Formats a string or number as in a query or a header.
fn plain(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}
