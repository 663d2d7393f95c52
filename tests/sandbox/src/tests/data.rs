//! Content of the sample data: references, searches, sections, headcounts, observed forms; and data of a folder.

use std::fs;

use serde_json::Value;

use super::{LARGEST, Reply, Server};
use crate::data::{Fixtures, World};
use crate::{Builder, Sandbox};

pub(super) fn list<'a>(body: &'a Value, pointer: &str) -> Vec<&'a str> {
    let (place, field) = pointer.rsplit_once('/').unwrap();
    let items = body
        .pointer(place)
        .and_then(Value::as_array)
        .unwrap()
        .iter();
    items.map(|item| item[field].as_str().unwrap()).collect()
}

#[tokio::test]
async fn companies_are_meant_by_domain_address_and_both_identifiers() {
    let server = Server::with_written_data().await;
    for (domain, uuid, other) in [
        ("example.com", LARGEST, "ex4mpl01"),
        (
            "harbour-analytics.example",
            "8a6de0b4-15c3-4f29-8d77-09b1e6a2c3d5",
            "h4rb0ur2",
        ),
        (
            "quarry-software.example",
            "q7r2s9t4",
            "5b92f7c1-0a3e-4d68-b1f4-7e6c5d4a3b20",
        ),
        (
            "lumenfoods.example",
            "d41f6b8e-92a7-4c05-8e3b-6a7f10c2d9e8",
            "lum3nf00",
        ),
        (
            "tidewater-logistics.example",
            "09c7e5d3-b2a1-4f68-9d40-3e2c1b0a9f87",
            "t1d3w4t3",
        ),
    ] {
        let address = format!("https%3A%2F%2Fwww.{domain}%2Fabout%3Fa%3Db");
        for reference in [domain, &address, uuid, other] {
            let path = format!("headcountTrends?company={reference}");
            let found = &server.body(&path).await["data"]["uuid"];
            assert_eq!(found, uuid, "{reference}");
        }
    }
}

#[tokio::test]
async fn company_search_takes_part_of_a_name_or_a_website() {
    let server = Server::with_written_data().await;
    for (query, names) in [
        ("EXAMPLE", vec!["Example Robotics", "Example Labs"]),
        ("https%3A%2F%2Fexample.org%2F", vec!["Example Labs"]),
        ("lumenfoods.example", vec!["Lumen Foods"]),
        (LARGEST, vec!["Example Robotics"]),
        ("nobody", vec![]),
        ("nobody.example", vec![]),
        ("+", vec![]),
    ] {
        let body = server.body(&format!("companySearch?query={query}")).await;
        assert_eq!(list(&body, "/data/name"), names, "{query}");
    }
}

#[tokio::test]
async fn enrichment_returns_the_sections_that_were_asked_for() {
    let server = Server::with_written_data().await;
    let names = |body: &Value| -> Vec<String> {
        body["data"].as_object().unwrap().keys().cloned().collect()
    };
    let all = server.body("enrichment?company=example.com").await;
    assert_eq!(names(&all).len(), 17);
    let path = "enrichment?company=example.com&sections=technology,location";
    let mut some = names(&server.body(path).await);
    some.sort();
    assert_eq!(some, ["location", "technology", "uuid"]);
}

/// Checks the written data: served data are fitted to the document, under its names.
#[test]
fn headcounts_agree_with_their_growth() {
    let world = World::small(&Fixtures::own()).unwrap();
    let samples = world.samples("headcountTrends");
    let data = &samples[0]["data"];
    let months = data["headcount_monthly"].as_array().unwrap();
    assert_eq!(months.len(), 25);
    let now = &months[24]["employee_count"];
    // The total, under any name.
    let mut numbers = data.as_object().unwrap().values();
    assert!(numbers.any(|number| number == now), "{data}");
    let now = now.as_i64().unwrap();
    assert!(months.is_sorted_by_key(|month| month["date"].as_str().unwrap()));
    for period in data["growth_periods"].as_array().unwrap() {
        let back = usize::try_from(period["month_difference"].as_u64().unwrap()).unwrap();
        let then = months[24 - back]["employee_count"].as_i64().unwrap();
        let change = (now - then) * 100 / then;
        assert_eq!(period["change_percentage"], change);
    }
    let functions = data["headcount_by_function"].as_array().unwrap();
    assert!(functions.len() > 3);
}

const OWN: &str = r#"[{
    "uuid": "5d5c6f6e-7d13-4a0b-a4a5-0d1f7e0f7a11", "also_known_as": "m1ne0001", "name": "Mine", "legal_name": "Mine Ltd.",
    "domain": "mine.example", "product_category": "Ores", "company_status": "private", "founded_year": 1999, "headcount_range": "11-50",
    "seed": 7, "employees": 20, "growth_per_mille": 3, "articles": 2, "jobs": 4, "posts": 1, "employee_reviews": 1, "product_reviews": [1]
}]"#;

#[tokio::test]
async fn a_folder_has_companies_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("companies.json"), OWN).unwrap();
    fs::write(folder.path().join("README.md"), "Ours.").unwrap();
    let path = folder.path();
    let of =
        |builder: Builder| async move { Server::of(builder.data(path).start().await.unwrap()) };
    let written = of(Sandbox::builder().with_written_data()).await;
    let found = written.body("companySearch?query=Mine").await;
    assert!(found.to_string().contains("mine.example"), "{found}");
    let known = written.get("headcountTrends?company=example.com").await;
    assert_eq!(known.status, 404);
    // Samples of this package show which fields are written.
    let (own, others) = (of(Sandbox::builder()).await, Server::start().await);
    let made_up = |reply: Reply| reply.headers.get("x-sandbox-data").cloned();
    assert_eq!(
        made_up(own.get("jobPosts?company=mine.example").await),
        made_up(others.get("jobPosts?company=example.com").await)
    );
}

#[tokio::test]
async fn a_folder_that_cannot_be_used_says_which_file_and_why() {
    let files = [
        (
            "company.json",
            OWN,
            "is not a file of sample data: expected companies.json,",
        ),
        (
            "companies.json",
            "[{\"uuid\": 1}]",
            "companies.json has another form",
        ),
        ("jobs.json", "[{}", "at line 1 column 3"),
    ];
    let files = files.map(|(file, text, said)| (file, text.to_owned(), said));
    let companies = [
        (
            "\"articles\": 2",
            "\"articles\": 200000",
            "companies.json: `Mine` has up to 1000 of everything",
        ),
        (
            "\"seed\": 7",
            "\"seed\": 300",
            "`Mine` has a `seed` below 200",
        ),
        (
            "mine.example",
            "https://Mine.example",
            "`Mine` has a `domain` in small letters",
        ),
        (
            "\"product_reviews\": [1]",
            "\"product_reviews\": [1, 1, 1, 1]",
            "as there are products",
        ),
        (
            "\"growth_per_mille\": 3",
            "\"growth_per_mille\": 300",
            "from -1000 to 40",
        ),
        (
            "}]",
            &OWN.replacen('[', "}, ", 1),
            "`Mine` has the `seed` of another company",
        ),
    ];
    let companies =
        companies.map(|(old, new, said)| ("companies.json", OWN.replace(old, new), said));
    for (file, text, said) in files.into_iter().chain(companies) {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(file), text).unwrap();
        let error = Sandbox::builder().data(folder.path()).start().await;
        let error = format!("{:#}", error.err().unwrap());
        assert!(error.contains(said), "{file}: {error}");
    }
    let error = Sandbox::builder().data("no such folder").start().await;
    let error = format!("{:#}", error.err().unwrap());
    assert!(error.contains("no such folder"), "{error}");
}
