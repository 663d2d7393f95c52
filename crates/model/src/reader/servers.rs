//! Addresses of the operations. An operation whose separate address is unknown is left out.

use std::collections::BTreeSet;

use openapi_document::json::text_of;
use openapi_document::source::Source;
use openapi_schemas::{LeftOut, item_of};
use serde_json::Value;

use super::notes::Notes;
use super::operation::texts;
use super::parameters::placeholders;
use crate::{Operation, Server, Servers, Variable, names};

/// The most addresses that the enum values of variables are multiplied to.
const MOST: usize = 64;

/// Reads the addresses. Removes the operations that would have to be called at one that the document does not give.
pub(super) fn read(notes: &mut Notes<'_>, operations: &mut Vec<Operation>) -> Servers {
    let source = notes.source;
    let mut servers = of_api(source);
    operations.retain(|operation| {
        let Some((at, own)) = own_servers(source, &operation.pointer) else {
            return true;
        };
        let resolved: Vec<Option<String>> = own.iter().map(resolved).collect();
        if own.iter().any(|server| is_of_api(source, server))
            || resolved
                .iter()
                .flatten()
                .any(|url| servers.origins.contains(url))
        {
            return true;
        }
        if let Some(url) = resolved.into_iter().flatten().next() {
            servers.own.insert(operation.pointer.clone(), url);
            return true;
        }
        let reason = "its `servers` have no absolute https URL";
        let pointer = &operation.pointer;
        let left_out = LeftOut::new(&operation.method, &operation.path, reason, pointer);
        let help =
            "correct `servers` here in an override, or remove it if the address is that of the API";
        notes.leave_out("own-servers", &at, left_out, help);
        false
    });
    servers
}

/// Returns the `servers` of the operation at a pointer, or else of its path item, and their place.
pub(super) fn own_servers<'d>(source: &'d Source, at: &str) -> Option<(String, &'d [Value])> {
    list(source, at).or_else(|| list(source, item_of(at)?))
}

/// Returns the `servers` of a holder and their place; an empty list is ignored.
fn list<'d>(source: &'d Source, holder: &str) -> Option<(String, &'d [Value])> {
    let at = format!("{holder}/servers");
    let servers = source.value.pointer(&at)?.as_array()?;
    (!servers.is_empty()).then_some((at, servers))
}

pub(super) fn url(server: &Value) -> &str {
    text_of(server, "url").unwrap_or_default().trim()
}

/// Returns whether a server is one of the document's, unchanged.
fn is_of_api(source: &Source, server: &Value) -> bool {
    let known = list(source, "").map_or(&[][..], |(_, servers)| servers);
    let mut known = known.iter().map(|known| url(known).trim_end_matches('/'));
    known.any(|known| known == url(server).trim_end_matches('/'))
}

fn of_api(source: &Source) -> Servers {
    let mut read = Servers::default();
    let mut taken = BTreeSet::new();
    let Some((at, servers)) = list(source, "") else {
        return read;
    };
    for (index, value) in servers.iter().enumerate() {
        let template = url(value);
        let variables = variables(value, template);
        for address in addresses(template, &variables) {
            if is_usable(&address) && !read.origins.contains(&address) {
                read.origins.push(address);
            }
        }
        let is_one_variable = matches!(template.strip_prefix('{').map(|rest| rest.find('}')), Some(Some(end)) if end + 2 == template.len());
        // A string that names a host, or leaves that to a variable.
        if template.starts_with('/') {
            read.relative.push(template.to_owned());
        } else if !is_one_variable && resolved(value).is_some() {
            read.all.push(Server {
                rust_name: name(value, template, servers.len(), &mut taken),
                url: template.to_owned(),
                variables,
                text: texts(value, &["description"]),
                pointer: format!("{at}/{index}"),
            });
        }
    }
    if let Some(Server { url, variables, .. }) = read.all.first() {
        let is_sure = variables.is_empty() && url.to_ascii_lowercase().starts_with("https:");
        read.first = is_sure.then(|| url.clone());
    }
    read
}

