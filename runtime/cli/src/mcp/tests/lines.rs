//! Messages on lines.

use rmcp::model::{ClientJsonRpcMessage, ClientRequest};
use rmcp::transport::Transport;
use tokio::io::{AsyncReadExt, duplex};

use super::super::lines::Lines;

const PING: &str = r#"{"jsonrpc":"2.0","id":7,"method":"ping"}"#;

fn is_ping(message: Option<ClientJsonRpcMessage>) -> bool {
    matches!(message, Some(ClientJsonRpcMessage::Request(request)) if matches!(request.request, ClientRequest::PingRequest(_)))
}

#[tokio::test]
async fn the_last_line_needs_no_end() {
    for input in [PING.to_owned(), format!("{PING}\n")] {
        let mut lines = Lines::new(input.as_bytes(), tokio::io::sink());
        assert!(is_ping(lines.receive().await), "{input:?}");
        assert!(lines.receive().await.is_none(), "{input:?}");
    }
}

#[tokio::test]
async fn what_cannot_be_read_is_answered_before_the_end() {
    let unreadable = r#"{"id":1,"method":"\ud800"}"#;
    // The reader takes a byte at a time.
    let (output, mut read) = duplex(1);
    let input = format!("{unreadable}\n{unreadable}\n{PING}\n");
    let mut lines = Lines::new(input.as_bytes(), output);
    let served = async {
        assert!(is_ping(lines.receive().await));
        lines.close().await.unwrap();
    };
    let mut text = String::new();
    let (_, length) = tokio::join!(served, read.read_to_string(&mut text));
    length.unwrap();
    assert_eq!(text.matches(r#""error""#).count(), 2, "{text}");
}
