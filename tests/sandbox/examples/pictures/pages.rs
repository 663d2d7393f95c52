//! A run through pages that fails, and a second run that goes on where the first one says.

use company_intel::error::TransportErrorKind;
use company_intel::operations::JobPosts;
use company_intel::testing::{Reply, Script};
use company_intel::{Client, Credits, Outcome};

use crate::svg::Picture;
use crate::{Failed, client, jobs, said};

const PAGE: (u64, u64) = (150, 54);
const GAP: u64 = 20;
const LEFT: u64 = 20;
const TOTAL: usize = 23;

/// A call: its offset, the records that came, and what it cost.
struct Called {
    offset: u64,
    records: Option<usize>,
    outcome: Outcome,
}

/// Reads pages up to the end or to a failure; returns the position after it.
async fn read(run: JobPosts, from: u64, all: &mut Vec<Called>) -> Option<u64> {
    let mut pages = run.pages();
    let mut offset = from;
    while let Some(page) = pages.next().await {
        match page {
            Ok(page) => {
                let records = page.body.data.len();
                all.push(Called {
                    offset,
                    records: Some(records),
                    outcome: page.outcome(),
                });
                offset += records as u64;
            }
            Err(error) => {
                let (records, outcome) = (None, error.outcome());
                all.push(Called {
                    offset,
                    records,
                    outcome,
                });
                return error.resume_offset();
            }
        }
    }
    None
}

fn draw(picture: &mut Picture, y: u64, title: &str, calls: &[Called]) -> u64 {
    picture.text(LEFT, y, "head", title);
    let mut x = LEFT;
    for call in calls {
        let (class, text) = match call.records {
            Some(records) => ("spent", format!("{records} records")),
            None => ("risk", "timeout".to_owned()),
        };
        picture.tile((x, y + 12), PAGE, class, &text);
        let middle = x + PAGE.0 / 2;
        picture.middle(middle, y + 82, "small", &format!("offset {}", call.offset));
        picture.middle(middle, y + 98, "small dim", &said(call.outcome));
        x += PAGE.0 + GAP;
    }
    x
}

fn of(client: &Client) -> JobPosts {
    client.job_posts("example.com")
}

pub(crate) async fn picture() -> Result<String, Failed> {
    let lost = Reply::fails(TransportErrorKind::Timeout);
    let script = Script::new([
        jobs(0, 10, TOTAL),
        lost,
        jobs(10, 10, TOTAL),
        jobs(20, 3, TOTAL),
    ]);
    let client = client(&script, Credits::new(50))?;
    let (mut first, mut second) = (Vec::new(), Vec::new());
    let position = read(of(&client), 0, &mut first).await;
    let position = position.ok_or("the script has a timeout")?;
    let rest = read(of(&client).offset(position), position, &mut second).await;
    if rest.is_some() {
        return Err("the second run reads all".into());
    }

    let mut picture = Picture::new("A run through pages that fails, and one that goes on", 600);
    let begin = "client.job_posts(\"example.com\")";
    let x = draw(&mut picture, 24, &format!("{begin}.pages()"), &first);
    picture.text(
        x,
        64,
        "small",
        &format!("error.resume_offset() is {position}"),
    );
    let title = format!("{begin}.offset({position}).pages()");
    let x = draw(&mut picture, 156, &title, &second);
    let received: usize = first
        .iter()
        .chain(&second)
        .filter_map(|call| call.records)
        .sum();
    let usage = client.budget().usage();
    let (spent, at_risk) = (usage.spent, usage.at_risk);
    picture.text(x, 188, "small", &format!("{received} of {TOTAL} records"));
    picture.text(
        x,
        206,
        "small",
        &format!("spent {spent}, at risk {at_risk}"),
    );
    Ok(picture.finish(270))
}
