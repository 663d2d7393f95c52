mod slow;

use proptest::collection::vec;
use proptest::prelude::*;

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
        r#""NaN""#,
        r#""""#,
        "-5",
        "1e999",
        "99999999999999999999",
        "true",
        "[2]",
        r#"{"amount": 2}"#,
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

/// Generates valid JSON that often contains the member.
fn json() -> impl Strategy<Value = String> {
    let leaf = prop::sample::select(vec![
        "null",
        "true",
        "false",
        "0",
        "-0",
        "2",
        "1.5",
        "0.0000001",
        "-3",
        "1e2",
        "1E-9",
        "1e999",
        "20.5e+1",
        "18446744073709.551615",
        "18446744073709.551616",
        r#""""#,
        r#""cost""#,
        r#""a\"b\\""#,
        r#""\u00e9é""#,
        r#""\ud800""#,
        r#""2""#,
        // Longer than what is passed over at once, with and without something in it.
        r#""a string of more than thirty-two bytes, and of more than sixty-four, too""#,
        r#""a string with a quote behind that: \"cost\": 7, and a character é \n""#,
    ]);
    let name = prop::sample::select(vec![
        r#""cost""#,
        r#""cost""#,
        r#""co\u0073t""#,
        r#""Cost""#,
        r#""a""#,
        r#""costs""#,
        r#""\ud800""#,
        r#""é""#,
    ]);
    let space = prop::sample::select(vec!["", "", " ", "\n\t", "\r "]);
    leaf.prop_map(str::to_owned)
        .prop_recursive(3, 20, 5, move |inner| {
            let member = (name.clone(), space.clone(), inner.clone())
                .prop_map(|(name, space, value)| format!("{name}{space}:{space}{value}{space}"));
            prop_oneof![
                3 => vec(member, 0..5).prop_map(|members| format!("{{{}}}", members.join(","))),
                1 => vec(inner, 0..4).prop_map(|elements| format!("[{}]", elements.join(" ,"))),
            ]
        })
}

#[derive(Debug, Clone)]
enum Damage {
    CutAt(prop::sample::Index),
    Removes(prop::sample::Index),
    Inserts(prop::sample::Index, &'static [u8]),
}

fn damage() -> impl Strategy<Value = Damage> {
    let pieces: Vec<&[u8]> = vec![
        b",",
        b":",
        b"{",
        b"}",
        b"[",
        b"]",
        b"\"",
        b"\\",
        b"\\u",
        b"0",
        b"7",
        b".",
        b"e",
        b"-",
        b"+",
        b"_",
        b" ",
        b"\n",
        b"\0",
        b"NaN",
        b"null",
        b"cost",
        b"\"cost\": 2",
        b"\xef\xbb\xbf",
        b"\xff",
        b"\xc3",
    ];
    prop_oneof![
        any::<prop::sample::Index>().prop_map(Damage::CutAt),
        any::<prop::sample::Index>().prop_map(Damage::Removes),
        (any::<prop::sample::Index>(), prop::sample::select(pieces))
            .prop_map(|(at, piece)| Damage::Inserts(at, piece)),
    ]
}

fn damaged(json: &str, damages: &[Damage]) -> Vec<u8> {
    let mut body = json.as_bytes().to_vec();
    for damage in damages {
        match damage {
            Damage::CutAt(at) => body.truncate(at.index(body.len() + 1)),
            Damage::Removes(_) if body.is_empty() => {}
            Damage::Removes(at) => _ = body.remove(at.index(body.len())),
            Damage::Inserts(at, piece) => {
                let at = at.index(body.len() + 1);
                body.splice(at..at, piece.iter().copied());
            }
        }
    }
    body
}

proptest! {
    #[test]
    fn a_body_is_json_where_a_parser_of_json_says_it(json in json(), damages in vec(damage(), 0..3)) {
        let body = damaged(&json, &damages);
        if let Ok(text) = str::from_utf8(&body) {
            // Only the scanner ignores a byte order mark.
            let marked = text.strip_prefix('\u{feff}').unwrap_or(text);
            let parsed = serde_json::from_str::<serde::de::IgnoredAny>(marked);
            let scanned = scan(&body, &mut |_| {});
            prop_assert_eq!(scanned.is_ok(), parsed.is_ok(), "{}", text);
        }
    }

    #[test]
    fn a_report_is_what_a_slow_reader_finds(json in json(), damages in vec(damage(), 0..3)) {
        let body = damaged(&json, &damages);
        let shown = String::from_utf8_lossy(&body);
        prop_assert_eq!(ReportedCharge::read(&body, "cost"), slow::read(&body, "cost"), "{}", shown);
    }
}
