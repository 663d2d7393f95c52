//! Finds the operations whose parameters and responses agree on how they page. An operation where they only nearly agree does not page.

use std::collections::HashSet;

use openapi_document::readable;
use openapi_document::source::Source;
use openapi_schemas::resolve;

use super::OWN;
use super::asked::{Asked, first_page, says};
use super::members::{Member, Members};
use super::names::{
    AFTER, FLAGS, LAST_ID_MEMBERS, LINKS, PAGE_COUNTS, SAME_NAMES, TOTALS, is_container, plain,
};
use crate::extensions::Pagination;
use crate::{Detection, Model, Operation, Scalar};

/// The sign that an operation pages, and its style.
struct Sign {
    pagination: Pagination,
    reason: String,
}

/// Returns the operations that page without an extension. Each gets the `Pagination` that `x-pagination` would declare.
pub(in crate::reader) fn detect(model: &mut Model, source: &Source) -> Vec<Detection> {
    let mut detections = Vec::new();
    let mut found = Vec::new();
    for (index, operation) in model.operations.iter().enumerate() {
        let declared = source.value.pointer(&operation.pointer);
        let is_said = declared.is_some_and(|one| one.get(OWN).is_some());
        let Some(sign) = sign(model, source, operation).filter(|_| !is_said) else {
            continue;
        };
        found.push((index, sign.pagination.clone()));
        detections.push(Detection {
            operation: readable::line(&operation.known_as).replace('`', "'"),
            pointer: operation.pointer.clone(),
            pagination: sign.pagination,
            reason: sign.reason,
        });
    }
    for (index, pagination) in found {
        if let Some(operation) = model.operations.get_mut(index) {
            operation.pagination = Some(pagination);
        }
    }
    detections
}

/// Removes the detections of operations that do not page after all.
pub(in crate::reader) fn retain(model: &mut Model) {
    let paged: HashSet<&str> = model.pages.iter().map(|one| &*one.operation).collect();
    let operations = model.operations.iter();
    let paged: HashSet<&str> = operations
        .filter(|one| paged.contains(one.id.as_str()))
        .map(|one| one.pointer.as_str())
        .collect();
    model
        .detections
        .retain(|one| paged.contains(one.pointer.as_str()));
}

fn sign(model: &Model, source: &Source, operation: &Operation) -> Option<Sign> {
    // A POST may do more than read.
    if !matches!(operation.method.as_str(), "GET" | "QUERY") {
        return None;
    }
    let asked = Asked::by(operation);
    if asked.texts.is_empty() && asked.any().is_none() {
        return None;
    }
    let members = Members::of(model, operation.success()?);
    let [records] = members.lists.as_slice() else {
        return None;
    };
    let has_link_header = has_link_header(source, operation);
    let reading = Reading {
        model,
        records,
        members: &members,
        asked: &asked,
    };
    let signs = [
        reading.cursor(),
        reading.same_name(),
        reading.last_id(),
        reading.link_header(has_link_header),
        reading.link(),
        reading.number(),
        reading.offset(),
        reading.last_id_without_flag(),
    ];
    signs.into_iter().flatten().next()
}

fn has_link_header(source: &Source, operation: &Operation) -> bool {
    let response = resolve(&source.value, &operation.success_pointer);
    let headers = response.and_then(|(_, response)| response.get("headers")?.as_object());
    let mut names = headers.into_iter().flat_map(|headers| headers.keys());
    names.any(|name| name.eq_ignore_ascii_case("link"))
}

struct Reading<'r, 'm> {
    model: &'m Model,
    records: &'r Member<'m>,
    members: &'r Members<'m>,
    asked: &'r Asked<'m>,
}

