//! The token of one scheme. One task at a time refreshes it for all waiting calls.

use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use http::HeaderValue;
use secrecy::ExposeSecret;
use tokio::runtime::Handle;
use tokio::sync::watch;
use tokio::time::{Instant, timeout};

use crate::credentials::guard::Guard;
use crate::credentials::header::bearer;
use crate::credentials::token::{Token, TokenProvider, TokenReason};
use crate::error::ProviderFailure;
use crate::lock::lock;
use crate::secret::key::check;
use crate::transport::clock::instant_after;

/// The time limit of a refresh.
const LONGEST: Duration = Duration::from_secs(60);
/// How often a refresh is restarted after its runtime was shut down.
const RESTARTS: usize = 3;

/// The first back-off if a token that replaces a refused one is refused too. It doubles each time.
const FIRST_BACKOFF: Duration = Duration::from_secs(1);
const LONGEST_BACKOFF: Duration = Duration::from_secs(60);

/// A token with its header value.
pub(crate) struct CachedToken {
    token: Token,
    pub(super) header: HeaderValue,
}

pub(super) type Refreshed = Result<Arc<CachedToken>, Arc<ProviderFailure>>;

/// A provider and its last token.
pub(crate) struct TokenCell {
    provider: Arc<dyn TokenProvider>,
    guard: Arc<Guard>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    cached: Option<Arc<CachedToken>>,
    is_refused: bool,
    /// The number of consecutive refused tokens.
    refusals: u32,
    /// The end of the back-off. Until then, each call is sent once with the refused token.
    backs_off_until: Option<Instant>,
    running: Option<watch::Receiver<Option<Refreshed>>>,
}

impl State {
    fn has_cached(&self, cached: &Arc<CachedToken>) -> bool {
        let known = self.cached.as_ref();
        known.is_some_and(|known| Arc::ptr_eq(known, cached))
    }

    /// A service that also refuses a replacement token does not refuse it for its age, so further tokens are requested less often.
    fn refuse(&mut self) {
        self.is_refused = true;
        self.refusals = self.refusals.saturating_add(1);
        let doublings = self.refusals.checked_sub(2);
        let backoff =
            doublings.map(|times| FIRST_BACKOFF.saturating_mul(2_u32.saturating_pow(times)));
        self.backs_off_until = backoff.map(|backoff| instant_after(backoff.min(LONGEST_BACKOFF)));
    }

    fn backs_off(&self) -> bool {
        self.is_refused
            && self
                .backs_off_until
                .is_some_and(|until| Instant::now() < until)
    }
}

impl CachedToken {
    /// Returns whether the provider returned the same string.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        self.token.secret.expose_secret() == other.token.secret.expose_secret()
    }
}

impl TokenCell {
    pub(super) fn new(provider: Arc<dyn TokenProvider>, guard: Arc<Guard>) -> Self {
        Self {
            provider,
            guard,
            state: Mutex::default(),
        }
    }

    /// Returns the client's token; obtains a new one if it has none or a stale one.
    pub(crate) async fn obtain(self: &Arc<Self>) -> Refreshed {
        for _ in 0..RESTARTS {
            let mut running = match self.begin() {
                Refresh::Cached(cached) => return Ok(cached),
                Refresh::Running(running) => running,
                Refresh::NoRuntime => break,
            };
            let ended = running.wait_for(Option::is_some).await;
            if let Some(refreshed) = ended.ok().and_then(|ended| ended.clone()) {
                return refreshed;
            }
        }
        Err(Arc::new(ProviderFailure::new("its runtime was shut down")))
    }

    /// Returns whether [`obtain`](Self::obtain) would give the same token.
    pub(super) fn is_current(&self, cached: &Arc<CachedToken>) -> bool {
        let state = self.lock();
        state.has_cached(cached)
            && (state.backs_off() || !state.is_refused && !cached.token.is_stale())
    }

    /// Notes that the service accepted this token.
    pub(crate) fn accept(&self, accepted: &Arc<CachedToken>) {
        let mut state = self.lock();
        if state.has_cached(accepted) && !state.is_refused {
            state.refusals = 0;
        }
    }

    /// Notes that the service refused this token. Only the first refusal of a token has an effect.
    pub(crate) fn refuse(&self, refused: &Arc<CachedToken>) {
        let mut state = self.lock();
        if state.has_cached(refused) && !state.is_refused {
            state.refuse();
        }
    }

    fn begin(self: &Arc<Self>) -> Refresh {
        let mut state = self.lock();
        // A sender without a result was dropped with its runtime.
        let running = state.running.take();
        if let Some(running) = running.filter(|running| running.has_changed().is_ok()) {
            state.running = Some(running.clone());
            return Refresh::Running(running);
        }
        let reason = match &state.cached {
            None => TokenReason::First,
            Some(cached) if state.backs_off() => return Refresh::Cached(Arc::clone(cached)),
            Some(_) if state.is_refused => TokenReason::Refused,
            Some(cached) if cached.token.is_stale() => TokenReason::Expiring,
            Some(cached) => return Refresh::Cached(Arc::clone(cached)),
        };
        let Ok(runtime) = Handle::try_current() else {
            return Refresh::NoRuntime;
        };
        let (sender, running) = watch::channel(None);
        state.running = Some(running.clone());
        drop(state);
        let cell = Arc::clone(self);
        runtime.spawn(async move {
            let refreshed = cell.refresh(reason).await;
            cell.end(&refreshed);
            sender.send_replace(Some(refreshed));
        });
        Refresh::Running(running)
    }

    async fn refresh(&self, reason: TokenReason) -> Refreshed {
        let provider = Arc::clone(&self.provider);
        // A separate task turns a panic into a value.
        let mut asking = tokio::spawn(async move { provider.token(reason).await });
        let asked = timeout(LONGEST, &mut asking).await;
        let secrets = self.guard.secrets();
        let failed = match asked {
            Ok(Ok(Ok(token))) => match check(token.secret.expose_secret()) {
                Ok(()) => {
                    // Guard the token before it is used.
                    self.guard.add(token.secret.clone());
                    let header = bearer(token.secret.expose_secret());
                    return Ok(Arc::new(CachedToken { token, header }));
                }
                Err(problem) => ProviderFailure::new(format!("its token {}", problem.0)),
            },
            Ok(Ok(Err(error))) => ProviderFailure::of(&*error, secrets.as_deref()),
            Ok(Err(error)) if error.is_panic() => ProviderFailure::new("it panicked"),
            Ok(Err(_)) => ProviderFailure::new("its runtime was shut down"),
            Err(_) => {
                asking.abort();
                ProviderFailure::new(format!("it took longer than {} s", LONGEST.as_secs()))
            }
        };
        Err(Arc::new(failed))
    }

    fn end(&self, refreshed: &Refreshed) {
        let mut state = self.lock();
        state.running = None;
        if let Ok(cached) = refreshed {
            let before = state.cached.replace(Arc::clone(cached));
            let is_same = before.is_some_and(|before| before.is_same(cached));
            if state.is_refused && is_same {
                state.refuse()
            } else {
                state.is_refused = false
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }
}

enum Refresh {
    Cached(Arc<CachedToken>),
    Running(watch::Receiver<Option<Refreshed>>),
    NoRuntime,
}
