//! The client: the API and the credentials that its calls share.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use serde::de::DeserializeOwned;
use tokio::time::timeout;
use tracing::Span;

#[cfg(feature = "cache")]
use crate::cache::{Cache, Fetch, Fetched, Flight, Landing, Making, Stored};
use crate::call::drive::{Driving, Ended, NoRuntime, Progress, drive};
use crate::call::engine::Engine;
use crate::call::receive::{Success, success};
use crate::call::span;
use crate::call::state::{Caller, Delivery};
use crate::document::api::{Api, Operation};
use crate::error::{ConfigurationError, Error, TransportError};
#[cfg(feature = "cache")]
use crate::future::BoxFuture;
use crate::interceptor::Interceptor;
use crate::request::options::RetryPolicy;
use crate::request::request::Request;
use crate::response::failure::TransportErrorKind;
use crate::response::history::CallHistory;
use crate::response::response::Response;
use crate::response::undecoded::{Undecoded, Unreadable};
use crate::secret::key::ApiKey;
#[cfg(feature = "streams")]
use crate::stream::response_stream::ResponseStream;
use crate::transport::body_stream::BodyStream;
use crate::transport::timeouts::Deadline;

/// A client of one API with one key. Cheap to clone; clones share their connections.
#[derive(Clone)]
pub struct Client {
    pub(crate) shared: Arc<Engine>,
    #[cfg(feature = "cache")]
    pub(crate) cache: Option<Cache>,
}

/// The end of a call, with the secrets that no message may show.
type Called = Result<(Ended, Option<Arc<ApiKey>>), Error>;

/// A call that has begun.
enum Begun {
    Started(Started),
    /// It looks at the cache first.
    #[cfg(feature = "cache")]
    Cached(BoxFuture<'static, Called>),
}

/// A call that runs on its own task.
struct Started {
    operation: &'static Operation,
    call: Driving,
    /// The deadline of a call that may continue after it.
    bound: Option<Duration>,
    is_detached: bool,
    progress: Arc<Progress>,
}

/// What a call passes to its attempts, beside its request.
struct Attempts {
    delivery: Delivery,
    span: Span,
    /// Stores the response, for those that wait for the call.
    #[cfg(feature = "cache")]
    cached: Option<(Arc<Flight>, Box<Making>)>,
}

impl Client {
    pub(crate) fn new(shared: Engine) -> Self {
        Self {
            shared: Arc::new(shared),
            #[cfg(feature = "cache")]
            cache: None,
        }
    }

    /// Makes a call and decodes its response as `serde_json` does; documented types are also read from what deviates from the document. The
    /// [`RetryPolicy`](crate::RetryPolicy) decides on retries.
    ///
    /// # Errors
    ///
    /// Before sending: [`Error::Argument`] if the request is invalid, [`Error::Refused`] if the interceptor refuses it,
    /// [`Error::DeadlineExceeded`] if the deadline expires while it waits. Then [`Error::Transport`] without a complete response,
    /// [`Error::Status`] for a status other than 2xx (redirects included), and [`Error::Decode`] if the body of a 2xx is not a valid `T`.
    pub async fn send<T: DeserializeOwned + Send + 'static>(
        &self,
        request: Request,
    ) -> Result<Response<T>, Error> {
        self.send_with(request, Undecoded::json_as).await
    }

