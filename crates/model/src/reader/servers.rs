//! Addresses of the operations. An operation whose separate address is unknown is left out.

use std::collections::BTreeSet;

use openapi_document::finding::Finding;
use openapi_document::source::Source;
use openapi_schemas::{LeftOut, item_of};
use serde_json::Value;

use super::operation::texts;
use crate::names;
use crate::{Operation, Server, Servers, Variable};

/// The most addresses that the enum values of variables are multiplied to.
const MOST: usize = 64;

/// Reads the addresses. Removes the operations that would have to be called at one that the document does not give.
pub(super) fn read(
    source: &Source,
    operations: &mut Vec<Operation>,
    left_out: &mut Vec<LeftOut>,
    warnings: &mut Vec<Finding>,
) -> Servers {
    let mut servers = of_api(source);
    operations.retain(|operation| {
        let at = operation.pointer.as_str();
        let item = item_of(at);
        let holders = [Some(at), item].into_iter().flatten();
        let own = holders.filter_map(|holder| list(source, holder)).next();
        let Some((at, own)) = own else {
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
        let (method, path) = (&operation.method, &operation.path);
        let reason = "its `servers` have no absolute https URL";
        let finding = source.finding(
            "own-servers",
            &at,
            format!("`{method} {path}` is left out: {reason}"),
            "correct `servers` here in an override, or remove it if the address is that of the API",
        );
        warnings.push(finding.warning());
        left_out.push(LeftOut::new(method, path, reason, &operation.pointer));
        false
    });
    servers
}

/// Returns the `servers` of a holder and their place; an empty list is ignored.
fn list<'d>(source: &'d Source, holder: &str) -> Option<(String, &'d Vec<Value>)> {
    let at = format!("{holder}/servers");
    let servers = source.value.pointer(&at)?.as_array()?;
    (!servers.is_empty()).then_some((at, servers))
}

fn url(server: &Value) -> &str {
    let url = server.get("url").and_then(Value::as_str);
    url.unwrap_or_default().trim()
}

/// Returns whether a server is one of the document's, unchanged.
fn is_of_api(source: &Source, server: &Value) -> bool {
    let known = list(source, "").map_or(&[] as &[Value], |(_, servers)| servers);
    let text = |server| url(server).trim_end_matches('/').to_owned();
    known.iter().any(|known| text(known) == text(server))
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
    let text = |key: &str| server.get(key).and_then(Value::as_str).map(str::trim);
    let is_name = |text: &&str| {
        let words = text.split_whitespace().count();
        (1..=3).contains(&words) && text.chars().any(|c| c.is_ascii_alphabetic())
    };
    let host = template.split("://").nth(1).unwrap_or(template);
    let host = host.split('/').next().unwrap_or_default();
    let named = text("name").filter(is_name);
    let named = named.or_else(|| text("description").filter(is_name));
    let base = names::pascal(named.unwrap_or(host));
    let mut unique = base.clone();
    let mut number = 1;
    while !taken.insert(unique.clone()) {
        number += 1;
        unique = format!("{base}{number}");
    }
    unique
}

fn variables(server: &Value, template: &str) -> Vec<Variable> {
    let described = |name: &str| server.get("variables")?.get(name);
    let mut taken = BTreeSet::new();
    let mut names: Vec<&str> = Vec::new();
    for part in template.split('{').skip(1) {
        if let Some((name, _)) = part.split_once('}')
            && !names.contains(&name)
        {
            names.push(name);
        }
    }
    let texts_of = |value: Option<&Value>| value.map(|value| texts(value, &["description"]));
    names
        .into_iter()
        .map(|name| {
            let value = described(name);
            let values = value.and_then(|value| value.get("enum")?.as_array());
            let values: Vec<String> = values.into_iter().flatten().filter_map(scalar).collect();
            let default = value.and_then(|value| scalar(value.get("default")?));
            let mut rust_name = names::snake(name);
            while !taken.insert(rust_name.clone()) {
                rust_name.push('_');
            }
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
                text: texts_of(value).unwrap_or_default(),
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
    let is_odd = |c: char| c.is_whitespace() || c.is_control() || "{}?#@\\<>\"^`|".contains(c);
    !host.is_empty() && !address.contains(is_odd) && (!is_plain || is_here)
}
