//! The server for agents, by raw messages on its standard input and output, and by HTTP: what it offers, what it refuses, and what it pays for.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, ChildStdin, ChildStdout, Command};
use std::thread::sleep;
use std::time::Duration;

use company_intel_sandbox::Fault;
use serde_json::{Value, json};

use crate::service::{COMPANY, KEY, Ran, Service, interrupt, replying};

const VERSION: &str = "2025-06-18";

/// A server and a client of it.
struct Agent {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    id: u64,
}

impl Agent {
    fn start(service: &Service, options: &[&str]) -> Self {
        let command = service.command(&[&["mcp"], options].concat());
        Self::of(command)
    }

    fn of(mut command: Command) -> Self {
        let mut child = command.stdin(std::process::Stdio::piped()).spawn().unwrap();
        let input = child.stdin.take().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let mut agent = Self {
            child,
            input,
            output,
            id: 0,
        };
        let client = json!({ "name": "test", "version": "1" });
        let hello = json!({ "protocolVersion": VERSION, "capabilities": {}, "clientInfo": client });
        let hello = agent.ask("initialize", hello);
        assert_eq!(hello["result"]["serverInfo"]["name"], "company-intel");
        agent.send(r#"{"jsonrpc": "2.0", "method": "notifications/initialized"}"#);
        agent
    }

    fn send(&mut self, line: &str) {
        writeln!(self.input, "{line}").unwrap();
        self.input.flush().unwrap();
    }

    fn message(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        assert!(!line.contains(KEY), "{line}");
        // Nothing but the protocol is on standard output.
        let message: Value = serde_json::from_str(&line).unwrap_or_else(|_| panic!("{line:?}"));
        assert_eq!(message["jsonrpc"], "2.0");
        message
    }

    fn request(&mut self, method: &str, params: Value) -> u64 {
        self.id += 1;
        let id = self.id;
        let request = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        self.send(&request.to_string());
        id
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.request(method, params);
        let response = self.message();
        assert_eq!(response["id"], id, "{response}");
        response
    }

    /// Calls a tool. Returns its text, and whether it is an error.
    fn call(&mut self, name: &str, arguments: Value) -> (String, bool) {
        let response = self.ask(
            "tools/call",
            json!({ "name": name, "arguments": arguments }),
        );
        let result = &response["result"];
        let text = result["content"][0]["text"].as_str();
        let text = text.unwrap_or_else(|| panic!("{response}")).to_owned();
        (text, result["isError"] == true)
    }

    /// The result of a call that succeeds.
    fn result(&mut self, name: &str, arguments: Value) -> Value {
        let (text, is_error) = self.call(name, arguments);
        assert!(!is_error, "{text}");
        serde_json::from_str(&text).unwrap()
    }

    /// The text of a call that fails.
    fn error(&mut self, name: &str, arguments: Value) -> String {
        let (text, is_error) = self.call(name, arguments);
        assert!(is_error, "{text}");
        text
    }

    /// Goes away.
    fn leave(self) -> Ran {
        drop(self.input);
        Ran::of(self.child.wait_with_output().unwrap())
    }
}

fn budget<'o>(credits: &'o str, more: &[&'o str]) -> Vec<&'o str> {
    [&["--budget", credits], more].concat()
}

#[test]
fn each_operation_is_a_tool_with_its_schema_and_hints() {
    let service = Service::plain("agent-tools");
    let mut agent = Agent::start(&service, &budget("10", &[]));
    let tools = agent.ask("tools/list", json!({}))["result"]["tools"].take();
    let tools = tools.as_array().unwrap();
    let names: Vec<&str> = tools
        .iter()
        .map(|tool| tool["name"].as_str().unwrap())
        .collect();
    let help = service.run(&["--help"]).out;
    for own in ["read-result", "next-page", "quote", "budget", "history"] {
        assert!(names.contains(&own), "{names:?}");
    }
    for command in [
        "news",
        "enrichment",
        "job-posts",
        "add-company",
        "headcount-trends",
    ] {
        assert!(
            help.contains(command) && names.contains(&command),
            "{names:?}"
        );
    }
    for tool in tools {
        let schema = &tool["inputSchema"];
        let validator = jsonschema::meta::is_valid(schema);
        assert!(validator, "{tool}");
        assert_eq!(schema["type"], "object", "{tool}");
        assert_eq!(schema["additionalProperties"], false, "{tool}");
        let properties = schema["properties"].as_object().unwrap();
        for name in schema["required"].as_array().unwrap() {
            assert!(properties.contains_key(name.as_str().unwrap()), "{tool}");
        }
        for property in properties.values() {
            assert_ne!(property["description"], "", "{tool}");
        }
        let hints = &tool["annotations"];
        assert!(
            hints["readOnlyHint"].is_boolean() && hints["openWorldHint"].is_boolean(),
            "{tool}"
        );
        assert_ne!(tool["description"], "");
    }
    let tool = |name: &str| tools.iter().find(|tool| tool["name"] == name).unwrap();
    let jobs = tool("job-posts");
    assert_eq!(jobs["inputSchema"]["required"], json!(["company"]));
    assert_eq!(jobs["inputSchema"]["properties"]["limit"]["type"], "number");
    assert_eq!(jobs["annotations"]["readOnlyHint"], true);
    assert!(
        jobs["description"].as_str().unwrap().contains("credits"),
        "{jobs}"
    );
    let sections = &tool("enrichment")["inputSchema"]["properties"]["sections"];
    assert_eq!(sections["type"], "array");
    assert!(
        sections["items"]["enum"].as_array().unwrap().len() > 5,
        "{sections}"
    );
    let adds = tool("add-company");
    assert_eq!(adds["annotations"]["readOnlyHint"], false);
    assert_eq!(adds["annotations"]["destructiveHint"], true);
    assert_eq!(agent.leave().code, 0);
    assert_eq!(service.calls(), 0);

    let mut some = Agent::start(&service, &budget("10", &["--tools", "news,enrichment"]));
    let tools = some.ask("tools/list", json!({}))["result"]["tools"].take();
    assert_eq!(tools.as_array().unwrap().len(), 7, "{tools}");
    some.leave();
    let unknown = service.run(&["mcp", "--budget", "1", "--tools", "no-such"]);
    assert_eq!(unknown.code, 2, "{unknown:?}");
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
    assert!(
        refused.contains(
            "The budget has refused the call, which needs 2.5 credits: nothing was sent."
        ),
        "{refused}"
    );
    assert!(
        refused.contains("The budget has 1 credits left."),
        "{refused}"
    );
    let ran = agent.leave();
    assert!(
        ran.err.contains("4 calls: 10 credits spent, 1 left"),
        "{ran:?}"
    );
    assert_eq!((ran.code, service.calls()), (0, 4));

    let mut agent = Agent::start(&service, &options);
    let refused = agent.error("headcount-trends", call());
    assert!(refused.contains("nothing was sent"), "{refused}");
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
    let journal = fs::read_to_string(service.folder.join("agent.journal")).unwrap();
    assert!(!journal.contains(KEY));
}

#[test]
fn hostile_arguments_are_argument_errors_and_nothing_is_sent() {
    let service = Service::plain("agent-hostile");
    service.write("secret.txt", "{\"stolen\": true}");
    let mut agent = Agent::start(&service, &budget("20", &[]));
    let path = service.folder.join("secret.txt");
    let file = format!("@{}", path.display());
    let long = "x".repeat(10_000_000);
    for (tool, arguments) in [
        ("job-posts", json!({})),
        ("job-posts", json!({ "company": 7 })),
        ("job-posts", json!({ "company": null })),
        ("job-posts", json!({ "company": ["example.com"] })),
        ("job-posts", json!({ "company": {"a": {"b": []}} })),
        ("job-posts", json!({ "company": "" })),
        ("job-posts", json!({ "company": long })),
        ("job-posts", json!({ "company": COMPANY, "limit": -1 })),
        ("job-posts", json!({ "company": COMPANY, "limit": 1.5 })),
        ("job-posts", json!({ "company": COMPANY, "limit": 1e300 })),
        ("job-posts", json!({ "company": COMPANY, "limit": "NaN" })),
        ("job-posts", json!({ "company": COMPANY, "limit": true })),
        ("job-posts", json!({ "company": COMPANY, "no-such": 1 })),
        ("job-posts", json!({ "company": COMPANY, "extra": "a=b" })),
        (
            "job-posts",
            json!({ "company": COMPANY, "base-url": "http://evil.example" }),
        ),
        (
            "enrichment",
            json!({ "company": COMPANY, "sections": "location" }),
        ),
        (
            "enrichment",
            json!({ "company": COMPANY, "sections": ["no-such"] }),
        ),
        (
            "enrichment",
            json!({ "company": COMPANY, "sections": [["location"]] }),
        ),
        ("read-result", json!({})),
        ("read-result", json!({ "cursor": "7.-1" })),
        ("read-result", json!({ "cursor": "99" })),
        ("read-result", json!({ "cursor": "../../etc/passwd" })),
        ("next-page", json!({ "id": "1" })),
        ("history", json!({ "before": "x" })),
        ("quote", json!({ "tool": "quote" })),
        (
            "quote",
            json!({ "tool": "job-posts", "arguments": {"limit": 1} }),
        ),
        ("quote", json!({ "tool": "job-posts", "arguments": 5 })),
        ("budget", json!({ "limit": 1000 })),
    ] {
        let shown: String = arguments.to_string().chars().take(80).collect();
        let error = agent.error(tool, arguments);
        assert!(error.len() < 2000, "{tool} {shown}: {error}");
        assert!(error.contains("othing was sent"), "{tool} {shown}: {error}");
    }
    // A file is not read, whatever the command line makes of such a value.
    let search = agent.result("company-search", json!({ "query": file }));
    assert!(!search.to_string().contains("stolen"), "{search}");
    assert_eq!(service.sandbox.bill().total_micros, 0);

    let unknown = agent.ask("tools/call", json!({ "name": "no-such", "arguments": {} }));
    assert_eq!(unknown["error"]["code"], -32602, "{unknown}");
    // What is no message, and a value that no JSON has, end nothing.
    let bomb = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let deep = format!(
        r#"{{"jsonrpc":"2.0","id":900,"method":"tools/call","params":{{"name":"job-posts","arguments":{{"company":{bomb}}}}}}}"#
    );
    for line in [
        "{",
        "null",
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"job-posts","arguments":{"limit":NaN}}}"#,
        &deep,
    ] {
        agent.send(line);
    }
    agent.id += 100;
    let id = agent.request("tools/call", json!({ "name": "budget", "arguments": {} }));
    let last = loop {
        let message = agent.message();
        if message["id"] == id {
            break message;
        }
        assert!(message["error"].is_object(), "{message}");
    };
    assert_eq!(last["result"]["isError"], Value::Bool(false), "{last}");
    let ran = agent.leave();
    assert!(!ran.err.contains("panicked"), "{ran:?}");
}

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
            .matches("{\"began\"")
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
    while !fs::read_to_string(&journal).is_ok_and(|text| text.contains("{\"began\"")) {
        sleep(Duration::from_millis(5));
    }
    agent.child.kill().unwrap();
    agent.child.wait().unwrap();
    let mut agent = Agent::start(&service, &options);
    let left = agent.result("budget", json!({}));
    assert_eq!(left["at_risk"], "2.5 credits", "{left}");
    interrupt(&agent.child);
    assert_eq!(Ran::of(agent.child.wait_with_output().unwrap()).code, 0);
}

