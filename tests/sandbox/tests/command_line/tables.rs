//! Records as rows of an SQLite table.

use rusqlite::Connection;

use super::service::{COMPANY, Service};

/// Returns a column of the table `jobs` or of another one, as text.
fn column(service: &Service, query: &str) -> Vec<String> {
    let connection = Connection::open(service.folder.join("out.sqlite")).unwrap();
    let mut rows = connection.prepare(query).unwrap();
    let rows = rows.query_map([], |row| row.get(0)).unwrap();
    rows.map(Result::unwrap).collect()
}

#[test]
fn a_list_fills_a_table_and_the_next_run_replaces_its_rows() {
    let service = Service::plain("table");
    service.write("list.txt", "example.com\nquarry-software.example\n");
    let run = [
        "headcount-trends",
        "--from",
        "list.txt",
        "--output",
        "sqlite:out.sqlite",
        "--table",
        "headcount",
    ];
    for _ in 0..2 {
        let ran = service.run(&run);
        assert_eq!((ran.code, ran.out.as_str()), (0, ""), "{ran:?}");
    }
    let query =
        "SELECT company || ' ' || typeof(\"data.total_employees\") FROM headcount ORDER BY company";
    let expected = ["example.com integer", "quarry-software.example integer"];
    assert_eq!(column(&service, query), expected);
}

#[test]
fn records_of_pages_have_a_key_and_a_run_goes_on() {
    let service = Service::plain("table-pages");
    let run = [
        "job-posts",
        COMPANY,
        "--output",
        "sqlite:out.sqlite",
        "--table",
        "jobs",
    ];
    let journal = ["--budget", "30", "--resume", "run.journal"];
    let run = [&run[..], &["--key", "job_id"], &journal].concat();
    for most in [&["--max-records", "12"][..], &["--all"]] {
        let ran = service.run(&[&run[..], most].concat());
        assert_eq!(ran.code, 0, "{ran:?}");
    }
    let ids = column(&service, "SELECT job_id FROM jobs WHERE title IS NOT NULL");
    assert_eq!(ids.len(), 23);
}
