//! Every field of every payload as null, missing, and empty, one at a time: the rest is read as if nothing had happened. What holds the
//! content of a response is the exception: without it there is no response.

use company_intel::types;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::support::payloads::{self, essence};

/// Walks a payload; gives back how many variants of it were read.
fn walk<T: DeserializeOwned + Serialize>(payload: &str) -> usize {
    let whole: Value = serde_json::from_str(payload).unwrap();
    let mut pointers = Vec::new();
    collect(&whole, "", &mut pointers);

    let mut variants = 0;
    for pointer in &pointers {
        let value = whole.pointer(pointer).unwrap();
        for replacement in replacements(value) {
            let mut sent = whole.clone();
            replace(&mut sent, pointer, replacement);
            // Strict, outside of a client: a record that does not decode is an error here.
            let read: Result<T, _> = serde_json::from_str(&sent.to_string());
            let is_content = ["/data", "/detail"].contains(&pointer.as_str());
            if is_content && sent.pointer(pointer).is_none_or(Value::is_null) {
                assert!(read.is_err(), "{pointer} is not there: {sent}");
                continue;
            }
            let read = read.unwrap_or_else(|error| panic!("{pointer}: {error}"));
            let read = serde_json::to_value(&read).unwrap();
            assert!(
                essence(&read) == essence(&sent),
                "{pointer}: {sent} became {read}"
            );
            variants += 1;
        }
    }
    variants
}

/// What may stand in the place of a value; `None` for nothing.
fn replacements(value: &Value) -> Vec<Option<Value>> {
    let mut replacements = vec![None, Some(Value::Null)];
    match value {
        Value::String(_) => replacements.push(Some(json!(""))),
        Value::Array(_) => replacements.push(Some(json!([]))),
        _ => {}
    }
    replacements
}

fn replace(whole: &mut Value, pointer: &str, replacement: Option<Value>) {
    let (parent, name) = pointer.rsplit_once('/').unwrap();
    let parent = whole.pointer_mut(parent).unwrap();
    let fields = parent.as_object_mut().unwrap();
    match replacement {
        Some(value) => fields.insert(name.to_owned(), value),
        None => fields.remove(name),
    }
    .expect("replaces something");
}

/// Pointers to all fields, at any depth. Where keys are data, and in objects of unpublished content, there are none.
fn collect(value: &Value, pointer: &str, pointers: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                let is_data = name.starts_with("provider_") || name == "not_published";
                if !is_data {
                    let pointer = format!("{pointer}/{name}");
                    collect(value, &pointer, pointers);
                    pointers.push(pointer);
                }
            }
        }
        Value::Array(elements) => {
            for (index, value) in elements.iter().enumerate() {
                collect(value, &format!("{pointer}/{index}"), pointers);
            }
        }
        _ => {}
    }
}

#[test]
fn every_field_may_be_null_missing_or_empty() {
    use payloads::*;
    use types::*;

    // The least counts are the walk's own test: what visits nothing passes.
    for (variants, least) in [
        (walk::<NewsResponse>(NEWS), 150),
        (walk::<EnrichmentResponse>(ENRICHMENT), 300),
        (walk::<CompanySearchResponse>(COMPANY_SEARCH), 18),
        (walk::<IndustrySearchResponse>(INDUSTRY_SEARCH), 20),
        (walk::<HeadcountResponse>(HEADCOUNT_TRENDS), 60),
        (walk::<EmployeeReviewsResponse>(EMPLOYEE_REVIEWS), 120),
        (walk::<ProductReviewsResponse>(PRODUCT_REVIEWS), 90),
        (walk::<JobPostsResponse>(JOB_POSTS), 50),
        (walk::<SocialPostsResponse>(SOCIAL_POSTS), 60),
        (walk::<AddCompanyResponse>(ADD_COMPANY), 12),
        (walk::<RequestStatus>(REQUEST_STATUS), 28),
    ] {
        assert!(variants >= least, "only {variants} of {least}");
    }
}
