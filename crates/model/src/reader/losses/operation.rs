//! Parts of an operation that the model leaves out: its parameters, responses, callbacks and addresses.

use openapi_document::json::{elements_of, members_of};
use openapi_document::pointer;
use openapi_schemas::{PARAMETER, called, item_of, resolve};
use serde_json::Value;

use super::Walk;
use super::body::Content;
use super::members::{OPERATION, PATH_ITEM, REQUEST_BODY, RESPONSE, members};
use crate::reader::servers::{own_servers, url};
use crate::{Operation, Servers};

/// Headers of responses that the runtime reads, or the connection owns.
const OF_THE_RUNTIME: [&str; 4] = [
    "content-encoding",
    "content-length",
    "content-type",
    "retry-after",
];

impl Walk<'_, '_> {
    pub(super) fn operation(&mut self, operation: &Operation, servers: &Servers) {
        let at = operation.pointer.as_str();
        let Some(value) = self.notes.source.value.pointer(at) else {
            return;
        };
        if let Some((item_at, item)) = item_of(at).and_then(|item_at| self.visit(item_at)) {
            members(self, &item_at, item, PATH_ITEM);
            self.parameters(&item_at, item);
        }
        members(self, at, value, OPERATION);
        self.parameters(at, value);
        if let Some((at, body)) = self.visit(&format!("{at}/requestBody")) {
            members(self, &at, body, REQUEST_BODY);
            self.content(&at, body, Content::Request);
        }
        for (status, _) in members_of(value, "responses") {
            let at = pointer::join(&format!("{at}/responses"), status);
            if !status.starts_with("x-")
                && let Some((at, response)) = self.visit(&at)
            {
                self.response(&at, response, operation.method == "HEAD");
            }
        }
        for (name, _) in members_of(value, "callbacks") {
            if let Some((at, _)) = self.visit(&pointer::join(&format!("{at}/callbacks"), name)) {
                self.notes.warn(
                    "callback",
                    &at,
                    format!("the callback `{name}` is not read: what the service sends there has no type"),
                    "describe it below `webhooks` in an override, which gives its body a type",
                );
            }
        }
        self.other_servers(operation, servers);
    }

    /// Warns of an operation with more addresses than the one at which it is called.
    fn other_servers(&mut self, operation: &Operation, servers: &Servers) {
        if let Some(url) = servers.own.get(&operation.pointer)
            && let Some((at, [_, _, ..])) = own_servers(self.notes.source, &operation.pointer)
        {
            self.notes.warn(
                "other-servers",
                &at,
                format!("only `{url}` of these addresses is called"),
                "put the intended address first, in an override",
            );
        }
    }

    fn parameters(&mut self, holder: &str, value: &Value) {
        for index in 0..elements_of(value, "parameters").len() {
            if let Some((at, parameter)) = self.visit(&format!("{holder}/parameters/{index}")) {
                members(self, &at, parameter, &PARAMETER);
                self.more_content(&at, parameter);
            }
        }
    }

    /// Warns of a parameter with more media types than the one in which it is written.
    fn more_content(&mut self, at: &str, parameter: &Value) {
        for (media_type, _) in members_of(parameter, "content").skip(1) {
            self.notes.warn(
                "parameter-content",
                &pointer::join(&format!("{at}/content"), media_type),
                "a parameter has one media type, and this one is not read",
                "remove one of them in an override",
            );
        }
    }

    fn response(&mut self, at: &str, response: &Value, is_empty: bool) {
        members(self, at, response, RESPONSE);
        for (name, _) in members_of(response, "headers") {
            let is_owned = OF_THE_RUNTIME.contains(&name.to_ascii_lowercase().as_str());
            let at = pointer::join(&format!("{at}/headers"), name);
            if !is_owned && let Some((at, _)) = self.visit(&at) {
                self.notes.warn(
                    "response-header",
                    &at,
                    format!("the header `{name}` of responses has no type"),
                    "nothing has to be done: callers read it by its name, with `Response::headers`",
                );
            }
        }
        if !is_empty {
            self.content(at, response, Content::Response);
        }
    }

    /// Notes the webhooks whose bodies have no type.
    pub(super) fn webhooks(&mut self) {
        for (name, _) in members_of(&self.notes.source.value, "webhooks") {
            let at = pointer::join("/webhooks", name);
            let Some((at, item)) = resolve(&self.notes.source.value, &at) else {
                continue;
            };
            for one in called(item) {
                if let Some((at, body)) = self.visit(&format!("{at}{}/requestBody", one.below)) {
                    self.content(&at, body, Content::Webhook);
                }
            }
        }
    }

    /// Notes the addresses of the API that a client does not offer.
    pub(super) fn servers(&mut self, servers: &Servers) {
        let all = elements_of(&self.notes.source.value, "servers").iter();
        for (index, server) in all.enumerate() {
            let at = format!("/servers/{index}");
            let url = url(server);
            // Callers give the address if a variable takes the place of the host.
            let is_offered = url.starts_with('{')
                || servers.all.iter().any(|one| one.pointer == at)
                || servers.relative.iter().any(|one| one == url);
            if !is_offered {
                self.notes.warn(
                    "server",
                    &at,
                    format!(
                        "`{url}` is not offered: it is not an https address with a value for each variable"
                    ),
                    "correct it in an override; callers can give any address to `base_url`",
                );
            }
        }
    }
}
