//! The component or operation that a location belongs to, and its name in a sentence.

use openapi_document::pointer;
use openapi_document::source::BUNDLED;
use openapi_schemas::method_at;
use serde_json::Value;

/// Kinds of components, each with its name in the singular.
pub(crate) const KINDS: [(&str, &str); 11] = [
    ("schemas", "schema"),
    ("parameters", "parameter"),
    ("responses", "response"),
    ("requestBodies", "request body"),
    ("headers", "header"),
    ("links", "link"),
    ("callbacks", "callback"),
    ("pathItems", "path item"),
    ("examples", "example"),
    ("mediaTypes", "media type"),
    ("securitySchemes", "security scheme"),
];

/// Returns the component or operation that contains a location, and the rest of the location as a person would write it.
pub(crate) fn owner(at: &str, root: &Value) -> (String, String) {
    let tokens: Vec<String> = pointer::tokens(at).collect();
    let (owner, rest) = match tokens.as_slice() {
        [components, kind, name, rest @ ..] if components == "components" => {
            let kind = KINDS
                .iter()
                .find(|(plural, _)| plural == kind)
                .map_or(kind.as_str(), |(_, one)| one);
            (format!("{kind} {name}"), rest)
        }
        // In another file, members with these names have the same meaning.
        [bundled, file, rest @ ..] if bundled == BUNDLED => match rest.first() {
            Some(first) if ["components", "paths", "webhooks"].contains(&first.as_str()) => {
                let inside = root.get(BUNDLED).and_then(|all| all.get(file));
                return owner(&at_tokens(rest), inside.unwrap_or(root));
            }
            _ => (file.clone(), rest),
        },
        [paths, path, steps @ ..] if paths == "paths" || paths == "webhooks" => {
            let webhook = if paths == "webhooks" { "webhook " } else { "" };
            match method_at(steps) {
                Some((method, rest)) => (format!("{method} {webhook}{path}"), rest),
                None => (path.clone(), steps),
            }
        }
        [first, rest @ ..] => (first.clone(), rest),
        [] => ("document".to_owned(), [].as_slice()),
    };
    let above = tokens.get(..tokens.len() - rest.len()).unwrap_or_default();
    let home = root.pointer(&at_tokens(above));
    (owner, below(rest, home))
}

fn at_tokens(tokens: &[String]) -> String {
    let mut at = String::new();
    for token in tokens {
        pointer::push(&mut at, token);
    }
    at
}

/// Returns the description of a change with its location below the owner, unless it is included.
pub(crate) fn sentence(below: &str, what: String) -> String {
    let parameter = below
        .strip_prefix("parameter ")
        .filter(|name| name.ends_with('`'));
    if below.is_empty() || parameter.is_some_and(|name| what.contains(name)) {
        return what;
    }
    let last = below.rfind(['.', ' ']).map_or(0, |at| at + 1);
    let (above, name) = below.split_at(last);
    let above = above.trim_end_matches(['.', ' ']);
    if !what.contains(&format!("`{name}`")) {
        return format!("{below}: {what}");
    }
    match above {
        "" => what,
        above => format!("{above}: {what}"),
    }
}

/// Returns whether a body is JSON only, so that its media type need not be mentioned.
fn is_plain_json(name: &str, content: Option<&Value>) -> bool {
    let number = content.and_then(Value::as_object).map(|all| all.len());
    name == "application/json" && number == Some(1)
}

fn parameter_name<'v>(home: Option<&'v Value>, index: &str) -> Option<&'v str> {
    let parameters = home?.get("parameters")?;
    let parameter = parameters.get(index.parse::<usize>().ok()?)?;
    parameter.get("name")?.as_str()
}

/// Shortens a location: `properties/author/items/properties/name` becomes `author[].name`.
fn below(all: &[String], home: Option<&Value>) -> String {
    let mut text = String::new();
    let mut tokens = all.iter();
    if let [list, index, rest @ ..] = all
        && list == "parameters"
        && let Some(name) = parameter_name(home, index)
    {
        text = format!("parameter `{name}` ");
        tokens = rest.iter();
    }
    while let Some(token) = tokens.next() {
        match token.as_str() {
            "properties" => {
                if let Some(name) = tokens.next() {
                    if !text.is_empty() && !text.ends_with(' ') {
                        text.push('.');
                    }
                    text.push_str(name);
                }
            }
            "not" => text.push_str(" not "),
            "items" => text.push_str("[]"),
            "additionalProperties" => text.push_str("{}"),
            "responses" => {
                if let Some(status) = tokens.next() {
                    text.push_str(&format!("response {status} "));
                }
            }
            "requestBody" => text.push_str("body "),
            "content" => {
                if let Some(name) = tokens.next() {
                    let at = all.len() - tokens.len() - 1;
                    let above = all.get(..at).map(at_tokens).unwrap_or_default();
                    if !is_plain_json(name, home.and_then(|home| home.pointer(&above))) {
                        text.push_str(name);
                        text.push(' ');
                    }
                }
            }
            "headers" | "encoding" | "callbacks" => {
                if let Some(name) = tokens.next() {
                    let kind = match token.as_str() {
                        "headers" => "header",
                        "encoding" => "part",
                        _ => "callback",
                    };
                    text.push_str(&format!("{kind} {name} "));
                }
            }
            _ => {}
        }
    }
    text.trim_end().to_owned()
}
