//! With which credentials the operations are called. An operation that can only be called with a scheme that the client does not have is
//! left out.

mod described;
mod naming;

use super::notes::Notes;
use super::operation::texts;
use crate::{Auth, Carrier, Location, Operation, Scheme, Security};
use openapi_document::json::{is_true, members_of, text_of};
use openapi_document::source::Source;
use openapi_document::{pointer, resolver};
use openapi_schemas::{LeftOut, is_token, resolve};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The location of the security schemes.
const SCHEMES: &str = "/components/securitySchemes";

/// Reads what the operations need. Removes those that cannot be called, and parameters that are credentials.
pub(super) fn read(notes: &mut Notes<'_>, operations: &mut Vec<Operation>) -> Auth {
    let source = notes.source;
    let mut schemes = Schemes {
        notes,
        known: BTreeMap::new(),
        noted: BTreeSet::new(),
    };
    let root = schemes.security(&source.value, "");
    let mut is_said = false;
    let mut needed: BTreeMap<String, Security> = BTreeMap::new();
    operations.retain_mut(|operation| {
        let holder = source.value.pointer(&operation.pointer);
        let own = holder.and_then(|holder| schemes.security(holder, &operation.pointer));
        let declared = own.or_else(|| root.clone());
        is_said |= declared.is_some();
        let described = schemes.described(operation, declared.is_some());
        match declared.unwrap_or(Some(described)) {
            Some(security) => {
                needed.insert(operation.pointer.clone(), security);
                true
            }
            None => {
                schemes.leave_out(operation);
                false
            }
        }
    });
    let usual = match root {
        Some(root) => root.unwrap_or_default(),
        None => most_common(operations.iter().filter_map(|one| needed.get(&one.pointer))),
    };
    let known = schemes.known;
    for operation in operations.iter_mut() {
        let security = needed.get(&operation.pointer).into_iter().flatten();
        let names = security.flatten();
        let schemes = names.filter_map(|name| known.get(name)?.usable());
        let carriers: Vec<&Carrier> = schemes.map(|scheme| &scheme.carrier).collect();
        drop_credentials(notes, operation, &carriers);
    }
    let used = needed.values().chain([&usual]).flatten().flatten();
    let used: BTreeSet<&str> = used.map(String::as_str).collect();
    if let Some(name) = scheme_names(source).next()
        && used.is_empty()
        && !is_said
    {
        notes.warn(
            "security-scheme",
            &pointer::join(SCHEMES, name),
            format!(
                "no operation uses the security scheme `{name}`: the client sends no credentials"
            ),
            "if the service asks for them, add `security` to the document in an override",
        );
    }
    let schemes = used_schemes(source, &known, &used);
    needed.retain(|_, one| *one != usual);
    Auth {
        schemes,
        usual,
        of: needed,
    }
}

/// Returns the names of the schemes of a document, in its order.
fn scheme_names(source: &Source) -> impl Iterator<Item = &String> {
    let schemes = source.value.pointer(SCHEMES).and_then(Value::as_object);
    schemes.into_iter().flat_map(|schemes| schemes.keys())
}

/// Returns the schemes that operations use, in the order of the document; those that parameters describe are the last.
fn used_schemes(
    source: &Source,
    known: &BTreeMap<String, Reading>,
    used: &BTreeSet<&str>,
) -> Vec<Scheme> {
    let order: Vec<&String> = scheme_names(source).collect();
    let described = known.keys().filter(|name| !order.contains(name));
    let names = order.iter().copied().chain(described);
    let names = names.filter(|name| used.contains(name.as_str()));
    let schemes = names.filter_map(|name| known.get(name)?.usable());
    let mut schemes: Vec<Scheme> = schemes.cloned().collect();
    naming::name(&mut schemes);
    schemes
}

/// The result of reading a scheme that an operation names.
enum Reading {
    Usable(Scheme),
    /// A scheme that adds nothing to a request.
    Silent,
    Unusable,
}

impl Reading {
    fn usable(&self) -> Option<&Scheme> {
        match self {
            Self::Usable(scheme) => Some(scheme),
            Self::Silent | Self::Unusable => None,
        }
    }
}

struct Schemes<'r, 'd> {
    notes: &'r mut Notes<'d>,
    known: BTreeMap<String, Reading>,
    /// Messages about parameters, each of which is given once.
    noted: BTreeSet<String>,
}

