//! News: every seventh article repeats the previous one at another outlet, in the same group; `unique_article` omits the repeats.

use serde_json::{Value, json};

use crate::arguments::Arguments;
use crate::data::calendar;
use crate::data::companies::Company;
use crate::data::template::{bulk, with};

pub(super) fn body(templates: &[Value], company: &Company, arguments: &Arguments) -> Value {
    let unique = arguments.flag("unique_article");
    let articles: Vec<_> = articles(templates, company)
        .into_iter()
        .filter(|article| !(unique && article.is_repeat))
        .map(|article| article.record)
        .collect();
    let total = articles.len();
    let page = arguments.slice(articles);
    json!({ "status": "success", "total": total, "count": page.len(), "data": page })
}

struct Article {
    is_repeat: bool,
    record: Value,
}

fn articles(templates: &[Value], company: &Company) -> Vec<Article> {
    let mut articles: Vec<Article> = Vec::new();
    for (number, template) in bulk(templates, company, company.articles) {
        let id = company.seed * 1_000 + number;
        let is_repeat = number % 7 == 6;
        let own = json!({
            "id": id,
            "url": format!("https://news.example/{id}"),
            "published_date": format!("{}T{:02}:15:00", calendar::day(number * 4), 6 + number % 12),
            "group_id": if is_repeat { id - 1 } else { id },
            "company_mentions": mentions(company, number),
        });
        let record = match articles.last().filter(|_| is_repeat) {
            Some(original) => {
                let own = with(own, json!({ "publisher": "The Reprint" }));
                with(own, original.record.clone())
            }
            None => with(template, own),
        };
        articles.push(Article { is_repeat, record });
    }
    articles
}

fn mentions(company: &Company, number: u64) -> Value {
    let mention = json!({
        "uuid": company.uuid,
        "name": company.name,
        "website": company.website(),
        "is_primary": true,
    });
    if !number.is_multiple_of(3) {
        return json!([mention]);
    }
    // A company unknown to the sandbox, with a short identifier.
    let other = json!({
        "uuid": "c0mp3t17",
        "name": "Competitor and Sons",
        "website": "https://competitor.example",
        "is_primary": false,
    });
    json!([mention, other])
}
