//! Reads the operations of a document. One that cannot be called correctly is left out, without an effect on the others.

use std::collections::BTreeMap;

use openapi_document::json::{elements_of, members_of, text_of};
use openapi_document::pointer;
use openapi_schemas::{Called, LeftOut, called, resolve};
use serde_json::Value;

use super::bodies::bodies;
use super::idempotency::mark_key;
use super::ids::{operation_ids, wanted};
use super::notes::Notes;
use super::operation::{CHANGE, Reader, deprecated, texts};
use super::responses::{other_responses, success};
use super::schemas::SchemaRegistry;
use super::titles::{Title, Titles};
use super::{paging, tails};
use crate::extensions::{Pagination, Price};
use crate::{Operation, Subset};

/// The rule of a document without operations.
pub(super) const NONE: &str = "no-operation";

/// Reads all operations. One that cannot be called correctly is left out; errors of the whole document are findings.
pub(super) fn read<'d>(
    notes: &mut Notes<'d>,
    registry: &mut SchemaRegistry<'d>,
    subset: &mut Subset,
) -> Vec<Operation> {
    let source = notes.source;
    let mut operations = Vec::new();
    let mut titles = Titles::default();
    let ids = operation_ids(&source.value);
    let cuts = tails::without_tails(&source.value);
    let mut error_places = BTreeMap::new();
    let mut has_any = false;
    for (path, _) in members_of(&source.value, "paths") {
        let at = pointer::join("/paths", path);
        if path.starts_with("x-") {
            continue;
        }
        if !path.starts_with('/') {
            let is_query = path.is_empty() || path.starts_with('?');
            let slash = if is_query { "" } else { "/" };
            let message =
                format!("`{path}` does not begin with `/`: it is called as `{slash}{path}`");
            notes.warn(
                "openapi-form",
                &at,
                message,
                "correct the path in an override",
            );
        }
        let Some((item_pointer, item)) = resolve(&source.value, &at) else {
            notes.warn(
                "path-reference",
                &at,
                format!("`{path}` is a reference that leads nowhere: its operations are left out"),
                "write the operations out, or remove the path, in an override",
            );
            continue;
        };
        for Called {
            method,
            below,
            value,
        } in called(item).filter(|one| one.value.is_object())
        {
            let method = method.as_str();
            has_any = true;
            let pointer = format!("{item_pointer}{below}");
            if !subset.has(method, path, &pointer, value) {
                continue;
            }
            let mut reader = Reader {
                notes,
                registry,
                ids: &ids,
                titles: &mut titles,
                cuts: &cuts,
                error_places: &mut error_places,
                path,
                item_pointer: item_pointer.clone(),
                pointer,
            };
            match reader.operation(method, item, value) {
                Ok(operation) => operations.push(operation),
                Err(reason) => {
                    let at = reader.pointer;
                    let left_out = LeftOut::new(method, path, reason, &at);
                    let help = "correct the document in an override, or call it with `Client::raw`";
                    notes.leave_out("left-out", &at, left_out, help);
                }
            }
        }
    }
    let has_webhooks = source.value.get("webhooks").is_some_and(Value::is_object);
    if !has_any && !has_webhooks && notes.findings.is_empty() {
        notes.wrong(
            NONE,
            "/paths",
            "the document has no operation, so there is nothing to generate",
            "add one, or delete the override that removes the last one",
        );
    }
    operations
}

/// The name of the builder of an operation.
const BUILDER_NAME: &str = "x-rust-type-name";

/// The names of an operation.
struct Named {
    id: String,
    known_as: String,
    title: Title,
}

