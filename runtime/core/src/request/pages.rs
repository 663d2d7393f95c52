//! A request of a page: its position, in place of the arguments of the first one.

use std::fmt::Display;

use bytes::Bytes;
use percent_encoding::percent_decode_str;
use serde_json::value::{RawValue, to_raw_value};
use url::Url;

use crate::decode::member::{Members, member};
use crate::document::api::Auth;
use crate::request::body::Body;
use crate::request::client_headers::ClientHeaders;
use crate::request::extras;
use crate::request::request::Request;
use crate::transport::base_url::BaseUrl;

impl Request {
    /// Returns the value of the first query parameter of this name.
    pub(crate) fn query_value(&self, name: &str) -> Option<String> {
        let part = self.query.iter().find(|part| part.parameter == name)?;
        let (_, value) = part.text.split_once('=')?;
        Some(percent_decode_str(value).decode_utf8_lossy().into_owned())
    }

    /// Refuses the caller's extra query parameter if paging sends one of the same name.
    pub(crate) fn keep_query(&mut self, name: &str) -> &mut Self {
        let mut extra = self.options.extras.query.iter();
        if extra.any(|(extra, _)| extra == name) {
            self.refuse(name, "is an argument of the call already");
        }
        self
    }

    /// Replaces a query parameter of the call by this value.
    pub(crate) fn replace_query(&mut self, name: &str, value: &dyn Display) -> &mut Self {
        self.query.retain(|part| part.parameter != name);
        self.query(name, value)
    }

    /// Sends the request to a path and query at the origin of its address. They replace the query of the call: the service repeats the
    /// parameters that it needs, including those that the caller added. A call with undocumented parameters stays one.
    pub(crate) fn follow(&mut self, link: &str, is_extended: bool) -> &mut Self {
        let (path, query) = link.split_once('?').unwrap_or((link, ""));
        if !path.starts_with('/') || path.starts_with("//") {
            return self.refuse("position", "has a link that is not a path");
        }
        self.link = Some(path.to_owned());
        self.is_link_extended = is_extended || self.options.extras.has_query();
        self.query.clear();
        self.options.extras.query.clear();
        for part in query.split('&').filter(|part| !part.is_empty()) {
            let (name, _) = part.split_once('=').unwrap_or((part, ""));
            let name = percent_decode_str(name).decode_utf8_lossy();
            self.append_query(&name, part.to_owned());
        }
        self
    }

    /// Returns path and query of a link in a response to this request, without credentials; `Err` says why it is not followed.
    pub(crate) fn link(
        &self,
        link: &str,
        address: &BaseUrl,
        auth: Auth,
    ) -> Result<String, &'static str> {
        let own = self
            .to_http(address, auth, &ClientHeaders::default())
            .map_err(|_| "has a link, and the request has no address")?;
        let url = Url::parse(&own.uri().to_string())
            .and_then(|own| own.join(link))
            .map_err(|_| "has a link that is not a URL")?;
        if !address.is_origin_of(&url) {
            return Err("has a link to another origin, which no credentials are sent to");
        }
        let parts = url.query().unwrap_or_default().split('&').filter(|part| {
            let (name, _) = part.split_once('=').unwrap_or((part, ""));
            let name = percent_decode_str(name).decode_utf8_lossy();
            !part.is_empty() && extras::query_problem(&name, auth).is_none()
        });
        let query = parts.collect::<Vec<_>>().join("&");
        let mark = if query.is_empty() { "" } else { "?" };
        Ok(format!("{}{mark}{query}", url.path()))
    }

    /// Refuses an argument that has no effect without another one.
    #[doc(hidden)]
    pub fn require_together(
        &mut self,
        name: &str,
        given: bool,
        needs: &str,
        needs_given: bool,
    ) -> &mut Self {
        if !given || needs_given {
            return self;
        }
        self.refuse(name, format!("has no effect without `{needs}`"))
    }

    /// Refuses a paging run without the argument that requests pages.
    #[doc(hidden)]
    pub fn require_for_pages(&mut self, name: &str, given: bool) -> &mut Self {
        if given {
            return self;
        }
        self.refuse(name, "is missing, and paging requires it")
    }

    /// Refuses a paging run whose pages have no records.
    #[doc(hidden)]
    pub fn require_page_size(&mut self, name: &str, size: Option<u64>) -> &mut Self {
        if size != Some(0) {
            return self;
        }
        let problem = if self.has_query(name) {
            "is 0, and such pages have no records: set at least 1"
        } else {
            "is not set and defaults to 0, and such pages have no records: set it"
        };
        self.refuse(name, problem)
    }

    /// Returns the string or number at a JSON Pointer of the body; `None` if there is none.
    pub(crate) fn body_member(&self, pointer: &str) -> Option<String> {
        member(&self.body, pointer)?.into_scalar()
    }

    /// Reads a whole number at a JSON Pointer of the body; `None` if there is none. For generated code.
    #[doc(hidden)]
    pub fn body_number(&self, pointer: &str) -> Option<u64> {
        self.body_member(pointer)?.parse().ok()
    }

    /// Writes a value at a JSON Pointer of the body. Missing objects along the path are added.
    pub(crate) fn replace_in_body(&mut self, pointer: &str, value: Box<RawValue>) -> &mut Self {
        let steps: Vec<String> = pointer.split('/').skip(1).map(unescaped).collect();
        let body = str::from_utf8(&self.body).ok();
        match body.and_then(|body| replaced(body, &steps, value)) {
            None => self.refuse("body", "is not a JSON object, so it cannot select a page"),
            Some(body) if self.body.is_empty() => self.body(Body::json(&body)),
            Some(body) => {
                self.body = Bytes::from(Box::<str>::from(body).into_string());
                self
            }
        }
    }
}

