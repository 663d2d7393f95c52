//! A call for an agent: noted before it is sent, and kept before it is returned. It ends although its agent goes away.

use std::sync::Arc;

use bytes::Bytes;
use generated_client::document::Shape;
use generated_client::internal::{base64, without_mark};
use generated_client::paging::Position;
use generated_client::request::StoredKey;
use generated_client::{Client, Error, Response, StatusCode};
use rmcp::model::CallToolResult;
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Map, Value};

use super::answer::{failure, refusal, success};
use super::given;
use super::kept::Kept;
#[cfg(feature = "metered")]
use super::paid;
use super::session::Session;
use super::slice::{Start, part};
use crate::call::{Call, Source, Way};
use crate::money::Wanted;
use crate::said::said;
use crate::table::Command;

/// A call that is ready to be made.
pub(super) struct Ready {
    pub(super) call: Call,
    /// The page that is requested, of a list.
    pub(super) page: Option<Box<dyn Source>>,
}

impl Ready {
    /// Returns the empty result of the call.
    pub(super) fn kept(&self, command: &Command, arguments: Map<String, Value>) -> Kept {
        Kept {
            tool: command.name.to_owned(),
            arguments,
            is_page: self.page.is_some(),
            ..Kept::default()
        }
    }

    /// Sends the request, and keeps its response. A paid one is kept, as documented or not.
    pub(super) async fn send(
        self,
        key: Option<&StoredKey>,
        command: &Command,
        kept: &mut Kept,
        is_metered: bool,
    ) -> Result<(), Error> {
        let sent = match self.page {
            Some(source) => page(source, kept, is_metered).await,
            None => {
                let sent = self.call.send(key).await;
                sent.map(|response| keep(&response, command, kept))
            }
        };
        if let Err(error) = &sent
            && let Some(body) = paid_body(error)
        {
            kept.records = text(body).into_iter().collect();
            kept.notes.push(said(error, is_metered));
        }
        kept.conceal_key(&self.call.client);
        sent
    }
}

impl Session {
    /// Makes the call of a tool; from a position, that of a later page.
    pub(super) async fn call(
        self: &Arc<Self>,
        command: &'static Command,
        given: Map<String, Value>,
        from: Option<Position>,
    ) -> CallToolResult {
        let session = Arc::clone(self);
        let Some(in_flight) = self.begin() else {
            return failure("The server stops. Nothing was sent.");
        };
        // A separate task: the response is paid for even if the agent cancels or disconnects.
        let call = tokio::spawn(async move {
            let _in_flight = in_flight;
            session.make(command, given, from).await
        });
        match call.await {
            Ok(Ok(result)) => result,
            Ok(Err(refused)) => *refused,
            Err(_) => {
                failure("The call broke off. The journal says whether it may have been billed.")
            }
        }
    }

    async fn make(
        &self,
        command: &'static Command,
        given: Map<String, Value>,
        from: Option<Position>,
    ) -> Result<CallToolResult, Box<CallToolResult>> {
        #[cfg(feature = "metered")]
        if self.is_metered() {
            return paid::make(self, command, given, from).await;
        }
        let call = ready(&self.client, command, &given, from.as_ref())?;
        let mut kept = call.kept(command, given);
        let failed = call.send(None, command, &mut kept, false).await.err();
        let has_result = failed.is_none() || !kept.records.is_empty();
        let kept = Arc::new(kept);
        let id = has_result.then(|| self.remember(Arc::clone(&kept)));
        Ok(self.told(failed, false, &kept, id, String::new()))
    }

    /// Returns what an agent reads of a call: its error, or the first part of its result.
    pub(super) fn told(
        &self,
        failed: Option<Error>,
        has_lost_key: bool,
        kept: &Kept,
        id: Option<String>,
        warning: String,
    ) -> CallToolResult {
        match (failed, id) {
            (Some(error), id) => {
                let mut result = self.failed(&error, has_lost_key);
                if let (Some(id), Some(content)) = (id, result.content.first_mut()) {
                    let text = content.as_text().map(|text| text.text.clone());
                    let text = text.unwrap_or_default();
                    *content = rmcp::model::ContentBlock::text(format!(
                        "{warning}{text}\nThe raw response can be read for free: `{}` with the cursor {id}.",
                        self.own_name("read-result")
                    ));
                }
                result
            }
            (None, id) => {
                let id = id.unwrap_or_default();
                let left = self.left();
                let part = part(kept, &id, Start::default(), left.as_deref(), self.most);
                let mut result = success(warning + &part.unwrap_or_default());
                result.is_error = Some(kept.is_failure);
                result
            }
        }
    }
}

/// Returns the request of a tool.
pub(super) fn ready(
    client: &Client,
    command: &'static Command,
    given: &Map<String, Value>,
    from: Option<&Position>,
) -> Result<Ready, Box<CallToolResult>> {
    let arguments = given::arguments(command, given).map_err(refusal)?;
    let call = (command.call)(client, &arguments).map_err(refusal)?;
    let page = match &call.way {
        Way::Pages(turn) => Some(turn.start(from, Wanted::All).map_err(refusal)?),
        _ => None,
    };
    Ok(Ready { call, page })
}

/// Returns the body of a failed call, if it may have been paid for.
fn paid_body(error: &Error) -> Option<&Bytes> {
    let is_success = error.status().is_some_and(|status| status.is_success());
    error.body().filter(|_| is_success)
}

/// Keeps the response of a call that has one.
fn keep(response: &Response<Bytes>, command: &Command, kept: &mut Kept) {
    let raw = &response.raw;
    let json = serde_json::from_slice::<Box<RawValue>>(without_mark(raw)).ok();
    let is_empty = raw.is_empty() && response.meta.status == StatusCode::NO_CONTENT;
    if json.is_none() && !is_empty && !matches!(command.record, Shape::Any) {
        kept.is_failure = true;
        kept.notes
            .push("The response is not the documented JSON.".to_owned());
    }
    let record = json.or_else(|| text(raw).filter(|_| !raw.is_empty()));
    kept.records.extend(record);
}

/// Requests one page.
async fn page(mut source: Box<dyn Source>, kept: &mut Kept, is_metered: bool) -> Result<(), Error> {
    loop {
        match source.next().await {
            None => break,
            Some(Ok(record)) => kept.records.push(record),
            Some(Err(error @ Error::Record(_))) => {
                kept.notes.push(said(&error, is_metered));
            }
            Some(Err(error)) if kept.records.is_empty() => return Err(error),
            Some(Err(error)) => {
                kept.notes.push(said(&error, is_metered));
                break;
            }
        }
        if !source.is_ready() {
            break;
        }
    }
    kept.next = (!source.is_over()).then(|| source.position());
    Ok(())
}

/// Returns bytes that are not JSON as a JSON string.
fn text(bytes: &[u8]) -> Option<Box<RawValue>> {
    match str::from_utf8(bytes) {
        Ok(text) => to_raw_value(text).ok(),
        Err(_) => to_raw_value(&base64(bytes)).ok(),
    }
}
