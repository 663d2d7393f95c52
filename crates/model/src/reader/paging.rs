//! Where the pages of an operation have their records, and whether the document agrees with `x-pagination`.

use std::collections::BTreeMap;

use openapi_document::finding::Finding;
use openapi_document::pointer;
use openapi_document::source::Source;

use crate::extensions::{self, Origin, Pagination, Step};
use crate::{
    Branch, Hop, Location, Model, Operation, PageStyle, Pages, ParameterType, Place, Scalar, Shape,
};

mod detect;
mod foreign;
mod members;
mod names;

pub(super) use detect::{detect, doubt};
pub(super) use foreign::read as foreign;

const HELP: &str = "correct the override that writes `x-pagination`";
pub(super) const FOREIGN_HELP: &str =
    "say it in `x-pagination`, or take it back with `x-pagination: false`, in an override";

/// The operations whose responses are pages, in the order of the document; and for what was only detected, where it does not fit and why.
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
        parameters(operation, pagination, &mut wrong);
        let pages = pages(model, operation, pagination, &mut wrong);
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

/// Writes the lists and numbers that have a name out where pages go through them: paging reads a list itself, and no type of that name.
pub(super) fn write_out(model: &mut Model) {
    let ways = model.operations.iter().filter_map(|operation| {
        let pagination = operation.pagination.as_ref()?;
        let offset = pagination.offset.as_ref().map(|name| format!("$.{name}"));
        let paths = [&pagination.items].into_iter().chain(&offset);
        let paths = paths.chain(&pagination.total).chain(&pagination.key);
        let steps: Vec<Vec<Step>> = paths.filter_map(|path| extensions::steps(path)).collect();
        Some((operation.success()?.clone(), steps))
    });
    let ways: Vec<(Place, Vec<Vec<Step>>)> = ways.collect();
    for (from, all) in &ways {
        for steps in all {
            write_out_along(model, from.clone(), steps);
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
                    member = said_beside(member, named.place.clone());
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

/// What a reference leads to, with what stands beside the reference.
fn said_beside(reference: Place, whole: Place) -> Place {
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

fn parameters(
    operation: &Operation,
    pagination: &Pagination,
    wrong: &mut impl FnMut(&str, String),
) {
    for (key, name, is_number) in [
        ("limit", pagination.limit.as_ref(), true),
        ("offset", pagination.offset.as_ref(), true),
        ("page", pagination.page.as_ref(), true),
        ("cursor", pagination.cursor.as_ref(), false),
        ("requires", pagination.requires.as_ref(), false),
    ] {
        let Some(name) = name else {
            continue;
        };
        match operation.parameter(name) {
            None => wrong(key, format!("`{name}` is not a parameter of the operation")),
            Some(parameter) => {
                if is_number && !matches!(parameter.kind, ParameterType::Integer(_)) {
                    wrong(key, format!("`{name}` is not a whole number"));
                }
                if key == "cursor" && parameter.location != Location::Query {
                    wrong(key, format!("`{name}` is not a parameter of the query"));
                }
            }
        }
    }
}

/// How the next page is asked for; `None`, with what is wrong, if nothing or several things say so.
fn style(
    model: &Model,
    operation: &Operation,
    pagination: &Pagination,
    wrong: &mut impl FnMut(&str, String),
) -> Option<PageStyle> {
    let mut leads = |key: &str, path: &Option<String>, kind: &str, is: fn(Scalar) -> bool| {
        let path = path.as_ref()?;
        let found = leaf(model, operation, path).filter(|(_, scalar)| is(*scalar));
        if found.is_none() {
            wrong(key, format!("`{path}` leads to no {kind} in the response"));
        }
        found.map(|(pointer, _)| pointer)
    };
    let is_cursor = |scalar| matches!(scalar, Scalar::Text | Scalar::Integer);
    let next = leads("next", &pagination.next, "string or integer", is_cursor);
    let pages = leads("pages", &pagination.pages, "integer", |scalar| {
        scalar == Scalar::Integer
    });
    let Pagination {
        offset,
        page,
        cursor,
        link,
        ..
    } = pagination;
    let said = match (offset, page, cursor, &pagination.next, link) {
        (Some(parameter), None, None, None, None) => PageStyle::Offset {
            parameter: parameter.clone(),
        },
        (None, Some(parameter), None, None, None) => PageStyle::Number {
            parameter: parameter.clone(),
            first: pagination.first.unwrap_or(1),
            pages,
        },
        (None, None, Some(parameter), Some(_), None) => PageStyle::Cursor {
            parameter: parameter.clone(),
            next: next?,
        },
        (None, None, None, Some(_), None) => PageStyle::Link { next: next? },
        (None, None, None, None, Some(relation)) => PageStyle::LinkHeader {
            relation: relation.clone(),
        },
        (None, None, Some(_), None, None) => {
            let message = "has no `next` beside it: the path of what it takes";
            wrong("cursor", message.to_owned());
            return None;
        }
        _ => {
            let message = "says by several things or by none how the next page is asked for: say `offset`, `page`, `cursor` with `next`, `next` alone, or `link`";
            wrong("", message.to_owned());
            return None;
        }
    };
    let is_numbered = matches!(said, PageStyle::Number { .. });
    for (key, is_said) in [
        ("first", pagination.first.is_some()),
        ("pages", pagination.pages.is_some()),
    ] {
        if is_said && !is_numbered {
            wrong(key, "goes with `page` alone".to_owned());
        }
    }
    if pagination.key.is_some() && !matches!(said, PageStyle::Offset { .. }) {
        let message =
            "goes with `offset` alone: several lists share no cursor, link or number of a page";
        wrong("key", message.to_owned());
    }
    let is_link = matches!(said, PageStyle::Link { .. } | PageStyle::LinkHeader { .. });
    if pagination.total.is_some() && is_link {
        let message = "goes with no link: a caller may begin anywhere, and the links tell the end";
        wrong("total", message.to_owned());
    }
    Some(said)
}

/// The JSON Pointer of a plain value that a path leads to, with `-1` for the last element of an array.
fn leaf(model: &Model, operation: &Operation, path: &str) -> Option<(String, Scalar)> {
    let steps = extensions::steps(path)?;
    let (_, place) = model.way(operation.success()?, &steps)?;
    let tokens = steps.iter().map(|step| match step {
        Step::Member(name) => Some(name.as_str()),
        Step::Last => Some("-1"),
        Step::Each => None,
    });
    let at = |at: String, token: Option<&str>| Some(pointer::join(&at, token?));
    let pointer = tokens.into_iter().try_fold(String::new(), at)?;
    Some((pointer, model.resolved(place).scalar()?))
}

fn pages(
    model: &Model,
    operation: &Operation,
    pagination: &Pagination,
    wrong: &mut impl FnMut(&str, String),
) -> Option<Pages> {
    let style = style(model, operation, pagination, wrong)?;
    let more = pagination.more.as_ref().and_then(|path| {
        let found = leaf(model, operation, path).filter(|(_, scalar)| *scalar == Scalar::Boolean);
        if found.is_none() {
            wrong(
                "more",
                format!("`{path}` leads to no boolean in the response"),
            );
        }
        found.map(|(pointer, _)| pointer)
    });
    let path = &pagination.items;
    let way = |path: &str| way(model, operation.success()?, path);
    let records = way(path).and_then(|(items, list)| {
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
    let is_several = |after: usize| items.iter().skip(after).any(|hop| hop.is_list);
    let mut branch = |key: &str, path: &str, kind: &str, is: &dyn Fn(&Place) -> bool| {
        let Some((hops, _)) = way(path).filter(|(_, value)| is(value)) else {
            wrong(key, format!("`{path}` leads to no {kind} in the response"));
            return None;
        };
        let after = hops.iter().zip(&items).take_while(|(a, b)| a == b).count();
        let hops: Vec<Hop> = hops.into_iter().skip(after).collect();
        if hops.iter().any(|hop| hop.is_list) {
            let message = "goes through a list that `items` does not go through";
            wrong(key, format!("`{path}` {message}"));
            return None;
        }
        Some(Branch { after, hops })
    };
    let total = pagination
        .total
        .as_ref()
        .and_then(|path| branch("total", path, "integer", &is_integer));
    let key = pagination
        .key
        .as_ref()
        .and_then(|path| branch("key", path, "string", &|value| model.is_text(value)));
    if let (Some(total), Some(path)) = (&total, &pagination.total)
        && is_several(total.after)
    {
        let message = "is one number for the several lists that `items` leads to";
        wrong("total", format!("`{path}` {message}"));
    }
    if pagination.key.is_none() && is_several(0) {
        let message = "leads to several lists, and there is no `key`: the path of the text that distinguishes them";
        wrong("items", format!("`{path}` {message}"));
    }
    if !matches!(style, PageStyle::Offset { .. }) && is_several(0) {
        let message = "leads to several lists, and only `offset` asks for the pages of several";
        wrong("items", format!("`{path}` {message}"));
    }
    let echoed = pagination.offset.as_ref();
    let echoed_offset = echoed
        .and_then(|offset| way(&format!("$.{offset}")))
        .filter(|(_, value)| is_integer(value))
        .and_then(|(mut hops, _)| hops.pop().filter(|_| hops.is_empty()));
    Some(Pages {
        operation: operation.id.clone(),
        style,
        more,
        items,
        item: item.clone(),
        total,
        key,
        echoed_offset,
    })
}

/// The way along a path. The elements of a body and of a list in a list belong to no name, so there is no way through them.
fn way<'m>(model: &'m Model, from: &'m Place, path: &str) -> Option<(Vec<Hop>, &'m Place)> {
    let steps = extensions::steps(path)?;
    let mut is_named = false;
    for step in &steps {
        is_named = match step {
            Step::Member(_) => true,
            Step::Each if is_named => false,
            Step::Each | Step::Last => return None,
        };
    }
    model.way(from, &steps).filter(|_| is_named)
}

/// Whether values are whole numbers by themselves, and neither by a name nor by a type of the runtime.
fn is_integer(place: &Place) -> bool {
    place.scalar() == Some(Scalar::Integer) && place.rust_type.is_none()
}

/// Whether the type of an element is known here: one with a name, a plain one, or any value.
fn is_record(model: &Model, item: &Place) -> bool {
    let is_collection = matches!(
        item.shape,
        Shape::List(_) | Shape::Tuple(_) | Shape::Map(_) | Shape::Object(_)
    );
    let is_chosen = |place: &Place| place.rust_type.is_some();
    !is_collection && !is_chosen(item) && !is_chosen(model.resolved(item))
}
