//! The state of a call between its attempts.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use backon::ExponentialBackoff;
use bytes::Bytes;
use tokio::time::{Instant, timeout_at};

use crate::call::drive::Progress;
use crate::call::engine::{DEADLINE, Engine};
use crate::call::limiter::pauses;
use crate::credentials::attempt::AttemptCredentials;
use crate::credentials::store::NoCredentials;
use crate::error::{CredentialError, DeadlineExceeded, Delay, Error};
use crate::future::BoxFuture;
use crate::interceptor::Record;
#[cfg(feature = "idempotency")]
use crate::request::idempotency::{self, IdempotencyKey};
use crate::request::request::Request;
use crate::response::history::CallHistory;
use crate::transport::base_url::BaseUrl;
use crate::transport::clock::instant_after;
use crate::transport::timeouts::Deadline;

/// How much of a response is read before its call ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Delivery {
    Whole,
    /// Up to the head of a success. Every other response is read completely.
    Head,
}

/// What a call shares with its caller.
pub(crate) struct Caller {
    pub(crate) progress: Arc<Progress>,
    pub(crate) delivery: Delivery,
    /// Stores responses, for others that may wait for the call.
    pub(crate) arrivals: Option<Arc<dyn Arrivals>>,
}

/// Stores responses as soon as they arrive: from then on, a caller that leaves loses none.
pub(crate) trait Arrivals: Send + Sync {
    /// Fails if another process makes the call by now: nothing more may be sent. `history`: the attempts so far.
    fn confirm<'a>(&'a self, history: &'a CallHistory) -> BoxFuture<'a, Result<(), Error>>;

    fn arrived(&self, response: &http::Response<Bytes>, record: Option<&Record>);
}

pub(super) struct CallState<'e> {
    pub(super) engine: &'e Engine,
    pub(super) request: Request,
    pub(super) address: Cow<'e, BaseUrl>,
    pub(super) caller: Caller,
    #[cfg(feature = "idempotency")]
    start: Instant,
    pub(super) deadline: Instant,
    /// The latest time at which an attempt may start.
    pub(super) latest: Instant,
    /// When an attempt in flight is cancelled.
    pub(super) cut: Option<Deadline>,
    #[cfg(feature = "idempotency")]
    key: Option<IdempotencyKey>,
    pub(super) credentials: AttemptCredentials<'e>,
    /// True once a refused token was replaced.
    #[cfg(feature = "tokens")]
    pub(super) is_renewed: bool,
    pub(super) pauses: ExponentialBackoff,
    /// The next request.
    pub(super) message: http::Request<Bytes>,
    pub(super) history: CallHistory,
}

impl<'e> CallState<'e> {
    /// Starts a call with its first request and its credentials.
    pub(super) async fn start(
        engine: &'e Engine,
        request: Request,
        caller: Caller,
    ) -> Result<Self, Error> {
        let stated = request.options.deadline.or(engine.deadline);
        let deadline = instant_after(stated.unwrap_or(DEADLINE));
        // Only an explicit deadline cancels an attempt. One that is detached, or that others wait for, continues without its caller.
        let continues =
            request.options.detached.unwrap_or(engine.is_detached) || caller.arrivals.is_some();
        let address = engine.address(&request)?;
        let history = caller.progress.so_far().unwrap_or_else(CallHistory::start);
        let mut call = Self {
            #[cfg(feature = "idempotency")]
            key: idempotency::key_of(&request, engine.api.auth)?,
            engine,
            request,
            address,
            caller,
            #[cfg(feature = "idempotency")]
            start: Instant::now(),
            deadline,
            latest: deadline,
            cut: stated.filter(|_| !continues).map(|_| Deadline(deadline)),
            credentials: AttemptCredentials::none(&engine.credentials),
            #[cfg(feature = "tokens")]
            is_renewed: false,
            pauses: pauses(),
            message: http::Request::default(),
            history,
        };
        #[cfg(feature = "idempotency")]
        call.note_key();
        call.write()?;
        call.credentials = call.obtain_credentials(deadline).await?;
        Ok(call)
    }

    /// Writes the next request, without credentials.
    pub(super) fn write(&mut self) -> Result<(), Error> {
        let engine = self.engine;
        let message = self
            .request
            .to_http(&self.address, engine.api.auth, &engine.headers);
        self.message = message?;
        #[cfg(feature = "idempotency")]
        if let Some(key) = &self.key {
            key.apply_to(self.message.headers_mut());
        }
        Ok(())
    }

    /// Returns the credentials of an attempt, and refreshes them if due.
    pub(super) async fn obtain_credentials(
        &self,
        deadline: Instant,
    ) -> Result<AttemptCredentials<'e>, Error> {
        let (operation, history) = (self.request.operation(), self.history.clone());
        let obtained = AttemptCredentials::obtain(&self.engine.credentials, self.request.security);
        match timeout_at(deadline, obtained).await {
            Ok(Ok(credentials)) => Ok(credentials),
            Ok(Err(NoCredentials::Missing(needed))) => {
                Err(CredentialError::missing(operation, history, needed).into())
            }
            #[cfg(feature = "tokens")]
            Ok(Err(NoCredentials::Provider(scheme, failure))) => {
                Err(CredentialError::provider(operation, history, scheme, failure).into())
            }
            Err(_) => {
                Err(DeadlineExceeded::new(operation, history, Delay::Waiting("a token")).into())
            }
        }
    }
}

#[cfg(feature = "idempotency")]
impl CallState<'_> {
    /// Reports the key with the history of the call.
    fn note_key(&mut self) {
        self.history.idempotency_key = self.key.as_ref().map(|key| key.as_str().into());
        if self.key.as_ref().is_some_and(IdempotencyKey::is_used) {
            self.end_with_key();
        }
    }

    /// Returns whether the service still knows the key of the call after a pause.
    pub(super) fn is_keyed(&self, pause: Duration) -> bool {
        let after = self.start.elapsed().saturating_add(pause);
        self.key.as_ref().is_some_and(|key| key.holds(after))
    }

    /// Lets attempts start only while the service knows the key: one with it, perhaps of an earlier call, may have been processed.
    pub(super) fn end_with_key(&mut self) {
        if let Some(end) = self.key.as_ref().and_then(|key| key.end(self.start)) {
            self.latest = self.latest.min(end);
        }
    }
}