impl Schemes<'_, '_> {
    /// The `security` of the document or of an operation: `None` when it has none, and `Some(None)` when no alternative can be used.
    fn security(&mut self, holder: &Value, at: &str) -> Option<Option<Security>> {
        let at = format!("{at}/security");
        let security = holder.get("security").filter(|value| !value.is_null())?;
        let Some(alternatives) = security.as_array() else {
            self.warn(&at, "`security` is not a list, and is ignored");
            return None;
        };
        let mut usable = Security::new();
        for (index, alternative) in alternatives.iter().enumerate() {
            let at = format!("{at}/{index}");
            let Some(names) = alternative.as_object() else {
                self.warn(
                    &at,
                    "an alternative of `security` is not an object, and is left out",
                );
                continue;
            };
            for names in self.together(names.keys(), &at) {
                if !usable.contains(&names) {
                    usable.push(names);
                }
            }
        }
        if usable == [Vec::<String>::new()] {
            usable.clear();
            return Some(Some(usable));
        }
        Some((!usable.is_empty() || alternatives.is_empty()).then_some(usable))
    }

    /// Returns the schemes of one alternative, without those that add nothing to a request. Of two that would be sent in one header, each
    /// makes an alternative; an unusable one makes none.
    fn together<'n>(
        &mut self,
        names: impl Iterator<Item = &'n String>,
        at: &str,
    ) -> Vec<Vec<String>> {
        let mut groups: Vec<(Option<String>, Vec<String>)> = Vec::new();
        for name in names {
            let name = self.declared(name, at);
            self.read(&name, at);
            let header = match self.known.get(&name) {
                None | Some(Reading::Unusable) => return Vec::new(),
                Some(Reading::Silent) => continue,
                Some(Reading::Usable(scheme)) => scheme.carrier.header().map(str::to_owned),
            };
            let known = groups.iter_mut().find(|(known, _)| *known == header);
            let Some((_, group)) = known.filter(|_| header.is_some()) else {
                groups.push((header, vec![name]));
                continue;
            };
            let before = group.last().map_or("", String::as_str);
            let message = format!(
                "`{before}` and `{name}` would be sent in one header: a client sends one of them"
            );
            self.warn(at, message);
            group.push(name);
        }
        groups.iter().fold(vec![Vec::new()], |all, (_, group)| {
            let all = group.iter().flat_map(|name| with_each(&all, name));
            all.take(MOST_ALTERNATIVES).collect()
        })
    }

    /// Returns the declared scheme of a requirement, by its name or its reference. If the document declares a
    /// single scheme, any other name means that one.
    fn declared(&mut self, name: &str, named_at: &str) -> String {
        if scheme_names(self.notes.source).any(|one| one == name) {
            return name.to_owned();
        }
        let referred = resolver::target(&self.notes.source.value, name);
        let referred = referred.and_then(|target| {
            let (parent, name) = pointer::split_last(&target.pointer)?;
            (parent == SCHEMES).then_some(name)
        });
        if let Some(referred) = referred {
            return referred;
        }
        let mut names = scheme_names(self.notes.source);
        match (names.next(), names.next()) {
            (Some(only), None) => {
                let message = format!(
                    "the document has no security scheme `{name}`: the only one that it has is read, `{only}`"
                );
                let only = only.clone();
                self.warn(named_at, message);
                only
            }
            _ => name.to_owned(),
        }
    }

    /// Reads a scheme, if it is not known.
    fn read(&mut self, name: &str, named_at: &str) {
        if !self.known.contains_key(name) {
            let reading = self.scheme(name, named_at);
            self.known.insert(name.to_owned(), reading);
        }
    }

    fn scheme(&mut self, name: &str, named_at: &str) -> Reading {
        let at = pointer::join(SCHEMES, name);
        let Some((pointer, scheme)) = resolve(&self.notes.source.value, &at) else {
            let message = format!("the document has no security scheme `{name}`");
            self.warn(named_at, message);
            return Reading::Unusable;
        };
        let carried_as = field(scheme, "name").to_owned();
        let carrier = match (field(scheme, "type"), field(scheme, "in")) {
            ("apiKey", "header") if is_token(&carried_as) => {
                Carrier::Header(carried_as.to_lowercase())
            }
            ("apiKey", "query") if !carried_as.is_empty() => Carrier::Query(carried_as),
            ("apiKey", "cookie") if is_token(&carried_as) => Carrier::Cookie(carried_as),
            ("http", _) => match field(scheme, "scheme").to_ascii_lowercase().as_str() {
                "bearer" => Carrier::Bearer,
                "basic" => Carrier::Basic,
                "" => {
                    self.warn(&pointer, format!("the security scheme `{name}` does not name its HTTP authentication scheme"));
                    return Reading::Unusable;
                }
                _ => Carrier::Authorization,
            },
            ("oauth2" | "openIdConnect", _) => Carrier::Bearer,
            // The connection proves who is calling.
            ("mutualTLS", _) => return Reading::Silent,
            _ => {
                self.warn(
                    &pointer,
                    format!(
                        "it is unknown how the credential of the security scheme `{name}` is sent"
                    ),
                );
                return Reading::Unusable;
            }
        };
        Reading::Usable(Scheme {
            name: name.to_owned(),
            rust_name: field(scheme, "x-rust-name").to_owned(),
            provider: None,
            variable: String::new(),
            carrier,
            text: texts(scheme, &["description"])
                .into_iter()
                .chain(addresses(scheme))
                .collect(),
            pointer,
        })
    }

    fn warn(&mut self, at: &str, message: impl Into<String>) {
        let help = "correct the security scheme, or the reference to it, in an override";
        self.notes.warn("security-scheme", at, message, help);
    }

    fn leave_out(&mut self, operation: &Operation) {
        let at = &operation.pointer;
        let reason = "it needs a security scheme that the client does not have";
        let left_out = LeftOut::new(&operation.method, &operation.path, reason, at);
        let help = "correct its `security`, or the scheme, in an override";
        self.notes.leave_out("left-out", at, left_out, help);
    }
}

