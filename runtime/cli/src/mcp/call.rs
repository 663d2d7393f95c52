//! A call for an agent: noted before it is sent, and kept before it is returned. It ends although its agent goes away.

use std::sync::Arc;

use bytes::Bytes;
use generated_client::document::Shape;
use generated_client::internal::{base64, conceal, idempotency_window, without_mark};
use generated_client::paging::Position;
use generated_client::{Error, Response, StatusCode};
use metered_client::Credits;
use metered_client::money::Quote;
use metered_client::prelude::*;
use rmcp::model::CallToolResult;
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Map, Value};

use super::answer::{failure, refusal, success};
use super::given;
use super::kept::Kept;
use super::paid::number;
use super::session::Session;
use super::slice::{Start, part};
use crate::call::{Call, Source, Way};
use crate::said::{credits, said};
use crate::table::Command;

/// A call that is ready to be made.
enum Ready {
    Once(Box<Call>),
    Page(Box<dyn Source>),
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
            Ok(result) => result,
            Err(_) => {
                failure("The call broke off. The journal says whether it may have been billed.")
            }
        }
    }

    /// Returns the request of a tool, with a client that counts what this call alone costs.
    fn ready(
        &self,
        command: &'static Command,
        given: &Map<String, Value>,
        from: Option<&Position>,
        input: Option<&str>,
    ) -> Result<(generated_client::Client, Ready), Box<CallToolResult>> {
        let arguments = given::arguments(command, given).map_err(refusal)?;
        let client = if self.is_metered() {
            self.client.scoped(None)
        } else {
            self.client.clone()
        };
        let client = match input {
            Some(input) => self.journal.client(input, &client).map_err(refusal)?,
            None => client,
        };
        let call = (command.call)(&client, &arguments).map_err(refusal)?;
        let ready = match &call.way {
            Way::Pages(turn) => Ready::Page(turn.start(from, None).map_err(refusal)?),
            _ => Ready::Once(Box::new(call)),
        };
        Ok((client, ready))
    }

    /// Returns the highest cost of a tool call; `None` if its price is unknown. Sends nothing.
    pub(super) fn at_most(
        &self,
        command: &'static Command,
        given: &Map<String, Value>,
    ) -> Result<Option<Credits>, Box<CallToolResult>> {
        let (client, ready) = self.ready(command, given, None, None)?;
        Ok(quote(&client, &ready).at_most)
    }

    async fn make(
        &self,
        command: &'static Command,
        given: Map<String, Value>,
        from: Option<Position>,
    ) -> CallToolResult {
        let (mut client, mut ready) = match self.ready(command, &given, from.as_ref(), None) {
            Ok(ready) => ready,
            Err(refused) => return *refused,
        };
        let at_most = quote(&client, &ready).at_most;
        let is_free = !self.is_metered() || at_most == Some(Credits::ZERO);
        let window = match &ready {
            Ready::Once(call) => idempotency_window(&call.request).flatten(),
            Ready::Page(_) => None,
        };
        let paid = (!is_free).then(|| {
            let arguments = Value::Object(given.clone()).to_string();
            self.paid
                .call(&self.journal, command.name, &arguments, window)
        });
        let input = paid.as_ref().map(|call| call.input.as_str());
        let mut key = None;
        if let Some(input) = input {
            (client, ready) = match self.ready(command, &given, from.as_ref(), Some(input)) {
                Ok(ready) => ready,
                Err(refused) => return *refused,
            };
            if let Ready::Once(call) = &ready {
                match self.journal.key(input, &call.request) {
                    Ok(stored) => key = stored,
                    Err(error) => return failure(&format!("Nothing was sent: {error}")),
                }
            }
        }
        let mut kept = Kept {
            tool: command.name.to_owned(),
            arguments: given,
            is_page: matches!(ready, Ready::Page(_)),
            ..Kept::default()
        };
        let failed = match ready {
            Ready::Once(call) => {
                let sent = call.send(key.as_ref()).await;
                sent.map(|response| keep(&response, command, &mut kept))
                    .err()
            }
            Ready::Page(source) => page(source, &mut kept, self.is_metered()).await.err(),
        };
        // Paid responses are kept, as documented or not.
        if let Some(error) = &failed
            && let (Some(status), Some(body)) = (error.status(), error.body())
            && status.is_success()
        {
            kept.records = text(body).into_iter().collect();
            kept.notes.push(said(error, self.is_metered()));
        }
        // A service may repeat the key in what it sends.
        for record in &mut kept.records {
            if let Some(without) = without_key(&client, record.get()) {
                *record = without;
            }
        }
        if let Some(next) = &kept.next
            && let Ok(position) = serde_json::to_string(next)
            && conceal(&client, &position) != position
        {
            kept.next = None;
            kept.notes
                .push("The position of the next page holds the key, and is not kept.".to_owned());
        }
        let own = client.ledger().usage();
        kept.cost = (!is_free).then(|| match own.at_risk {
            Credits::ZERO => credits(own.spent),
            _ => format!("{}, and more may have been billed", credits(own.spent)),
        });
        let kept = Arc::new(kept);
        let (id, noted) = match &paid {
            _ if failed.is_some() && kept.records.is_empty() => {
                let noted = match (input, &failed) {
                    (Some(input), Some(error)) => self.journal.failed_once(input, error),
                    _ => Ok(()),
                };
                (None, noted)
            }
            Some(call) => {
                let body = serde_json::to_vec(&*kept).unwrap_or_default();
                let noted = self.journal.brought(&call.input, &body);
                (Some(number(&call.input).to_string()), noted)
            }
            None => (Some(self.remember(Arc::clone(&kept))), Ok(())),
        };
        let warning = match noted {
            Ok(()) => String::new(),
            Err(error) => format!("{error}. No further paid call is made.\n"),
        };
        let lost_key = |input| {
            self.journal
                .of_earlier(|earlier| earlier.lost_key(input, window))
        };
        let has_lost_key = failed.is_some() && input.and_then(lost_key).is_some();
        self.told(failed, has_lost_key, &kept, id, warning)
    }

    /// Returns what an agent reads of a call: its error, or the first part of its result.
    fn told(
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

fn quote(client: &generated_client::Client, ready: &Ready) -> Quote {
    match ready {
        Ready::Once(call) => client.quote(&call.request),
        Ready::Page(source) => client.quote(&source.request()),
    }
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

/// Removes the key from a record; the result is a string if it is not valid JSON.
fn without_key(client: &generated_client::Client, record: &str) -> Option<Box<RawValue>> {
    let without = conceal(client, record);
    if without == record {
        return None;
    }
    let json = RawValue::from_string(without.clone()).ok();
    json.or_else(|| to_raw_value(&without).ok())
}

/// Returns bytes that are not JSON as a JSON string.
fn text(bytes: &[u8]) -> Option<Box<RawValue>> {
    match str::from_utf8(bytes) {
        Ok(text) => to_raw_value(text).ok(),
        Err(_) => to_raw_value(&base64(bytes)).ok(),
    }
}