/// Names an address of several by a short description, and otherwise by its host. The only one needs no name, which would change with its
/// description.
fn name(server: &Value, template: &str, of: usize, taken: &mut BTreeSet<String>) -> String {
    if of == 1 {
        return "Default".to_owned();
    }
    let host = template.split("://").nth(1).unwrap_or(template);
    let host = host.split('/').next().unwrap_or_default();
    let named = short_text(server, "name").or_else(|| short_text(server, "description"));
    let wanted = names::pascal(named.unwrap_or(host));
    names::unique(&wanted, |name| taken.insert(name.to_owned()))
}

/// Returns a string of a server that may be a name.
fn short_text<'s>(server: &'s Value, key: &str) -> Option<&'s str> {
    let text = text_of(server, key)?.trim();
    let is_short = (1..=3).contains(&text.split_whitespace().count());
    (is_short && text.contains(|c: char| c.is_ascii_alphabetic())).then_some(text)
}

fn variables(server: &Value, template: &str) -> Vec<Variable> {
    let mut taken = BTreeSet::new();
    placeholders(template)
        .into_iter()
        .map(|name| {
            let value = server.get("variables").and_then(|all| all.get(name));
            let values = value.and_then(|value| value.get("enum")?.as_array());
            let values: Vec<String> = values.into_iter().flatten().filter_map(scalar).collect();
            let default = value.and_then(|value| scalar(value.get("default")?));
            let mut rust_name = names::snake(name);
            while !taken.insert(rust_name.clone()) {
                rust_name.push('_');
            }
            let text = value.map(|value| texts(value, &["description"]));
            let mut variants = BTreeSet::new();
            Variable {
                name: name.to_owned(),
                rust_name,
                default: default.or_else(|| values.first().cloned()),
                values: values
                    .into_iter()
                    .map(|value| {
                        let mut variant = names::pascal(&value);
                        while !variants.insert(variant.clone()) {
                            variant.push('_');
                        }
                        (value, variant)
                    })
                    .collect(),
                text: text.unwrap_or_default(),
            }
        })
        .collect()
}

/// A port is a number in many documents.
fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(flag) => Some(flag.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

/// The address with the defaults of its variables; `None` when one has none, or when it cannot be called.
fn resolved(server: &Value) -> Option<String> {
    let template = url(server);
    let mut variables = variables(server, template).into_iter();
    let address = variables.try_fold(template.to_owned(), |text, one| {
        Some(text.replace(&format!("{{{}}}", one.name), one.default.as_deref()?))
    })?;
    is_usable(&address).then_some(address)
}

/// The addresses that the enum values and the defaults make.
fn addresses(template: &str, variables: &[Variable]) -> Vec<String> {
    let mut addresses = vec![template.to_owned()];
    for variable in variables {
        let place = format!("{{{}}}", variable.name);
        let values = variable.values.iter().map(|(value, _)| value);
        let mut values: Vec<&String> = values.collect();
        if let Some(default) = &variable.default
            && !values.contains(&default)
        {
            values.push(default);
        }
        let filled = addresses
            .iter()
            .flat_map(|text| values.iter().map(|value| text.replace(&place, value)));
        addresses = filled.take(MOST).collect();
    }
    addresses
}

/// Returns whether a client accepts the address: https, or http to this machine, without credentials, query and fragment.
fn is_usable(address: &str) -> bool {
    let (is_plain, rest) = match address.split_once("://") {
        Some((scheme, rest)) if scheme.eq_ignore_ascii_case("https") => (false, rest),
        Some((scheme, rest)) if scheme.eq_ignore_ascii_case("http") => (true, rest),
        _ => return false,
    };
    let authority = rest.split('/').next().unwrap_or_default();
    let host = authority
        .rsplit_once(':')
        .map_or(authority, |(host, port)| {
            if port.bytes().all(|byte| byte.is_ascii_digit()) {
                host
            } else {
                authority
            }
        });
    let is_here = ["localhost", "127.0.0.1", "[::1]"].contains(&host);
    let mut letters = address.chars();
    let is_odd =
        letters.any(|c| c.is_whitespace() || c.is_control() || "{}?#@\\<>\"^`|".contains(c));
    !host.is_empty() && !is_odd && (!is_plain || is_here)
}