fn unescaped(step: &str) -> String {
    step.replace("~1", "/").replace("~0", "~")
}

/// Returns the object with a value at this path. `null` and an absent value, an empty text, count as an empty object.
fn replaced(object: &str, steps: &[String], value: Box<RawValue>) -> Option<Box<RawValue>> {
    let Some((name, rest)) = steps.split_first() else {
        return Some(value);
    };
    let mut members = Members::read(object)?;
    // The last of duplicate names counts.
    match members.0.iter_mut().rfind(|(own, _)| own == name) {
        Some((_, member)) => *member = replaced(member.get(), rest, value)?,
        None => members.0.push((name.clone(), replaced("", rest, value)?)),
    }
    to_raw_value(&members).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::document::api::Operation;

    use crate::request::options::CallOptions;

    static SEARCH: Operation = Operation::post("search", "/search");

    #[test]
    fn writing_a_member_leaves_the_others_unchanged() {
        for (body, pointer, expected) in [
            ("", "/at", Some(r#"{"at":7}"#)),
            ("null", "/at", Some(r#"{"at":7}"#)),
            (
                r#"{"b": 1.10, "at":{"at": 1}, "a":"\u00e9"}"#,
                "/at",
                Some(r#"{"b":1.10,"at":7,"a":"\u00e9"}"#),
            ),
            (r#"{"at": 1, "at": 2}"#, "/at", Some(r#"{"at":1,"at":7}"#)),
            (
                r#"{"page": {"size": 2}}"#,
                "/page/a~1t",
                Some(r#"{"page":{"size":2,"a/t":7}}"#),
            ),
            ("[1]", "/at", None),
            (r#"{"at": 1}"#, "/at/at", None),
        ] {
            let mut request = Request::new(&SEARCH);
            request.body = Bytes::from(body);
            request.replace_in_body(pointer, to_raw_value(&7).unwrap());
            match expected {
                Some(expected) => {
                    assert_eq!(request.body, expected);
                    assert_eq!(request.body_number(pointer), Some(7));
                }
                None => assert!(request.refusal.is_some(), "{body}"),
            }
        }
    }

    /// Interceptors rely on the documented parameters, which these calls exceed.
    #[test]
    fn a_link_of_an_undocumented_call_makes_an_undocumented_call() {
        let link = "/v1/things?trace=1&at=3";
        let mut request = Request::new(&SEARCH);
        assert!(!request.clone().follow(link, false).has_extra_query());
        assert!(request.clone().follow(link, true).has_extra_query());
        let mut options = CallOptions::default();
        options.extras.query("trace", &1);
        let mut request = request.options(&options).clone();
        assert!(request.follow(link, false).has_extra_query());
    }
}
