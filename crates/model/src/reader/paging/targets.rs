//! What requests the next page, and where a response has the numbers and cursors of a page.

use openapi_document::pointer;
use openapi_schemas::resolve;
use serde_json::Value;

use super::Paged;
use crate::extensions::{self, Step};
use crate::{BodyKind, Location, PageSource, PageStyle, PageTarget, ParameterType, Scalar};

impl Paged<'_> {
    /// Returns the target of a number or a cursor. Notes its problems.
    pub(super) fn target(
        &mut self,
        key: &'static str,
        name: &Option<String>,
        is_number: bool,
    ) -> Option<PageTarget> {
        let name = name.as_ref()?;
        let target = match extensions::request_body(name) {
            Some(pointer) => self.body_target(pointer, is_number),
            None => self.parameter(key, name, is_number),
        };
        Some(target.unwrap_or_else(|problem| {
            self.wrong(key, format!("`{name}` {problem}"));
            PageTarget::Parameter(name.clone())
        }))
    }

    pub(super) fn parameter(
        &self,
        key: &str,
        name: &str,
        is_number: bool,
    ) -> Result<PageTarget, &'static str> {
        let parameter = self.operation.parameter(name);
        let parameter = parameter.ok_or("is not a parameter of the operation")?;
        if is_number && !matches!(parameter.kind, ParameterType::Integer(_)) {
            return Err("is not a whole number");
        }
        if key == "cursor" && parameter.location != Location::Query {
            return Err("is not a parameter of the query");
        }
        Ok(PageTarget::Parameter(name.to_owned()))
    }

    fn body_target(&self, at: &str, is_number: bool) -> Result<PageTarget, &'static str> {
        let body = self.operation.bodies.first();
        let body = body.filter(|body| body.kind == BodyKind::Json);
        let body = body.ok_or("is in no JSON body of the operation")?;
        let steps: Vec<Step> = pointer::tokens(at).map(Step::Member).collect();
        let found = self.model.follow(&body.schema, &steps);
        let (_, place) = found.ok_or("is not a member of the body")?;
        let is_integer = match self.model.resolved(place).scalar() {
            Some(Scalar::Integer) => true,
            Some(Scalar::Text) if !is_number => false,
            _ if is_number => return Err("is not a whole number"),
            _ => return Err("is neither a string nor an integer"),
        };
        Ok(PageTarget::Body {
            pointer: at.to_owned(),
            is_integer,
        })
    }

    /// Returns the location of a plain value in a response. Notes that there is none.
    pub(super) fn source(
        &mut self,
        key: &'static str,
        path: &Option<String>,
        kind: &str,
        scalars: &[Scalar],
    ) -> Option<PageSource> {
        let path = path.as_ref()?;
        if let Some(name) = extensions::response_header(path) {
            return self.header(key, name).map(PageSource::Header);
        }
        let found = self.leaf(path, scalars);
        if found.is_none() {
            self.wrong(key, format!("`{path}` leads to no {kind} in the response"));
        }
        found.map(PageSource::Body)
    }

    /// Returns the JSON Pointers of a plain value that a path leads to.
    fn leaf(&self, path: &str, scalars: &[Scalar]) -> Option<Vec<String>> {
        let steps = extensions::steps(path)?;
        let response = self.operation.success()?;
        let (_, place) = self.model.follow(response, &steps)?;
        let scalar = self.model.resolved(place).scalar()?;
        let is_one = scalars.contains(&scalar) && !steps.contains(&Step::Each);
        self.model.pointers(response, &steps).filter(|_| is_one)
    }

    /// A header that the document has of the response. Names of headers are compared without regard to case.
    pub(super) fn header(&mut self, key: &'static str, name: &str) -> Option<String> {
        let response = resolve(&self.source.value, &self.operation.success_pointer);
        let headers = response.and_then(|(_, response)| response.get("headers"));
        let mut names = headers.and_then(Value::as_object).into_iter().flatten();
        let is_documented = names.any(|(one, _)| one.eq_ignore_ascii_case(name));
        if !is_documented {
            self.wrong(key, format!("`{name}` is not a header of the response"));
        }
        is_documented.then(|| name.to_ascii_lowercase())
    }

    /// Returns the request of the next page; `None`, with the problem, if nothing or several members declare it.
    pub(super) fn style(&mut self) -> Option<PageStyle> {
        let pagination = self.pagination;
        let offset = self.target("offset", &pagination.offset, true);
        let page = self.target("page", &pagination.page, true);
        let cursor = self.target("cursor", &pagination.cursor, false);
        let cursors = [Scalar::Text, Scalar::Integer];
        let next = self.source("next", &pagination.next, "string or integer", &cursors);
        let pages = self.source("pages", &pagination.pages, "integer", &[Scalar::Integer]);
        let asks = (
            &pagination.offset,
            &pagination.page,
            &pagination.cursor,
            &pagination.next,
            &pagination.link,
        );
        let style = match asks {
            (Some(_), None, None, None, None) => PageStyle::Offset { target: offset? },
            (None, Some(_), None, None, None) => PageStyle::Number {
                target: page?,
                first: pagination.first.unwrap_or(1),
                pages,
            },
            (None, None, Some(_), Some(_), None) => PageStyle::Cursor {
                target: cursor?,
                next: next?,
            },
            (None, None, None, Some(_), None) => PageStyle::Link { next: next? },
            (None, None, None, None, Some(relation)) => PageStyle::LinkHeader {
                relation: relation.clone(),
            },
            (None, None, Some(_), None, None) => {
                self.wrong("cursor", "needs `next`, the path of the next cursor");
                return None;
            }
            _ => {
                self.wrong("", "describes no way, or several ways, to request the next page: give `offset`, `page`, `cursor` with `next`, `next` alone, or `link`");
                return None;
            }
        };
        self.check_members(&style);
        Some(style)
    }

    /// Notes the members that are valid only with another way to request the next page.
    fn check_members(&mut self, style: &PageStyle) {
        let pagination = self.pagination;
        let is_offset = matches!(style, PageStyle::Offset { .. });
        let is_numbered = matches!(style, PageStyle::Number { .. });
        let is_link = matches!(style, PageStyle::Link { .. } | PageStyle::LinkHeader { .. });
        let is_bounded = pagination.limit.is_some() && (is_offset || is_numbered);
        if pagination.first.is_some() && !is_numbered {
            self.wrong("first", "is valid only with `page`");
        }
        if pagination.pages.is_some() && !is_numbered {
            self.wrong("pages", "is valid only with `page`");
        }
        if pagination.short_is_last && !is_bounded {
            let message = "is valid only with `limit`, and with `offset` or `page`";
            self.wrong("short-is-last", message);
        }
        if pagination.key.is_some() && !is_offset {
            let message =
                "is valid only with `offset`: several lists share no cursor, link or page number";
            self.wrong("key", message);
        }
        if pagination.total.is_some() && is_link {
            let message =
                "is not valid with a link: a caller may begin anywhere, and the links show the end";
            self.wrong("total", message);
        }
    }
}