impl Reading<'_, '_> {
    fn cursor(&self) -> Option<Sign> {
        let (cursor, names) = self.asked.cursor?;
        let name = &cursor.name;
        if self.counts() || self.goes_back() {
            return None;
        }
        let known = self.members.one(names, is_cursor);
        // It may be an address, unless something says what `after` takes.
        let is_said = self.flag().is_some() || says(cursor, &["cursor", "id", "identifier"]);
        let bare = self.members.one(&["next"], is_cursor);
        let bare = bare.filter(|_| is_said && plain(name) == AFTER);
        let next = known.or(bare)?.path();
        let reason = format!("`{name}` takes `{next}`");
        Some(self.by_cursor(name, next, self.flag(), reason))
    }

    /// A parameter that takes a cursor, and a member of the same name in an object with the metadata of a page.
    fn same_name(&self) -> Option<Sign> {
        let found = self.asked.texts.iter().find_map(|parameter| {
            let name = plain(&parameter.name);
            let is_known = SAME_NAMES.contains(&name.as_str());
            let next = self.members.one(&[&name], |one| {
                is_known && is_cursor(one) && is_container(&one.container())
            })?;
            Some((parameter, next.path()))
        });
        let (parameter, next) = found?;
        let name = &parameter.name;
        // The name itself is that of the direction.
        let has_direction = plain(name).contains(AFTER);
        if self.counts() || self.goes_back() && !has_direction {
            return None;
        }
        let reason = format!("`{name}` takes `{next}`, which has the same name");
        Some(self.by_cursor(name, next, self.flag(), reason))
    }

    /// The description has to say what `after` takes, if no member is named for it: it may be a time.
    fn last_id(&self) -> Option<Sign> {
        let parameter = self.asked.last_id?;
        let name = &parameter.name;
        let more = self.flag()?;
        let last = self
            .members
            .one(&LAST_ID_MEMBERS, is_text)
            .map(Member::path);
        let is_said = last.is_some()
            || plain(name) != AFTER
            || says(parameter, &["id", "identifier"])
            || says(parameter, &["cursor"]) && !self.members.have("cursor");
        if self.counts() || !is_said {
            return None;
        }
        let (next, what) = match last {
            Some(last) => (last.clone(), format!("`{last}`")),
            None => (self.id()?, "the `id` of the last record".to_owned()),
        };
        let reason = format!("`{name}` takes {what}, and `{more}` says whether there are more");
        Some(self.by_cursor(name, next, Some(more), reason))
    }

    /// Without a flag, an empty page is the end. The description has to say that the parameter takes an identifier.
    fn last_id_without_flag(&self) -> Option<Sign> {
        let parameter = self.asked.last_id?;
        self.asked.limit?;
        let name = &parameter.name;
        let is_said = says(parameter, &["id", "identifier"]);
        if self.counts() || self.goes_back() || !is_said {
            return None;
        }
        let reason = format!("`{name}` takes the `id` of the last record");
        Some(self.by_cursor(name, self.id()?, None, reason))
    }

    /// The path of the last record's `id`, if that is a string.
    fn id(&self) -> Option<String> {
        let record = self.records.place.items()?;
        let mut properties = self.model.resolved(record).properties().iter();
        let id = properties.find(|property| property.name == "id")?;
        let is_text = self.model.is_text(&id.place);
        is_text.then(|| format!("{}[-1].id", self.records.path()))
    }

    fn link_header(&self, has_link_header: bool) -> Option<Sign> {
        let asked = self.asked.any().filter(|_| has_link_header)?;
        Some(Sign {
            reason: format!(
                "the response has the header `Link`, and `{}` is a parameter",
                asked.name
            ),
            pagination: Pagination {
                link: Some("next".to_owned()),
                ..self.pagination()
            },
        })
    }

    fn link(&self) -> Option<Sign> {
        let asked = self.asked.any()?;
        let next = self.members.one(&LINKS, is_address)?.path();
        if self.goes_back() {
            return None;
        }
        Some(Sign {
            reason: format!(
                "`{next}` is the address of the next page, and `{}` is a parameter",
                asked.name
            ),
            pagination: Pagination {
                next: Some(next),
                ..self.pagination()
            },
        })
    }

