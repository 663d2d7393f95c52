//! Single calls: plays all cases at once. In every case:
//!
//! - The budget has the charge as spent, a bounded unknown outcome as at risk, and nothing as reserved. What was billed for a paid call is
//!   in them.
//! - Status and body are kept, and the part of them that arrived.
//! - The service sees as many requests as attempts are reported: with `Never` one, with `Always` as many for a paid call as for a free one.
//! - A redirect is not followed. The key is in one header, and in nothing that can be printed.

use std::fmt::Debug;
use std::time::Duration;

use company_intel::{Client, Credits, Error, Outcome, Response, RetryPolicy};
use conformance_tests::calls::{Call, CallCase, Callers, Ended, Fault, Host};
use conformance_tests::cases;
use conformance_tests::service::Then;
use tokio::time::timeout;

use super::{join_all, kind_of};
use crate::support::addresses::Silence;
use crate::support::calls::KEY;

/// A case with its service and its client.
pub(super) struct Ready {
    pub(super) case: CallCase,
    pub(super) client: Client,
    call: Call,
    elsewhere: Silence,
    host: Host,
}

/// A call that was made.
pub(super) struct Played {
    pub(super) ready: Ready,
    pub(super) result: Result<Response<()>, Error>,
    /// The result as `Debug` shows it, with the decoded body.
    pub(super) shown: String,
    rejects: usize,
}

/// Returns an outcome in the words of the cases.
fn outcome_words(outcome: Outcome) -> String {
    match outcome {
        Outcome::NotSent => "not sent".to_owned(),
        Outcome::Rejected => "rejected".to_owned(),
        Outcome::Charged(credits) => format!("charged {credits}"),
        Outcome::Unknown(Some(credits)) => format!("unknown {credits}"),
        Outcome::Unknown(None) => "unknown".to_owned(),
        other => format!("{other:?}"),
    }
}

impl Played {
    fn outcome(&self) -> Outcome {
        match &self.result {
            Ok(response) => response.meta.outcome(),
            Err(error) => error.outcome(),
        }
    }

    fn attempts(&self) -> u32 {
        match &self.result {
            Ok(response) => response.meta.attempts,
            Err(error) => error.attempts(),
        }
    }

    fn ended(&self) -> Ended {
        let error = self.result.as_ref().err();
        let retry_after = error.and_then(Error::retry_after);
        Ended {
            ends: error.map(kind_of),
            rejects: self.rejects,
            attempts: self.attempts(),
            outcome: outcome_words(self.outcome()),
            retryable: error.is_some_and(Error::is_retryable),
            retry_after: retry_after.map(|after| match after.as_secs() {
                // A date is rounded to minutes, because time passes before it is read.
                3000..=3600 => 3600,
                seconds => seconds,
            }),
        }
    }

    /// Checks that the budget has the charge as spent, and a bounded unknown outcome as at risk.
    fn check_budget(&self) {
        let usage = self.ready.client.budget().usage();
        let expected = match self.outcome() {
            Outcome::Charged(credits) => [credits, Credits::ZERO],
            Outcome::Unknown(Some(credits)) => [Credits::ZERO, credits],
            _ => [Credits::ZERO; 2],
        };
        assert_eq!(
            [usage.spent, usage.at_risk],
            expected,
            "{}",
            self.ready.case.file
        );
    }

    /// Checks the rules that hold in every case.
    async fn check(&self) {
        let (file, fault) = (&self.ready.case.file, &self.ready.case.service);
        let usage = self.ready.client.budget().usage();
        assert_eq!(usage.reserved, Credits::ZERO, "{file}");
        let booked = usage.spent.micros() + usage.at_risk.micros();
        let (status, body) = match &self.result {
            Ok(response) => (Some(response.meta.status), Some(&response.raw)),
            Err(error) => (error.status(), error.body()),
        };
        if let Err(error) = &self.result {
            let has_no_bound = error.outcome() == Outcome::Unknown(None);
            assert_eq!(
                error.may_have_been_charged(),
                booked > 0 || has_no_bound,
                "{file}"
            );
            assert!(error.operation().is_some(), "{file}");
        }
        let code = fault.status;
        assert_eq!(status.map(|status| status.as_u16()), code, "{file}");
        assert_eq!(body.is_some(), code.is_some(), "{file}");
        assert!(body.is_none_or(|body| *body == fault.body()), "{file}");
        if let Some(service) = &self.ready.host.service {
            let attempts = self.attempts() as usize;
            // The service may still have to read an abandoned attempt.
            timeout(Duration::from_secs(20), service.has_read(attempts))
                .await
                .ok();
            let requests = service.requests();
            assert_eq!(requests.len(), attempts, "{file}: {requests:?}");
            assert!(service.billed().micros() <= booked, "{file}: {usage:?}");
            assert_eq!(service.complaints(), [""; 0], "{file}");
        }
    }
}

