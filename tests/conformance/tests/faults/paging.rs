//! Pages from a service that does not send the requested ones.

use std::fmt::Write;
use std::ops::Range;

use company_intel::error::PagingCause;
use company_intel::operations::JobPosts;
use company_intel::types::{JobPost, JobPostsResponse};
use company_intel::{Client, Credits, Error, Response};
use serde_json::Value;

use super::rows;
use super::server::{Deed, Service, Then};
use crate::support::calls::{KEY, argument};
use crate::support::server::Recorded;
use crate::support::whole::whole;

const RECORDS: u64 = 7;
const LIMIT: u64 = 3;

/// Reply of a service to a request for a page.
#[derive(Clone)]
struct Page {
    records: Range<u64>,
    says: Says,
    bad: Option<u64>,
    total: Option<u64>,
    offset: Option<u64>,
    charges: u64,
}

/// Content of a record.
#[derive(Clone, Copy)]
enum Says {
    Number,
    /// Its number, in an undocumented property.
    Unheard,
    Nothing,
}

impl Page {
    fn at(asked: u64) -> Self {
        Self {
            records: asked..RECORDS.min(asked + LIMIT),
            says: Says::Number,
            bad: None,
            total: Some(RECORDS),
            offset: Some(asked),
            charges: 4,
        }
    }

