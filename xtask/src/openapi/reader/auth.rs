//! How requests carry the key, from the security schemes in use.

use serde_json::Value;

use crate::finding::Finding;
use crate::openapi::Auth;
use crate::pointer;
use crate::source::Source;

/// Reads the one way in which the document wants the key.
pub(super) fn read(source: &Source, findings: &mut Vec<Finding>) -> Auth {
    let used: Vec<String> = source
        .value
        .get("security")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .chain(
            source
                .value
                .get("paths")
                .and_then(Value::as_object)
                .into_iter()
                .flatten()
                .flat_map(|(_, item)| item.as_object().into_iter().flatten())
                .filter_map(|(_, operation)| operation.get("security")?.as_array())
                .flatten(),
        )
        .filter_map(Value::as_object)
        .flat_map(|requirement| requirement.keys().cloned())
        .collect();
    let mut found: Vec<Auth> = Vec::new();
    for name in used {
        let at = pointer::join("/components/securitySchemes", &name);
        let scheme = source.value.pointer(&at).unwrap_or(&Value::Null);
        let field = |key: &str| scheme.get(key).and_then(Value::as_str).unwrap_or_default();
        let auth = match (field("type"), field("in"), field("scheme")) {
            ("apiKey", "header", _) => Auth::Header(field("name").to_lowercase()),
            ("http", _, "bearer") => Auth::Bearer,
            _ => {
                findings.push(source.finding(
                    "security-scheme",
                    at,
                    format!("the security scheme `{name}` is neither a key in a header nor a bearer token"),
                    "describe one of the two in an override under overrides/generator/",
                ));
                continue;
            }
        };
        if !found.contains(&auth) {
            found.push(auth);
        }
    }
    if found.len() > 1 {
        findings.push(source.finding(
            "security-scheme",
            "/security",
            "more than one way to send the key is in use; a client supports one",
            "choose one in an override under overrides/generator/",
        ));
    }
    found.pop().unwrap_or(Auth::None)
}
