//! A service that follows a script, for tests of programs that call an API: no network, no waiting.
//!
//! The feature `test-util` enables this module, and tokio's pausable clock. In a `#[tokio::test(start_paused = true)]`, pauses between
//! attempts take no time and are exact.
//!
//! ```
//! use std::time::Duration;
//!
//! use generated_client::testing::{Reply, Script};
//! # use generated_client::document::{Api, Auth};
//! # use generated_client::{Client, ClientBuilder, Error, Method};
//! # static API: Api = Api {
//! #     auth: Auth::Header("x-api-key"),
//! #     ..Api::new("example", "1.2.3", "EXAMPLE")
//! # };
//! # struct Service;
//! # impl Service {
//! #     fn builder(url: &str) -> ClientBuilder { ClientBuilder::new(&API, url) }
//! # }
//!
//! # #[tokio::main(flavor = "current_thread", start_paused = true)]
//! # async fn main() -> Result<(), Error> {
//! let script = Script::new([
//!     Reply::new(503, "").header("retry-after", "20"),
//!     Reply::new(200, r#"{"count": 15}"#),
//! ]);
//! let client = Service::builder("https://api.example.com")
//!     .api_key("secret")
//!     .transport(script.clone())
//!     .build()?;
//!
//! // The code under test, which makes this call somewhere:
//! client.raw(Method::GET, "/v1/things").send::<serde_json::Value>().await?;
//!
//! let sent = script.sent();
//! assert_eq!(sent.len(), 2);
//! assert_eq!(sent[1].path, "/v1/things");
//! assert_eq!(sent[1].at, Duration::from_secs(20));
//! # Ok(())
//! # }
//! ```

mod json;
#[cfg(feature = "metered")]
mod spent;

#[cfg(feature = "metered")]
pub use spent::assert_spent;

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, Method};
use tokio::time::{Instant, sleep};

use crate::error::TransportError;
use crate::future::BoxFuture;
use crate::lock::lock;
use crate::response::failure::TransportErrorKind;
use crate::transport::body_stream::BodyStream;
use crate::transport::bounds::whole;
use crate::transport::secrets::public_query;
use crate::transport::transport::{Transport, TransportResult};

const AS_SCRIPTED: &str = "as the script says";

/// A transport that sends scripted replies and records the requests. Clones share the script.
#[derive(Clone)]
pub struct Script {
    replies: Arc<dyn Fn(&Sent) -> Reply + Send + Sync>,
    log: Arc<Mutex<Log>>,
}

#[derive(Default)]
struct Log {
    began: Option<Instant>,
    sent: Vec<Sent>,
}

/// A recorded request.
///
/// ```
/// use generated_client::testing::{Reply, Script, Sent};
///
/// let reply = |request: &Sent| match request.path.as_str() {
///     "/v1/things" => Reply::json(&["a", "b"]),
///     _ => Reply::new(404, ""),
/// };
/// let script = Script::responding(reply);
/// assert!(script.sent().is_empty());
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Sent {
    /// The method.
    pub method: Method,
    /// The path, encoded, with the path of the base URL before it.
    pub path: String,
    /// The query, encoded, without a credential; may be empty.
    pub query: String,
    /// The headers, without those that hold a credential.
    pub headers: HeaderMap,
    /// The body; may be empty.
    pub body: Bytes,
    /// The time since the first request.
    pub at: Duration,
}

/// The reply to a request: a response or a failure, immediately or later.
#[derive(Debug, Clone)]
pub struct Reply {
    ending: AttemptResult,
    delay: Duration,
}

#[derive(Debug, Clone)]
enum AttemptResult {
    Fails(TransportErrorKind, &'static str),
    Responds {
        status: u16,
        headers: Vec<(String, String)>,
        chunks: VecDeque<Bytes>,
        pause: Duration,
        /// The failure of the call after these chunks.
        breaks_off: Option<TransportErrorKind>,
    },
}

impl Script {
    /// Uses these replies, one per request. Requests after the last one fail, as [`TransportErrorKind::Other`].
    pub fn new(replies: impl IntoIterator<Item = Reply>) -> Self {
        let replies: VecDeque<Reply> = replies.into_iter().collect();
        let replies = Mutex::new(replies);
        Self::responding(move |_| {
            let next = lock(&replies).pop_front();
            next.unwrap_or_else(|| {
                Reply::ending(AttemptResult::Fails(
                    TransportErrorKind::Other,
                    "the script is at its end",
                ))
            })
        })
    }

    /// Replies to each request with the result of the closure, for example by its path.
    pub fn responding(reply: impl Fn(&Sent) -> Reply + Send + Sync + 'static) -> Self {
        Self {
            replies: Arc::new(reply),
            log: Arc::default(),
        }
    }

    /// Returns the requests so far, in order.
    pub fn sent(&self) -> Vec<Sent> {
        lock(&self.log).sent.clone()
    }
}

impl Transport for Script {
    fn send(
        &self,
        request: http::Request<Bytes>,
    ) -> BoxFuture<'_, Result<http::Response<Bytes>, TransportError>> {
        let sent = lock(&self.log).note(request);
        let Reply { ending, delay } = (self.replies)(&sent);
        Box::pin(async move {
            sleep(delay).await;
            ending.play().await
        })
    }

