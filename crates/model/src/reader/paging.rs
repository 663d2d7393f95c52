//! The location of an operation's records, and the check of `x-pagination` against the document.

use openapi_document::pointer;
use openapi_document::source::Source;

use super::notes::Notes;
use crate::extensions::{self, Pagination, Step};
use crate::{
    Branch, Content, Model, Operation, Output, PageStyle, Pages, PathMember, Place, Scalar, Shape,
};

mod asked;
mod detect;
mod members;
mod names;
mod targets;
mod written_out;

pub(super) use detect::{detect, retain};
pub(super) use written_out::write_out;

const HELP: &str = "correct the override that writes `x-pagination`";
/// The extension that says how an operation pages.
pub(super) const OWN: &str = "x-pagination";

/// The path of records in a body that is the array.
const BODY: &str = "$";

/// Returns the operations whose responses are pages, in the order of the document.
pub(super) fn read(notes: &mut Notes<'_>, model: &Model) -> Vec<Pages> {
    let paged = model.operations.iter().filter_map(|operation| {
        let pagination = operation.pagination.as_ref()?;
        let (pages, problems) = Paged::read(model, notes.source, operation, pagination);
        if pagination.is_detected && !problems.is_empty() {
            return None;
        }
        for Problem { key, message } in problems {
            let mut at = pointer::join(&operation.pointer, OWN);
            if !key.is_empty() {
                at = pointer::join(&at, key);
            }
            notes.wrong("pagination", &at, message, HELP);
        }
        pages
    });
    paged.collect()
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

/// An operation with its `x-pagination`.
struct Paged<'m> {
    model: &'m Model,
    source: &'m Source,
    operation: &'m Operation,
    pagination: &'m Pagination,
    problems: Vec<Problem>,
}

/// A problem of a member of `x-pagination`; of the whole, if the key is empty.
struct Problem {
    key: &'static str,
    message: String,
}

/// The list of records in a response, its members on the path there, and its elements.
struct Records<'m> {
    items: Vec<PathMember>,
    item: &'m Place,
}

impl Records<'_> {
    /// Returns whether the path leads to several lists, from a member on.
    fn is_several(&self, after: usize) -> bool {
        self.items.iter().skip(after).any(|member| member.is_list)
    }
}

impl<'m> Paged<'m> {
    /// Returns the pages of an operation, and the problems of its `x-pagination`.
    fn read(
        model: &'m Model,
        source: &'m Source,
        operation: &'m Operation,
        pagination: &'m Pagination,
    ) -> (Option<Pages>, Vec<Problem>) {
        let problems = Vec::new();
        let mut paged = Self {
            model,
            source,
            operation,
            pagination,
            problems,
        };
        (paged.pages(), paged.problems)
    }

    fn wrong(&mut self, key: &'static str, message: impl Into<String>) {
        let message = message.into();
        self.problems.push(Problem { key, message });
    }

    fn pages(&mut self) -> Option<Pages> {
        let (model, pagination) = (self.model, self.pagination);
        let limit = self.target("limit", &pagination.limit, true);
        if let Some(requires) = &pagination.requires
            && let Err(problem) = self.parameter("requires", requires, false)
        {
            self.wrong("requires", format!("`{requires}` {problem}"));
        }
        let style = self.style()?;
        let more = self.source("more", &pagination.more, "boolean", &[Scalar::Boolean]);
        let records = self.records()?;
        let header = pagination.total.as_deref();
        let header = header.and_then(extensions::response_header);
        let total_header = header.and_then(|name| self.header("total", name));
        let total = pagination.total.as_ref().filter(|_| header.is_none());
        let total =
            total.and_then(|path| self.branch(&records, "total", path, "integer", is_integer));
        let key = pagination.key.as_ref().and_then(|path| {
            self.branch(&records, "key", path, "string", |value| {
                model.is_text(value)
            })
        });
        let total_after = match header {
            Some(_) => Some(0),
            None => total.as_ref().map(|total| total.after),
        };
        self.check_lists(&style, &records, total_after);
        let total_pointers = pagination.total.as_ref().filter(|_| total.is_some());
        Some(Pages {
            operation: self.operation.id.clone(),
            style,
            more,
            limit,
            short_is_last: pagination.short_is_last,
            list: if pagination.absent_is_empty {
                Vec::new()
            } else {
                self.body_pointers(&pagination.items)
            },
            total_pointers: total_pointers.map_or(Vec::new(), |path| self.body_pointers(path)),
            items: records.items,
            item: records.item.clone(),
            total,
            total_header,
            key,
            echoed_offset: self.echoed_offset(),
        })
    }

