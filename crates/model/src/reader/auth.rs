//! With which credentials the operations are called. An operation that can only be called with a scheme that the client does not have is
//! left out.

mod naming;

use super::operation::texts;
use crate::{Auth, Carrier, Location, Operation, Parameter, ParameterType, Scheme, Security};
use openapi_document::finding::Finding;
use openapi_document::pointer;
use openapi_document::resolver;
use openapi_document::source::Source;
use openapi_schemas::{LeftOut, resolve};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The scheme that operations describe as a parameter. The name of a component has no space.
const DESCRIBED: &str = "Authorization header";

/// The location of the security schemes.
const SCHEMES: &str = "/components/securitySchemes";

/// Reads what the operations need. Removes those that cannot be called, and parameters that are credentials.
pub(super) fn read(
    source: &Source,
    operations: &mut Vec<Operation>,
    left_out: &mut Vec<LeftOut>,
    warnings: &mut Vec<Finding>,
) -> Auth {
    let mut schemes = Schemes {
        source,
        known: BTreeMap::new(),
        warnings,
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
                left_out.push(schemes.left_out(operation));
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
        let carriers: Vec<&Carrier> = security
            .flatten()
            .filter_map(|name| match known.get(name)? {
                Reading::Usable(scheme) => Some(&scheme.carrier),
                Reading::Silent | Reading::Unusable => None,
            })
            .collect();
        drop_credentials(source, operation, &carriers, warnings);
    }
    let used: BTreeSet<&str> = needed
        .values()
        .chain([&usual])
        .flatten()
        .flatten()
        .map(String::as_str)
        .collect();
    let order = source.value.pointer(SCHEMES);
    let order = order.and_then(Value::as_object).into_iter().flatten();
    if used.is_empty()
        && !is_said
        && let Some((name, _)) = order.clone().next()
    {
        let finding = source.finding(
            "security-scheme",
            pointer::join(SCHEMES, name),
            format!(
                "no operation uses the security scheme `{name}`: the client sends no credentials"
            ),
            "if the service asks for them, add `security` to the document in an override",
        );
        warnings.push(finding.warning());
    }
    let order: Vec<&str> = order.map(|(name, _)| name.as_str()).collect();
    let described = known.keys().map(String::as_str);
    let described = described.filter(|name| !order.contains(name));
    let mut schemes: Vec<Scheme> = (order.iter().copied())
        .chain(described)
        .filter(|name| used.contains(*name))
        .filter_map(|name| match known.get(name)? {
            Reading::Usable(scheme) => Some(scheme.clone()),
            Reading::Silent | Reading::Unusable => None,
        })
        .collect();
    naming::name(&mut schemes);
    let of = needed
        .into_iter()
        .filter(|(_, one)| *one != usual)
        .collect();
    Auth { schemes, usual, of }
}

/// The result of reading a scheme that an operation names.
enum Reading {
    Usable(Scheme),
    /// A scheme that adds nothing to a request.
    Silent,
    Unusable,
}

struct Schemes<'r> {
    source: &'r Source,
    known: BTreeMap<String, Reading>,
    warnings: &'r mut Vec<Finding>,
}

