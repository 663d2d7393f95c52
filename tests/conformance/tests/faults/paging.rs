//! Pages from a service that does not send the requested ones: `cases/pages/`. The service has 7 records, 0 to 6. It is asked for 3 at a
//! time, at 4 credits a page, on a budget of 40. In every case:
//!
//! - `pages()` and `items()` do the same.
//! - What was billed is spent or at risk, and spent in a run that ends well.
//! - The next run, on a service without the fault, brings every record that did not arrive, and none that did.
//! - Runs on the same service, each from where the last one ended, stop when one brings nothing. They cost at most two pages for each page
//!   that arrives.

use company_intel::error::PagingCause;
use company_intel::operations::JobPosts;
use company_intel::types::{JobPost, JobPostsResponse};
use company_intel::{Client, Credits, Error, Response};
use conformance_tests::calls::Fault;
use conformance_tests::cases::{self, Case, is_default};
use conformance_tests::request::Recorded;
use conformance_tests::service::{Deed, Service};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::kind_of;
use crate::support::calls::{KEY, argument};
use crate::support::whole::whole;

const RECORDS: u64 = 7;
const LIMIT: u64 = 3;

type PageCase = Case<Pages, Run>;

/// What the service does in place of sending the requested page.
#[derive(Debug, Clone, Default, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
struct Pages {
    /// The fault begins at this offset.
    from: u64,
    /// The fault ends before this offset.
    before: Option<u64>,
    /// Number of pages after which the service begins again.
    circle: Option<u64>,
    /// Number of records in a page.
    limit: Option<u64>,
    /// A record, if it is another one than `{"job_id": "NUMBER"}`.
    record: Option<String>,
    /// A record that does not decode.
    spoils: Option<u64>,
    /// Members of the page that differ. Those that are null are missing.
    page: Map<String, Value>,
    /// A response without a page.
    instead: Option<Fault>,
}

/// How a run through all pages goes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
struct Run {
    /// The requested offsets.
    asked: String,
    /// The records that arrive. `!` does not decode, `_` has no number.
    #[serde(skip_serializing_if = "is_default")]
    records: String,
    /// Those that `take_refused` returns afterwards.
    #[serde(skip_serializing_if = "is_default")]
    refused: String,
    /// The error that ends the run.
    #[serde(skip_serializing_if = "is_default")]
    ends: Option<String>,
    /// Where the next run begins.
    #[serde(skip_serializing_if = "is_default")]
    resumes_at: Option<u64>,
}

impl Pages {
    /// Returns the reply to a request for a page.
    fn reply(&self, requested: u64) -> Deed {
        let is_over = self.before.is_some_and(|before| requested >= before);
        if requested < self.from || is_over {
            return Self::default().reply(requested);
        }
        if let Some(fault) = &self.instead {
            return fault.deed("");
        }
        let mut page = self.page(requested);
        for (name, value) in &self.page {
            if value.is_null() {
                page.remove(name);
            } else {
                page.insert(name.clone(), value.clone());
            }
        }
        let bills = page["credits_consumed"].to_string();
        Deed::json(&Value::Object(page).to_string()).billing(&bills)
    }

    fn page(&self, requested: u64) -> Map<String, Value> {
        let first = match self.circle {
            Some(pages) => requested % (pages * LIMIT),
            None => requested,
        };
        let end = RECORDS.min(first + self.limit.unwrap_or(LIMIT));
        let records: Vec<_> = (first..end).map(|number| self.record(number)).collect();
        let page = json!({"credits_consumed": 4, "count": RECORDS, "offset": requested});
        let mut page = page.as_object().unwrap().clone();
        page.insert("data".to_owned(), whole_posts(&records));
        page
    }