/// Returns a string of a scheme; empty if it has none.
fn field<'v>(scheme: &'v Value, key: &str) -> &'v str {
    text_of(scheme, key).unwrap_or_default()
}

/// Returns the addresses of tokens.
fn addresses(scheme: &Value) -> Vec<String> {
    let mut lines = Vec::new();
    for (flow, value) in members_of(scheme, "flows") {
        for (key, what) in [
            ("authorizationUrl", "authorization"),
            ("deviceAuthorizationUrl", "device authorization"),
            ("tokenUrl", "tokens"),
            ("refreshUrl", "refreshed tokens"),
        ] {
            if let Some(url) = text_of(value, key) {
                lines.push(format!("Flow `{flow}`, {what}: `{url}`."));
            }
        }
    }
    for (key, what) in [
        ("openIdConnectUrl", "OpenID Connect"),
        ("oauth2MetadataUrl", "Metadata of the authorization server"),
    ] {
        lines.extend(text_of(scheme, key).map(|url| format!("{what}: `{url}`.")));
    }
    if is_true(scheme, "deprecated") {
        lines.push("Deprecated: the service may stop accepting it.".to_owned());
    }
    lines
}

/// Returns the most common security of operations that need any; the first of several.
fn most_common<'s>(needed: impl Iterator<Item = &'s Security>) -> Security {
    let mut counts: Vec<(&Security, usize)> = Vec::new();
    for security in needed.filter(|security| !security.is_empty()) {
        match counts.iter_mut().find(|(known, _)| *known == security) {
            Some((_, count)) => *count += 1,
            None => counts.push((security, 1)),
        }
    }
    let most = counts.iter().rev().max_by_key(|(_, count)| *count);
    most.map(|(security, _)| (*security).clone())
        .unwrap_or_default()
}

/// Removes the parameters that are credentials of the operation: the client sends them, and twice would be wrong.
fn drop_credentials(notes: &mut Notes<'_>, operation: &mut Operation, carriers: &[&Carrier]) {
    operation.parameters.retain(|parameter| {
        let name = &parameter.name;
        let is_credential = carriers.iter().any(|carrier| match (parameter.location, carrier) {
            (Location::Header, carrier) => carrier
                .header()
                .is_some_and(|header| header.eq_ignore_ascii_case(name)),
            (Location::Query, Carrier::Query(known)) | (Location::Cookie, Carrier::Cookie(known)) => {
                known == name
            }
            _ => false,
        });
        if is_credential {
            notes.warn(
                "key-parameter",
                &parameter.pointer,
                format!("`{name}` is a credential and a parameter of the operation at the same time: the parameter is left out"),
                "remove the parameter in an override",
            );
        }
        !is_credential
    });
}

/// Maximum number of alternatives that one becomes. Each header that two credentials share doubles them.
const MOST_ALTERNATIVES: usize = 16;

/// Returns alternatives, each with another scheme.
fn with_each(alternatives: &[Vec<String>], name: &str) -> Vec<Vec<String>> {
    let mut all = alternatives.to_vec();
    all.iter_mut().for_each(|one| one.push(name.to_owned()));
    all
}
