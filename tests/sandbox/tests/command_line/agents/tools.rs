//! The tools that agents see, and arguments that are not theirs.

use std::collections::BTreeSet;

use boon::{Compiler, Schemas};

use super::*;

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
    for command in ["enrichment", "job-posts", "add-company", "headcount-trends"] {
        assert!(
            help.contains(command) && names.contains(&command),
            "{names:?}"
        );
    }
    for tool in tools {
        let schema = &tool["inputSchema"];
        let (mut schemas, mut compiler) = (Schemas::new(), Compiler::new());
        compiler
            .add_resource("schema.json", schema.clone())
            .unwrap();
        let compiled = compiler.compile("schema.json", &mut schemas);
        assert!(compiled.is_ok(), "{tool}: {compiled:?}");
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

    let mut some = Agent::start(
        &service,
        &budget("10", &["--tools", "job-posts,enrichment"]),
    );
    let tools = some.ask("tools/list", json!({}))["result"]["tools"].take();
    assert_eq!(tools.as_array().unwrap().len(), 7, "{tools}");
    some.leave();
    let unknown = service.run(&["mcp", "--budget", "1", "--tools", "no-such"]);
    assert_eq!(unknown.code, 2, "{unknown:?}");
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
    // What is no message ends nothing, and neither does a message that is too long.
    let bomb = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    for company in [
        &bomb,
        r#""\ud800""#,
        "NaN",
        "\"\u{1b}[2J\"",
        "\"not ended",
        &format!("\"{}\"", "x".repeat(17_000_000)),
    ] {
        for line in ["", "{", "{\"id\"", r#"{"method":"\ud800"}"#] {
            agent.send(line);
        }
        let call = r#""method":"tools/call","params":{"name":"job-posts","arguments":{"company":"#;
        agent.send(&format!(
            r#"{{"jsonrpc":"2.0","id":900,{call}{company}}}}}}}"#
        ));
    }
    agent.send("null");
    assert_eq!(agent.message()["error"]["code"], -32600);
    let left = agent.ask("tools/call", json!({ "name": "budget", "arguments": {} }));
    assert_eq!(left["result"]["isError"], Value::Bool(false), "{left}");
    let ran = agent.leave();
    assert!(!ran.err.contains("panicked"), "{ran:?}");
}

#[test]
fn the_page_lists_the_options_and_the_tools_of_the_server() {
    let page = include_str!("../../../../../docs/agents.md");
    let listed = |columns: &str, begin: &str| -> BTreeSet<String> {
        let (_, table) = page.split_once(columns).unwrap();
        let rows = table
            .lines()
            .skip(1)
            .take_while(|line| line.starts_with('|'));
        let cells = rows.map(|line| line.split('|').nth(1).unwrap());
        let spans = cells.flat_map(|cell| cell.split('`').skip(1).step_by(2));
        let names = spans.map(|span| span.split(' ').next().unwrap());
        let names = names.filter(|name| name.starts_with(begin));
        names.map(str::to_owned).collect()
    };
    let service = Service::plain("agent-page");
    let help = service.run(&["mcp", "--help"]).out;
    let words = help.split_whitespace();
    let mut options: BTreeSet<String> = words
        .filter(|word| word.starts_with("--"))
        .map(|word| word.trim_end_matches(['.', ',', ';']).to_owned())
        .collect();
    // Those of every command.
    for common in ["--base-url", "--key-file", "--help"] {
        assert!(options.remove(common), "{help}");
    }
    let mut documented = listed("| option | effect |\n", "--");
    documented.insert("--no-budget".to_owned());
    assert_eq!(
        documented, options,
        "docs/agents.md: the options of `mcp --help`"
    );
    let (_, bytes) = page.split_once("the size of a result, ").unwrap();
    let kibibytes: u32 = bytes.split(' ').next().unwrap().parse().unwrap();
    assert!(
        help.contains(&format!("[default: {}]", kibibytes * 1024)),
        "{help}"
    );

    let mut agent = Agent::start(&service, &budget("10", &["--tools", "job-posts"]));
    let tools = agent.ask("tools/list", json!({}))["result"]["tools"].take();
    let tools = tools.as_array().unwrap().iter();
    let mut own: BTreeSet<String> = tools
        .map(|tool| tool["name"].as_str().unwrap().to_owned())
        .collect();
    // An operation, and what calls one.
    assert!(
        own.remove("job-posts") && own.remove("next-page"),
        "{own:?}"
    );
    assert_eq!(
        listed("| tool | returns |\n", ""),
        own,
        "docs/agents.md: the tools"
    );
    agent.leave();
}
