//! Values of several types: one or many, a pair or a text, a number or something that is none.

use company_intel::types::CodeLabel;
use company_intel::{Loose, Meta, Response};
use serde_json::json;

use crate::support::calls::respond_with;
use crate::support::decoded::{enriched, news_page, product, wire};
use crate::support::server::json_response;

#[tokio::test]
async fn stars_are_counted_by_provider() {
    let stars = json!({"1": 1, "2": 0, "3": null, "4": 0, "5": 3, "total": 4});
    let distribution =
        json!({"provider_a": stars, "provider_b": {}, "provider_c": {"5": "many"}, "d": null});
    // Strict as long as all of it fits, which `null` and other keys do.
    for (distribution, providers) in [
        (json!({"provider_a": stars, "provider_b": {}, "d": null}), 2),
        (distribution, 2),
    ] {
        let read = product(json!({"id": "p1", "star_distribution": distribution})).await;
        assert_eq!(read.id.as_deref(), Some("p1"));
        let read = read.star_distribution;
        assert_eq!(read.len(), providers, "{distribution}");
        let expected = [("1", 1), ("2", 0), ("4", 0), ("5", 3), ("total", 4)];
        let known = read["provider_a"].iter();
        assert!(
            known
                .map(|(key, count)| (key.as_str(), *count))
                .eq(expected)
        );
        assert_eq!(read["provider_a"]["5"], 3);
        assert!(read["provider_b"].is_empty());
    }
}

#[tokio::test]
async fn ratings_of_aspects_are_numbers_and_one_that_is_none_costs_no_other() {
    for (aspect, value, expected) in [
        ("ceo", json!(0.8), Some(Some(0.8))),
        ("business_outlook", json!(1), Some(Some(1.0))),
        ("work_life_balance", json!(4), Some(Some(4.0))),
        ("work_life_balance", json!(null), Some(None)),
        // Outside of the scale: kept as it came.
        ("ceo", json!(4), Some(Some(4.0))),
        ("parking", json!(4), Some(Some(4.0))),
        ("ceo", json!("high"), None),
    ] {
        let other = json!({"type": "ceo", "provider": "provider_b", "value": 0.5, "votes": 7});
        let ratings = json!([{"type": aspect, "provider": "provider_a", "value": value}, other]);
        let body = json!({"data": {"employee_reviews": {"other_ratings": ratings}}}).to_string();
        let call = |client: company_intel::Client| client.employee_reviews("k7f3q9").send();
        let response = respond_with(json_response(&body), call).await.unwrap();
        let reviews = response.into_body().data.employee_reviews.unwrap();
        let (last, before) = reviews.other_ratings.split_last().unwrap();
        assert_eq!(last.value, Some(0.5), "{aspect} {value}");
        let read = before.first().map(|rating| rating.value);
        assert_eq!(
            (before.len(), read),
            (usize::from(expected.is_some()), expected)
        );
    }
}

#[test]
fn what_a_plain_type_leaves_open_is_documented_at_its_field() {
    let source = include_str!("../../../../generated/src/types.rs");
    for (declared, fact) in [
        (
            "    pub count: Option<String>,",
            "How many reviewers made it, a number written as text.",
        ),
        (
            "    pub value: Option<f64>,",
            "from 0 to 1 for `business_outlook`, `ceo` and `recommend_to_friend`, from 0 to 5 for the others.",
        ),
        (
            "pub struct StarCounts(",
            "How many ratings there are for each number of stars; the keys are `1` to `5`.",
        ),
    ] {
        let (before, _) = source.split_once(declared).unwrap();
        let about = before.rsplit("\n}\n").next().unwrap();
        assert!(about.contains(fact), "{declared} {about}");
    }
}

#[tokio::test]
async fn coded_fields_are_a_pair_several_pairs_or_a_text() {
    let rust = json!({"code": "rust", "label": "Rust"});
    let go = json!({"code": "go", "label": "Go"});
    for (sent, codes, text) in [
        (rust.clone(), vec!["rust"], None),
        (json!([rust, go]), vec!["rust", "go"], None),
        (json!([]), vec![], None),
        (json!("Rust"), vec![], Some("Rust")),
        (json!(["Rust", "Go", "Zig"]), vec![], None),
    ] {
        let data = enriched(json!({
            "technology": {"api_detail": {"has_api": true, "sdk_language": sent}},
            "customer_profile": {"icp": [{"target_buyer": sent, "sales_motion": sent}]},
        }))
        .await;
        let api = data.technology.unwrap().api_detail.unwrap();
        assert_eq!(api.has_api, Some(true));
        let customer = &data.customer_profile.unwrap().icp[0];
        for read in [
            &api.sdk_language,
            &customer.target_buyer,
            &customer.sales_motion,
        ] {
            let read: &Loose<CodeLabel> = read.as_ref().unwrap();
            let found: Vec<_> = read
                .as_slice()
                .iter()
                .filter_map(|one| one.code.as_deref())
                .collect();
            assert_eq!(found, codes, "{sent}");
            assert_eq!(read.text(), text, "{sent}");
            assert_eq!(wire(read), sent);
        }
    }
}

