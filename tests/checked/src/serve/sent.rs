//! Requests that the service makes itself: callbacks of an operation, and webhooks of the document. They go to this machine only.

use std::net::Ipv4Addr;

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::documented::content;
use super::signature::Signature;
use crate::{Document, Operation, Received};

/// Bytes of a response that are read: its first line is printed.
const LONGEST: u64 = 64 * 1024;

/// A request of the service.
pub(super) struct Sent {
    name: String,
    method: String,
    url: String,
    /// Lines of further headers.
    headers: String,
    body: String,
}

/// Lists the callbacks of a request, at the addresses that it has.
pub(super) fn callbacks(
    document: &Document,
    operation: &Operation<'_>,
    received: &Received,
) -> Vec<Sent> {
    let all = operation.value.get("callbacks").and_then(Value::as_object);
    let mut sent = Vec::new();
    for (name, callback) in all.into_iter().flatten() {
        let addresses = document.meant(callback).as_object();
        for (expression, item) in addresses.into_iter().flatten() {
            if let Some(url) = evaluated(expression, received) {
                sent.extend(requests(document, name, &url, item));
            }
        }
    }
    sent
}

/// Lists the webhooks of a document, for an address, signed as the document says.
pub(super) fn webhooks(
    document: &Document,
    url: &str,
    signature: Option<&Signature>,
) -> Result<Vec<Sent>, String> {
    let all = document.0.get("webhooks").and_then(Value::as_object);
    let all = all.into_iter().flatten();
    let mut all: Vec<Sent> = all
        .flat_map(|(name, item)| requests(document, name, url, item))
        .collect();
    if let Some(signature) = signature {
        for (number, sent) in all.iter_mut().enumerate() {
            sent.headers = signature.headers(&format!("msg_{number}"), &sent.body)?;
        }
    }
    Ok(all)
}

fn requests(document: &Document, name: &str, url: &str, item: &Value) -> Vec<Sent> {
    let methods = document.meant(item).as_object().into_iter().flatten();
    let methods = methods.filter(|(method, _)| ["post", "put", "patch"].contains(&method.as_str()));
    let mut all = Vec::new();
    for (method, operation) in methods {
        let body = operation.get("requestBody");
        let body = body.and_then(|body| content(document, document.meant(body)).body);
        all.extend(body.map(|body| Sent {
            name: name.to_owned(),
            method: method.to_uppercase(),
            url: url.to_owned(),
            headers: String::new(),
            body: body.to_string(),
        }));
    }
    all
}

/// Replaces each runtime expression in an address by what the request has; `None` if it has nothing there.
fn evaluated(expression: &str, received: &Received) -> Option<String> {
    let mut parts = expression.split('{');
    let mut url = parts.next()?.to_owned();
    for part in parts {
        let (expression, rest) = part.split_once('}')?;
        let source = expression.strip_prefix("$request.")?;
        let value = match source.split_once('#') {
            Some(("body", pointer)) => received.body.pointer(pointer),
            _ => {
                let (place, name) = source.split_once('.')?;
                let key = (place.to_owned(), name.to_owned());
                received.parameters.get(&key)
            }
        };
        url.push_str(value?.as_str()?);
        url.push_str(rest);
    }
    Some(url)
}

impl Sent {
    /// Sends the request, and prints a line with its result.
    pub(super) async fn send(self) {
        let said = match self.exchange().await {
            Ok(status) => status,
            Err(error) => error.to_string(),
        };
        println!("sent {} {} {}: {said}", self.name, self.method, self.url);
    }

    /// Returns the status line of the response.
    async fn exchange(&self) -> std::io::Result<String> {
        let Some((authority, port, path)) = on_this_machine(&self.url) else {
            let problem = "its address is not `http://` and this machine";
            return Err(std::io::Error::other(problem));
        };
        let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).await?;
        let request = format!(
            "{} /{path} HTTP/1.1\r\nhost: {authority}\r\n{}content-type: application/json\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{}",
            self.method,
            self.headers,
            self.body.len(),
            self.body
        );
        stream.write_all(request.as_bytes()).await?;
        let mut response = Vec::new();
        stream.take(LONGEST).read_to_end(&mut response).await?;
        let response = String::from_utf8_lossy(&response);
        Ok(response.lines().next().unwrap_or_default().to_owned())
    }
}

/// Returns host and port as written, the port, and the path without its first slash. `None` for an address elsewhere, and for one that would end its
/// line of the request.
fn on_this_machine(url: &str) -> Option<(&str, u16, &str)> {
    let rest = url.strip_prefix("http://")?;
    let (authority, path) = rest.split_once('/').unwrap_or((rest, ""));
    let (host, port) = authority.split_once(':').unwrap_or((authority, "80"));
    let is_one_line = !url.contains(|c: char| c.is_whitespace() || c.is_control());
    let is_here = ["localhost", "127.0.0.1"].contains(&host) && is_one_line;
    Some((authority, port.parse().ok().filter(|_| is_here)?, path))
}
