//! The wire form of parameters: OpenAPI's styles, which are expansions of RFC 6570.
//!
//! If the specification leaves a combination undefined, the nearest defined one is sent, or the argument is refused.

use crate::request::tree::Tree;
use crate::transport::encode::{ambiguous, encode};
use crate::transport::reserved::{encode_reserved, encode_reserved_path};

/// The place of a parameter in a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// In the path.
    Path,
    /// In the query.
    Query,
    /// In a header.
    Header,
    /// In the `Cookie` header.
    Cookie,
}

/// How a value is written, by OpenAPI's names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// `blue,black`, for paths and headers.
    Simple,
    /// `.blue.black`, for paths.
    Label,
    /// `;color=blue,black`, for paths.
    Matrix,
    /// `color=blue,black`, for queries and cookies.
    Form,
    /// `color=blue%20black`, for queries.
    SpaceDelimited,
    /// `color=blue%7Cblack`, for queries.
    PipeDelimited,
    /// `color%5BR%5D=100`, for queries.
    DeepObject,
    /// `color=blue; color=black` without percent-encoding, for cookies.
    Cookie,
    /// The JSON of the value, as one value.
    Json,
}

/// The place and style of a parameter, from its document.
///
/// ```
/// # use generated_client::document::Operation;
/// # use generated_client::request::{ParameterStyle, Place, Request, Style};
/// # static LIST: Operation = Operation::get("list", "/");
/// let mut request = Request::new(&LIST);
/// let style = ParameterStyle::new(Place::Query, Style::PipeDelimited).explode(false);
/// request.parameter("color", style, &["blue", "black"]); // color=blue%7Cblack
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ParameterStyle {
    pub(crate) place: Place,
    style: Style,
    explode: bool,
    reserved: bool,
}

impl ParameterStyle {
    /// Makes a style without `explode` and `allowReserved`.
    pub const fn new(place: Place, style: Style) -> Self {
        Self {
            place,
            style,
            explode: false,
            reserved: false,
        }
    }

    /// Sets whether each element of a list and each member of an object is a separate value.
    #[must_use]
    pub const fn explode(mut self, explode: bool) -> Self {
        self.explode = explode;
        self
    }

    /// Sets whether reserved characters that a query or a path can contain are left unencoded.
    #[must_use]
    pub const fn allow_reserved(mut self, reserved: bool) -> Self {
        self.reserved = reserved;
        self
    }

    /// Returns the parameter on the wire: `None` if there is nothing to send, and an error, as the end of a sentence, if the style has no
    /// form for it.
    pub(crate) fn expand(self, name: &str, value: &Tree) -> Result<Option<String>, String> {
        if self.style == Style::Cookie
            && !(is_cookie_text(name) && value.texts().iter().all(|text| is_cookie_text(text)))
        {
            return Err("contains a character that is invalid in a cookie".to_owned());
        }
        let parts = Parts::of(&self, name, value)?;
        Ok(parts.map(|parts| self.joined(&parts)))
    }

    fn joined(self, parts: &Parts) -> String {
        let (before, between) = match self.style {
            Style::Simple | Style::Json if self.place != Place::Query => ("", ","),
            Style::Label if self.explode => (".", "."),
            Style::Label => (".", ","),
            Style::Matrix => (";", ";"),
            _ if self.place == Place::Cookie => ("", "; "),
            _ => ("", "&"),
        };
        format!("{before}{}", parts.values.join(between))
    }

    fn encode(self, text: &str) -> String {
        match (self.place, self.style) {
            // Headers are not percent-encoded.
            (Place::Header, _) | (_, Style::Cookie) => text.to_owned(),
            (Place::Query, _) if self.reserved => encode_reserved(text),
            (Place::Path, _) if self.reserved => encode_reserved_path(text),
            _ => encode(&text),
        }
    }

    /// Returns the delimiter between the values of one parameter.
    fn delimiter(self) -> &'static str {
        match self.style {
            Style::SpaceDelimited => "%20",
            Style::PipeDelimited => "%7C",
            _ => ",",
        }
    }

    /// Joins encoded strings, unless the service would then read more of them than there are.
    fn delimited(self, texts: &[String]) -> Result<String, String> {
        match ambiguous(texts, self.delimiter()) {
            // In a header, a quoted string may contain a comma.
            Some(problem) if self.place != Place::Header => Err(problem),
            _ => Ok(texts.join(self.delimiter())),
        }
    }

    /// Returns `name=value`, or its variant if a style leaves out the name or the sign.
    fn pair(self, name: &str, value: &str) -> String {
        match self.style {
            Style::Simple | Style::Label => value.to_owned(),
            // RFC 6570: an empty value has no sign.
            Style::Matrix if value.is_empty() => name.to_owned(),
            Style::Json if self.place != Place::Query && self.place != Place::Cookie => {
                value.to_owned()
            }
            _ => format!("{name}={value}"),
        }
    }

    /// Returns encoded strings as one pair, or none without strings.
    fn one_pair(self, name: &str, values: Vec<String>) -> Result<Vec<String>, String> {
        if values.is_empty() {
            return Ok(values);
        }
        Ok(vec![self.pair(name, &self.delimited(&values)?)])
    }
}