    fn json(&self) -> String {
        let record = |record: u64| match self.bad {
            Some(bad) if bad == record => "7".to_owned(),
            _ => of_a_post(&match self.says {
                Says::Number => format!(r#"{{"job_id": "{record}"}}"#),
                Says::Unheard => format!(r#"{{"unheard_of": {record}}}"#),
                Says::Nothing => "{}".to_owned(),
            }),
        };
        let records: Vec<_> = self.records.clone().map(record).collect();
        let mut json = format!(
            r#"{{"credits_consumed": {}, "data": [{}]"#,
            self.charges,
            records.join(",")
        );
        for (name, value) in [("count", self.total), ("offset", self.offset)] {
            if let Some(value) = value {
                write!(json, r#", "{name}": {value}"#).unwrap();
            }
        }
        json + "}"
    }
}

/// Returns a record with the other fields that a job post needs.
fn of_a_post(record: &str) -> String {
    let page = whole("job_posts", &format!(r#"{{"data": [{record}]}}"#));
    let page: Value = serde_json::from_str(&page).unwrap();
    page["data"][0].to_string()
}

/// Returns the reply of this row's service. `from` and `before` limit it to some offsets.
fn deed(service: &str, asked: u64) -> Deed {
    let (what, applies) = if let Some((what, from)) = service.rsplit_once(" from ") {
        let from: u64 = from.strip_suffix(" on").unwrap().parse().unwrap();
        (what, asked >= from)
    } else if let Some((what, before)) = service.rsplit_once(" before ") {
        (what, asked < before.parse().unwrap())
    } else {
        (service, true)
    };
    let mut page = Page::at(asked);
    let parts: Vec<_> = what.split(' ').collect();
    let number = parts.iter().find_map(|part| part.parse::<u64>().ok());
    let failed = |deed: Deed| deed.billing("4");
    match (what, number) {
        _ if !applies => {}
        ("does as it should", _) => {}
        ("says no offset", _) => page.offset = None,
        ("says another offset", _) => page.offset = Some(9),
        ("says no total", _) => page.total = None,
        ("sends nothing", _) => page.records = asked..asked,
        ("sends unheard-of records", _) => page.says = Says::Unheard,
        ("sends equal records", _) => page.says = Says::Nothing,
        ("sends an error as a page", _) => return failed(Deed::json(r#"{"error": "busy"}"#)),
        ("sends no page", _) => return failed(Deed::json(r#"{"data": {"error": "busy"}}"#)),
        ("sends a record that does not decode", _) => page.bad = Some(4),
        ("hangs up", _) => return failed(Deed::sending("", Then::Closes)),
        ("breaks off", _) => {
            return failed(Deed::sending(
                "HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{",
                Then::Closes,
            ));
        }
        ("sends half a page", _) => return failed(Deed::json(r#"{"data": [{"job_id": "0"}, {"#)),
        (what, Some(pages)) if what.starts_with("goes in a circle") => {
            page = Page::at(asked % (pages * LIMIT));
            page.offset = Some(asked);
            page.total = what.strip_suffix("says 90").map(|_| 90).or(page.total);
        }
        (what, _) if what.starts_with("ignores the offset") => {
            page = Page::at(0);
            match what.strip_prefix("ignores the offset").unwrap() {
                " and says none" => page.offset = None,
                " and says that it did not" => page.offset = Some(asked),
                _ => {}
            }
        }
        (_, Some(number)) => match parts[0] {
            "says" => page.total = Some(number),
            "sends" => page.records = asked..RECORDS.min(asked + number),
            "charges" => page.charges = number,
            "responds" => return failed(Deed::response(number.try_into().unwrap(), &[], "")),
            _ => panic!("{service}"),
        },
        _ => panic!("{service}"),
    }
    Deed::json(&page.json()).billing(&page.charges.to_string())
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
            Ok(page) => given.records.append(&mut ids(page)),
            Err(error) => given.error = Some(error),
        }
    }
    given.refused = pages.take_refused().map(ids).unwrap_or_default();
    given
}

fn ending(error: Option<&Error>) -> String {
    let Some(error) = error else {
        return "-".to_owned();
    };
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
        PagingCause::Call(Error::Transport(error)) => format!("{:?}", error.kind()).to_lowercase(),
        PagingCause::Call(Error::Status(_)) => "status".to_owned(),
        PagingCause::Call(Error::Decode(_)) => "decode".to_owned(),
        PagingCause::Call(Error::Refused(refused)) => refused.kind().to_owned(),
        other => format!("{other:?}"),
    }
}

/// Returns all errors that end a run, each with the behaviour of the service.
pub(super) async fn errors() -> Vec<(String, Error)> {
    let mut errors = Vec::new();
    for row in rows("Pages") {
        let name = row[0].clone();
        let service = Service::playing(move |request, _| deed(&row[0], asked(request))).await;
        if let Some(error) = by_items(call(&client(&service))).await.error {
            errors.push((name, error));
        }
    }
    errors
}

#[tokio::test]
async fn every_run_through_pages_goes_as_the_table_says() {
    let mut went_on = 0;
    for row in rows("Pages") {
        for is_paged in [false, true] {
            let name = row[0].clone();
            let service = Service::playing(move |request, _| deed(&name, asked(request))).await;
            let client = client(&service);
            let given = if is_paged {
                by_pages(call(&client)).await
            } else {
                by_items(call(&client)).await
            };
            let error = given.error;
            let requests = service.requests();
            let offsets: Vec<_> = requests
                .iter()
                .map(|request| asked(request).to_string())
                .collect();
            let resume = error.as_ref().and_then(Error::resume_offset);
            let seen = [
                row[0].clone(),
                offsets.join(" "),
                given.records.join(" "),
                given.refused.join(" "),
                ending(error.as_ref()),
                resume.map(|offset| offset.to_string()).unwrap_or_default(),
            ];
            assert_eq!(seen[..], row[..]);
            let usage = client.budget().usage();
            assert_eq!(usage.reserved, Credits::ZERO, "{row:?}");
            let booked = usage.spent.micros() + usage.at_risk.micros();
            let billed = service.billed().micros();
            assert!(billed <= booked, "{row:?}: {usage:?}");
            assert!(billed == booked || error.is_some(), "{row:?}: {usage:?}");
            assert_eq!(service.complaints(), [""; 0], "{row:?}");

            let Some(offset) = resume else { continue };
            let sound =
                Service::playing(|request, _| deed("does as it should", asked(request))).await;
            let rest = by_items(call(&self::client(&sound)).offset(argument(offset))).await;
            assert!(rest.error.is_none(), "{row:?}: {:?}", rest.error);
            let all = [given.records, rest.records].concat();
            assert_eq!(all.len() as u64, RECORDS, "{row:?}: {all:?}");
            for (number, id) in all.iter().enumerate() {
                assert!(id == "_" || *id == number.to_string(), "{row:?}: {all:?}");
            }
            went_on += 1;
        }
    }
    assert!(went_on > 10);
}

#[tokio::test]
async fn runs_that_follow_one_another_deliver_no_place_twice_and_stop() {
    for row in rows("Pages") {
        let name = row[0].clone();
        let service = Service::playing(move |request, _| deed(&name, asked(request))).await;
        let builder = Client::builder(service.url()).api_key(KEY);
        let client = builder.budget(Credits::new(1000)).build().unwrap();
        let (mut offset, mut pages, mut runs) = (0, 0, 0);
        loop {
            runs += 1;
            assert!(runs < 40, "{row:?}");
            let mut run = call(&client).offset(argument(offset)).pages();
            let mut error = None;
            while let Some(page) = run.next().await {
                match page {
                    Ok(_) => pages += 1,
                    Err(ended) => error = Some(ended),
                }
            }
            let Some(next) = error.as_ref().and_then(Error::resume_offset) else {
                break;
            };
            // The position is never before a delivered record, and is where the run stops.
            assert!(next >= offset, "{row:?}");
            if next == offset {
                break;
            }
            offset = next;
        }
        let calls = service.requests().len();
        assert!(
            calls <= pages + runs && runs <= pages + 1,
            "{row:?}: {calls} calls for {pages} pages"
        );
    }
}

/// The records have no known identifier: decoded, all are equal.
#[tokio::test]
async fn sixty_records_in_six_pages_cost_six_pages_whatever_is_known_of_them() {
    let service = Service::playing(|request, _| {
        let offset: u64 = request
            .query("offset")
            .map_or(0, |offset| offset.parse().unwrap());
        let records: Vec<_> = (offset..(offset + 10).min(60))
            .map(|record| of_a_post(&format!(r#"{{"unheard_of": {record}}}"#)))
            .collect();
        let records = records.join(",");
        Deed::json(&format!(
            r#"{{"credits_consumed": 4, "data": [{records}]}}"#
        ))
        .billing("4")
    })
    .await;
    let client = Client::builder(service.url()).api_key(KEY).build().unwrap();
    let (mut offset, mut records) = (0, 0);
    loop {
        let mut items = client
            .job_posts("example.com")
            .limit(10)
            .offset(argument(offset))
            .items();
        let mut error = None;
        while let Some(item) = items.next().await {
            match item {
                Ok(_) => records += 1,
                Err(ended) => error = Some(ended),
            }
        }
        match error.and_then(|error| error.resume_offset()) {
            Some(next) if next > offset => offset = next,
            _ => break,
        }
    }
    // One more page without records, because there is no total.
    assert_eq!((records, service.requests().len()), (60, 7));
    assert_eq!(client.budget().usage().spent, "28".parse().unwrap());
}
