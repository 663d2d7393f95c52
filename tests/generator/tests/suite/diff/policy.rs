//! Tests of a team's policy on changes.

use openapi_diff::Wire;
use openapi_diff::command::{Format, Options};
use openapi_document::finding::DocumentError;

use super::command::{OLD, PLAIN, committed, new, run};

/// Compares with [`new`] under a policy on this day.
fn under(policy: &str, today: Option<&str>) -> anyhow::Result<(bool, String)> {
    let workspace = committed(&new()).file("policy.yaml", policy);
    let file = workspace.root().join("policy.yaml");
    let options = Options {
        policy: Some(file.to_string_lossy().into_owned()),
        today: today.map(str::to_owned),
        fail_on: Some(Wire::Risky),
        ..PLAIN
    };
    run(&workspace, &options)
}

const LIMIT: &str = "{rule: schema.bound-tightened, at: GET /books";

#[test]
fn a_severity_holds_for_a_rule_at_a_place() {
    for at in ["GET /books", "/books", "'#/paths/~1books/get'"] {
        let policy = format!("severity: [{{rule: schema.bound-*, at: {at}, is: safe}}]\n");
        let (_, text) = under(&policy, None).unwrap();
        assert!(text.contains("Wire breaking: 1 breaking, 3 safe"), "{text}");
    }
    let (fine, text) = under("severity: [{rule: schema.*, is: safe}]\n", None).unwrap();
    assert!(fine && text.contains("Wire safe: 4 safe"), "{text}");
}

#[test]
fn a_waiver_counts_no_change_until_it_ends() {
    let policy = format!("waivers: [{LIMIT}, reason: Agreed, until: 2030-01-31}}]\n");
    let (_, text) = under(&policy, Some("2030-01-31")).unwrap();
    assert!(text.contains("Wire breaking: 1 breaking, 2 safe"), "{text}");
    assert!(
        text.contains("Waived GET /books: parameter `limit`"),
        "{text}"
    );
    assert!(text.contains("(Agreed)"), "{text}");
    let (fine, text) = under(&policy, Some("2030-02-01")).unwrap();
    assert!(!fine);
    assert!(text.contains("the waiver ended on 2030-01-31"), "{text}");
    assert!(text.contains("Wire breaking: 2 breaking, 2 safe"), "{text}");
}

#[test]
fn a_path_means_its_operations_and_leaves_a_shared_change_to_the_others() {
    let shared = "{rule: schema.type-changed, at: '/books/{id}'";
    let waived = format!("waivers: [{shared}, reason: Agreed}}]\n");
    let (_, text) = under(&waived, None).unwrap();
    assert!(text.contains("Wire breaking: 2 breaking"), "{text}");
    assert!(text.contains("reaches GET /books\n"), "{text}");
    let safer = format!("severity: [{shared}, is: safe}}]\n");
    let (_, text) = under(&safer, None).unwrap();
    assert!(text.contains("Wire breaking: 2 breaking, 3 safe"), "{text}");
    let both = "waivers: [{rule: schema.type-changed, at: /books, reason: Agreed}]\n";
    let (_, text) = under(both, None).unwrap();
    assert!(text.contains("Wire breaking: 1 breaking"), "{text}");
}

#[test]
fn every_format_has_what_is_waived_and_why() {
    let policy = format!("waivers: [{LIMIT}, reason: Agreed with all}}]\n");
    let workspace = committed(&new()).file("policy.yaml", &policy);
    let file = workspace.root().join("policy.yaml");
    for (format, said) in [
        (Format::Text(false), "Waived GET /books"),
        (Format::Json, "\"reason\": \"Agreed with all\""),
        (
            Format::Markdown,
            "<details><summary>1 waived change</summary>",
        ),
        (Format::Sarif, "\"justification\": \"Agreed with all\""),
    ] {
        let options = Options {
            policy: Some(file.to_string_lossy().into_owned()),
            format,
            ..PLAIN
        };
        let (_, text) = run(&workspace, &options).unwrap();
        assert!(
            text.contains(said) && text.contains("Agreed with all"),
            "{text}"
        );
    }
}

#[test]
fn what_means_no_change_is_a_finding() {
    for policy in [
        "waivers: [{rule: operation.removed, reason: Agreed}]\n",
        "severity: [{rule: schema.*, at: schema Pen, is: safe}]\n",
    ] {
        let (fine, text) = under(policy, None).unwrap();
        assert!(!fine && text.contains("this matches no change"), "{text}");
        assert!(text.contains("policy.yaml:1:"), "{text}");
    }
}

