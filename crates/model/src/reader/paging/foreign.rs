//! Extensions of other tools about paging, converted to `x-pagination`.

use openapi_document::pointer;
use openapi_document::source::Source;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::extensions::{Origin, Pagination};

/// The content of one of these extensions, or the reason why it has none.
type Read = Result<Option<Pagination>, String>;

/// Reads one of them; the second argument is the document.
type Reader = fn(&Value, &Source) -> Read;

/// The extensions, in the order in which they count.
const EXTENSIONS: [(&str, Reader); 3] = [
    ("x-speakeasy-pagination", speakeasy),
    ("x-fern-pagination", fern),
    ("x-dropshot-pagination", dropshot),
];

/// Returns whether an operation declares how it pages, or that it does not.
pub(super) fn says_anything(operation: &Value) -> bool {
    let mut names = EXTENSIONS
        .iter()
        .map(|(name, _)| *name)
        .chain(["x-pagination"]);
    names.any(|name| operation.get(name).is_some())
}

/// Reads the first of these extensions.
///
/// # Errors
///
/// Its name, and the reason why it is not understood.
pub(in crate::reader) fn read(
    operation: &Value,
    source: &Source,
) -> Result<Option<Pagination>, (&'static str, String)> {
    let extension = EXTENSIONS
        .iter()
        .find_map(|(name, read)| Some((*name, read, operation.get(name)?)));
    let Some((name, read, value)) = extension else {
        return Ok(None);
    };
    let pagination = read(value, source).map_err(|message| (name, message))?;
    Ok(pagination.map(|pagination| Pagination {
        origin: Origin::Foreign(name),
        ..pagination
    }))
}

fn form<T: DeserializeOwned>(value: &Value) -> Result<T, String> {
    T::deserialize(value).map_err(|error| error.to_string())
}

#[derive(Deserialize)]
struct Speakeasy {
    #[serde(default)]
    inputs: Vec<Input>,
    outputs: Outputs,
}

#[derive(Deserialize)]
struct Input {
    name: String,
    #[serde(rename = "in")]
    place: String,
    #[serde(rename = "type")]
    kind: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Outputs {
    results: Option<String>,
    num_pages: Option<String>,
    next_cursor: Option<String>,
    next_url: Option<String>,
}

fn speakeasy(value: &Value, _: &Source) -> Read {
    let Speakeasy { inputs, outputs } = form(value)?;
    let mut pagination = Pagination {
        items: outputs.results.unwrap_or_default(),
        pages: outputs.num_pages,
        next: outputs.next_cursor.or(outputs.next_url),
        ..Pagination::default()
    };
    for Input { name, place, kind } in inputs {
        let name = match place.as_str() {
            "parameters" => name,
            "requestBody" => format!("$request.body#{}", pointer::join("", &name)),
            _ => return Err(format!("`{place}` is not a known location of an input")),
        };
        let taken = match kind.as_str() {
            "page" => &mut pagination.page,
            "limit" => &mut pagination.limit,
            "offset" => &mut pagination.offset,
            "cursor" => &mut pagination.cursor,
            _ => return Err(format!("`{kind}` is not a known type of input")),
        };
        *taken = Some(name);
    }
    Ok(Some(pagination))
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Fern {
    cursor: Option<String>,
    #[serde(rename = "next_cursor")]
    next_cursor: Option<String>,
    #[serde(rename = "next_uri")]
    next_uri: Option<String>,
    offset: Option<String>,
    /// With it, the offset counts records; without it, pages.
    step: Option<String>,
    has_next_page: Option<String>,
    results: Option<String>,
}

/// `true` on an operation selects the setting at the root of the document.
fn fern(value: &Value, source: &Source) -> Read {
    let value = match value {
        Value::Bool(false) => return Ok(None),
        Value::Bool(true) => source
            .value
            .get("x-fern-pagination")
            .ok_or("it is `true`, and the document has no `x-fern-pagination` at its top")?,
        own => own,
    };
    let fern: Fern = form(value)?;
    let step = fern.step.map(fern_parameter).transpose()?;
    let offset = fern.offset.map(fern_parameter).transpose()?;
    let next = fern.next_cursor.or(fern.next_uri);
    let (page, offset) = match step {
        Some(_) => (None, offset),
        None => (offset, None),
    };
    Ok(Some(Pagination {
        items: fern
            .results
            .map(fern_member)
            .transpose()?
            .unwrap_or_default(),
        cursor: fern.cursor.map(fern_parameter).transpose()?,
        next: next.map(fern_member).transpose()?,
        page,
        offset,
        limit: step,
        more: fern.has_next_page.map(fern_member).transpose()?,
        ..Pagination::default()
    }))
}

/// Returns the name of a parameter.
fn fern_parameter(setting: String) -> Result<String, String> {
    let name = setting.strip_prefix("$request.");
    match name.or(setting.strip_prefix("$query.")) {
        Some(name) if !name.contains('.') => Ok(name.to_owned()),
        _ => Err(format!(
            "`{setting}` is not a parameter, such as `$request.cursor`"
        )),
    }
}

/// Returns the path of a member of the response.
fn fern_member(setting: String) -> Result<String, String> {
    match setting.strip_prefix("$response") {
        Some(rest) => Ok(format!("${rest}")),
        None => Err(format!(
            "`{setting}` is not a member of the response, such as `$response.next`"
        )),
    }
}

/// Dropshot fixes the names; the extension only marks an operation that pages.
fn dropshot(_: &Value, _: &Source) -> Read {
    Ok(Some(Pagination {
        items: "$.items".to_owned(),
        limit: Some("limit".to_owned()),
        cursor: Some("page_token".to_owned()),
        next: Some("$.next_page".to_owned()),
        ..Pagination::default()
    }))
}