    /// Returns the records of a response. Notes that there are none.
    fn records(&mut self) -> Option<Records<'m>> {
        let path = &self.pagination.items;
        let list = match path.as_str() {
            BODY => self.operation.success().map(|body| (Vec::new(), body)),
            path => self.follow(path),
        };
        let records = list.and_then(|(items, list)| {
            let item = list.items().filter(|_| list.rust_type.is_none())?;
            Some(Records { items, item })
        });
        match &records {
            None => {
                let message = format!("`{path}` leads to no array in the response");
                self.wrong("items", message);
            }
            Some(records) if !is_record(self.model, records.item) => {
                let message = "leads to an array of maps, of lists or of a type of the runtime: none of them is a record";
                self.wrong("items", format!("`{path}` {message}"));
            }
            Some(_) => {}
        }
        records
    }

    /// Returns the path of a value that is of one list of records. Notes that there is none.
    fn branch(
        &mut self,
        records: &Records<'_>,
        key: &'static str,
        path: &str,
        kind: &str,
        is_kind: impl Fn(&Place) -> bool,
    ) -> Option<Branch> {
        let Some((members, _)) = self.follow(path).filter(|(_, value)| is_kind(value)) else {
            self.wrong(key, format!("`{path}` leads to no {kind} in the response"));
            return None;
        };
        let pairs = members.iter().zip(&records.items);
        let after = pairs.take_while(|(a, b)| a == b).count();
        let members: Vec<PathMember> = members.into_iter().skip(after).collect();
        if members.iter().any(|member| member.is_list) {
            let message = "passes through a list that `items` does not pass through";
            self.wrong(key, format!("`{path}` {message}"));
            return None;
        }
        Some(Branch { after, members })
    }

    /// Notes what several lists of records do not have. `total_after` is the member of their path from which on a total holds.
    fn check_lists(
        &mut self,
        style: &PageStyle,
        records: &Records<'_>,
        total_after: Option<usize>,
    ) {
        let path = &self.pagination.items;
        if let (Some(after), Some(total)) = (total_after, &self.pagination.total)
            && records.is_several(after)
        {
            let message = "is one number for the several lists that `items` leads to";
            self.wrong("total", format!("`{total}` {message}"));
        }
        if self.pagination.key.is_none() && records.is_several(0) {
            let message = "leads to several lists, and there is no `key`: the path of the string that distinguishes them";
            self.wrong("items", format!("`{path}` {message}"));
        }
        if !matches!(style, PageStyle::Offset { .. }) && records.is_several(0) {
            let message = "leads to several lists, and only `offset` asks for the pages of several";
            self.wrong("items", format!("`{path}` {message}"));
        }
    }

    /// The JSON Pointers of a path in the body; none for a header.
    fn body_pointers(&self, path: &str) -> Vec<String> {
        if path == BODY {
            return vec![String::new()];
        }
        let steps = extensions::steps(path).unwrap_or_default();
        let body = self.operation.success();
        let pointers = body.and_then(|body| self.model.pointers(body, &steps));
        pointers.unwrap_or_default()
    }

    /// Returns the member of the body that repeats the offset.
    fn echoed_offset(&self) -> Option<PathMember> {
        let path = self.pagination.echoed_offset()?;
        let (mut members, value) = self.follow(&path)?;
        let member = members.pop().filter(|_| members.is_empty());
        member.filter(|_| is_integer(value))
    }

    /// Follows a path. The elements of a body and of a list in a list belong to no name, so there is no path through them.
    fn follow(&self, path: &str) -> Option<(Vec<PathMember>, &'m Place)> {
        let steps = extensions::steps(path)?;
        let mut is_named = false;
        for step in &steps {
            is_named = match step {
                Step::Member(_) => true,
                Step::Each if is_named => false,
                Step::Each | Step::Last => return None,
            };
        }
        let model = self.model;
        let found = model.follow(self.operation.success()?, &steps);
        found.filter(|_| is_named)
    }
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
    let mut places = [item, model.resolved(item)].into_iter();
    !is_collection && places.all(|place| place.rust_type.is_none())
}
