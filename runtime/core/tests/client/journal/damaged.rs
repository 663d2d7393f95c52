//! Journals that were cut off or changed, and those of a run that was killed.

use generated_client::Credits;
use generated_client::journal::{Journal, JournalError};

use super::{path, run};
use crate::support::scripted_client::credits;
use crate::support::things::{Body, Service};

#[tokio::test(start_paused = true)]
async fn a_line_that_cannot_follow_the_others_is_refused_everywhere() {
    let path = path("corrupt");
    let run = r#"{"run":{"name":"things","version":6,"parts":{}}}"#;
    let attempt = r#"{"attempt":{"operation":"paid","number":1,"at":1,"at_risk":2}}"#;
    let charged = r#"{"charged":{"attempt":1,"credits":2}}"#;
    for line in [
        "{}",
        r#"{"usage":{"spent":1}}"#,
        charged,
        r#"{"settled":{"attempts":[1],"credits":2}}"#,
        r#"{"charged":{"attempt":2,"credits":2}}"#,
    ] {
        let text = format!("{run}\n{attempt}\n{charged}\n{line}\n");
        std::fs::write(&path, &text).unwrap();
        for refused in [
            Journal::open(&path, "things").map(drop),
            Journal::look(&path, "things").map(drop),
        ] {
            let error = refused.unwrap_err();
            assert!(error.to_string().contains("line 4"), "{line}: {error}");
        }
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text, "it stays");
    }
}

#[test]
fn a_file_that_does_not_name_its_run_is_refused_and_stays() {
    let path = path("nameless");
    let text = "{\"done\":{\"input\":\"a\"}}\n{\"done\"";
    std::fs::write(&path, text).unwrap();
    let refused = Journal::open(&path, "things").unwrap_err();
    assert!(matches!(refused, JournalError::NotAJournal { line: 1, .. }));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
}

/// The result is of the calls before it.
#[test]
fn a_call_in_flight_is_not_the_one_that_brought_a_result() {
    let path = path("later-call");
    let run = r#"{"run":{"name":"things","version":6,"parts":{}}}"#;
    let attempt = r#"{"attempt":{"input":"a","operation":"paid","number":1,"at":1,"at_risk":2}}"#;
    let charged = r#"{"charged":{"attempt":1,"credits":2}}"#;
    let passed = r#"{"passed":{"input":"a"}}"#;
    let lines = [run, attempt, charged, attempt, passed].join("\n");
    std::fs::write(&path, lines + "\n").unwrap();
    let journal = Journal::open(&path, "things").unwrap();
    assert!(journal.is_unsure("a", None));
    assert_eq!(journal.usage().at_risk, credits("2"));
}

#[tokio::test(start_paused = true)]
async fn a_paid_response_that_was_changed_is_not_paid_for_again() {
    let path = path("changed");
    let first = r#"{"run":{"name":"things","version":6,"parts":{}}}"#;
    let brought = r#"{"brought":{"input":"a","body":{"base64":"?"}}}"#;
    std::fs::write(&path, format!("{first}\n{brought}\n")).unwrap();
    let service = Service::of([]);
    let journal = Journal::open(&path, "things").unwrap().again(true);
    let called = run(&journal, &service, &mut Vec::new()).await;
    assert!(matches!(called, Err(JournalError::File { .. })));
    assert!(service.asked().is_empty());
}

#[test]
fn a_line_that_broke_off_within_a_character_is_cut() {
    let path = path("broken");
    let attempt = r#"{"attempt":{"input":"ä","operation":"paid","number":1,"at":1,"at_risk":2}}"#;
    let run = r#"{"run":{"name":"things","version":6,"parts":{}}}"#;
    std::fs::write(&path, format!("{run}\n{attempt}\n")).unwrap();
    let whole = std::fs::read(&path).unwrap();
    let mut broken = whole.clone();
    broken.extend_from_slice("{\"done\":{\"input\":\"ä".as_bytes());
    broken.pop();
    std::fs::write(&path, &broken).unwrap();
    assert!(Journal::look(&path, "things").unwrap().is_unsure("ä", None));
    let journal = Journal::open(&path, "things").unwrap();
    assert_eq!(journal.usage().at_risk, credits("2"));
    drop(journal);
    assert!(std::fs::read(&path).unwrap().starts_with(&whole));
    // A character that is broken elsewhere is no journal.
    std::fs::write(&path, [&whole[..], b"\xff\n"].concat()).unwrap();
    assert!(Journal::open(&path, "things").is_err());
}

/// Killed before or after the line that has it.
#[tokio::test(start_paused = true)]
async fn a_charge_above_its_price_comes_back_as_charged() {
    let path = path("dearer");
    let dear = r#"{"cost": 5, "offset": 0, "total": 0, "things": []}"#;
    let service = Service::of([Body(200, dear.to_owned())]);
    let journal = Journal::open(&path, "things").unwrap();
    run(&journal, &service, &mut Vec::new()).await.unwrap();
    drop(journal);
    let text = std::fs::read_to_string(&path).unwrap();
    let charged = text.find("{\"charged\"").unwrap();
    for length in 0..=text.len() {
        std::fs::write(&path, &text[..length]).unwrap();
        let usage = Journal::open(&path, "things").unwrap().usage();
        let is_charged = length > charged + text[charged..].find('\n').unwrap();
        let is_sent = text[..length].contains("\"at_risk\":2}}\n");
        let expected = match (is_sent, is_charged) {
            (false, _) => (Credits::ZERO, Credits::ZERO),
            (true, false) => (Credits::ZERO, credits("2")),
            (true, true) => (credits("5"), Credits::ZERO),
        };
        assert_eq!((usage.spent, usage.at_risk), expected, "{length} bytes");
    }
}
