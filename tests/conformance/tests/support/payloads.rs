//! One payload per operation, typed by hand from part 2 of the reference: every field once, in the observed form, with made-up values.
//!
//! Two payloads hold what no response holds at once: a reason beside a company, and a known company beside a request.

use company_intel::{Client, Error, Response};
use serde::Serialize;
use serde_json::{Value, json};

use super::calls::respond_with;
use super::server::json_response;

pub(crate) const NEWS: &str = include_str!("../../payloads/news.json");
pub(crate) const ENRICHMENT: &str = include_str!("../../payloads/enrichment.json");
pub(crate) const COMPANY_SEARCH: &str = include_str!("../../payloads/company_search.json");
pub(crate) const INDUSTRY_SEARCH: &str = include_str!("../../payloads/industry_search.json");
pub(crate) const REQUEST_STATUS: &str = include_str!("../../payloads/request_status.json");
pub(crate) const ADD_COMPANY: &str = include_str!("../../payloads/add_company.json");
pub(crate) const HEADCOUNT_TRENDS: &str = include_str!("../../payloads/headcount_trends.json");
pub(crate) const EMPLOYEE_REVIEWS: &str = include_str!("../../payloads/employee_reviews.json");
pub(crate) const PRODUCT_REVIEWS: &str = include_str!("../../payloads/product_reviews.json");
pub(crate) const JOB_POSTS: &str = include_str!("../../payloads/job_posts.json");
pub(crate) const SOCIAL_POSTS: &str = include_str!("../../payloads/social_posts.json");

/// Compares fields by what they write, so that a field may get a richer type and keep its test.
macro_rules! assert_fields {
    ($value:expr, { $($field:ident: $expected:tt),* $(,)? }) => {{
        let value = &$value;
        $(assert_eq!(
            serde_json::to_value(&value.$field).unwrap(),
            json!($expected),
            stringify!($field),
        );)*
    }};
}
pub(crate) use assert_fields;

/// The decoded payload, which holds all of it and cost this much.
pub(crate) async fn read<T, F>(payload: &str, micros: u64, call: impl FnOnce(Client) -> F) -> T
where
    T: Serialize,
    F: Future<Output = Result<Response<T>, Error>>,
{
    let response = respond_with(json_response(payload), call).await.unwrap();
    assert_eq!(response.raw, payload);
    assert_eq!(response.meta.status.as_u16(), 200);
    let cost = response.meta.reported_charge.map(|cost| cost.micros());
    assert_eq!(cost, Some(micros));

    let sent: Value = serde_json::from_str(payload).unwrap();
    let read = serde_json::to_value(&response.body).unwrap();
    assert_eq!(essence(&read), essence(&sent), "the types lack a field");
    response.into_body()
}

/// What two values have in common that say the same: `4` is `4.0`, and a field may be null, an empty list, or absent.
pub(crate) fn essence(value: &Value) -> Value {
    let says_something = |value: &Value| !(value.is_null() || *value == json!([]));
    match value {
        Value::Number(number) => json!(number.as_f64()),
        Value::Array(elements) => elements.iter().map(essence).collect(),
        Value::Object(fields) => fields
            .iter()
            .filter(|(_, value)| says_something(value))
            .map(|(name, value)| (name.clone(), essence(value)))
            .collect(),
        _ => value.clone(),
    }
}