#[test]
fn a_budget_or_the_will_to_have_none_is_asked_for() {
    let service = Service::plain("agent-options");
    let none = service.run(&["mcp"]);
    assert_eq!(none.code, 2, "{none:?}");
    assert!(none.err.contains("--budget"), "{none:?}");
    let both = service.run(&["mcp", "--budget", "1", "--no-budget"]);
    assert_eq!(both.code, 2, "{both:?}");
    for address in ["0.0.0.0:0", "192.0.2.1:80", "[::]:0"] {
        let open = service.run(&["mcp", "--budget", "1", "--listen", address]);
        assert_eq!(open.code, 2, "{open:?}");
        assert!(open.err.contains("loopback addresses only"), "{open:?}");
    }
    let mut agent = Agent::start(&service, &["--no-budget"]);
    let result = agent.result("headcount-trends", json!({ "company": COMPANY }));
    assert_eq!(result["cost"], "2.5 credits", "{result}");
    assert!(result.get("left").is_none(), "{result}");
    agent.leave();
}

/// A request by hand: status line and body.
fn post(port: u16, headers: &str, body: &str) -> String {
    let mut connection = TcpStream::connect(("127.0.0.1", port)).unwrap();
    let length = body.len();
    let head = format!(
        "POST / HTTP/1.1\r\n{headers}content-type: application/json\r\naccept: application/json, text/event-stream\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n"
    );
    // A server that refuses a request may not read all of it.
    _ = connection.write_all((head + body).as_bytes());
    let mut response = Vec::new();
    _ = connection.read_to_end(&mut response);
    String::from_utf8(response).unwrap()
}

