//! Single calls: plays all rows at once, and formats each result as a row.

use std::fmt::Debug;
use std::time::Duration;

use company_intel::error::TransportErrorKind;
use company_intel::{Client, Credits, Error, Outcome, Response, RetryPolicy};
use tokio::time::timeout;

use super::fault::{Call, Fault, Server, faults};
use super::rows;
use crate::support::addresses::Silence;

/// Result of a call.
pub(super) struct Ended {
    pub(super) result: Result<Response<()>, Error>,
    /// The result as `Debug` shows it, with the decoded body.
    pub(super) shown: String,
    pub(super) client: Client,
    rejects: usize,
    server: Server,
}

async fn make_call(client: &Client, call: Call) -> (Result<Response<()>, Error>, String, usize) {
    let whom = "whom-i-look-at.example";
    match call {
        Call::Paid => {
            let response = client.job_posts(whom).send().await;
            stripped(response, |body| body.data.rejects().len())
        }
        Call::Free => {
            let response = client.company_search(whom).send().await;
            stripped(response, |_| 0)
        }
    }
}

fn stripped<T: Debug>(
    response: Result<Response<T>, Error>,
    rejects: impl Fn(&T) -> usize,
) -> (Result<Response<()>, Error>, String, usize) {
    let shown = format!("{response:?} {response:#?}");
    let rejects = response
        .as_ref()
        .map_or(0, |response| rejects(&response.body));
    (response.map(|response| response.map(drop)), shown, rejects)
}

impl Ended {
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

    /// Returns the columns that are the same for both calls.
    fn how(&self) -> [String; 2] {
        let how = match &self.result {
            Ok(_) if self.rejects > 0 => format!("{} reject", self.rejects),
            Ok(_) => "-".to_owned(),
            Err(Error::Transport(error)) => match error.kind() {
                TransportErrorKind::Connect => "connect".to_owned(),
                TransportErrorKind::Timeout => "timeout".to_owned(),
                TransportErrorKind::Body => "body".to_owned(),
                TransportErrorKind::Other => "other".to_owned(),
                kind => format!("{kind:?}"),
            },
            Err(Error::Status(_)) => "status".to_owned(),
            Err(Error::Decode(_)) => "decode".to_owned(),
            Err(error) => format!("{error:?}"),
        };
        let after = self.result.as_ref().err().and_then(Error::retry_after);
        let after = match after.map(|after| after.as_secs()) {
            None => "-".to_owned(),
            // A date is rounded to minutes, because time passes before it is read.
            Some(3000..=3600) => "60 min".to_owned(),
            Some(seconds) => format!("{seconds} s"),
        };
        [how, after]
    }

    /// Returns the column of one call.
    fn what(&self) -> String {
        let outcome = match self.outcome() {
            Outcome::NotSent => "not sent".to_owned(),
            Outcome::Rejected => "rejected".to_owned(),
            Outcome::Charged(credits) => format!("charged {credits}"),
            Outcome::Unknown(Some(credits)) => format!("unknown {credits}"),
            Outcome::Unknown(None) => "unknown".to_owned(),
            other => format!("{other:?}"),
        };
        let again = match &self.result {
            Err(error) if error.is_retryable() => ", again",
            _ => "",
        };
        format!("{}× {outcome}{again}", self.attempts())
    }

    /// Checks that the budget has the charge as spent, and a bounded unknown outcome as at risk.
    fn check_budget(&self, fault: &Fault) {
        let usage = self.client.budget().usage();
        let expected = match self.outcome() {
            Outcome::Charged(credits) => [credits, Credits::ZERO],
            Outcome::Unknown(Some(credits)) => [Credits::ZERO, credits],
            _ => [Credits::ZERO; 2],
        };
        assert_eq!([usage.spent, usage.at_risk], expected, "{}", fault.row);
    }

    /// Checks the rules that hold in every row.
    async fn check(&self, fault: &Fault) {
        let row = &fault.row;
        let usage = self.client.budget().usage();
        assert_eq!(usage.reserved, Credits::ZERO, "{row}");
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
                "{row}"
            );
            assert!(error.operation().is_some(), "{row}");
        }
        let code = fault.status();
        assert_eq!(status.map(|status| status.as_u16()), code, "{row}");
        assert_eq!(body.is_some(), code.is_some(), "{row}");
        assert!(body.is_none_or(|body| *body == fault.body), "{row}");
        if let Server::Plays(service) = &self.server {
            let attempts = self.attempts() as usize;
            // The service may still have to read an abandoned attempt.
            timeout(Duration::from_secs(20), service.has_read(attempts))
                .await
                .ok();
            let requests = service.requests();
            assert_eq!(requests.len(), attempts, "{row}: {requests:?}");
            assert!(service.billed().micros() <= booked, "{row}: {usage:?}");
            assert_eq!(service.complaints(), [""; 0], "{row}");
        }
    }
}

/// A row that is about to be played.
struct Ready {
    fault: Fault,
    call: Call,
    elsewhere: Silence,
    server: Server,
    client: Client,
}

impl Ready {
    async fn play(self) -> (Fault, Ended) {
        let (result, shown, rejects) = make_call(&self.client, self.call).await;
        let was_kept = self.elsewhere.was_kept().await;
        assert!(was_kept, "{} was followed", self.fault.row);
        let ended = Ended {
            result,
            shown,
            client: self.client,
            rejects,
            server: self.server,
        };
        (self.fault, ended)
    }
}

/// Plays all rows in each of these ways, concurrently.
pub(super) async fn play_all(ways: &[(Call, RetryPolicy)]) -> Vec<Vec<(Fault, Ended)>> {
    let mut ready = Vec::new();
    for (call, policy) in ways {
        for fault in faults() {
            let call = *call;
            let elsewhere = Silence::listening().await;
            let (server, client) = fault.set_up(call, *policy, &elsewhere).await;
            ready.push(Ready {
                fault,
                call,
                elsewhere,
                server,
                client,
            });
        }
    }
    // All rows start together, so that no time passes for one while another is set up.
    let rows = ready.len() / ways.len();
    let running: Vec<_> = ready
        .into_iter()
        .map(|ready| tokio::spawn(ready.play()))
        .collect();
    let mut played = Vec::new();
    for running in running {
        played.push(running.await.unwrap());
    }
    let mut by_way = Vec::new();
    while !played.is_empty() {
        let rest = played.split_off(rows);
        by_way.push(std::mem::replace(&mut played, rest));
    }
    by_way
}

#[tokio::test]
async fn every_fault_ends_as_the_table_says() {
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

    let expected = rows("Calls");
    assert!(expected.len() > 50);
    for (index, (fault, paid)) in paid.iter().enumerate() {
        let [free, never, always] = [free, never, always].map(|played| &played[index].1);
        for ended in [paid, free, never, always] {
            ended.check(fault).await;
        }
        paid.check_budget(fault);
        free.check_budget(fault);
        assert_eq!(never.attempts(), 1, "{}", fault.row);
        assert_eq!(always.attempts(), free.attempts(), "{}", fault.row);
        let given = fault.row.split(" | ").map(str::to_owned);
        let how = match (paid.how(), free.how()) {
            (both, same) if both == same => both,
            ([paid, after], [free, _]) => [format!("{paid} or {free}"), after],
        };
        let seen = given.chain(how).chain([paid.what(), free.what()]);
        assert_eq!(seen.collect::<Vec<_>>(), expected[index]);
    }
}
