//! Calls that fail, agents that go away, and the key.

use super::*;

#[test]
fn a_failure_says_what_became_of_the_money_and_nothing_says_the_key() {
    let service = Service::start("agent-failures", |builder| {
        builder
            .fault("headcount_trends", Fault::reset().billed())
            .fault("headcount_trends", Fault::html())
            .fault("headcount_trends", Fault::status(404))
    });
    let options = budget("30", &["--journal", "agent.journal"]);
    let mut agent = Agent::start(&service, &options);
    let call = || json!({ "company": COMPANY });
    let lost = agent.error("headcount-trends", call());
    assert!(
        lost.contains("may have been billed: 2.5 credits are at risk"),
        "{lost}"
    );
    let html = agent.error("headcount-trends", call());
    assert!(html.contains("not the documented JSON"), "{html}");
    assert!(html.contains("more may have been billed"), "{html}");
    let refused = agent.error("headcount-trends", json!({ "company": "nobody.example" }));
    assert!(refused.contains("404"), "{refused}");
    agent.leave();

    let mut agent = Agent::start(&service, &options);
    let history = agent.result("history", json!({}));
    let calls = history["calls"].as_array().unwrap();
    let states: Vec<&str> = calls
        .iter()
        .map(|call| call["state"].as_str().unwrap())
        .collect();
    assert!(states.contains(&"kept"), "{history}");
    assert!(
        states
            .iter()
            .any(|state| state.contains("may have been billed")),
        "{history}"
    );
    let left = agent.result("budget", json!({}));
    assert_ne!(left["at_risk"], "0 credits", "{left}");
    let html = agent.result("read-result", json!({ "cursor": "2" }));
    assert!(html.to_string().contains("doctype html"), "{html}");
    agent.leave();
}

/// The key of a service that repeats it is neither in a result nor in the journal.
#[test]
#[cfg(unix)]
fn a_key_that_the_service_repeats_reaches_no_agent() {
    let service = Service::plain("agent-canary");
    let body = format!(
        r#"{{"credits_consumed": 2.5, "data": {{"note": "{KEY}", "b\u0061d": "Bearer {KEY}"}}}}"#
    );
    let page = format!(
        r#"{{"count": 1, "credits_consumed": 4, "data": [{{"job_id": "1", "title": "{KEY}"}}]}}"#
    );
    let html = format!("<p>{KEY}</p>");
    let replies = [body, page, html].map(|text| &*text.leak());
    let address = replying(replies.to_vec(), || {});
    let mut agent = Agent::start(
        &service,
        &budget(
            "20",
            &["--journal", "agent.journal", "--base-url", &address],
        ),
    );
    let one = agent.result("headcount-trends", json!({ "company": COMPANY }));
    assert_eq!(one["result"]["data"]["note"], "[key]", "{one}");
    let page = agent.result("job-posts", json!({ "company": COMPANY }));
    assert_eq!(page["records"][0]["title"], "[key]", "{page}");
    let html = agent.error("headcount-trends", json!({ "company": COMPANY }));
    assert!(html.contains("<p>[key]</p>"), "{html}");
    agent.leave();
    let journal = fs::read_to_string(service.folder.join("agent.journal")).unwrap();
    assert!(
        journal.contains("[key]") && !journal.contains(KEY),
        "{journal}"
    );
}

#[test]
fn a_call_ends_and_is_kept_although_its_agent_goes_away() {
    let pause = Duration::from_millis(700);
    let service = Service::start("agent-leaves", |builder| builder.latency(pause..=pause));
    let options = budget("30", &["--journal", "agent.journal"]);
    let mut agent = Agent::start(&service, &options);
    let params = json!({ "name": "headcount-trends", "arguments": { "company": COMPANY } });
    let id = agent.request("tools/call", params.clone());
    sleep(Duration::from_millis(100));
    let cancel = json!({ "requestId": id, "reason": "no time" });
    let cancel = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": cancel });
    agent.send(&cancel.to_string());
    agent.request("tools/call", params);
    let journal = service.folder.join("agent.journal");
    let began = || {
        fs::read_to_string(&journal)
            .unwrap_or_default()
            .matches("{\"attempt\"")
            .count()
    };
    while began() < 2 {
        sleep(Duration::from_millis(5));
    }
    let ran = agent.leave();
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(ran.err.contains("2 calls: 5 credits spent"), "{ran:?}");
    let mut agent = Agent::start(&service, &options);
    let history = agent.result("history", json!({}));
    let calls = history["calls"].as_array().unwrap();
    assert_eq!(calls.len(), 2, "{history}");
    assert!(
        calls.iter().all(|call| call["state"] == "kept"),
        "{history}"
    );
    agent.leave();
}

#[test]
#[cfg(unix)]
fn a_call_in_flight_when_the_server_is_killed_is_at_risk() {
    let pause = Duration::from_secs(5);
    let service = Service::start("agent-killed", |builder| builder.latency(pause..=pause));
    let options = budget("30", &["--journal", "agent.journal"]);
    let mut agent = Agent::start(&service, &options);
    let params = json!({ "name": "headcount-trends", "arguments": { "company": COMPANY } });
    agent.request("tools/call", params);
    let journal = service.folder.join("agent.journal");
    while !fs::read_to_string(&journal).is_ok_and(|text| text.contains("{\"attempt\"")) {
        sleep(Duration::from_millis(5));
    }
    agent.child.kill().unwrap();
    agent.child.wait().unwrap();
    let mut agent = Agent::start(&service, &options);
    let left = agent.result("budget", json!({}));
    assert_eq!(left["at_risk"], "2.5 credits", "{left}");
    interrupt(&agent.child);
    assert_eq!(Ran::of(agent.child.wait_with_output().unwrap()).code, 0);
    // A person who knows what it cost frees the budget.
    for (call, code, words) in [
        ("7=1", 2, "\n  1 headcount-trends {"),
        ("1=0", 0, "1 call: 0 credits spent"),
    ] {
        // The store of the account is away.
        let away = ["--account", "team", "--store", "redis://127.0.0.1:1/"];
        let settle = [&["mcp"], &options[..], &away, &["--settle", call]];
        let settled = service.run(&settle.concat());
        assert_eq!(settled.code, code, "{settled:?}");
        assert!(settled.err.contains(words), "{settled:?}");
    }
}
