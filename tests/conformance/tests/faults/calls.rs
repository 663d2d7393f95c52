//! Single calls: plays all rows at once, and writes down what came of each as a row again.

use std::fmt::Debug;
use std::time::{Duration, SystemTime};

use super::rows;
use super::server::{Deed, Service, Then};
use crate::support::{Crowded, Deserted, KEY, Silence};
use company_intel::{Client, Credits, Error, Outcome, Response, RetryPolicy, TransportErrorKind};

/// Columns of a row that say what the service does.
const GIVEN: usize = 4;

/// The left side of a row.
#[derive(Debug, Clone)]
pub(crate) struct Fault {
    pub(crate) row: String,
    service: String,
    retry_after: String,
    body: String,
    bills: Credits,
}

/// What came of a call.
pub(crate) struct Ended {
    pub(crate) result: Result<Response<()>, Error>,
    /// The whole answer as `Debug` shows it, with its decoded body.
    pub(crate) shown: String,
    pub(crate) client: Client,
    rejects: usize,
    service: Option<Service>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Call {
    /// For four credits.
    Paid,
    Free,
}

pub(crate) fn faults() -> Vec<Fault> {
    let fault = |cells: Vec<String>| Fault {
        row: cells[..GIVEN].join(" | "),
        service: cells[0].clone(),
        retry_after: cells[1].clone(),
        body: cells[2].replace("KEY", KEY),
        bills: match cells[3].as_str() {
            "" => Credits::ZERO,
            bills => bills.parse().unwrap(),
        },
    };
    rows("Calls").into_iter().map(fault).collect()
}

impl Fault {
    /// What the service does with a request; nothing where it has no say.
    fn deed(&self, elsewhere: &str, call: Call) -> Option<Deed> {
        let bills = match call {
            Call::Paid => self.bills,
            Call::Free => Credits::ZERO,
        };
        let begun = || {
            let length = self.body.len() + 10;
            let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {length}\r\n\r\n");
            head + &self.body
        };
        let (sends, then) = match self.service.as_str() {
            "refuses" | "takes no more" => return None,
            "closes" => (String::new(), Then::Closes),
            "resets" => (String::new(), Then::Resets),
            "hangs" => (String::new(), Then::Hangs),
            "says half a head" => ("HTTP/1.1 200 OK\r\ncontent-le".to_owned(), Then::Closes),
            "talks nonsense" => (self.body.clone(), Then::Closes),
            "breaks off" => (begun(), Then::Closes),
            "stalls" => (begun(), Then::Hangs),
            status => {
                let (status, location) = match status.strip_suffix(" to elsewhere") {
                    Some(status) => (status, Some(("location", elsewhere))),
                    None => (status, None),
                };
                let date;
                let retry_after = match self.retry_after.as_str() {
                    "" => None,
                    "yesterday" => Some("Wed, 21 Oct 2015 07:28:00 GMT"),
                    "in an hour" => {
                        let hour = SystemTime::now() + Duration::from_secs(3600);
                        date = httpdate::fmt_http_date(hour);
                        Some(date.as_str())
                    }
                    other => Some(other),
                };
                let retry_after = retry_after.map(|value| ("retry-after", value));
                let headers: Vec<_> = location.into_iter().chain(retry_after).collect();
                return Some(Deed {
                    bills,
                    ..Deed::answer(status.parse().unwrap(), &headers, &self.body)
                });
            }
        };
        Some(Deed {
            bills,
            ..Deed::sending(sends, then)
        })
    }

    /// Makes a call of a client with this policy.
    pub(crate) async fn play(&self, call: Call, policy: RetryPolicy) -> Ended {
        let elsewhere = Silence::listening().await;
        let deserted = Deserted::reserved();
        let crowded;
        let (service, url) = match self.deed(&format!("{}/{KEY}", elsewhere.url()), call) {
            Some(deed) => {
                let service = Service::of([deed]).await;
                let url = service.url();
                (Some(service), url)
            }
            None if self.service == "refuses" => (None, deserted.url()),
            None => {
                crowded = Crowded::listening().await;
                (None, crowded.url())
            }
        };
        let builder = Client::builder(url)
            .api_key(KEY)
            .retry(policy)
            .budget("20".parse().unwrap());
        let builder = match self.service.as_str() {
            "hangs" | "stalls" => builder.read_timeout(Duration::from_millis(700)),
            "takes no more" => builder.connect_timeout(Duration::from_millis(300)),
            _ => builder,
        };
        let client = builder.build().unwrap();
        if let Some(service) = &service {
            service.watch(client.ledger());
        }
        let whom = "whom-i-look-at.example";
        let (result, shown, rejects) = match call {
            Call::Paid => {
                let answer = client.job_posts(whom).send().await;
                stripped(answer, |body| body.data.rejects().len())
            }
            Call::Free => {
                let answer = client.industry_search(whom).send().await;
                stripped(answer, |_| 0)
            }
        };
        assert!(elsewhere.was_kept().await, "{} was followed", self.row);
        Ended {
            result,
            shown,
            rejects,
            client,
            service,
        }
    }
}

fn stripped<T: Debug>(
    answer: Result<Response<T>, Error>,
    rejects: impl Fn(&T) -> usize,
) -> (Result<Response<()>, Error>, String, usize) {
    let shown = format!("{answer:?} {answer:#?}");
    let rejects = answer.as_ref().map_or(0, |answer| rejects(&answer.body));
    (answer.map(|answer| answer.map(drop)), shown, rejects)
}

impl Ended {
    fn outcome(&self) -> Outcome {
        match &self.result {
            Ok(answer) => answer.meta.outcome,
            Err(error) => error.outcome(),
        }
    }