#[tokio::test]
async fn a_list_of_texts_is_not_taken_for_a_code_and_its_label() {
    let data =
        enriched(json!({"technology": {"api_detail": {"sdk_language": ["Rust", "Go"]}}})).await;
    let read = data
        .technology
        .unwrap()
        .api_detail
        .unwrap()
        .sdk_language
        .unwrap();
    assert_eq!(read.first(), None);
    assert_eq!(read.other(), Some(&json!(["Rust", "Go"])));
}

#[tokio::test]
async fn texts_without_a_type_never_cost_the_record() {
    for (sent, texts) in [
        (json!("Tools"), vec!["Tools"]),
        (json!(["Tools", "Time"]), vec!["Tools", "Time"]),
        (json!({"text": "Tools"}), vec![]),
        (json!(7), vec![]),
    ] {
        let data = enriched(json!({
            "firmographic": {"name": sent, "founded_year": 2009},
            "customer_profile": {"icp": [{"pain_points": sent, "geography": sent}]},
        }))
        .await;
        let firm = data.firmographic.unwrap();
        assert_eq!(firm.founded_year, Some(2009));
        let customer = &data.customer_profile.unwrap().icp[0];
        for read in [&firm.name, &customer.pain_points, &customer.geography] {
            let read = read.as_ref().unwrap();
            assert_eq!(read.as_slice(), texts, "{sent}");
            assert_eq!(wire(read), sent);
        }
    }
}

#[tokio::test]
async fn the_people_of_a_company_are_a_list_or_one_object() {
    let ada = json!({"name": "Ada Sample", "designation": "Founder"});
    let jo = json!({"name": "Jo Sample"});
    for (sent, names) in [
        (json!([ada, jo]), vec!["Ada Sample", "Jo Sample"]),
        (ada.clone(), vec!["Ada Sample"]),
        (json!([]), vec![]),
        (json!("Ada Sample"), vec![]),
    ] {
        let data = enriched(json!({"uuid": "k7f3q9", "management_profile": sent})).await;
        let people = data.management_profile.unwrap();
        let found: Vec<_> = people
            .as_slice()
            .iter()
            .map(|one| one.name.as_ref().unwrap().first().unwrap().as_str())
            .collect();
        assert_eq!(found, names, "{sent}");
        assert_eq!(wire(&people), sent);
    }
}

#[tokio::test]
async fn what_a_call_cost_never_costs_its_answer() {
    // (as sent, millionths of a credit)
    for (cost, expected) in [
        (r#", "credits_consumed": 2"#, Some(2_000_000)),
        (r#", "credits_consumed": 1.5"#, Some(1_500_000)),
        (r#", "credits_consumed": 0.00"#, Some(0)),
        (r#", "credits_consumed": 0"#, Some(0)),
        (r#", "credits_consumed": 2.5e0"#, Some(2_500_000)),
        (r#", "credits_consumed": 0.1"#, Some(100_000)),
        (r#", "credits_consumed": null"#, None),
        (r#", "credits_consumed": "1.5""#, None),
        (r#", "credits_consumed": """#, None),
        (r#", "credits_consumed": -1"#, None),
        (r#", "credits_consumed": -0.5"#, None),
        (r#", "credits_consumed": 1e300"#, None),
        (r#", "credits_consumed": 1e999"#, None),
        (r#", "credits_consumed": 99999999999999999999999"#, None),
        (r#", "credits_consumed": true"#, None),
        (r#", "credits_consumed": {"amount": 2}"#, None),
        ("", None),
    ] {
        let body = format!(r#"{{"total": 7, "data": [{{"id": 1}}]{cost}}}"#);
        let Response {
            body: page, meta, ..
        } = news_page(&body).await;
        let Meta {
            reported_charge: credits_consumed,
            ..
        } = meta;
        assert_eq!(credits_consumed.map(|c| c.micros()), expected, "{cost}");
        assert_eq!(page.credits_consumed, credits_consumed, "{cost}");
        assert_eq!((page.total, page.data.len()), (Some(7), 1), "{cost}");
    }
}

#[tokio::test]
async fn a_known_company_has_no_request_and_a_pending_one_no_reason() {
    let known = r#"{"already_exists": true, "company": {"uuid": "k7f3q9"}, "request_id": null, "status": "exists", "credits_consumed": 0}"#;
    let call = |client: company_intel::Client| client.add_company("A", "a.example").send();
    let known = respond_with(json_response(known), call).await.unwrap().body;
    assert_eq!(known.already_exists, Some(true));
    assert_eq!(known.request_id, None);
    assert_eq!(known.company.unwrap()["uuid"], "k7f3q9");

    let pending = r#"{"request_id": "r1", "request_type": "company_addition", "detail": {"status": "pending", "reason": null, "company_uuid": null}}"#;
    let call = |client: company_intel::Client| client.request_status("r1").send();
    let pending = respond_with(json_response(pending), call)
        .await
        .unwrap()
        .body;
    let detail = pending.detail;
    assert_eq!(wire(&detail.status), "pending");
    assert_eq!((detail.reason, detail.company_uuid), (None, None));
}
