//! The location of an operation's records, and the check of `x-pagination` against the document.

use std::collections::BTreeMap;

use openapi_document::finding::Finding;
use openapi_document::pointer;
use openapi_document::source::Source;
use openapi_schemas::resolve;
use serde_json::Value;

use crate::extensions::{self, Origin, Pagination, Step};
use crate::{
    BodyKind, Branch, Content, Location, Model, Operation, Output, PageSource, PageStyle,
    PageTarget, Pages, ParameterType, PathMember, Place, Scalar, Schema, Shape,
};

mod detect;
mod foreign;
mod members;
mod names;

pub(super) use detect::{detect, doubt};
pub(super) use foreign::read as foreign;

const HELP: &str = "correct the override that writes `x-pagination`";
pub(super) const FOREIGN_HELP: &str =
    "describe it in `x-pagination`, or turn it off with `x-pagination: false`, in an override";

/// The path of records in a body that is the array.
const BODY: &str = "$";

/// Returns the operations whose responses are pages, in the order of the document; and the places and reasons of detections that do not fit.
pub(super) fn read(
    model: &Model,
    source: &Source,
    findings: &mut Vec<Finding>,
) -> (Vec<Pages>, BTreeMap<String, String>) {
    let mut doubts = BTreeMap::new();
    let paged = model.operations.iter().filter_map(|operation| {
        let pagination = operation.pagination.as_ref()?;
        let mut all_wrong = Vec::new();
        let mut wrong = |key: &str, message: String| all_wrong.push((key.to_owned(), message));
        let one = Paged {
            model,
            source,
            operation,
            pagination,
        };
        let pages = pages(&one, &mut wrong);
        for (key, message) in all_wrong {
            let (mut at, help) = match pagination.origin {
                Origin::Own => (format!("{}/x-pagination", operation.pointer), HELP),
                Origin::Foreign(name) => (format!("{}/{name}", operation.pointer), FOREIGN_HELP),
                Origin::Detected => {
                    doubts.insert(operation.pointer.clone(), message);
                    continue;
                }
            };
            if !key.is_empty() && pagination.origin == Origin::Own {
                at = pointer::join(&at, &key);
            }
            findings.push(source.finding("pagination", at, message, help));
        }
        pages.filter(|_| !doubts.contains_key(&operation.pointer))
    });
    let paged = paged.collect();
    (paged, doubts)
}

/// Clears the suggestions that an override could not have: each is checked as `x-pagination` is.
pub(super) fn check_suggestions(model: &mut Model, source: &Source) {
    let mut detections = std::mem::take(&mut model.detections);
    for detection in detections.iter_mut().filter(|one| one.doubt.is_some()) {
        let mut operations = model.operations.iter();
        let operation = operations.find(|one| one.pointer == detection.pointer);
        let Some(operation) = operation.filter(|_| detection.pagination.is_whole()) else {
            continue;
        };
        let mut is_wrong = false;
        let mut wrong = |_: &str, _: String| is_wrong = true;
        let one = Paged {
            model,
            source,
            operation,
            pagination: &detection.pagination,
        };
        pages(&one, &mut wrong);
        if is_wrong {
            detection.pagination.items.clear();
        }
    }
    model.detections = detections;
}

/// Notes which bodies are arrays of records.
pub(super) fn note_bodies(model: &mut Model) {
    let bodies = model.pages.iter().filter(|pages| pages.items.is_empty());
    let bodies: Vec<&str> = bodies.map(|pages| &*pages.operation).collect();
    for operation in &mut model.operations {
        if bodies.contains(&&*operation.id)
            && let Output::One(Content::Json(array)) = &operation.output
        {
            operation.output = Output::One(Content::Records(array.clone()));
        }
    }
}

