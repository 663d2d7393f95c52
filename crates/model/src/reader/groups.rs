//! Groups of operations, by the tags of the document. A large crate has a feature for each group.

use std::collections::BTreeMap;

use openapi_document::json::{elements_of, text_of};
use serde_json::Value;

use super::notes::Notes;
use crate::extensions::Features;
use crate::{Group, Model, WEBHOOKS, names};

/// The number of operations from which a crate has features by tag, unless the document decides. From here on a choice pays: `cargo check` of the
/// crates of two documents with 114 and 117 operations took 16 and 14 CPU seconds, without their dependencies.
const LARGE: usize = 100;

/// Longer names are cut at a word; crates.io takes 64 characters.
const LONGEST: usize = 50;

/// Names that the crate uses elsewhere: its other features, and its dependencies.
const RESERVED: [&str; 24] = [
    "all_operations",
    "cache",
    "cache_file",
    "chrono",
    "cli",
    "compression",
    "default",
    "defaults",
    "http2",
    "jiff",
    "journal",
    "mcp",
    "generated_cli",
    "generated_client",
    "periods",
    "redis",
    "redis_tls",
    "rustls",
    "rustls_no_provider",
    "serde",
    "serde_json",
    "test_util",
    "unstable_reqwest",
    "uuid",
];

/// Puts the operations into groups, and returns these by name; none when the crate is not split.
pub(super) fn groups(notes: &mut Notes<'_>, model: &mut Model) -> Vec<Group> {
    let document = &notes.source.value;
    let wanted = model.package.features;
    let is_large = model.operations.len() >= LARGE;
    if wanted == Some(Features::None) || wanted.is_none() && !is_large {
        return Vec::new();
    }
    let mut groups: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut group_of = Vec::with_capacity(model.operations.len());
    for operation in &model.operations {
        let value = document.pointer(&operation.pointer);
        let usable = value.and_then(|value| usable(document, value));
        if let Some((tag, name)) = &usable {
            let tags = groups.entry(name.clone()).or_default();
            if tags.iter().all(|known| known != tag) {
                tags.push(tag.to_string());
            }
        }
        group_of.push(usable.map(|(_, name)| name));
    }
    if wanted.is_some() && groups.is_empty() {
        notes.warn(
            "package-features",
            "/info/x-rust-package",
            "the crate is to have features by tag, and no operation has a tag with a letter or digit",
            "give the operations `tags` in an override, or remove `features`",
        );
    }
    // One group leaves no choice.
    if wanted.is_none() && groups.len() < 2 {
        return Vec::new();
    }
    if !model.webhooks.is_empty() {
        groups.entry(WEBHOOKS.to_owned()).or_default();
    }
    for (operation, group) in model.operations.iter_mut().zip(group_of) {
        operation.group = group;
    }
    groups
        .into_iter()
        .map(|(name, tags)| Group {
            feature: name.trim_end_matches('_').replace('_', "-"),
            name,
            tags,
        })
        .collect()
}

/// The first tag of an operation that groups it and that Rust could have in a name, with the group of it.
pub(super) fn usable<'o>(document: &Value, operation: &'o Value) -> Option<(&'o str, String)> {
    let tags = elements_of(operation, "tags").iter();
    let tags = tags.filter_map(Value::as_str);
    let mut tags = tags.filter(|tag| is_for_groups(document, tag));
    tags.find_map(|tag| Some((tag, group(tag_name(document, tag))?)))
}

/// Returns the tag that puts an operation into a group or behind a handle.
pub fn tag_of<'o>(document: &Value, operation: &'o Value) -> Option<&'o str> {
    usable(document, operation).map(|(tag, _)| tag)
}

/// Returns the words of a tag's name in Rust: those of an override, or the tag itself.
pub fn tag_name<'d>(document: &'d Value, tag: &'d str) -> &'d str {
    let given = declared(document, tag).and_then(|one| text_of(one, "x-rust-name"));
    given.unwrap_or(tag)
}

/// Returns whether a tag groups operations. Tags with another `kind`, such as badges and audiences, mark operations of many groups.
fn is_for_groups(document: &Value, tag: &str) -> bool {
    let kind = declared(document, tag).and_then(|one| text_of(one, "kind"));
    kind.is_none_or(|kind| kind == "nav")
}

/// Returns the object that describes a tag.
pub(super) fn declared<'d>(document: &'d Value, tag: &str) -> Option<&'d Value> {
    let mut all = elements_of(document, "tags").iter();
    all.find(|one| text_of(one, "name") == Some(tag))
}

/// The group of a tag, as its name in Rust.
fn group(tag: &str) -> Option<String> {
    let name = name(tag)?;
    let is_reserved = RESERVED.contains(&name.trim_end_matches('_'));
    Some(if is_reserved {
        format!("{}_group", name.trim_end_matches('_'))
    } else {
        name
    })
}

/// A tag as a name of methods and modules; `None` for one without a letter or digit that Rust could have in a name.
pub(super) fn name(tag: &str) -> Option<String> {
    if !tag.contains(|c: char| c.is_ascii_alphanumeric()) {
        return None;
    }
    // Features and files have names in ASCII.
    let name = names::snake(&tag.replace(|c: char| !c.is_ascii(), " "));
    let cut = names::joined(name.split('_'), '_', LONGEST);
    Some(names::snake(&cut))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_become_names_of_modules_and_features() {
        let long = "Terminal settings of each store below the merchant account of a firm";
        for (tag, name) in [
            ("Payment links", Some("payment_links")),
            ("system/networking", Some("system_networking")),
            ("OAuth2", Some("o_auth2")),
            ("2FA", Some("x2fa")),
            ("match", Some("match_")),
            ("default", Some("default_group")),
            ("test-util", Some("test_util_group")),
            ("HTTP2", Some("http2_group")),
            ("Заказы API", Some("api")),
            ("Заказы", None),
            ("", None),
            (
                long,
                Some("terminal_settings_of_each_store_below_the_merchant"),
            ),
        ] {
            assert_eq!(group(tag).as_deref(), name, "{tag}");
        }
    }
}
