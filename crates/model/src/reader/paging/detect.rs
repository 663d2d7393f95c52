//! Finds the operations whose parameters and responses agree on how they page. If they agree, the operation pages. If they nearly
//! agree, the detection is doubtful, and changes nothing.

use std::collections::BTreeMap;

use openapi_document::readable;
use openapi_document::source::Source;
use openapi_schemas::resolve;

use super::asked::{Asked, first_page, says};
use super::foreign;
use super::members::{Member, Members};
use super::names::{
    AFTER, FLAGS, LAST_ID_MEMBERS, LINKS, PAGE_COUNTS, SAME_NAMES, TOTALS, is_container, plain,
};
use crate::extensions::{Origin, Pagination};
use crate::{Detection, Model, Operation, Scalar};

/// The sign that an operation pages, and its style.
struct Sign {
    pagination: Pagination,
    reason: String,
    doubt: Option<String>,
}

/// Returns the operations that page, or may, without an extension. Certain ones get the `Pagination` that `x-pagination` would declare.
pub(in crate::reader) fn detect(model: &mut Model, source: &Source) -> Vec<Detection> {
    let mut detections = Vec::new();
    let mut certain = Vec::new();
    for (index, operation) in model.operations.iter().enumerate() {
        if let Some(whole) = completed(model, operation) {
            certain.push((index, whole));
            continue;
        }
        let declared = source.value.pointer(&operation.pointer);
        let is_said = declared.is_some_and(foreign::says_anything);
        let Some(sign) = sign(model, source, operation).filter(|_| !is_said) else {
            continue;
        };
        if sign.doubt.is_none() {
            certain.push((index, sign.pagination.clone()));
        }
        detections.push(Detection {
            operation: readable::line(&operation.known_as).replace('`', "'"),
            pointer: operation.pointer.clone(),
            pagination: sign.pagination,
            reason: sign.reason,
            doubt: sign.doubt,
        });
    }
    for (index, pagination) in certain {
        if let Some(operation) = model.operations.get_mut(index) {
            operation.pagination = Some(pagination);
        }
    }
    detections
}

/// Doubts what does not fit after all, by the pointers of the operations.
pub(in crate::reader) fn doubt(detections: &mut [Detection], mut doubts: BTreeMap<String, String>) {
    for detection in detections {
        detection.doubt = detection
            .doubt
            .take()
            .or_else(|| doubts.remove(&detection.pointer));
    }
}

/// Completes an extension of another tool: the location of the records, and whether pages count from 0.
fn completed(model: &Model, operation: &Operation) -> Option<Pagination> {
    let declared = operation.pagination.as_ref()?;
    if !matches!(declared.origin, Origin::Foreign(_)) {
        return None;
    }
    let mut whole = declared.clone();
    let page = declared
        .page
        .as_deref()
        .and_then(|name| operation.parameter(name));
    whole.first = page.and_then(first_page);
    if declared.items.is_empty()
        && let [records] = Members::of(model, operation.success()?).lists.as_slice()
    {
        whole.items = records.path();
    }
    Some(whole)
}