    fn number(&self) -> Option<Sign> {
        let page = self.asked.page?;
        let (name, first) = (&page.name, first_page(page)?);
        let pagination = Pagination {
            page: Some(name.clone()),
            first: (first != 1).then_some(first),
            pages: self.integer(&PAGE_COUNTS),
            total: self.integer(&TOTALS),
            more: self.flag(),
            ..self.pagination()
        };
        let end = end(&pagination)?;
        Some(Sign {
            reason: format!("`{name}` counts pages from {first}, and {end}"),
            pagination,
        })
    }

    fn offset(&self) -> Option<Sign> {
        let name = &self.asked.offset?.name;
        self.asked.limit?;
        let pagination = Pagination {
            offset: Some(name.clone()),
            total: self.integer(&TOTALS),
            more: self.flag(),
            ..self.pagination()
        };
        let end = end(&pagination)?;
        Some(Sign {
            reason: format!("`{name}` skips records, and {end}"),
            pagination,
        })
    }

    /// Returns the sign of a parameter that takes the value at a path of the response.
    fn by_cursor(&self, name: &str, next: String, more: Option<String>, reason: String) -> Sign {
        Sign {
            pagination: Pagination {
                cursor: Some(name.to_owned()),
                next: Some(next),
                more,
                ..self.pagination()
            },
            reason,
        }
    }

    /// Returns whether a parameter that counts records or pages requests pages, too.
    fn counts(&self) -> bool {
        self.asked.offset.is_some() || self.asked.page.is_some()
    }

    /// Returns whether a parameter requests earlier pages, so that the next page may be either.
    fn goes_back(&self) -> bool {
        self.asked.backwards.is_some()
    }

    /// Returns the common part of all styles.
    fn pagination(&self) -> Pagination {
        Pagination {
            items: self.records.path(),
            limit: self.asked.limit.map(|limit| limit.name.clone()),
            is_detected: true,
            ..Pagination::default()
        }
    }

    fn flag(&self) -> Option<String> {
        self.scalar(&FLAGS, Scalar::Boolean)
    }

    fn integer(&self, names: &[&str]) -> Option<String> {
        self.scalar(names, Scalar::Integer)
    }

    /// Returns the path of a member of the page.
    fn scalar(&self, names: &[&str], scalar: Scalar) -> Option<String> {
        let found = self.members.one(names, |one| {
            one.is_of_page && one.place.scalar() == Some(scalar)
        });
        found.map(Member::path)
    }
}

/// Returns what a response says of the end of the pages.
fn end(pagination: &Pagination) -> Option<String> {
    let said = (&pagination.pages, &pagination.total, &pagination.more);
    match said {
        (Some(pages), ..) => Some(format!("`{pages}` is the number of pages")),
        (_, Some(total), _) => Some(format!("`{total}` is the number of records")),
        (_, _, Some(more)) => Some(format!("`{more}` says whether there are more")),
        _ => None,
    }
}

/// Returns whether values are strings that no format makes addresses.
fn is_cursor(one: &Member<'_>) -> bool {
    is_text(one) && !has_address_format(one)
}

/// Returns whether values are addresses of other pages.
fn is_address(one: &Member<'_>) -> bool {
    let mut ends = ["url", "uri", "link", "href"].iter();
    let is_called_so = ends.any(|end| one.ends_with(end));
    let is_among_links = ["links", "next"].contains(&one.container().as_str());
    one.is_of_page && is_text(one) && (is_called_so || is_among_links || has_address_format(one))
}

fn has_address_format(one: &Member<'_>) -> bool {
    let format = one.place.format.as_deref();
    matches!(format, Some("uri" | "uri-reference" | "url"))
}

fn is_text(one: &Member<'_>) -> bool {
    one.place.is_string()
}
