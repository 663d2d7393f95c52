//! Job posts. `count` is the number of all posts, not of those in the page.

use serde_json::{Value, json};

use crate::arguments::Arguments;
use crate::data::calendar;
use crate::data::companies::Company;
use crate::data::template::{bulk, with};

pub(super) fn body(templates: &[Value], company: &Company, arguments: &Arguments) -> Value {
    let job = |(number, template): (u64, Value)| {
        let id = format!("job-{}-{number}", company.seed);
        let own = json!({
            "company_uuid": company.uuid,
            "job_url": format!("{}/jobs/{id}", company.website()),
            "date_posted": format!("{}T07:30:00+00:00", calendar::day(number * 2)),
            "job_id": id,
        });
        with(template, own)
    };
    let jobs: Vec<_> = bulk(templates, company, company.jobs)
        .into_iter()
        .map(job)
        .collect();
    json!({ "status": "success", "count": jobs.len(), "data": arguments.slice(jobs) })
}
