//! Calls of unknown price for a company that nobody knows: one of them locks no budget.

use serde_json::json;

use super::agents::Agent;
use super::service::{Ran, Service, credits};

fn companies(name: &str) -> Service {
    let service = Service::plain(name);
    let list = "domain\nnobody.example\nexample.com\nquarry-software.example\n";
    service.write("four.csv", list);
    service
}

fn run(service: &Service, more: &[&str]) -> Ran {
    let run = ["enrichment", "--from", "four.csv", "--column", "domain"];
    service.run(&[&run[..], &["--budget", "100", "--resume", "j"], more].concat())
}

/// The two known companies have their prices, and nothing is billed that is not spent.
fn assert_known(service: &Service, ran: &Ran) {
    assert_eq!((ran.code, ran.records().len()), (1, 2), "{ran:?}");
    let billed = service.sandbox.bill().total();
    assert_eq!(credits(&ran.err, " spent"), billed, "{ran:?}");
}

#[test]
fn an_unknown_company_puts_an_estimate_at_risk_and_not_the_budget() {
    let service = companies("unknown");
    let first = run(&service, &[]);
    assert_known(&service, &first);
    assert!(
        credits(&first.err, " left").micros() > 50_000_000,
        "{first:?}"
    );
    let way = "`--unbilled 404` keeps them free";
    assert_eq!(first.err.matches(way).count(), 1, "{first:?}");
    // Later runs go on, and nothing is called again: the service has answered for all three.
    let billed = service.sandbox.bill();
    for more in [&[][..], &["--again"], &["--assume-price", "3"]] {
        let later = run(&service, more);
        assert_eq!(
            (later.code, service.sandbox.bill()),
            (0, billed.clone()),
            "{later:?}"
        );
        assert!(
            credits(&later.err, " left").micros() > 50_000_000,
            "{later:?}"
        );
    }
}

#[test]
fn an_unknown_company_is_free_where_its_status_is_not_billed_and_costs_a_stated_price_otherwise() {
    let service = companies("unbilled");
    let free = run(&service, &["--unbilled", "410,404"]);
    assert_known(&service, &free);
    assert!(!free.err.contains("at risk"), "{free:?}");
    assert!(
        free.err
            .contains("responded with 404 Not Found. The call counts as not billed."),
        "{free:?}"
    );
    let done = run(&service, &["--unbilled", "404"]);
    assert_eq!(
        (done.code, service.sandbox.bill().refused),
        (0, 1),
        "{done:?}"
    );

    let service = companies("assumed");
    let assumed = run(&service, &["--assume-price", "3"]);
    assert_known(&service, &assumed);
    let at_risk = credits(&assumed.err, " at risk, ").micros();
    assert!((700_000..=3_000_000).contains(&at_risk), "{assumed:?}");
}

/// Plays an agent that asks for an unknown company and, also after a restart of its server, for known ones.
fn ask(service: &Service, more: &[&str]) {
    let page = include_str!("../../../../docs/agents.md");
    let (_, shown) = page.split_once("```json\n").unwrap();
    let (shown, _) = shown.split_once("```").unwrap();
    let mut shown: serde_json::Value = serde_json::from_str(shown).unwrap();
    let options = shown["mcpServers"]["company-intel"]["args"].take();
    let options: Vec<String> = serde_json::from_value(options).unwrap();
    let options = options.iter().skip(1).map(|option| match option.as_str() {
        path if path.starts_with('/') => "agent.journal",
        option => option,
    });
    let options: Vec<&str> = options.chain(more.iter().copied()).collect();
    for known in ["example.com", "quarry-software.example"] {
        let mut agent = Agent::start(service, &options);
        let lost = agent.error("enrichment", json!({ "company": "nobody.example" }));
        assert!(lost.contains("404"), "{lost}");
        let is_named = lost.contains("`--unbilled 404`");
        assert_eq!(is_named, more.is_empty(), "{lost}");
        let found = agent.result("enrichment", json!({ "company": known }));
        assert_eq!(found["cost"], "0.7 credits", "{found}");
        agent.leave();
    }
}

#[test]
fn an_agents_server_survives_an_unknown_company_also_after_a_restart() {
    ask(&Service::plain("agent-unknown"), &[]);
}

#[test]
fn an_agents_server_takes_unbilled_statuses() {
    ask(&Service::plain("agent-unbilled"), &["--unbilled", "404"]);
}
