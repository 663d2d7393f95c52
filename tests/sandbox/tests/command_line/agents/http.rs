//! The server over HTTP.

use super::*;

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