#[test]
fn what_a_policy_cannot_have_is_refused_with_its_place() {
    for (policy, message) in [
        ("waiver: []\n", "unknown field `waiver`"),
        ("waivers: [{rule: schema.*}]\n", "missing field `reason`"),
        (
            "severity: [{rule: schema.*, is: bad}]\n",
            "unknown variant `bad`",
        ),
        (
            "severity: [{rule: schema.*, is: safe, on: a}]\n",
            "unknown field `on`",
        ),
        (
            "severity: [{rule: schema.type-chnged, is: safe}]\n",
            "no rule is called",
        ),
        (
            "waivers: [{rule: a, reason: b, until: soon}]\n",
            "`soon` is not a date",
        ),
        (
            "waivers: [{rule: a, reason: b, until: 2030-02-29}]\n",
            "`2030-02-29` is not a date",
        ),
        (
            "waivers: [{rule: a, reason: b, until: 2030-13-01}]\n",
            "`2030-13-01` is not a date",
        ),
        (
            "waivers: [{rule: schema.*, reason: ' '}]\n",
            "the reason is empty",
        ),
        ("# Nothing yet\n", "the file is empty"),
        ("sunset: {over: safe}\n", "the current date is not given"),
    ] {
        let error = under(policy, None).unwrap_err();
        let stop = error.downcast_ref::<DocumentError>().unwrap();
        assert!(matches!(stop, DocumentError::Unreadable(_)));
        assert!(stop.to_string().contains(message), "{policy}: {stop}");
    }
    // The help lists all members of a policy.
    let refusal = under("waiver: []\n", None).unwrap_err().to_string();
    let (_, known) = refusal.split_once("expected one of ").unwrap();
    let known: Vec<&str> = known.split_once('\n').unwrap().0.split(", ").collect();
    assert!(known.contains(&"`stability`"), "{refusal}");
    for one in known {
        assert!(refusal.matches(one).count() > 1, "{one}: {refusal}");
    }
    let error = under("sunset: {over: safe}\n", Some("tomorrow")).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("`--today tomorrow` is not a date"),
        "{error}"
    );
}

#[test]
fn a_change_of_an_unstable_operation_is_worth_what_the_policy_says_at_most() {
    for (level, wire) in [
        ("draft", "Wire safe: "),
        ("beta", "Wire risky: 1 risky"),
        ("stable", "Wire breaking: 1 breaking"),
    ] {
        let get = format!("    get:\n      x-stability-level: {level}\n");
        let old = OLD.replacen("    get:\n", &get, 1);
        let gone = OLD.replace("  /books:\n    get:\n", "  /shelves:\n    get:\n");
        let workspace = committed(&gone)
            .file("old.yaml", &old)
            .file("policy.yaml", "stability: {draft: safe, beta: risky}\n");
        let name = |path: &str| workspace.root().join(path).to_string_lossy().into_owned();
        let options = Options {
            documents: Some((name("old.yaml"), name("spec/openapi.yaml"))),
            policy: Some(name("policy.yaml")),
            ..PLAIN
        };
        let (_, text) = run(&workspace, &options).unwrap();
        assert!(text.contains(wire), "{level}: {text}");
    }
}

#[test]
fn an_announced_removal_is_worth_what_the_policy_says() {
    let announced = |announcement: &str| {
        let get = format!("    get:\n      {announcement}\n");
        OLD.replacen("    get:\n", &get, 1)
    };
    let gone = OLD.replace("  /books:\n    get:\n", "  /shelves:\n    get:\n");
    let policy = "sunset: {over: safe, undated: risky}\n";
    for (announcement, wire) in [
        ("description: Some", "Wire breaking: 1 breaking"),
        ("deprecated: true", "Wire risky: 1 risky"),
        ("{deprecated: true, x-sunset: '2029-12-31'}", "Wire safe: "),
        (
            "{deprecated: true, x-sunset: '2030-06-01'}",
            "Wire breaking: 1 breaking",
        ),
        (
            "{deprecated: true, x-sunset: 20291231}",
            "`x-sunset: 20291231` is not a date",
        ),
    ] {
        let lines = announcement
            .trim_matches(['{', '}'])
            .replace(", ", "\n      ");
        let workspace = committed(&gone)
            .file("old.yaml", &announced(&lines))
            .file("policy.yaml", policy);
        let name = |path: &str| workspace.root().join(path).to_string_lossy().into_owned();
        let options = Options {
            documents: Some((name("old.yaml"), name("spec/openapi.yaml"))),
            policy: Some(name("policy.yaml")),
            today: Some("2030-01-01".to_owned()),
            ..PLAIN
        };
        let (_, text) = run(&workspace, &options).unwrap();
        assert!(text.contains(wire), "{announcement}: {text}");
    }
}
