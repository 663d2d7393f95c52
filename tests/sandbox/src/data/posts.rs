//! Social posts with their engagement. `count` is the number of all posts, not of those in the page.

use serde_json::{Value, json};

use crate::arguments::Arguments;
use crate::data::calendar;
use crate::data::companies::Company;
use crate::data::template::{bulk, with};

pub(super) fn body(templates: &[Value], company: &Company, arguments: &Arguments) -> Value {
    let post = |(number, template): (u64, Value)| {
        let id = format!("{}{number:04}", company.seed);
        let own = json!({
            "url": format!("https://social.example/posts/{id}"),
            "posted_date": format!("{}T12:00:00+02:00", calendar::day(number * 5)),
            "engagement_metrics": engagement(number),
            "id": id,
        });
        with(template, own)
    };
    let posts: Vec<_> = bulk(templates, company, company.posts)
        .into_iter()
        .map(post)
        .collect();
    let count = posts.len();
    json!({
        "count": count,
        "data": { "uuid": company.uuid, "posts": arguments.slice(posts) },
    })
}

fn engagement(number: u64) -> Value {
    let (like, empathy, praise) = (40 + 3 * number, number % 5, 7 + number % 4);
    let (appreciation, interest, funny) = (number % 3, 2 + number % 6, number % 2);
    json!({
        "total_reaction_count": like + empathy + praise + appreciation + interest + funny,
        "like_count": like,
        "empathy_count": empathy,
        "praise_count": praise,
        "appreciation_count": appreciation,
        "interest_count": interest,
        "funny_count": funny,
        "comments_count": 3 + number % 9,
        "reposts_count": number % 7,
    })
}
