//! The call of a command: made by generated code, and made again for each page.

use std::time::Duration;

use bytes::Bytes;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::value::RawValue;

use crate::argument::Kind;
use crate::arguments::Arguments;
use crate::ended::Ended;
use crate::extent::Extent;
use crate::inputs::Listed;
use crate::money::Wanted;
use crate::table::Command;
use generated_client::Client;
use generated_client::Error;
use generated_client::Response;
use generated_client::internal::{decode, idempotency_window, store_key};
use generated_client::paging::Run;
use generated_client::paging::{ItemsAs, Paged, Position, Style};
use generated_client::request::{Request, StoredKey};
use generated_client::response::Undecoded;
use generated_client::transport::BoxFuture;
use generated_client::waiting::Wait;
use generated_client::wire::Read;

/// A call that is not sent yet. For generated code.
pub struct Call {
    pub(crate) client: Client,
    pub(crate) request: Request,
    pub(crate) way: Way,
}

/// Finds out from a response what to wait for.
type Submitted = dyn Fn(&[u8], &Client) -> Option<Wait<IgnoredAny>> + Send + Sync;

/// How a call returns its records.
pub(crate) enum Way {
    /// As one response.
    Once,
    /// As one response that names what can be waited for.
    Submits(Box<Submitted>),
    /// As one response, which can be asked for until it says that it is done.
    Polls(Box<dyn Fn() -> Wait<IgnoredAny> + Send + Sync>),
    /// Page by page.
    Pages(Box<dyn Turn>),
}

impl Call {
    /// Returns a call with one response.
    pub fn once(client: &Client, request: Request) -> Self {
        Self {
            client: client.clone(),
            request,
            way: Way::Once,
        }
    }

    /// Returns a call whose response is read as `T` to find out what to wait for.
    pub fn submits<T: DeserializeOwned + 'static, R: Read + Send + 'static>(
        self,
        wait: fn(&T, &Client) -> Option<Wait<R>>,
    ) -> Self {
        let wait = move |body: &[u8], client: &Client| {
            let body = decode::<T>(body)?;
            Some(wait(&body, client)?.untyped())
        };
        Self {
            way: Way::Submits(Box::new(wait)),
            ..self
        }
    }

    /// Returns a call that is repeated until its response says that it is done.
    pub fn polls<R: Read + Send + 'static>(
        self,
        wait: impl Fn() -> Wait<R> + Send + Sync + 'static,
    ) -> Self {
        Self {
            way: Way::Polls(Box::new(move || wait().untyped())),
            ..self
        }
    }

    /// Returns calls for the pages of an operation.
    pub fn pages<P: Paged>(paged: P) -> Self {
        Self {
            client: paged.client().clone(),
            request: paged.request(),
            way: Way::Pages(Box::new(Turned(paged))),
        }
    }

    /// Returns how long the service remembers the idempotency key of the call; `None` if it has none. Each page and each poll of a wait is
    /// another call.
    pub(crate) fn window(&self, is_wait: bool) -> Option<Option<Duration>> {
        match self.way {
            Way::Pages(_) => None,
            Way::Polls(_) if is_wait => None,
            _ => idempotency_window(&self.request),
        }
    }

    /// Makes a call with one response, and returns it undecoded. `key`: its idempotency key, if a journal has one for it.
    pub(crate) async fn send(&self, key: Option<&StoredKey>) -> Result<Response<Bytes>, Error> {
        let mut request = self.request.clone();
        if let Some(key) = key {
            store_key(&mut request, key.clone());
        }
        self.client.send_with(request, Undecoded::bytes).await
    }
}

/// Returns how long the service remembers the idempotency keys of a command's calls; `None` if they have none, or that is unknown.
pub(crate) fn window(
    command: &Command,
    client: &Client,
    arguments: &Arguments,
    inputs: &Listed,
    extent: Extent,
) -> Option<Duration> {
    let mut arguments = arguments.clone();
    if let Some((argument, inputs)) = inputs {
        // A file is read once, for its call: it may be standard input.
        if matches!(argument.kind, Kind::File | Kind::Secret) {
            return None;
        }
        arguments
            .give(argument, inputs.values.first()?.given())
            .ok()?;
    }
    let call = (command.call)(client, &arguments).ok()?;
    call.window(extent.wait).flatten()
}

/// An operation with pages.
pub(crate) trait Turn: Send + Sync {
    /// Starts where an earlier run stopped, or where the arguments say. Fails if the position is not one of this list.
    fn start(&self, from: Option<&Position>, wanted: Wanted) -> Result<Box<dyn Source>, Ended>;
}

/// Records that come page by page.
pub(crate) trait Source: Send {
    fn next(&mut self) -> BoxFuture<'_, Option<Result<Box<RawValue>, Error>>>;
    /// Returns whether the next record has already arrived.
    fn is_ready(&self) -> bool;
    /// Returns the position at which a later run continues.
    fn position(&self) -> Position;
    /// Returns the position in words, for messages.
    fn place(&self) -> String;
    /// Returns the highest number of records to come, if known.
    fn coming(&self) -> Option<usize>;
    /// Returns the number of the remaining calls, if known.
    fn calls(&self) -> Option<u64>;
    /// Returns the next call.
    #[cfg(all(feature = "mcp", feature = "metered"))]
    fn request(&self) -> Request;
    /// Returns whether all records have been returned.
    fn is_over(&self) -> bool;
}

struct Turned<P>(P);

impl<P: Paged> Turn for Turned<P> {
    fn start(&self, from: Option<&Position>, wanted: Wanted) -> Result<Box<dyn Source>, Ended> {
        let mut items = ItemsAs::<P, Box<RawValue>>::of(self.0.clone());
        let first = items.offset();
        if let Some(from) = from {
            items = items.resume(from).map_err(|error| {
                Ended::Usage(format!(
                    "the position in the journal cannot be used: {error}"
                ))
            })?;
        }
        if let Wanted::Records(most) = wanted {
            // Records of earlier runs count.
            let brought = items.offset().saturating_sub(first);
            items = items.take(most.saturating_sub(brought));
        }
        Ok(Box::new(items))
    }
}

impl<P: Paged> Source for ItemsAs<P, Box<RawValue>> {
    fn next(&mut self) -> BoxFuture<'_, Option<Result<Box<RawValue>, Error>>> {
        Box::pin(self.next())
    }

    fn is_ready(&self) -> bool {
        self.is_ready()
    }

    fn position(&self) -> Position {
        self.position()
    }

    fn place(&self) -> String {
        match P::STYLE {
            Style::Offset => format!("the next record is at offset {}", self.offset()),
            _ => format!("{} records came", self.offset()),
        }
    }

    fn coming(&self) -> Option<usize> {
        generated_client::internal::size_hint(self)
    }

    fn calls(&self) -> Option<u64> {
        self.remaining_calls().calls
    }

    #[cfg(all(feature = "mcp", feature = "metered"))]
    fn request(&self) -> Request {
        self.remaining_calls().request
    }

    fn is_over(&self) -> bool {
        self.is_over()
    }
}