impl Ready {
    async fn set_up(case: CallCase, call: Call, policy: RetryPolicy) -> Self {
        let elsewhere = Silence::listening().await;
        let host = Host::start(&case.service, call, &elsewhere.url()).await;
        let client = client(&case.service, &host, policy);
        if let Some(service) = &host.service {
            service.watch(client.budget());
        }
        Self {
            case,
            call,
            elsewhere,
            host,
            client,
        }
    }

    async fn play(self) -> Played {
        let whom = "whom-i-look-at.example";
        let played = match self.call {
            Call::Paid => {
                let response = self.client.job_posts(whom).send().await;
                self.played(response, |body| body.data.rejects().len())
            }
            Call::Free => {
                let response = self.client.company_search(whom).send().await;
                self.played(response, |_| 0)
            }
        };
        let Ready {
            case, elsewhere, ..
        } = &played.ready;
        assert!(
            elsewhere.was_kept().await,
            "{}: the redirect was followed",
            case.file
        );
        played
    }

    fn played<T: Debug>(
        self,
        response: Result<Response<T>, Error>,
        rejects: impl Fn(&T) -> usize,
    ) -> Played {
        Played {
            ready: self,
            shown: format!("{response:?} {response:#?}"),
            rejects: response.as_ref().map_or(0, |found| rejects(&found.body)),
            result: response.map(|response| response.map(drop)),
        }
    }
}

fn client(fault: &Fault, host: &Host, policy: RetryPolicy) -> Client {
    let mut builder = Client::builder(&host.url)
        .api_key(KEY)
        .retry(policy)
        .budget(Credits::new(20));
    if fault.then == Then::Hangs {
        builder = builder.read_timeout(Duration::from_millis(1500));
    }
    if host.service.is_none() {
        builder = builder.connect_timeout(Duration::from_millis(300));
    }
    builder.build().unwrap()
}

/// Plays all cases in each of these ways, concurrently. Returns the cases of each way, in the same order.
pub(super) async fn play_all(ways: &[(Call, RetryPolicy)]) -> Vec<Vec<Played>> {
    let cases: Vec<CallCase> = cases::read("calls");
    let mut ready = Vec::new();
    for (call, policy) in ways {
        for case in &cases {
            ready.push(Ready::set_up(case.clone(), *call, *policy).await);
        }
    }
    // All cases start together, so that no time passes for one while another is set up.
    let mut played = join_all(ready.into_iter().map(Ready::play))
        .await
        .into_iter();
    ways.iter()
        .map(|_| played.by_ref().take(cases.len()).collect())
        .collect()
}

/// Returns all errors that end a paid call, each with the file of its case.
pub(super) async fn errors() -> Vec<(String, Error)> {
    let played = play_all(&[(Call::Paid, RetryPolicy::Never)]).await;
    let error = |played: Played| Some((played.ready.case.file, played.result.err()?));
    played.into_iter().flatten().filter_map(error).collect()
}

#[tokio::test]
async fn every_call_ends_as_its_case_says() {
    let played = play_all(&[
        (Call::Paid, RetryPolicy::Standard),
        (Call::Free, RetryPolicy::Standard),
        (Call::Paid, RetryPolicy::Never),
        (Call::Paid, RetryPolicy::Always),
    ])
    .await;
    let [paid, free, never, always] = &played[..] else {
        panic!("not as many as were asked for");
    };

    assert!(paid.len() > 50);
    for (index, paid) in paid.iter().enumerate() {
        let [free, never, always] = [free, never, always].map(|played| &played[index]);
        let case = &paid.ready.case;
        let seen = Callers {
            paid: paid.ended(),
            free: Some(free.ended()).filter(|free| *free != paid.ended()),
        };
        case.check(&seen);
        for played in [paid, free, never, always] {
            played.check().await;
        }
        paid.check_budget();
        free.check_budget();
        assert_eq!(never.attempts(), 1, "{}", case.file);
        assert_eq!(always.attempts(), free.attempts(), "{}", case.file);
    }
}