    /// Makes a call and decodes its body with `read`, for responses that are not plain JSON. For generated code.
    ///
    /// # Errors
    ///
    /// As [`send`](Self::send).
    pub async fn send_with<T: Send + 'static>(
        &self,
        request: Request,
        read: fn(&Undecoded) -> Result<T, Unreadable>,
    ) -> Result<Response<T>, Error> {
        match self.receive(request, Delivery::Whole).await {
            Ok((success, _)) => success.decoded(read),
            Err(error) => Err(error),
        }
    }

    /// Makes a call and returns when the head of a success has arrived; its body is streamed and may have any size.
    ///
    /// Up to the head it works like [`send`](Self::send): attempts, timeouts and spans are the same. A response other than a success is
    /// read completely. [`ResponseStream`] describes the differences after the head.
    ///
    /// # Errors
    ///
    /// As [`send`](Self::send), up to the head. After it, errors are items of the stream.
    #[cfg(feature = "streams")]
    pub async fn send_stream(&self, request: Request) -> Result<ResponseStream, Error> {
        let (success, body) = self.receive(request, Delivery::Head).await?;
        let body = body.unwrap_or_else(|| BodyStream::from(success.raw.clone()));
        let most = self.shared.bounds.of(success.meta.status);
        Ok(ResponseStream::new(success, body, most))
    }

    fn span(&self, request: &Request) -> Span {
        let address = self.shared.address(request);
        let base_url = address.as_deref().unwrap_or(&self.shared.base_url);
        span::call(base_url, request.operation())
    }

    /// Makes a call, and returns its success with the part of the body that has not arrived. Without a type parameter: the crates that make
    /// calls do not compile it again for each type.
    fn receive(
        &self,
        request: Request,
        delivery: Delivery,
    ) -> impl Future<Output = Result<(Success, Option<BodyStream>), Error>> + Send {
        let operation = request.operation();
        let span = self.span(&request);
        let call = self.call(request, delivery, span.clone());
        async move {
            let received = match call.await {
                Ok((ended, key)) => success(
                    operation,
                    key.as_ref(),
                    ended.response,
                    ended.history,
                    &span,
                )
                .map(|success| (success, ended.body)),
                Err(error) => Err(error),
            };
            if let Err(error) = &received {
                span::end_call(&span, error);
            }
            received
        }
    }

    /// Makes a call, unless a stored response or an equal call has what it asks for. Also returns the secrets that no message may show.
    ///
    /// The future holds no request: those of callers stay small.
    fn call(
        &self,
        request: Request,
        delivery: Delivery,
        span: Span,
    ) -> impl Future<Output = Called> + Send {
        let attempts = Attempts {
            delivery,
            span,
            #[cfg(feature = "cache")]
            cached: None,
        };
        let begun = self.begin(request, attempts);
        async move {
            match begun? {
                Begun::Started(started) => self.end(started).await,
                #[cfg(feature = "cache")]
                Begun::Cached(call) => call.await,
            }
        }
    }

    fn begin(&self, request: Request, attempts: Attempts) -> Result<Begun, Error> {
        #[cfg(feature = "cache")]
        {
            let (cache, delivery) = (self.cache.as_ref(), attempts.delivery);
            if let Some(fetch) = Fetch::new(cache, &self.shared, &request, delivery)? {
                let client = self.clone();
                let call = async move { client.cached(fetch, attempts).await };
                return Ok(Begun::Cached(Box::pin(call)));
            }
        }
        self.start(request, attempts).map(Begun::Started)
    }

    /// Makes a call for the cache, unless that has its response.
    #[cfg(feature = "cache")]
    async fn cached(&self, mut fetch: Fetch, attempts: Attempts) -> Called {
        loop {
            let (flight, turn) = match fetch.fetch().await? {
                Fetched::Answered(ended, secrets) => return Ok((*ended, secrets)),
                Fetched::Own(flight, turn) => (flight, turn),
            };
            let making = Box::new(Making::new(&fetch, turn));
            let request = making.request();
            let attempts = Attempts {
                delivery: attempts.delivery,
                span: attempts.span.clone(),
                cached: Some((flight, making)),
            };
            match self.end(self.start(request, attempts)?).await {
                Err(error) if fetch.has_lost_lease(&error) => {}
                ended => return ended,
            }
        }
    }

    /// Starts the attempts of a call in its own task.
    fn start(&self, request: Request, attempts: Attempts) -> Result<Started, Error> {
        let operation = request.operation();
        let is_detached = request.options.detached.unwrap_or(self.shared.is_detached);
        let stated = request.options.deadline.or(self.shared.deadline);
        let progress = Arc::<Progress>::default();
        let engine = Arc::clone(&self.shared);
        #[cfg(feature = "cache")]
        let (flight, making) = attempts.cached.unzip();
        #[cfg(feature = "cache")]
        if let Some(lost) = making.as_ref().and_then(|making| making.lost()) {
            progress.note(lost);
        }
        #[cfg(feature = "cache")]
        let arrivals = making.as_ref().map(|making| making.arrivals());
        #[cfg(not(feature = "cache"))]
        let arrivals = None;
        let continues = is_detached || arrivals.is_some();
        let caller = Caller {
            progress: Arc::clone(&progress),
            delivery: attempts.delivery,
            arrivals,
        };
        let call = async move {
            let ended = engine.call(request, caller).await;
            #[cfg(feature = "cache")]
            if let Some(making) = making {
                let landing = Landing::of(&ended);
                making.end(landing).await;
            }
            ended
        };
        let shared = Arc::clone(&progress);
        let call = drive(Box::pin(call), attempts.span, shared, is_detached)
            .map_err(|NoRuntime| ConfigurationError::NoRuntime)?;
        #[cfg(feature = "cache")]
        let call = match flight {
            Some(flight) => flight.hold(call),
            None => Driving::Own(call),
        };
        Ok(Started {
            operation,
            call,
            bound: stated.filter(|_| continues),
            is_detached,
            progress,
        })
    }

    /// Waits for the end of a call.
    async fn end(&self, started: Started) -> Called {
        let Started {
            operation,
            mut call,
            bound,
            is_detached,
            progress,
        } = started;
        let ended = match bound {
            None => call.await,
            Some(bound) => match timeout(bound, &mut call).await {
                Ok(ended) => ended,
                Err(_) if call.leave() => {
                    // Without others that wait for it, it is cancelled.
                    drop(call);
                    let error = if is_detached {
                        let why = "the deadline of the call passed; it continues";
                        TransportError::new(TransportErrorKind::Timeout, why)
                    } else {
                        Deadline::passed()
                    };
                    let history = progress.so_far().unwrap_or_else(CallHistory::start);
                    return Err(error.during(operation, history).into());
                }
                // Without a request in flight, it ends at its deadline anyway.
                Err(_) => call.await,
            },
        };
        let ended = ended.map_err(|NoRuntime| match progress.so_far() {
            None => Error::from(ConfigurationError::NoRuntime),
            Some(history) => {
                let why = "the runtime was shut down during the call";
                let error = TransportError::new(TransportErrorKind::Other, why);
                error.during(operation, history).into()
            }
        })?;
        Ok((ended?, self.shared.credentials.secrets()))
    }

    /// Returns the interceptor of this type; `None` if the client has no such interceptor.
    pub fn interceptor<I: Interceptor>(&self) -> Option<&I> {
        self.shared.interceptors.get()
    }

    /// Returns a client with this interceptor, in place of the one of its type or before that of the API. It shares everything else.
    #[must_use]
    pub fn with_interceptor<I: Interceptor>(&self, interceptor: I) -> Self {
        let mut shared = Engine::clone(&self.shared);
        shared.interceptors.put(interceptor);
        Self {
            shared: Arc::new(shared),
            #[cfg(feature = "cache")]
            cache: self.cache.clone(),
        }
    }

    /// Returns the API that the client calls.
    pub fn api(&self) -> &'static Api {
        self.shared.api
    }

    /// Returns how a call would go through the cache; `None` if its response is not stored.
    #[cfg(feature = "cache")]
    pub(crate) fn fetch(&self, request: &Request) -> Option<Fetch> {
        Fetch::of(self.cache.as_ref(), &self.shared, request)
    }

    /// Returns the stored response to a call that is watched, of any age.
    #[cfg(feature = "cache")]
    #[doc(hidden)]
    pub async fn watched(&self, request: &Request) -> Result<Option<Stored>, Error> {
        let fetch = Fetch::watched(self.fetch(request), request)?;
        fetch.stored().await
    }

    /// Returns the retry policy of this request.
    pub fn retry_policy(&self, request: &Request) -> RetryPolicy {
        request.options.retry.unwrap_or(self.shared.retry)
    }

    /// Returns path and query of a link in the response to a request; `Err` says why it is not followed.
    #[cfg(feature = "paging")]
    pub(crate) fn link(&self, request: &Request, link: &str) -> Result<String, String> {
        let address = self.shared.address(request);
        let address = address.map_err(|error| error.to_string())?;
        let link = request.link(link, &address, self.shared.api.auth);
        link.map_err(ToOwned::to_owned)
    }

    /// Removes the key from a string that the service sent.
    #[cfg(any(feature = "paging", feature = "waiting"))]
    pub(crate) fn redact(&self, text: &str) -> String {
        self.shared.redact(text)
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client")
            .field("api", &self.shared.api.name)
            .field("base_url", &self.shared.base_url)
            .finish_non_exhaustive()
    }
}