    fn record(&self, number: u64) -> Value {
        if self.spoils == Some(number) {
            return json!(7);
        }
        let record = self.record.as_deref().unwrap_or(r#"{"job_id": "NUMBER"}"#);
        serde_json::from_str(&record.replace("NUMBER", &number.to_string())).unwrap()
    }
}

/// Returns records with the other fields that a job post needs.
fn whole_posts(records: &[Value]) -> Value {
    let page = whole("job_posts", &json!({"data": records}).to_string());
    let page: Value = serde_json::from_str(&page).unwrap();
    page["data"].clone()
}

/// Starts a service that sends these pages.
async fn start(pages: &Pages) -> Service {
    let pages = pages.clone();
    Service::playing(move |request, _| pages.reply(asked(request))).await
}

fn asked(request: &Recorded) -> u64 {
    assert_eq!(request.query("limit"), Some("3"), "{}", request.line);
    request
        .query("offset")
        .map_or(0, |offset| offset.parse().unwrap())
}

fn call(client: &Client) -> JobPosts {
    client.job_posts("whom-i-look-at.example").limit(LIMIT)
}

fn client(service: &Service) -> Client {
    let builder = Client::builder(service.url()).api_key(KEY);
    builder.budget(Credits::new(40)).build().unwrap()
}

fn id(record: &JobPost) -> String {
    let record = serde_json::to_value(record).unwrap();
    match record["job_id"].as_str() {
        None | Some("") => "_".to_owned(),
        Some(id) => id.to_owned(),
    }
}

fn ids(page: Response<JobPostsResponse>) -> Vec<String> {
    let data = page.body.data;
    let mut ids: Vec<_> = data.iter().map(id).collect();
    for reject in data.rejects() {
        ids.insert(reject.index, "!".to_owned());
    }
    ids
}

/// Accepted records of a row, rejected ones, and the error that ended them.
#[derive(Default)]
struct Given {
    records: Vec<String>,
    refused: Vec<String>,
    /// Number of accepted pages, if they are read by the page.
    pages: usize,
    error: Option<Error>,
}

async fn by_items(call: JobPosts) -> Given {
    let mut items = call.items();
    let mut given = Given::default();
    while let Some(item) = items.next().await {
        match item {
            Ok(record) => given.records.push(id(&record)),
            Err(Error::Record(_)) => given.records.push("!".to_owned()),
            Err(error) => given.error = Some(error),
        }
    }
    given.refused = items.take_refused().map(ids).unwrap_or_default();
    given
}

async fn by_pages(call: JobPosts) -> Given {
    let mut pages = call.pages();
    let mut given = Given::default();
    while let Some(page) = pages.next().await {
        match page {
            Ok(page) => {
                given.records.append(&mut ids(page));
                given.pages += 1;
            }
            Err(error) => given.error = Some(error),
        }
    }
    given.refused = pages.take_refused().map(ids).unwrap_or_default();
    given
}

fn ending(error: &Error) -> String {
    let Error::Paging(error) = error else {
        return format!("{error:?}");
    };
    match &error.cause {
        PagingCause::Stalled {
            echoed,
            repeats,
            page,
            ..
        } => {
            assert!(page.raw.starts_with(b"{"), "the page was paid for");
            let echoed = echoed.map(|echoed| format!(" at {echoed}"));
            let repeats = repeats.map(|repeats| format!(", repeats {repeats}"));
            [
                "stalled",
                &echoed.unwrap_or_default(),
                &repeats.unwrap_or_default(),
            ]
            .concat()
        }
        PagingCause::Short {
            promised, received, ..
        } => format!("{promised} promised, {received} came"),
        PagingCause::Call(Error::Refused(refused)) => refused.kind().to_owned(),
        PagingCause::Call(error) => kind_of(error),
        other => format!("{other:?}"),
    }
}

/// Returns all errors that end a run, each with the file of its case.
pub(super) async fn errors() -> Vec<(String, Error)> {
    let mut errors = Vec::new();
    for case in cases::read("pages") {
        let PageCase { file, service, .. } = case;
        let service = start(&service).await;
        if let Some(error) = by_items(call(&client(&service))).await.error {
            errors.push((file, error));
        }
    }
    errors
}

/// Makes the next run, on a service without a fault. All records of both have to be all records that there are, each once.
async fn check_next_run(file: &str, offset: u64, delivered: Vec<String>) {
    let sound = start(&Pages::default()).await;
    let rest = by_items(call(&client(&sound)).offset(argument(offset))).await;
    assert!(rest.error.is_none(), "{file}: {:?}", rest.error);
    let all = [delivered, rest.records].concat();
    assert_eq!(all.len() as u64, RECORDS, "{file}: {all:?}");
    for (number, id) in all.iter().enumerate() {
        assert!(id == "_" || *id == number.to_string(), "{file}: {all:?}");
    }
}

/// Plays a case by pages, or by items. Returns whether there was a next run.
async fn play(case: &PageCase, is_paged: bool) -> bool {
    let file = &case.file;
    let service = start(&case.service).await;
    let client = client(&service);
    let given = if is_paged {
        by_pages(call(&client)).await
    } else {
        by_items(call(&client)).await
    };
    let requests = service.requests();
    let offsets: Vec<_> = requests
        .iter()
        .map(|request| asked(request).to_string())
        .collect();
    let resume = given.error.as_ref().and_then(Error::resume_offset);
    case.check(&Run {
        asked: offsets.join(" "),
        records: given.records.join(" "),
        refused: given.refused.join(" "),
        ends: given.error.as_ref().map(ending),
        resumes_at: resume,
    });
    let usage = client.budget().usage();
    assert_eq!(usage.reserved, Credits::ZERO, "{file}");
    let booked = usage.spent.micros() + usage.at_risk.micros();
    let billed = service.billed().micros();
    assert!(billed <= booked, "{file}: {usage:?}");
    let has_failed = given.error.is_some();
    assert!(billed == booked || has_failed, "{file}: {usage:?}");
    assert_eq!(service.complaints(), [""; 0], "{file}");
    if let Some(offset) = resume {
        check_next_run(file, offset, given.records).await;
    }
    resume.is_some()
}

#[tokio::test]
async fn every_run_through_pages_goes_as_its_case_says() {
    let mut next_runs = 0;
    for case in &cases::read("pages") {
        for is_paged in [false, true] {
            next_runs += usize::from(play(case, is_paged).await);
        }
    }
    assert!(next_runs > 10);
}

#[tokio::test]
async fn runs_that_follow_one_another_deliver_no_place_twice_and_stop() {
    for PageCase { file, service, .. } in cases::read("pages") {
        let service = start(&service).await;
        let builder = Client::builder(service.url()).api_key(KEY);
        let client = builder.budget(Credits::new(1000)).build().unwrap();
        let (mut offset, mut pages, mut runs) = (0, 0, 0);
        loop {
            runs += 1;
            assert!(runs < 40, "{file}");
            let given = by_pages(call(&client).offset(argument(offset))).await;
            pages += given.pages;
            let Some(next) = given.error.as_ref().and_then(Error::resume_offset) else {
                break;
            };
            // The position is never before a delivered record, and is where the run stops.
            assert!(next >= offset, "{file}");
            if next == offset {
                break;
            }
            offset = next;
        }
        let calls = service.requests().len();
        assert!(
            calls <= pages + runs && runs <= pages + 1,
            "{file}: {calls} calls for {pages} pages"
        );
    }
}
