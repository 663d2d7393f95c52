//! Two calls over time: one that is attempted again, and one that is not, because it may have been billed.

use std::time::Duration;

use company_intel::error::TransportErrorKind;
use company_intel::money::Usage;
use company_intel::testing::{Reply, Script};
use company_intel::{Client, Credits, Error, Response};
use tokio::time::{Instant, sleep};

use crate::svg::Picture;
use crate::{Failed, client, headcount, pixels, said};

/// Pixels of a second, and of the frame.
const SECOND: u64 = 96;
const LEFT: u64 = 30;
const WIDTH: u64 = 720;
const TICK: Duration = Duration::from_millis(100);

/// An attempt: when it began, how long it took, and what it is called.
type Attempt = (Duration, Duration, &'static str);

struct Run {
    title: &'static str,
    attempts: Vec<Attempt>,
    /// The budget, from a moment on.
    usages: Vec<(Duration, Usage)>,
    end: String,
}

/// Makes a call, and looks at the budget while it lasts.
async fn run<T: Send + 'static>(
    title: &'static str,
    endings: &[(u64, &'static str)],
    script: &Script,
    client: &Client,
    call: impl Future<Output = Result<Response<T>, Error>> + Send + 'static,
) -> Result<Run, Failed> {
    let start = Instant::now();
    let call = tokio::spawn(call);
    let mut usages: Vec<(Duration, Usage)> = Vec::new();
    // Between two ticks: nothing happens then.
    sleep(TICK / 2).await;
    loop {
        let is_over = call.is_finished();
        let usage = client.budget().usage();
        if usages.last().is_none_or(|(_, last)| {
            last.reserved != usage.reserved || last.at_risk != usage.at_risk
        }) {
            usages.push((start.elapsed() - TICK / 2, usage));
        }
        if is_over {
            break;
        }
        sleep(TICK).await;
    }
    let end = match call.await? {
        Ok(response) => said(response.outcome()),
        Err(error) => said(error.outcome()),
    };
    let sent = script.sent();
    let attempts = sent
        .iter()
        .zip(endings)
        .map(|(sent, (millis, ending))| (sent.at, Duration::from_millis(*millis), *ending));
    Ok(Run {
        title,
        attempts: attempts.collect(),
        usages,
        end,
    })
}

async fn runs() -> Result<[Run; 2], Failed> {
    let millis = Duration::from_millis;
    let script = Script::new([
        Reply::new(429, "")
            .header("retry-after", "2")
            .after(millis(500)),
        Reply::new(503, "")
            .header("retry-after", "2")
            .after(millis(500)),
        headcount().after(millis(700)),
    ]);
    let one = client(&script, Credits::new(10))?;
    let call = one.headcount_trends("example.com").send();
    let endings = [(500, "429"), (500, "503"), (700, "200")];
    let title = "headcount_trends: the service rejects two attempts, each with Retry-After: 2";
    let again = run(title, &endings, &script, &one, call).await?;

    let lost = Reply::fails(TransportErrorKind::Timeout).after(millis(1500));
    let script = Script::new([lost]);
    let two = client(&script, Credits::new(10))?;
    let call = two.job_posts("example.com").send();
    let title =
        "job_posts: an attempt ends without a response, and another one could be a second charge";
    let once = run(title, &[(1500, "timeout")], &script, &two, call).await?;
    Ok([again, once])
}

fn x(at: Duration) -> Result<u64, Failed> {
    Ok(LEFT + u64::try_from(at.as_millis())? * SECOND / 1000)
}

fn draw(picture: &mut Picture, run: &Run, y: u64) -> Result<(), Failed> {
    picture.text(LEFT, y, "head", run.title);
    let mut before: Option<Duration> = None;
    for (at, lasts, ending) in &run.attempts {
        let (from, to) = (x(*at)?, x(*at + *lasts)?);
        if let Some(end) = before {
            let pause = *at - end;
            picture.level(x(end)?, y + 28, from - x(end)?, "pause");
            let middle = x(end + pause / 2)?;
            picture.middle(
                middle,
                y + 22,
                "small dim",
                &format!("pause: {} s", pause.as_secs_f64()),
            );
        }
        picture.tile((from, y + 14), (to - from, 28), "reserved", ending);
        before = Some(*at + *lasts);
    }
    let end = before.map_or(Ok(LEFT), x)?;
    picture.text(end + 10, y + 33, "", &run.end);

    let base = y + 100;
    for (at, (from, usage)) in run.usages.iter().enumerate() {
        let next = run
            .usages
            .get(at + 1)
            .map_or(Ok(WIDTH - 10), |(to, _)| x(*to))?;
        let (from, width) = (x(*from)?, next - x(*from)?);
        let sums = [
            ("reserved", "reserved", usage.reserved),
            ("spent", "spent", usage.spent),
            ("risk", "at risk", usage.at_risk),
        ];
        match sums
            .into_iter()
            .find(|(_, _, credits)| *credits > Credits::ZERO)
        {
            Some((class, name, credits)) => {
                let height = pixels(credits, 8);
                picture.tile((from, base - height), (width, height), class, "");
                picture.middle(
                    from + width / 2,
                    base + 15,
                    "small",
                    &format!("{name} {credits}"),
                );
            }
            None => picture.middle(from + width / 2, base + 15, "small dim", "refunded"),
        }
    }
    picture.level(LEFT, base, WIDTH - LEFT - 10, "floor");
    Ok(())
}

pub(crate) async fn picture() -> Result<String, Failed> {
    let mut picture = Picture::new(
        "The attempts of two calls, and what the budget has meanwhile",
        WIDTH,
    );
    picture.legend(LEFT, 20);
    let mut y = 54;
    for run in runs().await? {
        draw(&mut picture, &run, y)?;
        y += 150;
    }
    let end = y - 20;
    for second in 0..=7_u64 {
        let at = LEFT + second * SECOND;
        picture.middle(at, end, "small dim", &format!("{second} s"));
    }
    Ok(picture.finish(end + 14))
}
