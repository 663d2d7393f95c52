//! One storm: a server, a service that bills, and worker processes, which all spend from one account.

use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use account_tests::Server;
use account_tests::wire::Wire;
use company_intel_sandbox::{Fault, Sandbox};
use generated_client::Credits;
use generated_client::account::{Account, AccountUsage, RedisStore};
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep};

use crate::workers::Workers;

pub(super) const WORKERS: usize = 8;
/// Concurrent calls of each worker.
pub(super) const CALLS: usize = 50;
/// Time by which a reservation outlasts its call.
pub(super) const LEASE: Duration = Duration::from_secs(1);
/// A call that exceeds it may have been billed: that is a fault, too.
const DEADLINE: Duration = Duration::from_millis(1500);
/// The documented price of a call.
const PRICE: Credits = Credits::from_micros(2_500_000);
/// Time after which a lease has ended: it lasts at most as long as the deadline of a call and `LEASE`.
const LAPSED: Duration = Duration::from_secs(10);

pub(super) struct Storm {
    seed: u64,
    pub(super) limit: Credits,
    pub(super) random: fastrand::Rng,
    pub(super) server: Server,
    pub(super) wire: Wire,
    pub(super) sandbox: Arc<Sandbox>,
    pub(super) workers: Workers,
    account: Account,
}

impl Storm {
    /// Starts everything, with a limit that is reached early, late or never. `None` if no server is installed.
    pub(super) async fn start(seed: u64) -> Option<Self> {
        let mut random = fastrand::Rng::with_seed(seed);
        let limit = Credits::new(random.u32(1000..=5000));
        let server = Server::start().await.unwrap()?;
        let wire = Wire::to(server.address()).await.unwrap();
        let mut service = Sandbox::builder()
            .latency(Duration::from_millis(1)..=Duration::from_millis(40))
            .seed(seed);
        for fault in [
            Fault::status(503).rate(0.02),
            Fault::reset().rate(0.01),
            Fault::reset().billed().rate(0.01),
            Fault::truncated().rate(0.01),
            Fault::status(429).retry_after(1).rate(0.0005),
        ] {
            service = service.fault("*", fault);
        }
        let sandbox = service.start().await.unwrap();
        let account = Account::named("storm")
            .limit(limit)
            .open(RedisStore::connect(&wire.url()).await.unwrap())
            .await
            .unwrap();
        let arguments = [
            wire.url(),
            sandbox.base_url(),
            sandbox.api_key().to_owned(),
            LEASE.as_millis().to_string(),
            DEADLINE.as_millis().to_string(),
            CALLS.to_string(),
        ];
        let mut workers = Workers::new(arguments.into(), server.folder().to_owned());
        for _ in 0..WORKERS {
            workers.start();
        }
        Some(Self {
            seed,
            limit,
            random,
            server,
            wire,
            sandbox: Arc::new(sandbox),
            workers,
            account,
        })
    }

    pub(super) fn billed(&self) -> Credits {
        self.sandbox.bill().total()
    }

    pub(super) async fn usage(&self) -> AccountUsage {
        let begin = Instant::now();
        loop {
            match self.account.usage().await {
                Ok(usage) => return usage,
                Err(error) => assert!(begin.elapsed() < LAPSED, "{error}"),
            }
            sleep(Duration::from_millis(50)).await;
        }
    }

    /// Returns the cost of all concurrent calls together.
    pub(super) fn all_calls(&self) -> Credits {
        (0..WORKERS * CALLS).map(|_| PRICE).sum()
    }

    /// Checks continuously that the account covers everything billed.
    pub(super) fn watch(&self) -> JoinHandle<()> {
        let (account, sandbox) = (self.account.clone(), Arc::clone(&self.sandbox));
        let limit = self.limit;
        tokio::spawn(async move {
            loop {
                let billed = sandbox.bill().total();
                assert!(billed <= limit, "{billed} of {limit} are billed");
                if let Ok(AccountUsage { usage, .. }) = account.usage().await {
                    let known = usage.spent + usage.reserved + usage.at_risk;
                    assert!(billed <= known, "{billed} are billed: {usage:?}");
                    assert!(known <= limit, "{usage:?}");
                }
                sleep(Duration::from_millis(20)).await;
            }
        })
    }

    /// Ends the workers, waits until every lease has ended, and returns the billed credits and the usage of the account.
    pub(super) async fn end(&mut self) -> (Credits, AccountUsage) {
        self.workers.end().await;
        let begin = Instant::now();
        loop {
            let usage = self.usage().await;
            let is_quiet = usage.usage.reserved == Credits::ZERO && usage.in_flight == 0;
            if is_quiet || begin.elapsed() > LAPSED {
                let billed = self.billed();
                println!("{}", self.line(billed, &usage));
                assert!(is_quiet, "{usage:?}");
                return (billed, usage);
            }
            sleep(Duration::from_millis(50)).await;
        }
    }

    fn line(&self, billed: Credits, account: &AccountUsage) -> String {
        let Self { seed, limit, .. } = self;
        let killed = self.workers.killed;
        let usage = &account.usage;
        format!(
            "seed {seed}: {billed} billed of {limit}, {} spent, {} at risk, {} calls; {} leases lapsed, {} strays, {killed} workers killed",
            usage.spent, usage.at_risk, usage.calls, account.lapsed, account.strays
        )
    }
}

/// Returns the seeds of the requested storms, or one.
pub(super) fn seeds() -> Range<u64> {
    let asked = std::env::var("STORM_SEEDS").unwrap_or_default();
    match asked.split_once("..") {
        Some((from, until)) => from.parse().unwrap()..until.parse().unwrap(),
        None => 1..2,
    }
}
