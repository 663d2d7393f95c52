//! One storm: a server, a service that bills, and worker processes, which all spend from one account.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use account_tests::Server;
use account_tests::storm::{HIGHEST, ten_minutes};
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
/// Time after which a lease has ended: it lasts at most as long as the deadline of a call and `LEASE`.
const LAPSED: Duration = Duration::from_secs(10);

/// The price of a call is documented, or varies below the one that the worker states.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    Documented,
    Stated,
}

impl Mode {
    pub(super) const ALL: [Self; 2] = [Self::Documented, Self::Stated];
}

/// Parameters that differ between storms.
#[derive(Debug, Clone, Copy)]
pub(super) struct Plan {
    pub(super) seed: u64,
    pub(super) mode: Mode,
    pub(super) limit: Credits,
    /// True if the service sometimes fails.
    pub(super) is_service_faulty: bool,
}

pub(super) struct Storm {
    pub(super) plan: Plan,
    pub(super) random: fastrand::Rng,
    pub(super) server: Server,
    pub(super) wire: Wire,
    pub(super) sandbox: Arc<Sandbox>,
    pub(super) workers: Workers,
    account: Account,
}

impl Plan {
    /// Returns the plan of a storm whose limit is reached early, late or never.
    pub(super) fn of(seed: u64, mode: Mode) -> Self {
        let limits = match mode {
            Mode::Documented => 1000..=5000,
            // Their responses are larger, and most of them cost less.
            Mode::Stated => 200..=2000,
        };
        Self {
            seed,
            mode,
            limit: Credits::new(fastrand::Rng::with_seed(seed).u32(limits)),
            is_service_faulty: true,
        }
    }

    /// Returns the deadline of a call. A call that exceeds it may have been billed: that is a fault, too.
    fn deadline(&self) -> Duration {
        if self.is_service_faulty {
            Duration::from_millis(1500)
        } else {
            Duration::from_secs(60)
        }
    }
}

impl Storm {
    /// Starts everything. `None` if no server is installed.
    pub(super) async fn start(plan: Plan) -> Option<Self> {
        let mut random = fastrand::Rng::with_seed(plan.seed);
        let server = Server::start().await.unwrap()?;
        let wire = Wire::to(server.address()).await.unwrap();
        let mut service = Sandbox::builder()
            .document(priced())
            .latency(Duration::from_millis(1)..=Duration::from_millis(40))
            .seed(plan.seed);
        if plan.is_service_faulty {
            for fault in [
                Fault::status(503).rate(0.02),
                Fault::reset().rate(0.01),
                Fault::reset().billed().rate(0.01),
                Fault::truncated().rate(0.01),
                Fault::status(429).retry_after(1).rate(0.0005),
            ] {
                service = service.fault("*", fault);
            }
        }
        let sandbox = service.start().await.unwrap();
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        // The storm is in the middle of a period.
        let period = u64::try_from(now.unwrap().as_millis()).unwrap() - 300_000;
        let account = Account::named("storm")
            .period(ten_minutes(period))
            .limit(plan.limit)
            .open(RedisStore::connect(&wire.url()).await.unwrap())
            .await
            .unwrap();
        let arguments = [
            wire.url(),
            sandbox.base_url(),
            sandbox.api_key().to_owned(),
            format!("{:?}", plan.mode).to_lowercase(),
            LEASE.as_millis().to_string(),
            plan.deadline().as_millis().to_string(),
            period.to_string(),
            CALLS.to_string(),
        ];
        let mut workers = Workers::new(arguments.into(), server.folder().to_owned());
        for _ in 0..WORKERS {
            workers.start(off_by(&mut random));
        }
        Some(Self {
            plan,
            random,
            server,
            wire,
            sandbox: Arc::new(sandbox),
            workers,
            account,
        })
    }

    /// Starts a worker in place of a killed one.
    pub(super) fn replace(&mut self) {
        self.workers.start(off_by(&mut self.random));
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
        (0..WORKERS * CALLS).map(|_| HIGHEST).sum()
    }

    /// Checks continuously that the account covers everything billed.
    pub(super) fn watch(&self) -> JoinHandle<()> {
        let (account, sandbox) = (self.account.clone(), Arc::clone(&self.sandbox));
        let limit = self.plan.limit;
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

    /// Returns the number of periods in which credits were spent.
    pub(super) async fn periods(&self) -> usize {
        let client = redis::Client::open(self.server.url()).unwrap();
        let mut connection = client.get_multiplexed_async_connection().await.unwrap();
        let mut keys = redis::cmd("KEYS");
        keys.arg("metered:{storm}:scope:*");
        let found: Vec<String> = keys.query_async(&mut connection).await.unwrap();
        found.len()
    }

    fn line(&self, billed: Credits, account: &AccountUsage) -> String {
        let Plan { seed, mode, .. } = self.plan;
        let killed = self.workers.killed;
        let usage = &account.usage;
        format!(
            "seed {seed}, {mode:?}: {billed} billed of {}, {} spent, {} at risk, {} calls; {} leases lapsed, {} strays, {killed} workers killed",
            self.plan.limit,
            usage.spent,
            usage.at_risk,
            usage.calls,
            account.lapsed,
            account.strays
        )
    }
}

/// Returns the document with prices for an operation without any. The client does not know the parameter on which they depend.
fn priced() -> String {
    let (without, with) = company_intel::OPENAPI
        .split_once("\n      operationId: enrichment\n")
        .unwrap();
    let highest = HIGHEST;
    let prices = format!(
        "[{{credits: 1, when: {{sections: absent}}}}, {{credits: {highest}, when: {{sections: present}}}}]"
    );
    format!("{without}\n      operationId: enrichment\n      x-credits: {prices}\n{with}")
}

/// Returns the offset of a clock in seconds: up to an hour, mostly enough for another period.
fn off_by(random: &mut fastrand::Rng) -> i64 {
    random.i64(-3600..=3600)
}

/// Returns the requested storms, or one of each mode.
pub(super) fn seeds() -> impl Iterator<Item = (u64, Mode)> {
    let asked = std::env::var("STORM_SEEDS").unwrap_or_default();
    let seeds = match asked.split_once("..") {
        Some((from, until)) => from.parse().unwrap()..until.parse().unwrap(),
        None => 1..2,
    };
    seeds.flat_map(|seed| Mode::ALL.map(|mode| (seed, mode)))
}
