//! The server for agents, by raw messages on its standard input and output, and by HTTP: what it offers, what it refuses, and what it pays for.

mod failures;
mod money;
mod tools;

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command};
use std::thread::sleep;
use std::time::Duration;

use company_intel_sandbox::Fault;
use serde_json::{Value, json};

use super::service::{COMPANY, KEY, Ran, Service, interrupt, replying};

const VERSION: &str = "2025-06-18";

/// A server and a client of it.
pub(crate) struct Agent {
    pub(super) child: Child,
    pub(super) input: ChildStdin,
    pub(super) output: BufReader<ChildStdout>,
    pub(super) id: u64,
}

impl Agent {
    pub(crate) fn start(service: &Service, options: &[&str]) -> Self {
        let command = service.command(&[&["mcp"], options].concat());
        Self::of(command)
    }

    pub(crate) fn of(mut command: Command) -> Self {
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

    pub(crate) fn send(&mut self, line: &str) {
        writeln!(self.input, "{line}").unwrap();
        self.input.flush().unwrap();
    }

    pub(crate) fn message(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        assert!(!line.contains(KEY), "{line}");
        // Nothing but the protocol is on standard output.
        let message: Value = serde_json::from_str(&line).unwrap_or_else(|_| panic!("{line:?}"));
        assert_eq!(message["jsonrpc"], "2.0");
        message
    }

    pub(crate) fn request(&mut self, method: &str, params: Value) -> u64 {
        self.id += 1;
        let id = self.id;
        let request = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        self.send(&request.to_string());
        id
    }

    pub(crate) fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.request(method, params);
        let response = self.message();
        assert_eq!(response["id"], id, "{response}");
        response
    }

    /// Calls a tool. Returns its output, and whether it is an error.
    pub(crate) fn call(&mut self, name: &str, arguments: Value) -> (String, bool) {
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
    pub(crate) fn result(&mut self, name: &str, arguments: Value) -> Value {
        let (text, is_error) = self.call(name, arguments);
        assert!(!is_error, "{text}");
        serde_json::from_str(&text).unwrap()
    }

    /// The output of a call that fails.
    pub(crate) fn error(&mut self, name: &str, arguments: Value) -> String {
        let (text, is_error) = self.call(name, arguments);
        assert!(is_error, "{text}");
        text
    }

    /// Goes away.
    pub(crate) fn leave(self) -> Ran {
        drop(self.input);
        Ran::of(self.child.wait_with_output().unwrap())
    }
}

fn budget<'o>(credits: &'o str, more: &[&'o str]) -> Vec<&'o str> {
    [&["--budget", credits], more].concat()
}