/// Writes the lists and numbers that have a name out where pages go through them: paging reads a list itself, and no type of that name.
pub(super) fn write_out(model: &mut Model) {
    write_bodies_out(model);
    let paths = model.operations.iter().filter_map(|operation| {
        let pagination = operation.pagination.as_ref()?;
        let offset = pagination.echoed_offset();
        let paths = [&pagination.items].into_iter().chain(&offset);
        let paths = paths.chain(&pagination.total).chain(&pagination.key);
        let steps: Vec<Vec<Step>> = paths.filter_map(|path| extensions::steps(path)).collect();
        Some((operation.success()?.clone(), steps))
    });
    let paths: Vec<(Place, Vec<Vec<Step>>)> = paths.collect();
    for (from, all) in &paths {
        for steps in all {
            write_out_along(model, from.clone(), steps);
        }
    }
}

fn write_bodies_out(model: &mut Model) {
    let bodies = model.operations.iter().map(|operation| {
        let pagination = operation.pagination.as_ref()?;
        let body = operation.success().filter(|_| pagination.items == BODY)?;
        let named = model.referenced(body)?;
        is_list_or_integer(&named.place).then(|| with_siblings(body.clone(), named.place.clone()))
    });
    let bodies: Vec<Option<Place>> = bodies.collect();
    for (operation, body) in model.operations.iter_mut().zip(bodies) {
        if let Some(body) = body {
            operation.output = Output::One(Content::Json(Box::new(body)));
        }
    }
}

fn write_out_along(model: &mut Model, from: Place, steps: &[Step]) -> Option<()> {
    let mut at = from;
    for step in steps {
        at = match step {
            Step::Each => match at.shape {
                Shape::List(items) => *items,
                _ => return None,
            },
            Step::Last => return None,
            Step::Member(name) => {
                let owner = model.referenced(&at)?;
                let mut member = owner.property(name)?.clone();
                let owner = owner.name.clone();
                if let Some(named) = model.referenced(&member)
                    && is_list_or_integer(&named.place)
                {
                    member = with_siblings(member, named.place.clone());
                    let mut schemas = model.schemas.iter_mut();
                    let owner = schemas.find(|schema| schema.name == owner)?;
                    let Shape::Object(object) = &mut owner.place.shape else {
                        return None;
                    };
                    let mut properties = object.properties.iter_mut();
                    properties.find(|one| one.name == *name)?.place = member.clone();
                }
                member
            }
        };
    }
    Some(())
}

fn is_list_or_integer(place: &Place) -> bool {
    let is_integer = place.scalar() == Some(Scalar::Integer);
    place.rust_type.is_none() && (is_integer || matches!(place.shape, Shape::List(_)))
}

/// Merges the target of a reference with the keywords beside the reference.
fn with_siblings(reference: Place, whole: Place) -> Place {
    Place {
        nullable: reference.nullable || whole.nullable,
        description: reference.description.or(whole.description),
        deprecated: reference.deprecated || whole.deprecated,
        default: reference.default.or(whole.default),
        example: reference.example.or(whole.example),
        rust_name: reference.rust_name,
        is_optional: reference.is_optional,
        aliases: reference.aliases,
        ..whole
    }
}

/// An operation with its `x-pagination`.
struct Paged<'m> {
    model: &'m Model,
    source: &'m Source,
    operation: &'m Operation,
    pagination: &'m Pagination,
}

/// Returns the target of a number or a cursor. Notes its errors.
fn target(
    paged: &Paged<'_>,
    key: &str,
    name: &Option<String>,
    is_number: bool,
    wrong: &mut impl FnMut(&str, String),
) -> Option<PageTarget> {
    let name = name.as_ref()?;
    let target = match extensions::request_body(name) {
        Some(pointer) => body_target(paged, pointer, is_number),
        None => parameter(paged, key, name, is_number),
    };
    Some(target.unwrap_or_else(|problem| {
        wrong(key, format!("`{name}` {problem}"));
        PageTarget::Parameter(name.clone())
    }))
}

fn parameter(
    paged: &Paged<'_>,
    key: &str,
    name: &str,
    is_number: bool,
) -> Result<PageTarget, &'static str> {
    let parameter = paged.operation.parameter(name);
    let parameter = parameter.ok_or("is not a parameter of the operation")?;
    if is_number && !matches!(parameter.kind, ParameterType::Integer(_)) {
        return Err("is not a whole number");
    }
    if key == "cursor" && parameter.location != Location::Query {
        return Err("is not a parameter of the query");
    }
    Ok(PageTarget::Parameter(name.to_owned()))
}

