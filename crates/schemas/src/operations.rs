//! Operations, and the callbacks that they promise.

use openapi_document::pointer;
use serde_json::Value;

use super::walker::{Kind, Walker};

impl Walker<'_> {
    /// Rewrites an operation.
    ///
    /// # Errors
    ///
    /// Why it cannot be called right.
    pub(super) fn operation(&mut self, operation: &mut Value, at: &str) -> Result<(), String> {
        let parameters = operation.get_mut("parameters");
        let mut usable = self.parameters(parameters, &format!("{at}/parameters"));
        if let Some(body) = operation.get_mut("requestBody")
            && !self.place(body, &format!("{at}/requestBody"), Kind::RequestBody)
        {
            usable = usable.and(Err("its request body cannot be read".to_owned()));
        }
        let below = format!("{at}/responses");
        let responses = operation
            .get_mut("responses")
            .and_then(Value::as_object_mut);
        for (status, response) in responses.into_iter().flatten() {
            if !status.starts_with("x-") {
                self.place(response, &pointer::join(&below, status), Kind::Response);
            }
        }
        let callbacks = operation.get_mut("callbacks");
        self.each(
            callbacks,
            &format!("{at}/callbacks"),
            |walker, value, at| {
                walker.place(value, at, Kind::Callback);
            },
        );
        usable
    }

    /// Rewrites a callback: path items by the expression of their address.
    pub(super) fn callback(&mut self, callback: &mut Value, at: &str) {
        for (expression, item) in callback.as_object_mut().into_iter().flatten() {
            if !expression.starts_with("x-") {
                self.path_item(item, &pointer::join(at, expression), None);
            }
        }
    }
}