impl Schemes<'_> {
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
            let Some(names) = self.together(names.keys(), &at) else {
                continue;
            };
            if !usable.contains(&names) {
                usable.push(names);
            }
        }
        if usable == [Vec::<String>::new()] {
            usable.clear();
            return Some(Some(usable));
        }
        Some((!usable.is_empty() || alternatives.is_empty()).then_some(usable))
    }

    /// Returns the schemes of one alternative, without those that add nothing to a request; `None` if they exclude each other.
    fn together<'n>(
        &mut self,
        names: impl Iterator<Item = &'n String>,
        at: &str,
    ) -> Option<Vec<String>> {
        let mut together = Vec::new();
        let mut headers = BTreeSet::new();
        for name in names {
            let name = &self.declared(name, at);
            if !self.known.contains_key(name) {
                let reading = self.scheme(name, at);
                self.known.insert(name.clone(), reading);
            }
            match self.known.get(name)? {
                Reading::Unusable => return None,
                Reading::Silent => {}
                Reading::Usable(scheme) => {
                    let header = scheme.carrier.header().map(str::to_owned);
                    if header.is_some_and(|header| !headers.insert(header)) {
                        self.warn(at, "two credentials would be sent in one header, and the alternative is left out");
                        return None;
                    }
                    together.push(name.clone());
                }
            }
        }
        Some(together)
    }

    /// Returns the declared scheme of a requirement, by its name or its reference. If the document declares a
    /// single scheme, any other name means that one.
    fn declared(&mut self, name: &str, named_at: &str) -> String {
        let schemes = self
            .source
            .value
            .pointer(SCHEMES)
            .and_then(Value::as_object);
        if schemes.is_some_and(|schemes| schemes.contains_key(name)) {
            return name.to_owned();
        }
        let referred = resolver::target(&self.source.value, name);
        let referred = referred.and_then(|target| {
            let (parent, name) = pointer::split_last(&target.pointer)?;
            (parent == SCHEMES).then_some(name)
        });
        if let Some(referred) = referred {
            return referred;
        }
        let mut names = schemes.into_iter().flat_map(|schemes| schemes.keys());
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

    fn scheme(&mut self, name: &str, named_at: &str) -> Reading {
        let at = pointer::join(SCHEMES, name);
        let Some((pointer, scheme)) = resolve(&self.source.value, &at) else {
            let message = format!("the document has no security scheme `{name}`");
            self.warn(named_at, message);
            return Reading::Unusable;
        };
        let field = |key: &str| scheme.get(key).and_then(Value::as_str).unwrap_or_default();
        let carried_as = field("name").to_owned();
        let carrier = match (field("type"), field("in")) {
            ("apiKey", "header") if is_token(&carried_as) => {
                Carrier::Header(carried_as.to_lowercase())
            }
            ("apiKey", "query") if !carried_as.is_empty() => Carrier::Query(carried_as),
            ("apiKey", "cookie") if is_token(&carried_as) => Carrier::Cookie(carried_as),
            ("http", _) => match field("scheme").to_ascii_lowercase().as_str() {
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
            rust_name: field("x-rust-name").to_owned(),
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

    /// Reads the credentials of an operation that describes them as header parameters: `Authorization`, which the specification ignores, and
    /// FastAPI publishes for functions that ask for it; or a key, where the operation has no `security`. The operation loses the parameters.
    fn described(&mut self, operation: &mut Operation, has_security: bool) -> Security {
        let is_credential = |one: &mut Parameter| {
            let is_key = !has_security && one.kind == ParameterType::Text && is_key(&one.name);
            one.location == Location::Header && (is_authorization(&one.name) || is_key)
        };
        let (mut required, mut optional) = (Vec::new(), Vec::new());
        for parameter in operation.parameters.extract_if(.., is_credential) {
            let (effect, help) = if has_security {
                (
                    "is left out: `security` says with which credentials the operation is called",
                    "remove the parameter, or correct `security`, in an override",
                )
            } else {
                (
                    "is read as a credential, whose whole value the caller gives: the document describes no other",
                    "describe it as a security scheme in an override",
                )
            };
            let message = format!("the parameter `{}` {effect}", parameter.name);
            let finding =
                (self.source).finding("credential-parameter", &parameter.pointer, message, help);
            self.warnings.push(finding.warning());
            if has_security {
                continue;
            }
            let (name, carrier) = if is_authorization(&parameter.name) {
                (DESCRIBED.to_owned(), Carrier::Authorization)
            } else {
                // No scheme of a document has a space in its name.
                let header = parameter.name.to_lowercase();
                (format!("{header} header"), Carrier::Header(header))
            };
            if parameter.required {
                required.push(name.clone());
            } else {
                optional.push(name.clone());
            }
            self.known
                .entry(name.clone())
                .or_insert(Reading::Usable(Scheme {
                    name,
                    rust_name: String::new(),
                    provider: None,
                    variable: String::new(),
                    carrier,
                    text: parameter.text,
                    pointer: parameter.pointer,
                }));
        }
        alternatives(&required, &optional)
    }

    fn warn(&mut self, at: &str, message: impl Into<String>) {
        let finding = self.source.finding(
            "security-scheme",
            at,
            message,
            "correct the security scheme, or the reference to it, in an override",
        );
        self.warnings.push(finding.warning());
    }

    fn left_out(&mut self, operation: &Operation) -> LeftOut {
        let reason = "it needs a security scheme that the client does not have";
        let (method, path) = (&operation.method, &operation.path);
        let finding = self.source.finding(
            "left-out",
            &operation.pointer,
            format!("`{method} {path}` is left out: {reason}"),
            "correct its `security`, or the scheme, in an override",
        );
        self.warnings.push(finding.warning());
        LeftOut::new(method, path, reason, &operation.pointer)
    }
}

/// Returns the addresses of tokens.
fn addresses(scheme: &Value) -> Vec<String> {
    let flows = scheme.get("flows").and_then(Value::as_object);
    let mut lines = Vec::new();
    for (flow, value) in flows.into_iter().flatten() {
        for (key, what) in [
            ("authorizationUrl", "authorization"),
            ("deviceAuthorizationUrl", "device authorization"),
            ("tokenUrl", "tokens"),
            ("refreshUrl", "refreshed tokens"),
        ] {
            if let Some(url) = value.get(key).and_then(Value::as_str) {
                lines.push(format!("Flow `{flow}`, {what}: `{url}`."));
            }
        }
    }
    for (key, what) in [
        ("openIdConnectUrl", "OpenID Connect"),
        ("oauth2MetadataUrl", "Metadata of the authorization server"),
    ] {
        let url = scheme.get(key).and_then(Value::as_str);
        lines.extend(url.map(|url| format!("{what}: `{url}`.")));
    }
    if scheme.get("deprecated").and_then(Value::as_bool) == Some(true) {
        lines.push("Deprecated: the service may stop accepting it.".to_owned());
    }
    lines
}

/// Returns the alternatives of credentials of which some may be left out: all, each one, and none of these.
fn alternatives(required: &[String], optional: &[String]) -> Security {
    let mut all = Security::new();
    let each = optional.iter().map(std::slice::from_ref);
    for more in std::iter::once(optional).chain(each).chain([&[] as &[_]]) {
        let together = [required, more].concat();
        if !all.contains(&together) {
            all.push(together);
        }
    }
    all.retain(|together| !together.is_empty() || !optional.is_empty());
    all
}

fn is_authorization(name: &str) -> bool {
    name.eq_ignore_ascii_case("authorization")
}

/// Returns whether a header has the name of a key: `X-API-Key`, or with one more word, as `xi-api-key`.
fn is_key(name: &str) -> bool {
    let name = name.to_lowercase().replace(['-', '_'], " ");
    let before = name.strip_suffix("apikey").or(name.strip_suffix("api key"));
    before.is_some_and(|before| {
        before
            .split(' ')
            .filter(|word| !["", "x"].contains(word))
            .count()
            < 2
    })
}

/// Returns whether a string is a valid name of a header or of a cookie.
fn is_token(name: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    !name.is_empty() && name.bytes().all(is_plain)
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
fn drop_credentials(
    source: &Source,
    operation: &mut Operation,
    carriers: &[&Carrier],
    warnings: &mut Vec<Finding>,
) {
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
            let finding = source.finding(
                "key-parameter",
                &parameter.pointer,
                format!("`{name}` is a credential and a parameter of the operation at the same time: the parameter is left out"),
                "remove the parameter in an override",
            );
            warnings.push(finding.warning());
        }
        !is_credential
    });
}