impl Reader<'_, '_> {
    /// One operation; `Err` has the reason why it cannot be called correctly.
    fn operation(
        &mut self,
        method: &str,
        item: &Value,
        value: &Value,
    ) -> Result<Operation, String> {
        let Named {
            id,
            known_as,
            title,
        } = self.named(method, value);
        let type_name = title.builder;
        let lists = [(&self.item_pointer, item), (&self.pointer, value)].map(|(at, holder)| {
            let count = elements_of(holder, "parameters").len();
            (format!("{at}/parameters"), count)
        });
        let success = success(self, method, value, &type_name);
        let bodies = bodies(self, value, &type_name)?;
        let mut parameters = self.parameters(&lists, &type_name)?;
        mark_key(self, method, value, &mut parameters);
        Ok(Operation {
            known_as,
            handle: None,
            tag: None,
            group: None,
            module: None,
            rust_name: title.method,
            method: method.to_owned(),
            path: self.path.to_owned(),
            is_deprecated: deprecated(value).is_some(),
            text: texts(value, &["summary", "description"])
                .into_iter()
                .chain(deprecated(value))
                .collect(),
            parameters,
            bodies,
            body_name: String::new(),
            output: success.output,
            accept: success.accept,
            streamed: success.streamed,
            stream_items: success.stream_items,
            other_responses: other_responses(self, value, &type_name),
            success_pointer: success.pointer,
            pagination: self.pagination(value),
            waiter: self.extension(value, "x-waiter"),
            prices: self.prices(value),
            credits_by: self.extension(value, "x-credits-by"),
            fresh_for: self.extension(value, "x-fresh-for"),
            pointer: self.pointer.clone(),
            id,
            type_name: self.builder(value, type_name),
        })
    }

    /// Returns the names of an operation. Warns where it does not get its own.
    fn named(&mut self, method: &str, value: &Value) -> Named {
        let wanted = wanted(self.path, method, value);
        let id = self.ids.get(&(self.path, method.to_owned()));
        let id = id.unwrap_or(&wanted).clone();
        let given = text_of(value, "x-rust-name");
        let name = given.unwrap_or(&id);
        let known_as = text_of(value, "x-operation-id").unwrap_or(name).to_owned();
        let cut = self.cuts.get(name).filter(|_| name == id);
        let title = self.titles.take(cut.map_or(name, String::as_str));
        let is_second = given.is_none() && id != wanted;
        if title.is_renamed || is_second {
            let why = if is_second {
                "another operation has the same id"
            } else {
                "its own name is taken"
            };
            let message = format!(
                "`{}` becomes the method `{}` and the builder `{}`, because {why}",
                given.unwrap_or(&wanted),
                title.method,
                title.builder
            );
            let help = "give it another name with `x-rust-name` in an override";
            self.notes
                .warn("operation-name", &self.pointer, message, help);
        }
        Named {
            id,
            known_as,
            title,
        }
    }

    /// Returns the paging of the operation by `x-pagination`; `false` stands for none.
    fn pagination(&mut self, value: &Value) -> Option<Pagination> {
        match value.get(paging::OWN) {
            Some(Value::Bool(false)) => None,
            _ => self.extension(value, paging::OWN),
        }
    }

    /// The type of the builder: the one that the document names, and otherwise `own`.
    fn builder(&mut self, value: &Value, own: String) -> String {
        let Some(wanted) = self.extension::<String>(value, BUILDER_NAME) else {
            return own;
        };
        if self.titles.rename(&wanted) {
            return wanted;
        }
        let message =
            format!("the builder stays `{own}`: `{wanted}` is taken, or is not a type name");
        let help = format!("give it another name with `{BUILDER_NAME}`");
        self.notes
            .warn("operation-name", &self.pointer, message, &help);
        own
    }

    fn prices(&mut self, value: &Value) -> Vec<Price> {
        let prices: Vec<Price> = self.extension(value, "x-credits").unwrap_or_default();
        for (index, price) in prices.iter().enumerate() {
            if price.micros().is_none() {
                let at = format!("{}/x-credits/{index}", self.pointer);
                let message = format!(
                    "{} is not an amount of credits with at most six decimals",
                    price.credits
                );
                self.notes.wrong("credits", &at, message, CHANGE);
            }
        }
        prices
    }
}
