//! One thing that goes wrong, and how often.

use std::time::Duration;

use axum::http::StatusCode;

/// What goes wrong with calls of an operation.
///
/// A fault is for one call unless [`times`](Self::times) or [`always`](Self::always) says otherwise. Several faults of an operation come one
/// after the other, in the order in which they are given.
///
/// A fault that takes the place of the response is not billed unless it is [`billed`](Self::billed). One that damages a response is: the
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
    /// How many calls it is for; all where nothing is said.
    pub(crate) times: Option<u32>,
    /// Share of the calls that it is for.
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
    /// Whether the response is another one, instead of being damaged.
    pub(crate) fn replaces(self) -> bool {
        matches!(self, Self::Status(_) | Self::Redirect | Self::Reset)
    }
}

impl Fault {
    /// The pause before anything of the response.
    pub(crate) fn pause(&self) -> Duration {
        match self.kind {
            Kind::Drip => Duration::ZERO,
            _ => self.delay,
        }
    }

    /// The status in the place of the usual one.
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

    /// Responds with this status. One that does not exist is 500.
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

    /// Sends half of the body as if it were all of it, which is no JSON.
    pub fn invalid() -> Self {
        Self::new(Kind::Invalid)
    }

    /// Sends a page of HTML with the status 200, as some gateways do.
    pub fn html() -> Self {
        Self::new(Kind::Html)
    }

    /// Sends the body compressed, although nobody asked for that.
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

    /// Waits before it happens; for [`drip`](Self::drip), before each part. The call is billed and logged when it arrives.
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

    /// Is for so many calls.
    pub fn times(self, times: u32) -> Self {
        Self {
            times: Some(times),
            ..self
        }
    }

    /// Is for all calls.
    pub fn always(self) -> Self {
        Self {
            times: None,
            ..self
        }
    }

    /// Is for this share of all calls, from 0 to 1; [`times`](Self::times) after it says for how many at most. Which ones is a matter of the
    /// seed of the sandbox.
    pub fn rate(self, rate: f64) -> Self {
        Self {
            rate: rate.clamp(0.0, 1.0),
            times: None,
            ..self
        }
    }
}
