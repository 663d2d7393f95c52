//! What the built-in transport does beyond one exchange of HTTP/1.1: each of it can cost money or hide what was paid for.

use std::time::Duration;

/// How long a connection may be idle and be used again where calls are paid. A server that closes one at the same moment leaves the fate of
/// a request unknown, and money at risk. By default, gunicorn closes after 2 seconds, Apache, Node.js and uvicorn after 5, an AWS load
/// balancer after 60, nginx after 75.
const PAID_IDLE: Duration = Duration::from_secs(1);
/// The same where calls cost nothing.
const FREE_IDLE: Duration = Duration::from_secs(90);

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
    /// The defaults: everything where calls cost nothing, and nothing where they do.
    pub(crate) fn of(is_metered: bool) -> Self {
        Self {
            redirects: !is_metered,
            #[cfg(feature = "compression")]
            compression: !is_metered,
            http2: !is_metered,
            idle: if is_metered { PAID_IDLE } else { FREE_IDLE },
        }
    }
}
