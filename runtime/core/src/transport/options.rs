//! What the built-in transport does beyond one exchange of HTTP/1.1: each of it makes an attempt more than one request, or hides what arrived.

use std::time::Duration;

/// How long a connection may be idle and be used again where an interceptor settles each attempt. A server that closes one at the same moment
/// leaves the fate of a request unknown. By default, gunicorn closes after 2 seconds, Apache, Node.js and uvicorn after 5, an AWS load
/// balancer after 60, nginx after 75.
const GUARDED_IDLE: Duration = Duration::from_secs(1);
/// The same without an interceptor.
const IDLE: Duration = Duration::from_secs(90);

/// The options of the built-in transport.
#[derive(Debug, Clone, Copy)]
pub(crate) struct HttpOptions {
    /// Redirects of GET and HEAD are followed.
    pub(crate) redirects: bool,
    /// Bodies may be compressed.
    #[cfg(feature = "compression")]
    pub(crate) compression: bool,
    /// HTTP/2 is used where the service offers it.
    pub(crate) http2: bool,
    /// How long an idle connection is kept.
    pub(crate) idle: Duration,
}

impl HttpOptions {
    /// The defaults: everything, and nothing where an interceptor settles each attempt.
    pub(crate) fn of(is_guarded: bool) -> Self {
        Self {
            redirects: !is_guarded,
            #[cfg(feature = "compression")]
            compression: !is_guarded,
            http2: !is_guarded,
            idle: if is_guarded { GUARDED_IDLE } else { IDLE },
        }
    }
}
