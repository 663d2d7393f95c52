//! A fault, and the calls that it applies to.

use std::time::Duration;

use axum::http::StatusCode;

/// A fault for calls of an operation.
///
/// A fault applies to one call unless [`times`](Self::times) or [`always`](Self::always) says otherwise. Several faults of an operation apply
/// one after the other, in the order in which they are given.
///
/// A fault that replaces the response is not billed unless it is [`billed`](Self::billed). One that damages a response is billed, because the
/// service has done its work.
///
/// ```
/// use std::time::Duration;
///
/// use company_intel_sandbox::Fault;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> anyhow::Result<()> {
/// // Two calls are refused, and the third one takes its time.
/// let sandbox = company_intel_sandbox::Sandbox::builder()
///     .fault("headcount_trends", Fault::status(429).retry_after(0).times(2))
///     .fault("headcount_trends", Fault::slow(Duration::from_millis(10)))
///     .start()
///     .await?;
/// let client = sandbox.client()?;
/// let response = client.headcount_trends("example.com").send().await?;
/// assert_eq!(response.meta.attempts, 3);
/// assert_eq!(sandbox.bill().calls.len(), 1);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq)]
#[must_use = "a fault does nothing until a sandbox has it"]
pub struct Fault {
    pub(crate) kind: Kind,
    /// Number of calls that it applies to; all if `None`.
    pub(crate) times: Option<u32>,
    /// Share of the calls that it applies to.
    pub(crate) rate: f64,
    pub(crate) is_billed: bool,
    pub(crate) delay: Duration,
    /// In seconds.
    pub(crate) retry_after: Option<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Status(StatusCode),
    Redirect,
    Reset,
    Truncated,
    Invalid,
    Html,
    Gzip,
    Drip,
    Slow,
}

impl Kind {
    /// Returns whether the response is replaced rather than damaged.
    pub(crate) fn replaces(self) -> bool {
        matches!(self, Self::Status(_) | Self::Redirect | Self::Reset)
    }
}

impl Fault {
    /// Returns the pause before the response.
    pub(crate) fn pause(&self) -> Duration {
        match self.kind {
            Kind::Drip => Duration::ZERO,
            _ => self.delay,
        }
    }

    /// Returns the status that replaces the usual one.
    pub(crate) fn replaced_status(&self) -> Option<StatusCode> {
        match self.kind {
            Kind::Status(status) => Some(status),
            Kind::Redirect => Some(StatusCode::TEMPORARY_REDIRECT),
            _ => None,
        }
    }

    pub(crate) fn new(kind: Kind) -> Self {
        Self {
            kind,
            times: Some(1),
            rate: 1.0,
            is_billed: !kind.replaces(),
            delay: Duration::ZERO,
            retry_after: None,
        }
    }

    /// Responds with this status, or with 500 if it is not valid.
    pub fn status(status: u16) -> Self {
        let status = StatusCode::from_u16(status);
        Self::new(Kind::Status(
            status.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR),
        ))
    }

    /// Redirects to another path of the sandbox.
    pub fn redirect() -> Self {
        Self::new(Kind::Redirect)
    }

    /// Closes the connection without a response.
    pub fn reset() -> Self {
        Self::new(Kind::Reset)
    }

    /// Closes the connection in the middle of the body.
    pub fn truncated() -> Self {
        Self::new(Kind::Truncated)
    }

    /// Sends half of the body as if it were complete, which is invalid JSON.
    pub fn invalid() -> Self {
        Self::new(Kind::Invalid)
    }

    /// Sends an HTML page with status 200, as some gateways do.
    pub fn html() -> Self {
        Self::new(Kind::Html)
    }

    /// Sends the body compressed without a request for it.
    pub fn gzip() -> Self {
        Self::new(Kind::Gzip)
    }

    /// Sends the body in ten parts, each after this pause.
    pub fn drip(pause: Duration) -> Self {
        Self::new(Kind::Drip).delay(pause)
    }

    /// Responds as usual, after this pause.
    pub fn slow(pause: Duration) -> Self {
        Self::new(Kind::Slow).delay(pause)
    }

    /// Delays the fault; for [`drip`](Self::drip), each part. The call is billed and logged when it arrives.
    pub fn delay(self, delay: Duration) -> Self {
        Self { delay, ..self }
    }

    /// Sends `Retry-After`, in seconds.
    pub fn retry_after(self, seconds: u64) -> Self {
        Self {
            retry_after: Some(seconds),
            ..self
        }
    }

    /// Bills the call although its response is lost.
    pub fn billed(self) -> Self {
        Self {
            is_billed: true,
            ..self
        }
    }

    /// Applies to this number of calls.
    pub fn times(self, times: u32) -> Self {
        Self {
            times: Some(times),
            ..self
        }
    }

    /// Applies to all calls.
    pub fn always(self) -> Self {
        Self {
            times: None,
            ..self
        }
    }

    /// Applies to this share of all calls, from 0 to 1; a later [`times`](Self::times) limits their number. The seed of the sandbox
    /// decides which ones.
    pub fn rate(self, rate: f64) -> Self {
        Self {
            rate: rate.clamp(0.0, 1.0),
            times: None,
            ..self
        }
    }
}