fn sign(model: &Model, source: &Source, operation: &Operation) -> Option<Sign> {
    if !matches!(operation.method.as_str(), "GET" | "POST" | "QUERY") {
        return None;
    }
    let asked = Asked::by(operation);
    if asked.texts.is_empty() && asked.any().is_none() && asked.pair.is_none() {
        return None;
    }
    let members = Members::of(model, operation.success()?);
    let records = members.lists.first()?;
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
        reading.pair(),
    ];
    let mut signs: Vec<Sign> = signs.into_iter().flatten().collect();
    signs.sort_by_key(|sign| (sign.doubt.is_some(), !sign.pagination.is_whole()));
    let mut sign = signs.into_iter().next()?;
    if operation.method == "POST" {
        let doubt = "it is a POST, which may do more than read";
        sign.doubt = Some(doubt.to_owned());
    }
    if members.lists.len() > 1 {
        let lists = members
            .lists
            .iter()
            .map(|list| format!("`{}`", list.path()));
        let lists = lists.collect::<Vec<_>>().join(", ");
        sign.doubt = Some(format!("the response has several arrays: {lists}"));
    }
    Some(sign)
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
        let known = self.members.one(names, is_cursor);
        let bare = self.members.one(&["next"], is_cursor);
        let bare = bare.filter(|_| known.is_none() && plain(name) == AFTER);
        let is_said = self.flag().is_some() || says(cursor, &["cursor", "id", "identifier"]);
        let address = bare.filter(|_| !is_said);
        let address = address.map(|next| format!("`{}` may be an address", next.path()));
        let next = known.or(bare).map(Member::path);
        let (reason, doubt) = match &next {
            Some(next) => (
                format!("`{name}` takes `{next}`"),
                self.other().or_else(|| self.goes_back()).or(address),
            ),
            None => {
                let doubt = "no known member of the response holds the next cursor".to_owned();
                (format!("`{name}` takes a cursor"), Some(doubt))
            }
        };
        let same = self.members.one(&[&plain(name)], is_text);
        let pagination = Pagination {
            cursor: Some(name.clone()),
            next: next.or(same.map(Member::path)),
            more: self.flag(),
            ..self.pagination()
        };
        Some(Sign {
            pagination,
            reason,
            doubt,
        })
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
        let back = self.goes_back().filter(|_| !plain(name).contains(AFTER));
        Some(Sign {
            reason: format!("`{name}` takes `{next}`, which has the same name"),
            pagination: Pagination {
                cursor: Some(name.clone()),
                next: Some(next),
                more: self.flag(),
                ..self.pagination()
            },
            doubt: self.other().or(back),
        })
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
        let (next, what) = match last {
            Some(last) => (last.clone(), format!("`{last}`")),
            None => (self.id()?, "the `id` of the last record".to_owned()),
        };
        Some(Sign {
            reason: format!("`{name}` takes {what}, and `{more}` says whether there are more"),
            pagination: Pagination {
                cursor: Some(name.clone()),
                next: Some(next),
                more: Some(more),
                ..self.pagination()
            },
            doubt: self.other().or_else(|| unsaid(name, is_said)),
        })
    }

    /// Without a flag, an empty page is the end. The description has to say that the parameter takes an identifier.
    fn last_id_without_flag(&self) -> Option<Sign> {
        let parameter = self.asked.last_id?;
        self.asked.limit?;
        let name = &parameter.name;
        let is_said = says(parameter, &["id", "identifier"]);
        Some(Sign {
            reason: format!("`{name}` takes the `id` of the last record"),
            pagination: Pagination {
                cursor: Some(name.clone()),
                next: Some(self.id()?),
                ..self.pagination()
            },
            doubt: (self.other())
                .or_else(|| self.goes_back())
                .or_else(|| unsaid(name, is_said)),
        })
    }

    /// The path of the last record's `id`, if that is a string.
    fn id(&self) -> Option<String> {
        let record = self.records.place.items()?;
        let mut properties = self.model.resolved(record).properties().iter();
        let id = properties.find(|property| property.name == "id")?;
        let is_text = self.model.is_text(&id.place);
        is_text.then(|| format!("{}[-1].id", self.records.path()))
    }

    /// Parameters that look like the position and the size of a page, whatever their types.
    fn pair(&self) -> Option<Sign> {
        let [position, size] = self.asked.pair?;
        Some(Sign {
            reason: format!("`{}` and `{}` are parameters", position.name, size.name),
            pagination: Pagination {
                origin: Origin::Detected,
                ..Pagination::default()
            },
            doubt: Some("their types, or the response, fit no known kind of paging".to_owned()),
        })
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
            doubt: None,
        })
    }

    fn link(&self) -> Option<Sign> {
        let asked = self.asked.any()?;
        let next = self.members.one(&LINKS, is_address)?.path();
        Some(Sign {
            reason: format!(
                "`{next}` is the address of the next page, and `{}` is a parameter",
                asked.name
            ),
            pagination: Pagination {
                next: Some(next),
                ..self.pagination()
            },
            doubt: self.goes_back(),
        })
    }

    fn number(&self) -> Option<Sign> {
        let page = self.asked.page?;
        let (name, first) = (&page.name, first_page(page));
        let pagination = Pagination {
            page: Some(name.clone()),
            first: first.filter(|first| *first != 1),
            pages: self.integer(&PAGE_COUNTS),
            total: self.integer(&TOTALS),
            more: self.flag(),
            ..self.pagination()
        };
        let end = end(&pagination);
        let doubt = match (first, &end) {
            (None, _) => Some("nothing says whether the first page is 0 or 1"),
            (_, None) => Some(NO_END),
            _ => None,
        };
        let reason = match (first, end) {
            (Some(first), Some(end)) => format!("`{name}` counts pages from {first}, and {end}"),
            _ => format!("`{name}` counts pages"),
        };
        Some(Sign {
            pagination,
            reason,
            doubt: doubt.map(str::to_owned),
        })
    }

    fn offset(&self) -> Option<Sign> {
        let name = &self.asked.offset?.name;
        let pagination = Pagination {
            offset: Some(name.clone()),
            total: self.integer(&TOTALS),
            more: self.flag(),
            ..self.pagination()
        };
        let end = end(&pagination);
        let doubt = match (&end, self.asked.limit) {
            (None, _) => Some(NO_END),
            (_, None) => Some("no parameter is known to bound a page"),
            _ => None,
        };
        let reason = match end {
            Some(end) => format!("`{name}` skips records, and {end}"),
            None => format!("`{name}` skips records"),
        };
        Some(Sign {
            pagination,
            reason,
            doubt: doubt.map(str::to_owned),
        })
    }

    /// The doubt of a cursor beside a parameter that counts.
    fn other(&self) -> Option<String> {
        let other = self.asked.offset.or(self.asked.page)?;
        Some(format!("`{}` requests pages, too", other.name))
    }

    fn goes_back(&self) -> Option<String> {
        let backwards = self.asked.backwards?;
        let doubt = "`{}` requests earlier pages, so the next page may be either";
        Some(doubt.replace("{}", &backwards.name))
    }

    /// Returns the common part of all styles.
    fn pagination(&self) -> Pagination {
        Pagination {
            items: self.records.path(),
            limit: self.asked.limit.map(|limit| limit.name.clone()),
            origin: Origin::Detected,
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

/// The doubt of a response that does not show its place among the pages.
const NO_END: &str = "no known member of the response shows the end of the pages";

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

/// The doubt of a parameter that may take something else than an identifier.
fn unsaid(name: &str, is_said: bool) -> Option<String> {
    (!is_said).then(|| format!("nothing says that `{name}` takes an `id`"))
}