    fn attempts(&self) -> u32 {
        match &self.result {
            Ok(answer) => answer.meta.attempts,
            Err(error) => error.attempts(),
        }
    }

    /// The columns that are the same for both calls.
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
            // A date is a little nearer by the time that it is read.
            Some(seconds) if seconds > 3000 => format!("{} min", (seconds + 30) / 60),
            Some(seconds) => format!("{seconds} s"),
        };
        [how, after]
    }

    /// The columns of one call.
    fn what(&self) -> [String; 5] {
        let usage = self.client.ledger().usage();
        let outcome = match self.outcome() {
            Outcome::NotSent => "not sent".to_owned(),
            Outcome::Rejected => "rejected".to_owned(),
            Outcome::Charged(credits) => format!("charged {credits}"),
            Outcome::Unknown(Some(credits)) => format!("unknown {credits}"),
            Outcome::Unknown(None) => "unknown".to_owned(),
            other => format!("{other:?}"),
        };
        let again = match &self.result {
            Ok(_) => "-",
            Err(error) if error.is_retryable() => "yes",
            Err(_) => "no",
        };
        [
            self.attempts().to_string(),
            outcome,
            usage.spent.to_string(),
            usage.at_risk.to_string(),
            again.to_owned(),
        ]
    }

    /// What no row has to say.
    fn check(&self, fault: &Fault) {
        let row = &fault.row;
        let usage = self.client.ledger().usage();
        assert_eq!(usage.reserved, Credits::ZERO, "{row}");
        let booked = usage.spent.micros() + usage.at_risk.micros();
        let (status, body) = match &self.result {
            Ok(answer) => (Some(answer.meta.status), Some(&answer.raw)),
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
        let code = fault.service.split(' ').next().unwrap().parse::<u16>().ok();
        assert_eq!(status.map(|status| status.as_u16()), code, "{row}");
        assert_eq!(body.is_some(), code.is_some(), "{row}");
        assert!(body.is_none_or(|body| *body == fault.body), "{row}");
        if let Some(service) = &self.service {
            assert_eq!(service.requests().len(), self.attempts() as usize, "{row}");
            assert!(service.billed().micros() <= booked, "{row}: {usage:?}");
            assert_eq!(service.complaints(), [""; 0], "{row}");
        }
    }
}

/// Plays this with every row at the same time.
pub(crate) async fn play_all(call: Call, policy: RetryPolicy) -> Vec<(Fault, Ended)> {
    let playing: Vec<_> = faults()
        .into_iter()
        .map(|fault| {
            tokio::spawn(async move {
                let ended = fault.play(call, policy).await;
                (fault, ended)
            })
        })
        .collect();
    let mut played = Vec::new();
    for playing in playing {
        played.push(playing.await.unwrap());
    }
    played
}

#[tokio::test]
async fn every_fault_ends_as_the_table_says() {
    let [paid, free, never, always] = [
        (Call::Paid, RetryPolicy::Unbilled),
        (Call::Free, RetryPolicy::Unbilled),
        (Call::Paid, RetryPolicy::Never),
        (Call::Paid, RetryPolicy::Always),
    ]
    .map(|(call, policy)| tokio::spawn(play_all(call, policy)));
    let (paid, free) = (paid.await.unwrap(), free.await.unwrap());
    let (never, always) = (never.await.unwrap(), always.await.unwrap());

    let mut seen = Vec::new();
    for (index, (fault, paid)) in paid.iter().enumerate() {
        let [free, never, always] = [&free, &never, &always].map(|played| &played[index].1);
        for ended in [paid, free, never, always] {
            ended.check(fault);
        }
        assert_eq!(never.attempts(), 1, "{}", fault.row);
        assert_eq!(always.attempts(), free.attempts(), "{}", fault.row);
        let given = fault.row.split(" | ").map(str::to_owned);
        let how = match (paid.how(), free.how()) {
            (both, same) if both == same => both,
            ([paid, after], [free, _]) => [format!("{paid} or {free}"), after],
        };
        let row = given.chain(how).chain(paid.what());
        seen.push(row.chain(free.what()).collect::<Vec<_>>());
    }
    let expected = rows("Calls");
    assert!(expected.len() > 50);
    for (expected, seen) in expected.iter().zip(&seen) {
        assert_eq!(seen, expected);
    }
}
