//! Reads an Overlay, checked against the schema of its version.

use std::collections::HashSet;

use openapi_document::finding::Finding;
use openapi_document::source::Source;
use serde_json::{Map, Value};

use super::form::{Form, NEWEST};
use super::model::{Action, Overlay};
use super::reusable::{Reusable, Reusables, referred, reusables};

impl Overlay {
    /// Reads an Overlay out of a parsed file, or says everything that is wrong with it.
    pub fn read(source: &Source) -> Result<Self, Vec<Finding>> {
        let mut form = Form {
            source,
            minor: 0,
            findings: Vec::new(),
        };
        let overlay = overlay(&mut form);
        match overlay {
            Some(overlay) if form.findings.is_empty() => Ok(overlay),
            _ => Err(form.findings),
        }
    }
}

fn overlay(form: &mut Form<'_>) -> Option<Overlay> {
    let root = form.object("", &form.source.value)?;
    let version = form.text("", root, "overlay", true);
    let minor = version.map(|version| (0..=NEWEST).find(|minor| is_of(version, *minor)));
    // Of a later version the newest that is known says the most.
    form.minor = minor.map_or(0, |minor| minor.unwrap_or(NEWEST));
    let known: &[&str] = if form.has_reusables() {
        &[
            "overlay",
            "$self",
            "info",
            "extends",
            "actions",
            "components",
        ]
    } else {
        &["overlay", "info", "extends", "actions"]
    };
    form.only("", root, known);
    if let (Some(version), Some(None)) = (version, minor) {
        form.wrong(
            "/overlay",
            format!("Overlay version `{version}` is not supported: 1.0, 1.1 and 1.2 are"),
        );
    }
    form.document(root, "$self");
    form.document(root, "extends");
    let title = info(form, root);
    let reusables = reusables(form, root);
    let actions = match root.get("actions") {
        Some(Value::Array(items)) if !items.is_empty() => {
            let mut earlier = HashSet::new();
            for (index, item) in items.iter().enumerate() {
                if !earlier.insert(item) {
                    form.wrong(
                        &format!("/actions/{index}"),
                        "this action repeats an earlier one",
                    );
                }
            }
            let items = items.iter().enumerate();
            items
                .filter_map(|(index, item)| action(form, index, item, &reusables))
                .collect()
        }
        Some(_) => {
            form.wrong("/actions", "`actions` is a list of at least one action");
            Vec::new()
        }
        None => {
            form.wrong("", "`actions` is missing");
            Vec::new()
        }
    };
    Some(Overlay {
        title: title.to_owned(),
        actions,
        extensions: root
            .iter()
            .filter(|(key, _)| key.starts_with("x-"))
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect(),
    })
}

fn info<'s>(form: &mut Form<'s>, root: &'s Map<String, Value>) -> &'s str {
    let Some(info) = root.get("info") else {
        form.wrong("", "`info` is missing");
        return "";
    };
    let Some(info) = form.object("/info", info) else {
        return "";
    };
    let known: &[&str] = match form.minor {
        0 => &["title", "version"],
        _ => &["title", "version", "description"],
    };
    form.only("/info", info, known);
    form.text("/info", info, "version", true);
    form.text("/info", info, "description", false);
    form.text("/info", info, "title", true).unwrap_or_default()
}

fn action<'s>(
    form: &mut Form<'s>,
    index: usize,
    item: &'s Value,
    reusables: &Reusables,
) -> Option<Action> {
    let pointer = format!("/actions/{index}");
    let action = form.object(&pointer, item)?;
    let refers = form.has_reusables() && action.contains_key("$ref");
    let known: &[&str] = match form.minor {
        0 => &["target", "description", "update", "remove"],
        _ if refers => &["$ref", "target", "description"],
        _ => &["target", "description", "update", "copy", "remove"],
    };
    form.only(&pointer, action, known);
    form.text(&pointer, action, "description", false);
    let target = form.text(&pointer, action, "target", true)?;
    let query = form.query(&format!("{pointer}/target"), target);
    let done = if refers {
        referred(form, &pointer, action, reusables)?
    } else {
        Reusable {
            fields: pointer.clone(),
            effect: form.effect(&pointer, action)?,
            guard: None,
        }
    };
    Some(Action {
        pointer,
        fields: done.fields,
        target: target.to_owned(),
        query: query?,
        effect: done.effect,
        // The members of the action itself have priority.
        guard: action.get("x-expect").cloned().or(done.guard),
    })
}

/// Returns whether a version is this one of Overlay 1, in any edition.
fn is_of(version: &str, minor: u8) -> bool {
    version
        .strip_prefix(&format!("1.{minor}."))
        .is_some_and(|patch| !patch.is_empty() && patch.chars().all(|c| c.is_ascii_digit()))
}
