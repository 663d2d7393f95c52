//! Options of the built-in transport beyond one exchange of HTTP/1.1. Each adds requests to an attempt, or hides raw bytes.

use std::time::Duration;

/// The idle time of connections with an interceptor. If the server closes one while a request is sent, its result is unknown. By default,
/// gunicorn closes after 2 seconds, Apache, Node.js and uvicorn after 5, an AWS load balancer after 60, nginx after 75.
const GUARDED_IDLE: Duration = Duration::from_secs(1);
/// The idle time without an interceptor.
const IDLE: Duration = Duration::from_secs(90);

#[derive(Debug, Clone, Copy)]
pub(crate) struct HttpOptions {
    /// True if redirects of GET and HEAD are followed.
    pub(crate) redirects: bool,
    #[cfg(feature = "compression")]
    pub(crate) compression: bool,
    /// True if HTTP/2 is used when the service offers it.
    pub(crate) http2: bool,
    /// The time for which an idle connection is kept.
    pub(crate) idle: Duration,
}

impl HttpOptions {
    /// Returns the defaults: everything is on, unless an interceptor settles each attempt.
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