/// The values of a parameter, encoded, each with its name where the style has one.
struct Parts {
    values: Vec<String>,
}

impl Parts {
    fn of(style: &ParameterStyle, name: &str, value: &Tree) -> Result<Option<Self>, String> {
        let encoded = style.encode(name);
        let one = |text: String| Ok(Some(Self { values: vec![text] }));
        if style.style == Style::Json {
            return match value {
                Tree::Nothing => Ok(None),
                value => one(style.pair(&encoded, &style.encode(&value.json()))),
            };
        }
        let values = match (value, style.style) {
            (Tree::Nothing, _) => return Ok(None),
            (Tree::Scalar { text, .. }, _) => {
                return one(style.pair(&encoded, &style.encode(text)));
            }
            (Tree::Object(members), Style::DeepObject) => {
                let mut values = Vec::new();
                deep(style, name, members, &mut values)?;
                values
            }
            (Tree::List(items), Style::DeepObject) if !items.is_empty() => {
                return Err("is a list, which the style `deepObject` cannot represent".to_owned());
            }
            (Tree::List(items), _) => {
                let items = scalars(items.iter())?;
                let items: Vec<String> = items.iter().map(|item| style.encode(item)).collect();
                if style.explode {
                    let pairs = items.iter().map(|item| style.pair(&encoded, item));
                    pairs.collect()
                } else {
                    style.one_pair(&encoded, items)?
                }
            }
            (Tree::Object(members), _) => object(style, &encoded, members)?,
        };
        Ok((!values.is_empty()).then_some(Self { values }))
    }
}

fn object(
    style: &ParameterStyle,
    encoded: &str,
    members: &[(String, Tree)],
) -> Result<Vec<String>, String> {
    let mut values = Vec::new();
    for (member, value) in members {
        // A list in an exploded object is a pair for each element, as in a form.
        if let (Style::Form, true, Tree::List(items)) = (style.style, style.explode, value) {
            let member = style.encode(member);
            let items = scalars(items.iter())?.into_iter();
            values.extend(items.map(|item| format!("{member}={}", style.encode(item))));
            continue;
        }
        // An absent member is not sent, by RFC 6570.
        let Some(value) = optional(value)? else {
            continue;
        };
        let (member, value) = (style.encode(member), style.encode(value));
        if !style.explode {
            values.extend([member, value]);
        } else if style.style == Style::Matrix {
            values.push(style.pair(&member, &value));
        } else {
            values.push(format!("{member}={value}"));
        }
    }
    if style.explode {
        Ok(values)
    } else {
        style.one_pair(encoded, values)
    }
}

/// Adds `name[member]=value`. Nested members get one more pair of brackets each, as services commonly read them.
fn deep(
    style: &ParameterStyle,
    name: &str,
    members: &[(String, Tree)],
    into: &mut Vec<String>,
) -> Result<(), String> {
    for (member, value) in members {
        let name = format!("{name}[{member}]");
        match value {
            Tree::Nothing => {}
            // An empty list is absent, too.
            Tree::List(items) if items.is_empty() => {}
            Tree::Scalar { text, .. } => {
                into.push(format!("{}={}", encode(&name), style.encode(text)))
            }
            Tree::Object(members) => deep(style, &name, members, into)?,
            Tree::List(_) => {
                return Err(format!(
                    "has a list in `{member}`, which the style `deepObject` cannot represent"
                ));
            }
        }
    }
    Ok(())
}

/// Returns the strings of a list, without those of absent values.
fn scalars<'t>(items: impl Iterator<Item = &'t Tree>) -> Result<Vec<&'t str>, String> {
    let texts: Result<Vec<_>, _> = items.map(optional).collect();
    Ok(texts?.into_iter().flatten().collect())
}

fn optional(value: &Tree) -> Result<Option<&str>, String> {
    match value {
        Tree::Nothing => Ok(None),
        value => match value.scalar() {
            Some(text) => Ok(Some(text)),
            None => {
                Err("contains a list or an object, which its style cannot represent".to_owned())
            }
        },
    }
}

/// Returns whether a string is a valid cookie value by RFC 6265: it cannot end the value and begin another cookie.
fn is_cookie_text(text: &str) -> bool {
    text.bytes()
        .all(|byte| byte.is_ascii_graphic() && !b"\",;\\".contains(&byte))
}

#[cfg(test)]
mod tests;