#[test]
#[cfg(unix)]
fn http_is_served_on_loopback_to_no_page_of_a_browser() {
    let service = Service::plain("agent-http");
    let run = ["mcp", "--budget", "9", "--listen", "127.0.0.1:0"];
    let mut child = service.command(&run).spawn().unwrap();
    let mut errors = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    errors.read_line(&mut line).unwrap();
    let port = line
        .trim()
        .trim_end_matches('/')
        .rsplit(':')
        .next()
        .unwrap();
    let port: u16 = port.parse().unwrap_or_else(|_| panic!("{line}"));
    let client = json!({ "name": "test", "version": "1" });
    let hello = json!({ "protocolVersion": VERSION, "capabilities": {}, "clientInfo": client });
    let hello = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello });
    let hello = hello.to_string();
    let host = format!("host: 127.0.0.1:{port}\r\n");
    let own = post(port, &host, &hello);
    assert!(own.starts_with("HTTP/1.1 200 "), "{own}");
    assert!(own.contains("company-intel"), "{own}");
    for headers in [
        "host: evil.example\r\n".to_owned(),
        format!("host: evil.example:{port}\r\n"),
        "host: 127.0.0.1:1\r\n".to_owned(),
        format!("{host}origin: https://evil.example\r\n"),
        format!("{host}origin: http://localhost:3000\r\n"),
        format!("{host}origin: null\r\n"),
    ] {
        let refused = post(port, &headers, &hello);
        assert!(refused.starts_with("HTTP/1.1 403 "), "{headers}: {refused}");
    }
    let large = post(port, &host, &format!("\"{}\"", "x".repeat(3_000_000)));
    assert!(!large.contains(" 200 "), "{large}");
    assert_eq!(service.calls(), 0);
    interrupt(&child);
    assert!(child.wait().unwrap().success());
}