    fn send_stream(
        &self,
        request: http::Request<Bytes>,
    ) -> BoxFuture<'_, Result<http::Response<BodyStream>, TransportError>> {
        let sent = lock(&self.log).note(request);
        let Reply { ending, delay } = (self.replies)(&sent);
        Box::pin(async move {
            sleep(delay).await;
            ending.play_head()
        })
    }
}

impl fmt::Debug for Script {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Script")
            .field("sent", &self.sent())
            .finish_non_exhaustive()
    }
}

impl Log {
    fn note(&mut self, request: http::Request<Bytes>) -> Sent {
        let now = Instant::now();
        let query = public_query(&request);
        let (parts, body) = request.into_parts();
        let mut headers = parts.headers;
        let keys = headers.iter().filter(|(_, value)| value.is_sensitive());
        let keys: Vec<_> = keys.map(|(name, _)| name.clone()).collect();
        for name in keys {
            headers.remove(name);
        }
        let sent = Sent {
            method: parts.method,
            path: parts.uri.path().to_owned(),
            query,
            headers,
            body,
            at: now - *self.began.get_or_insert(now),
        };
        self.sent.push(sent.clone());
        sent
    }
}

impl Reply {
    /// Makes a response with this status and body. An invalid status makes it fail, as [`TransportErrorKind::Other`].
    pub fn new(status: u16, body: impl Into<Bytes>) -> Self {
        Self::chunked(status, [body])
    }

    /// Makes a response whose body arrives in these chunks. `send_stream` yields them one by one, and other calls read them together.
    ///
    /// ```
    /// # use std::time::Duration;
    /// # use generated_client::testing::Reply;
    /// Reply::chunked(200, ["data: 1\n\n", "data: 2\n", "\n"]).every(Duration::from_secs(1));
    /// ```
    pub fn chunked(status: u16, chunks: impl IntoIterator<Item = impl Into<Bytes>>) -> Self {
        Self::ending(AttemptResult::Responds {
            status,
            headers: Vec::new(),
            chunks: chunks.into_iter().map(Into::into).collect(),
            pause: Duration::ZERO,
            breaks_off: None,
        })
    }

    /// Makes a failure without a response.
    pub fn fails(kind: TransportErrorKind) -> Self {
        Self::ending(AttemptResult::Fails(kind, AS_SCRIPTED))
    }

    fn ending(ending: AttemptResult) -> Self {
        Self {
            ending,
            delay: Duration::ZERO,
        }
    }

    /// Adds a header. An invalid one makes the reply fail, as [`TransportErrorKind::Other`].
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        if let AttemptResult::Responds { headers, .. } = &mut self.ending {
            headers.push((name.to_owned(), value.to_owned()));
        }
        self
    }

    /// Ends the response early: its status, headers and body arrive, and then the call fails in this way. The error keeps them, as
    /// [`TransportError::partial`]. A reply that [`fails`](Self::fails) stays unchanged.
    ///
    /// ```
    /// # use generated_client::error::TransportErrorKind;
    /// # use generated_client::testing::Reply;
    /// Reply::new(200, r#"{"count": 4, "da"#).breaks_off(TransportErrorKind::Body);
    /// ```
    #[must_use]
    pub fn breaks_off(mut self, kind: TransportErrorKind) -> Self {
        if let AttemptResult::Responds { breaks_off, .. } = &mut self.ending {
            *breaks_off = Some(kind);
        }
        self
    }

    /// Adds a pause before each chunk, after the headers have arrived.
    #[must_use]
    pub fn every(mut self, each: Duration) -> Self {
        if let AttemptResult::Responds { pause, .. } = &mut self.ending {
            *pause = each;
        }
        self
    }

    /// Delays the reply.
    #[must_use]
    pub fn after(mut self, delay: Duration) -> Self {
        self.delay = self.delay.saturating_add(delay);
        self
    }
}

impl AttemptResult {
    /// Returns the head of a response, and the stream of its body.
    fn play_head(self) -> Result<http::Response<BodyStream>, TransportError> {
        match self {
            Self::Fails(kind, why) => Err(TransportError::new(kind, why)),
            Self::Responds {
                status,
                headers,
                chunks,
                pause,
                breaks_off,
            } => {
                let response = http::Response::builder().status(status);
                let response = headers
                    .into_iter()
                    .fold(response, |response, (name, value)| {
                        response.header(name, value)
                    });
                let body = BodyStream::unfold((chunks, breaks_off), move |(mut chunks, end)| {
                    let chunk = chunks.pop_front();
                    async move {
                        match (chunk, end) {
                            (Some(chunk), end) => {
                                sleep(pause).await;
                                Some((Ok(chunk), (chunks, end)))
                            }
                            (None, Some(kind)) => {
                                let error = TransportError::new(kind, AS_SCRIPTED);
                                Some((Err(error), (chunks, None)))
                            }
                            (None, None) => None,
                        }
                    }
                });
                let head = response.body(body);
                head.map_err(|error| TransportError::new(TransportErrorKind::Other, error))
            }
        }
    }

    async fn play(self) -> TransportResult {
        // The client applies its size limit.
        whole(self.play_head()?, usize::MAX).await
    }
}
