//! A budget over a few calls: what is spent, reserved and at risk, and a call that does not fit.

use std::time::Duration;

use company_intel::error::TransportErrorKind;
use company_intel::money::{Asked, Usage};
use company_intel::testing::{Reply, Script};
use company_intel::{Client, Credits};
use tokio::time::sleep;

use crate::svg::Picture;
use crate::{Failed, client, headcount, jobs, pixels, said};

const LIMIT: Credits = Credits::new(10);
const NONE: Credits = Credits::ZERO;
/// Pixels of a credit, of a column and of the frame.
const CREDIT: u64 = 18;
const COLUMN: u64 = 118;
const LEFT: u64 = 20;
const FLOOR: u64 = 250;

/// A moment: what happens, and the budget then.
struct Moment {
    call: &'static str,
    said: String,
    usage: Usage,
    /// The price of a call that does not fit.
    refused: Credits,
}

async fn moments() -> Result<Vec<Moment>, Failed> {
    let second = Duration::from_secs(1);
    let script = Script::new([
        headcount().after(second),
        Reply::fails(TransportErrorKind::Timeout).after(second),
        jobs(0, 3, 3),
    ]);
    let client = client(&script, LIMIT)?;
    let mut moments = Vec::new();
    let mut note = |call, said: String, refused, client: &Client| {
        let usage = client.budget().usage();
        moments.push(Moment {
            call,
            said,
            usage,
            refused,
        });
    };

    let call = tokio::spawn(client.headcount_trends("example.com").send());
    sleep(second / 2).await;
    note("headcount_trends", "in flight".to_owned(), NONE, &client);
    let response = call.await??;
    note("headcount_trends", said(response.outcome()), NONE, &client);

    let call = tokio::spawn(client.job_posts("example.com").send());
    sleep(second / 2).await;
    note("job_posts", "in flight".to_owned(), NONE, &client);
    let lost = call.await?.err().ok_or("the script has a timeout")?;
    note("job_posts: timeout", said(lost.outcome()), NONE, &client);

    let refused = client.job_posts("example.com").send().await;
    let refused = refused.err().ok_or("the budget is too small")?;
    let budget = refused.budget().ok_or("the budget is too small")?;
    let Asked::Price(price) = budget.asked else {
        return Err("the price is known".into());
    };
    note(
        "job_posts",
        format!("refused: {} left", budget.left()),
        price,
        &client,
    );

    lost.settle(NONE);
    note(
        "error.settle(0)",
        "it was not billed".to_owned(),
        NONE,
        &client,
    );
    let response = client.job_posts("example.com").send().await?;
    note("job_posts", said(response.outcome()), NONE, &client);
    Ok(moments)
}

pub(crate) async fn picture() -> Result<String, Failed> {
    let moments = moments().await?;
    let count = u64::try_from(moments.len())?;
    let width = LEFT + count * COLUMN + 10;
    let mut picture = Picture::new("A budget of 10 credits over a few calls", width);
    let top = FLOOR - pixels(LIMIT, CREDIT);
    picture.legend(LEFT, 20);
    picture.text(LEFT, top - 8, "small", &format!("limit: {LIMIT} credits"));
    picture.level(LEFT, top, width - LEFT - 10, "limit");
    picture.level(LEFT, FLOOR, width - LEFT - 10, "floor");
    let mut x = LEFT;
    for Moment {
        call,
        said,
        usage,
        refused,
    } in &moments
    {
        let mut y = FLOOR;
        for (class, credits) in [
            ("spent", usage.spent),
            ("risk", usage.at_risk),
            ("reserved", usage.reserved),
        ] {
            let height = pixels(credits, CREDIT);
            y -= height;
            if height > 0 {
                picture.tile((x + 29, y), (60, height), class, &credits.to_string());
            }
        }
        let height = pixels(*refused, CREDIT);
        if height > 0 {
            picture.tile((x + 29, y - height), (60, height), "empty", "");
            let (middle, price) = (y - height / 2 + 5, refused.to_string());
            picture.middle(x + COLUMN / 2, middle, "dim", &price);
        }
        picture.middle(x + COLUMN / 2, FLOOR + 20, "small", call);
        picture.middle(x + COLUMN / 2, FLOOR + 36, "small dim", said);
        x += COLUMN;
    }
    Ok(picture.finish(FLOOR + 50))
}