fn body_target(paged: &Paged<'_>, at: &str, is_number: bool) -> Result<PageTarget, &'static str> {
    let body = paged.operation.bodies.first();
    let body = body.filter(|body| body.kind == BodyKind::Json);
    let body = body.ok_or("is in no JSON body of the operation")?;
    let steps: Vec<Step> = pointer::tokens(at).map(Step::Member).collect();
    let found = paged.model.follow(&body.schema, &steps);
    let (_, place) = found.ok_or("is not a member of the body")?;
    let is_integer = match paged.model.resolved(place).scalar() {
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

/// Returns the location of a plain value in a response; `None`, with the error, if it has none.
fn source(
    paged: &Paged<'_>,
    key: &str,
    path: &Option<String>,
    kind: &str,
    is: fn(Scalar) -> bool,
    wrong: &mut impl FnMut(&str, String),
) -> Option<PageSource> {
    let path = path.as_ref()?;
    if let Some(name) = extensions::response_header(path) {
        return header(paged, key, name, wrong).map(PageSource::Header);
    }
    let found = leaf(paged, path).filter(|(_, scalar)| is(*scalar));
    if found.is_none() {
        wrong(key, format!("`{path}` leads to no {kind} in the response"));
    }
    found.map(|(pointers, _)| PageSource::Body(pointers))
}

/// A header that the document has of the response. Names of headers are compared without regard to case.
fn header(
    paged: &Paged<'_>,
    key: &str,
    name: &str,
    wrong: &mut impl FnMut(&str, String),
) -> Option<String> {
    let response = resolve(&paged.source.value, &paged.operation.success_pointer);
    let headers = response.and_then(|(_, response)| response.get("headers"));
    let mut names = headers.and_then(Value::as_object).into_iter().flatten();
    let is_documented = names.any(|(one, _)| one.eq_ignore_ascii_case(name));
    if !is_documented {
        wrong(key, format!("`{name}` is not a header of the response"));
    }
    is_documented.then(|| name.to_ascii_lowercase())
}

/// Returns the request of the next page; `None`, with the error, if nothing or several members declare it.
fn style(paged: &Paged<'_>, wrong: &mut impl FnMut(&str, String)) -> Option<PageStyle> {
    let is_cursor = |scalar| matches!(scalar, Scalar::Text | Scalar::Integer);
    let is_integer = |scalar| scalar == Scalar::Integer;
    let pagination = paged.pagination;
    let offset = target(paged, "offset", &pagination.offset, true, wrong);
    let page = target(paged, "page", &pagination.page, true, wrong);
    let cursor = target(paged, "cursor", &pagination.cursor, false, wrong);
    let next = source(
        paged,
        "next",
        &pagination.next,
        "string or integer",
        is_cursor,
        wrong,
    );
    let pages = source(
        paged,
        "pages",
        &pagination.pages,
        "integer",
        is_integer,
        wrong,
    );
    let style = match (
        &pagination.offset,
        &pagination.page,
        &pagination.cursor,
        &pagination.next,
        &pagination.link,
    ) {
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
            let message = "needs `next`, the path of the next cursor";
            wrong("cursor", message.to_owned());
            return None;
        }
        _ => {
            let message = "describes no way, or several ways, to request the next page: give `offset`, `page`, `cursor` with `next`, `next` alone, or `link`";
            wrong("", message.to_owned());
            return None;
        }
    };
    let is_offset = matches!(style, PageStyle::Offset { .. });
    let is_numbered = matches!(style, PageStyle::Number { .. });
    for (key, is_said) in [
        ("first", pagination.first.is_some()),
        ("pages", pagination.pages.is_some()),
    ] {
        if is_said && !is_numbered {
            wrong(key, "is valid only with `page`".to_owned());
        }
    }
    if pagination.short_is_last && (pagination.limit.is_none() || !(is_offset || is_numbered)) {
        let message = "is valid only with `limit`, and with `offset` or `page`";
        wrong("short-is-last", message.to_owned());
    }
    if pagination.key.is_some() && !is_offset {
        let message =
            "is valid only with `offset`: several lists share no cursor, link or page number";
        wrong("key", message.to_owned());
    }
    let is_link = matches!(style, PageStyle::Link { .. } | PageStyle::LinkHeader { .. });
    if pagination.total.is_some() && is_link {
        let message =
            "is not valid with a link: a caller may begin anywhere, and the links show the end";
        wrong("total", message.to_owned());
    }
    Some(style)
}

/// The JSON Pointers of a plain value that a path leads to, by each of its names, with `-1` for the last element of an array.
fn leaf(paged: &Paged<'_>, path: &str) -> Option<(Vec<String>, Scalar)> {
    let steps = extensions::steps(path)?;
    let (_, place) = paged.model.follow(paged.operation.success()?, &steps)?;
    if steps.contains(&Step::Each) {
        return None;
    }
    Some((
        pointers(paged, &steps)?,
        paged.model.resolved(place).scalar()?,
    ))
}

/// The JSON Pointers that a path leads to, by each of its names, up to the first step into each element of an array.
fn pointers(paged: &Paged<'_>, steps: &[Step]) -> Option<Vec<String>> {
    let (members, _) = paged.model.follow(paged.operation.success()?, steps)?;
    let mut members = members.iter();
    let mut pointers = vec![String::new()];
    for step in steps {
        let names = match step {
            Step::Member(name) => {
                let member = members.next()?;
                let owner = paged.model.schema(&member.owner);
                let member = owner.and_then(|owner: &Schema| owner.property(name));
                let aliases = member.and_then(|member| member.aliases.as_ref());
                let aliases = aliases.into_iter().flat_map(|aliases| aliases.names());
                std::iter::once(name)
                    .chain(aliases)
                    .map(String::as_str)
                    .collect()
            }
            Step::Last => vec!["-1"],
            Step::Each => break,
        };
        let longer = pointers
            .iter()
            .flat_map(|at| names.iter().map(|name| pointer::join(at, name)));
        pointers = longer.collect();
    }
    Some(pointers)
}

/// The JSON Pointers of a path in the body; none for a header.
fn body_pointers(paged: &Paged<'_>, path: &str) -> Vec<String> {
    if path == BODY {
        return vec![String::new()];
    }
    let steps = extensions::steps(path).unwrap_or_default();
    pointers(paged, &steps).unwrap_or_default()
}

fn pages(paged: &Paged<'_>, wrong: &mut impl FnMut(&str, String)) -> Option<Pages> {
    let Paged {
        model,
        operation,
        pagination,
        ..
    } = *paged;
    let limit = target(paged, "limit", &pagination.limit, true, wrong);
    if let Some(requires) = &pagination.requires
        && let Err(problem) = parameter(paged, "requires", requires, false)
    {
        wrong("requires", format!("`{requires}` {problem}"));
    }
    let style = style(paged, wrong)?;
    let is_flag = |scalar| scalar == Scalar::Boolean;
    let more = source(paged, "more", &pagination.more, "boolean", is_flag, wrong);
    let path = &pagination.items;
    let body = operation.success();
    let follow = |path: &str| follow(model, body?, path);
    let records = match path.as_str() {
        BODY => body.map(|body| (Vec::new(), body)),
        path => follow(path),
    };
    let records = records.and_then(|(items, list)| {
        let item = list.items().filter(|_| list.rust_type.is_none())?;
        Some((items, item))
    });
    let Some((items, item)) = records else {
        wrong(
            "items",
            format!("`{path}` leads to no array in the response"),
        );
        return None;
    };
    if !is_record(model, item) {
        let message = "leads to an array of maps, of lists or of a type of the runtime: none of them is a record";
        wrong("items", format!("`{path}` {message}"));
    }
    let is_several = |after: usize| items.iter().skip(after).any(|member| member.is_list);
    let total_header = match pagination.total.as_deref() {
        Some(path) => extensions::response_header(path),
        None => None,
    };
    let total_header = total_header.map(|name| header(paged, "total", name, wrong));
    let mut branch = |key: &str, path: &str, kind: &str, is: &dyn Fn(&Place) -> bool| {
        let Some((members, _)) = follow(path).filter(|(_, value)| is(value)) else {
            wrong(key, format!("`{path}` leads to no {kind} in the response"));
            return None;
        };
        let after = members
            .iter()
            .zip(&items)
            .take_while(|(a, b)| a == b)
            .count();
        let members: Vec<PathMember> = members.into_iter().skip(after).collect();
        if members.iter().any(|member| member.is_list) {
            let message = "passes through a list that `items` does not pass through";
            wrong(key, format!("`{path}` {message}"));
            return None;
        }
        Some(Branch { after, members })
    };
    let total = pagination
        .total
        .as_ref()
        .filter(|_| total_header.is_none())
        .and_then(|path| branch("total", path, "integer", &is_integer));
    let key = pagination
        .key
        .as_ref()
        .and_then(|path| branch("key", path, "string", &|value| model.is_text(value)));
    let from = match total_header {
        Some(_) => Some(0),
        None => total.as_ref().map(|total| total.after),
    };
    if let (Some(from), Some(path)) = (from, &pagination.total)
        && is_several(from)
    {
        let message = "is one number for the several lists that `items` leads to";
        wrong("total", format!("`{path}` {message}"));
    }
    if pagination.key.is_none() && is_several(0) {
        let message = "leads to several lists, and there is no `key`: the path of the string that distinguishes them";
        wrong("items", format!("`{path}` {message}"));
    }
    if !matches!(style, PageStyle::Offset { .. }) && is_several(0) {
        let message = "leads to several lists, and only `offset` asks for the pages of several";
        wrong("items", format!("`{path}` {message}"));
    }
    let echoed = pagination.echoed_offset();
    let echoed_offset = echoed
        .and_then(|path| follow(&path))
        .filter(|(_, value)| is_integer(value))
        .and_then(|(mut members, _)| members.pop().filter(|_| members.is_empty()));
    Some(Pages {
        operation: operation.id.clone(),
        style,
        more,
        limit,
        short_is_last: pagination.short_is_last,
        list: if pagination.absent_is_empty {
            Vec::new()
        } else {
            body_pointers(paged, path)
        },
        total_pointers: match &pagination.total {
            Some(path) if total.is_some() => body_pointers(paged, path),
            _ => Vec::new(),
        },
        items,
        item: item.clone(),
        total,
        total_header: total_header.flatten(),
        key,
        echoed_offset,
    })
}

/// Follows a path. The elements of a body and of a list in a list belong to no name, so there is no path through them.
fn follow<'m>(
    model: &'m Model,
    from: &'m Place,
    path: &str,
) -> Option<(Vec<PathMember>, &'m Place)> {
    let steps = extensions::steps(path)?;
    let mut is_named = false;
    for step in &steps {
        is_named = match step {
            Step::Member(_) => true,
            Step::Each if is_named => false,
            Step::Each | Step::Last => return None,
        };
    }
    model.follow(from, &steps).filter(|_| is_named)
}

/// Returns whether values are plain integers, without a name or a type of the runtime.
fn is_integer(place: &Place) -> bool {
    place.scalar() == Some(Scalar::Integer) && place.rust_type.is_none()
}

/// Returns whether the type of an element is known here: one with a name, a plain one, or any value.
fn is_record(model: &Model, item: &Place) -> bool {
    let is_collection = matches!(
        item.shape,
        Shape::List(_) | Shape::Tuple(_) | Shape::Map(_) | Shape::Object(_)
    );
    let is_chosen = |place: &Place| place.rust_type.is_some();
    !is_collection && !is_chosen(item) && !is_chosen(model.resolved(item))
}
