use super::*;

#[test]
fn a_report_is_found_wherever_there_is_one() {
    let credits = |micros| ReportedCharge::Credits(Credits::from_micros(micros));
    for (body, report) in [
        (r#"{"cost": 1.5}"#, credits(1_500_000)),
        (r#"{"data": {"cost": 9}, "cost": 0}"#, credits(0)),
        (r#"{"cost": "1.5"}"#, credits(1_500_000)),
        ("\u{feff}{\"cost\": 2}", credits(2_000_000)),
        (r#"{"cost": 2, "data": [1, 2"#, credits(2_000_000)),
        (r#"{"cost": 1 "#, credits(1_000_000)),
        (r#"{"cost": 2, "a": -"#, credits(2_000_000)),
        (r#"{"cost": 2, "a": [1."#, credits(2_000_000)),
        (r#"{"cost": 2, "a": 1e"#, credits(2_000_000)),
        (r#"{"cost": 2, "a": 1e+"#, credits(2_000_000)),
        (r#"{"cost": 2, "a": "\u00"#, credits(2_000_000)),
        (r#"{"co\u0073t": 4}"#, credits(4_000_000)),
        (r#"{"cost": 1, "cost": 3}"#, credits(3_000_000)),
        (
            r#"{"cost": 3, "cost": 1, "cost": null}"#,
            credits(3_000_000),
        ),
        (r#"{"cost": null}"#, ReportedCharge::Nothing),
        (r#"{"data": {"cost": 9}}"#, ReportedCharge::Nothing),
        (r#"[{"cost": 9}]"#, ReportedCharge::Nothing),
        ("1", ReportedCharge::Nothing),
        ("<html>", ReportedCharge::Nothing),
        ("", ReportedCharge::Nothing),
    ] {
        assert_eq!(
            ReportedCharge::read(body.as_bytes(), "cost"),
            report,
            "{body}"
        );
    }
}

#[test]
fn a_member_without_a_valid_amount_is_unreadable() {
    for cost in [
        "\"NaN\"",
        "\"\"",
        "-5",
        "1e999",
        "99999999999999999999",
        "true",
        "[2]",
        "{\"amount\": 2}",
        "NaN",
        "2, \"cost\": \"two\"",
        "\"two\", \"cost\": 2, \"cost\": null",
        "\" 5\"",
        "\"5 credits\"",
        "\"-5\"",
        "\"5",
    ] {
        let body = format!(r#"{{"cost": {cost}}}"#);
        assert_eq!(
            ReportedCharge::read(body.as_bytes(), "cost"),
            ReportedCharge::Unreadable,
            "{body}"
        );
    }
    for body in [
        r#"{"cost": 1"#,
        r#"{"cost": 1."#,
        r#"{"cost": 1e"#,
        r#"{"cost": "5"#,
        r#"{"cost":"#,
        r#"{"cost""#,
    ] {
        assert_eq!(
            ReportedCharge::read(body.as_bytes(), "cost"),
            ReportedCharge::Unreadable,
            "{body}"
        );
    }
}

#[test]
fn malformed_json_is_unreadable_if_it_contains_the_member_name() {
    for body in [
        r#"{"cost": NaN}"#,
        r#"{"cost": 2,}"#,
        r#"{"cost": 2,5}"#,
        r#"{"cost": 1_000}"#,
        r#"{"cost": 0x10}"#,
        r#"{"cost": 012}"#,
        r#"{"cost": +2}"#,
        r#"{"cost": .5}"#,
        r#"{"cost": 2.}"#,
        r#"{"cost": 2} {"cost": 3}"#,
        r#"{"cost": 2}5"#,
        r#"{"cost": 2}}"#,
        r#"{'cost': 2}"#,
        r#"{cost: 2}"#,
        r#"{"cost": 2 "data": []}"#,
        r#"{"cost": null, }"#,
        r#"{"cost": 2, "text": "a
b"}"#,
        r#"{"co\u0073t": 2, }"#,
        r#"{"cost": 2, "a": +"#,
        r#"{"cost": 2, "a": 1.-"#,
        r#"{"cost": 2, "a": x-"#,
        r#"[{"cost": 9},]"#,
        "callback({\"cost\": 2})",
        "<p>cost</p>",
    ] {
        let report = ReportedCharge::read(body.as_bytes(), "cost");
        assert_eq!(report, ReportedCharge::Unreadable, "{body}");
    }
    let latin_1 = b"{\"cost\": 2, \"name\": \"caf\xe9\"}";
    assert_eq!(
        ReportedCharge::read(latin_1, "cost"),
        ReportedCharge::Unreadable
    );
    for body in [
        r#"{"a": NaN}"#,
        "{}{}",
        "<p>",
        "\u{feff}{}",
        "[1,]",
        "\u{1}",
    ] {
        let report = ReportedCharge::read(body.as_bytes(), "cost");
        assert_eq!(report, ReportedCharge::Nothing, "{body}");
    }
    assert_eq!(
        ReportedCharge::read(b"caf\xe9", "cost"),
        ReportedCharge::Nothing
    );
}

#[test]
fn values_that_fit_no_rust_type_do_not_hide_a_report() {
    let deep = "[".repeat(100_000) + &"]".repeat(100_000);
    for other in ["1e999", r#""\ud800""#, deep.as_str()] {
        for name in ["other", r"\udfff"] {
            let body = format!(r#"{{"{name}": {other}, "cost": 2}}"#);
            let report = ReportedCharge::read(body.as_bytes(), "cost");
            assert_eq!(
                report,
                ReportedCharge::Credits(Credits::from_micros(2_000_000))
            );
        }
    }
    assert_eq!(
        ReportedCharge::read(b"1e999", "cost"),
        ReportedCharge::Nothing
    );
}

#[test]
fn a_report_is_exact_and_rounded_up() {
    for (cost, micros) in [
        ("18446744073709.551615", u64::MAX),
        ("9007199254.740993", 9_007_199_254_740_993),
        ("0.1000001", 100_001),
        ("0.10000000000000000000000000001", 100_001),
    ] {
        let body = format!(r#"{{"cost": {cost}}}"#);
        let report = ReportedCharge::read(body.as_bytes(), "cost");
        assert_eq!(
            report,
            ReportedCharge::Credits(Credits::from_micros(micros))
        );
    }
    let body = br#"{"cost": 18446744073709.551616}"#;
    assert_eq!(
        ReportedCharge::read(body, "cost"),
        ReportedCharge::Unreadable
    );
}

#[test]
fn a_body_that_ends_within_a_character_is_cut_off() {
    let body = "{\"cost\": 2, \"name\": \"caf\u{e9}".as_bytes();
    let two = ReportedCharge::Credits(Credits::from_micros(2_000_000));
    for end in [body.len(), body.len() - 1] {
        assert_eq!(ReportedCharge::read(&body[..end], "cost"), two);
    }
}
