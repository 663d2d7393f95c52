//! Budget, quotes, and results that were paid for.

use super::*;

#[test]
fn an_equal_call_is_answered_by_a_stored_response() {
    let service = Service::plain("agent-cached");
    let cached = ["--cache", "responses.sqlite", "--max-age", "1d"];
    for (company, left) in [(COMPANY, "16 credits"), ("www.example.com", "20 credits")] {
        let mut agent = Agent::start(&service, &budget("20", &cached));
        let jobs = agent.result("job-posts", json!({ "company": company }));
        assert_eq!(
            (&jobs["left"], service.calls()),
            (&json!(left), 1),
            "{jobs}"
        );
    }
}

#[test]
fn a_quote_is_free_and_a_paid_result_is_read_again_for_nothing() {
    let service = Service::plain("agent-read");
    let mut agent = Agent::start(&service, &budget("20", &["--max-result-bytes", "2048"]));
    let company = json!({ "company": COMPANY });
    let quote = json!({ "tool": "job-posts", "arguments": company });
    let quote = agent.result("quote", quote);
    assert_eq!(
        quote,
        json!({ "at_most": "4 credits", "left": "20 credits" })
    );
    assert_eq!(service.calls(), 0);

    let first = agent.result("job-posts", company.clone());
    assert_eq!(
        (&first["id"], &first["cost"]),
        (&json!("1"), &json!("4 credits"))
    );
    assert_eq!(first["left"], "16 credits");
    let mut ids: Vec<Value> = Vec::new();
    let mut part = first;
    loop {
        assert!(part.to_string().len() <= 2048 + 100, "{part}");
        ids.extend(
            part["records"]
                .as_array()
                .unwrap()
                .iter()
                .map(|job| job["job_id"].clone()),
        );
        let Some(cursor) = part["next_cursor"].as_str() else {
            break;
        };
        part = agent.result("read-result", json!({ "cursor": cursor }));
    }
    assert_eq!(ids.len(), 10);
    assert_eq!(part["has_next_page"], true);
    assert_eq!(service.calls(), 1, "the rest of a page is paid for");

    let second = agent.result("next-page", json!({ "id": "1" }));
    assert_eq!((&second["id"], service.calls()), (&json!("2"), 2));
    assert!(!ids.contains(&second["records"][0]["job_id"]), "{second}");
    let third = agent.result("next-page", json!({ "id": "2" }));
    let third = third["id"].clone();
    let none = agent.error("next-page", json!({ "id": third }));
    assert!(none.contains("no page behind"), "{none}");
    let left = agent.result("budget", json!({}));
    assert_eq!(
        (&left["spent"], &left["left"]),
        (&json!("12 credits"), &json!("8 credits"))
    );

    // Without a price no line of the journal is needed, and the result is remembered for a while.
    let free = agent.result("company-search", json!({ "query": COMPANY }));
    let again = agent.result("read-result", json!({ "cursor": free["id"] }));
    assert_eq!(free["result"], again["result"]);
    agent.leave();
}

#[test]
fn the_budget_ends_a_loop_and_the_journal_holds_over_a_restart() {
    let service = Service::plain("agent-budget");
    let options = budget("11", &["--journal", "agent.journal"]);
    let mut agent = Agent::start(&service, &options);
    let call = || json!({ "company": COMPANY });
    let mut spent = 0;
    let refused = loop {
        let (text, is_error) = agent.call("headcount-trends", call());
        if is_error {
            break text;
        }
        spent += 1;
    };
    assert_eq!(spent, 4);
    let needed =
        "was not sent: the call needs 2.5 credits, but the budget has 1 of 11 credits left";
    assert!(refused.contains(needed), "{refused}");
    assert!(refused.contains("A greater `--budget`"), "{refused}");
    assert_eq!(refused.matches("budget has").count(), 1, "{refused}");
    let ran = agent.leave();
    assert!(
        ran.err.contains("4 calls: 10 credits spent, 1 left"),
        "{ran:?}"
    );
    assert_eq!((ran.code, service.calls()), (0, 4));

    let mut agent = Agent::start(&service, &options);
    let refused = agent.error("headcount-trends", call());
    assert!(refused.contains("was not sent"), "{refused}");
    let history = agent.result("history", json!({}));
    let calls = history["calls"].as_array().unwrap();
    assert_eq!(calls.len(), 4, "{history}");
    assert_eq!(
        (&calls[0]["id"], &calls[0]["cost"]),
        (&json!("4"), &json!("2.5 credits"))
    );
    assert_eq!(calls[0]["arguments"], r#"{"company":"example.com"}"#);
    let again = agent.result("read-result", json!({ "cursor": "2" }));
    assert!(again["result"]["data"].is_object(), "{again}");
    let before = agent.result("history", json!({ "before": "2" }));
    assert_eq!(before["calls"].as_array().unwrap().len(), 1);
    assert_eq!(service.calls(), 4);
    // Another server with the same journal would pay twice.
    let second = service.run(&[&["mcp"], &options[..]].concat());
    assert_eq!(second.code, 2, "{second:?}");
    agent.leave();
    // What a server without a budget has cost counts for the next one with it, and what it found there stays.
    let unbound = ["--no-budget", "--journal", "agent.journal"];
    let mut agent = Agent::start(&service, &unbound);
    agent.result("headcount-trends", call());
    agent.leave();
    let options = budget("15", &["--journal", "agent.journal"]);
    let mut agent = Agent::start(&service, &options);
    let spent = agent.result("budget", json!({}));
    assert_eq!(spent["spent"], "12.5 credits", "{spent}");
    agent.leave();
    let journal = fs::read_to_string(service.folder.join("agent.journal")).unwrap();
    assert!(!journal.contains(KEY));
}

#[test]
fn a_budget_or_the_will_to_have_none_is_asked_for() {
    let service = Service::plain("agent-options");
    let none = service.run(&["mcp"]);
    assert_eq!(none.code, 2, "{none:?}");
    assert!(none.err.contains("--budget"), "{none:?}");
    let both = service.run(&["mcp", "--budget", "1", "--no-budget"]);
    assert_eq!(both.code, 2, "{both:?}");
    let mut agent = Agent::start(&service, &["--no-budget"]);
    let result = agent.result("headcount-trends", json!({ "company": COMPANY }));
    assert_eq!(result["cost"], "2.5 credits", "{result}");
    assert!(result.get("left").is_none(), "{result}");
    agent.leave();
}
