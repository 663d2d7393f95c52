//! Paths, webhooks and the operations of a path item.

use openapi_document::pointer;
use serde_json::{Map, Value};

use super::walker::{Kind, Walker};
use crate::{LeftOut, METHODS};

impl Walker<'_> {
    /// Rewrites all path items. Those of webhooks are never called, but have types.
    pub(super) fn paths(&mut self, document: &mut Value) {
        for (key, is_called) in [("paths", true), ("webhooks", false)] {
            let at = format!("/{key}");
            let items = document.get_mut(key).and_then(Value::as_object_mut);
            for (path, item) in items.into_iter().flatten() {
                if !path.starts_with("x-") {
                    let at = pointer::join(&at, path);
                    self.path_item(item, &at, is_called.then_some(path));
                }
            }
        }
    }

    /// Rewrites a path item; `path` is its path when its operations are to be called.
    pub(super) fn path_item(&mut self, item: &mut Value, at: &str, path: Option<&str>) {
        // A callback may lead back to the path that promises it.
        if at.contains("/callbacks/") && item.get("$ref").is_some() {
            return;
        }
        self.written_out(item, at);
        let Some(map) = item.as_object_mut() else {
            if !item.is_null() {
                self.warn(
                    "openapi-form",
                    at,
                    "this is not a path item, and its operations are unknown",
                    "write the operations as OpenAPI has them, in an override",
                );
            }
            *item = Value::Object(Map::new());
            return;
        };
        let parameters = map.get_mut("parameters");
        let shared = self.parameters(parameters, &format!("{at}/parameters"));
        for method in METHODS {
            let Some(operation) = map.get_mut(method) else {
                continue;
            };
            let at = format!("{at}/{method}");
            let usable = if operation.is_object() {
                let own = self.operation(operation, &at);
                shared.clone().and(own)
            } else {
                Err("it is not an operation".to_owned())
            };
            if let Err(reason) = usable {
                map.shift_remove(method);
                self.leave_out(&at, method, path, reason);
            }
        }
        self.other_methods(map, at, path);
    }

    /// Replaces a reference to a path item by what it names. Operations stand below the path then, and messages show where the author
    /// has them.
    fn written_out(&mut self, item: &mut Value, at: &str) {
        let Some(reference) = item.get("$ref").and_then(Value::as_str).map(str::to_owned) else {
            return;
        };
        let target = self.resolver.target(&reference);
        let target = target.and_then(|target| self.resolver.end(target));
        let target = target.map(|target| (target.pointer, target.value));
        if let Some(map) = item.as_object_mut() {
            map.shift_remove("$ref");
        }
        match (target, item) {
            (Some((target, Value::Object(shared))), Value::Object(own)) => {
                for (key, value) in shared {
                    if !own.contains_key(key) {
                        own.insert(key.clone(), value.clone());
                    }
                }
                self.moved.insert(at.to_owned(), target);
            }
            _ => self.leads_nowhere(at, &reference),
        }
    }

    /// Leaves out the operations whose methods are not in the table of all methods.
    fn other_methods(&mut self, map: &mut Map<String, Value>, at: &str, path: Option<&str>) {
        if !METHODS.contains(&"query") && map.shift_remove("query").is_some() {
            let reason = "its method is QUERY, which is not supported".to_owned();
            self.leave_out(&format!("{at}/query"), "query", path, reason);
        }
        let Some(Value::Object(others)) = map.shift_remove("additionalOperations") else {
            return;
        };
        for method in others.keys() {
            let at = pointer::join(&format!("{at}/additionalOperations"), method);
            let reason = format!("its method is {method}, which is not supported");
            self.leave_out(&at, method, path, reason);
        }
    }

    /// Notes that an operation is left out, with a row and a warning.
    fn leave_out(&mut self, at: &str, method: &str, path: Option<&str>, reason: String) {
        let Some(path) = path else {
            return;
        };
        let method = method.to_uppercase();
        self.warn(
            "left-out",
            at,
            format!("`{method} {path}` is left out: {reason}"),
            "correct the operation in an override, or remove it there",
        );
        self.left_out.push(LeftOut::new(&method, path, &reason, at));
    }

    /// Rewrites a list of parameters.
    ///
    /// # Errors
    ///
    /// Why an operation with this list cannot be called right.
    pub(super) fn parameters(&mut self, list: Option<&mut Value>, at: &str) -> Result<(), String> {
        let mut usable = Ok(());
        let list = list.and_then(Value::as_array_mut);
        for (index, parameter) in list.into_iter().flatten().enumerate() {
            if !self.place(parameter, &format!("{at}/{index}"), Kind::Parameter) {
                let name = parameter.get("name").or_else(|| parameter.get("$ref"));
                usable = Err(match name {
                    Some(Value::String(name)) => format!("its parameter `{name}` cannot be read"),
                    _ => "a parameter of it cannot be read".to_owned(),
                });
            }
        }
        usable
    }
}
