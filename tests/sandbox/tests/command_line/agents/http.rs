//! The server over HTTP.

use super::*;

/// A request by hand: status line and body.
fn post(port: u16, headers: &str, body: &str) -> String {
    send(port, "POST", headers, body)
}

fn send(port: u16, method: &str, headers: &str, body: &str) -> String {
    let mut connection = TcpStream::connect(("127.0.0.1", port)).unwrap();
    let length = body.len();
    let head = format!(
        "{method} / HTTP/1.1\r\n{headers}content-type: application/json\r\naccept: application/json, text/event-stream\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n"
    );
    // A server that refuses a request may not read all of it.
    _ = connection.write_all((head + body).as_bytes());
    let mut response = Vec::new();
    _ = connection.read_to_end(&mut response);
    String::from_utf8(response).unwrap()
}

/// Starts a server, and returns it with its port.
fn listening(service: &Service) -> (Child, u16) {
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
    let port = port.parse().unwrap_or_else(|_| panic!("{line}"));
    (child, port)
}

fn hello() -> String {
    let client = json!({ "name": "test", "version": "1" });
    let hello = json!({ "protocolVersion": VERSION, "capabilities": {}, "clientInfo": client });
    json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello }).to_string()
}

#[test]
#[cfg(unix)]
fn http_is_served_on_loopback_to_no_page_of_a_browser() {
    let service = Service::plain("agent-http");
    let (mut child, port) = listening(&service);
    let hello = hello();
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
    let lone = r#"{"jsonrpc":"2.0","id":"a","method":"ping","params":{"\ud800":1}}"#;
    let unreadable = post(port, &host, lone);
    assert!(unreadable.starts_with("HTTP/1.1 400 "), "{unreadable}");
    assert!(
        unreadable.contains(r#""id":"a","error":{"code":-32700"#),
        "{unreadable}"
    );
    let page = format!("{host}origin: https://evil.example\r\n");
    let page = post(port, &page, lone);
    assert!(page.starts_with("HTTP/1.1 403 "), "{page}");
    let large = post(port, &host, &format!("\"{}\"", "x".repeat(3_000_000)));
    assert!(!large.contains(" 200 "), "{large}");
    assert_eq!(service.calls(), 0);
    interrupt(&child);
    assert!(child.wait().unwrap().success());
}

#[test]
#[cfg(unix)]
fn sessions_beyond_a_number_are_refused_until_one_ends() {
    let service = Service::plain("agent-sessions");
    let (mut child, port) = listening(&service);
    let host = format!("host: 127.0.0.1:{port}\r\n");
    let hello = hello();
    let mut first = None;
    let mut open = 0;
    let full = loop {
        let response = post(port, &host, &hello);
        if !response.starts_with("HTTP/1.1 200 ") {
            break response;
        }
        let (_, id) = response.split_once("mcp-session-id: ").unwrap();
        first.get_or_insert(id.lines().next().unwrap().to_owned());
        open += 1;
        assert!(open < 1000);
    };
    assert!(full.starts_with("HTTP/1.1 503 "), "{full}");
    assert!(
        full.contains(&format!("{open} sessions are open")),
        "{full}"
    );
    let page = include_str!("../../../../../docs/agents.md");
    assert!(
        page.contains(&format!("{open} sessions")),
        "docs/agents.md: {open}"
    );

    let session = format!("{host}mcp-session-id: {}\r\n", first.unwrap());
    let ended = send(port, "DELETE", &session, "");
    assert!(ended.starts_with("HTTP/1.1 2"), "{ended}");
    let again = post(port, &host, &hello);
    assert!(again.starts_with("HTTP/1.1 200 "), "{again}");
    interrupt(&child);
    assert!(child.wait().unwrap().success());
}
