//! The service as a program: a line for each request and a page of the last ones, resources that are created and deleted, and values made up where the document has no example.

use std::error::Error;
use std::net::Ipv4Addr;
use std::process::ExitCode;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::body::to_bytes;
use axum::extract::{Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::{Json, Router};
use serde_json::{Value, json};
use tokio::net::TcpListener;

use self::bill::Bill;
use self::documented::{Content, documented};
use self::faults::Fault;
use self::kept::Kept;
use self::page::Calls;
use self::sent::Sent;
use self::signature::Signature;
use crate::draw::Draw;
use crate::pages::{Pages, followed};
use crate::request::received;
use crate::wire::decoded;
use crate::{Document, Operation, Received};

mod bill;
mod documented;
mod faults;
mod kept;
mod page;
mod sent;
mod signature;

/// The header of a response that no example of the document is.
const MADE_UP: &str = "x-made-up";

/// Bytes of the largest request.
const LARGEST: usize = 1 << 26;

struct Server {
    document: Document,
    behavior: Behavior,
    kept: Mutex<Kept>,
    bill: Mutex<Bill>,
    calls: Mutex<Calls>,
    draw: Mutex<Draw>,
}

/// A request that the document allows.
struct Asked<'r> {
    head: &'r Parts,
    /// Its path, decoded.
    path: String,
    received: &'r Received,
    /// The position in a link of the service.
    followed: Option<usize>,
}

/// The response to a request, and what is said of it.
struct Answer {
    response: Response,
    said: String,
    /// The price and the sum of all prices, in credits.
    price: Option<[f64; 2]>,
}

/// The variable with the secret of webhooks.
const SECRET: &str = "WEBHOOK_SECRET";

/// How the service behaves beside the document.
#[derive(Clone, Default)]
pub struct Behavior {
    /// The least and the most time that a response takes, in milliseconds.
    pub latency: (u64, u64),
    /// The percentage of requests that end with a fault.
    pub faults: u8,
    /// The seed of both.
    pub seed: u64,
    /// The address on this machine that gets the document's webhooks, once each.
    pub webhooks: Option<String>,
    /// The secret that webhooks are signed with; without it, a made-up one.
    pub secret: Option<String>,
}

/// Runs as a program. The arguments are the file of the document and the port, 0 for any; and, all or none, the two latencies, the percentage of
/// faults, the seed, and the address of webhooks, which may be empty.
pub async fn serve() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let served = match arguments.as_slice() {
        [file, port] => run(file, port, Behavior::default()).await,
        [file, port, behavior @ ..] => match read(behavior) {
            Some(behavior) => run(file, port, behavior).await,
            None => Err("expected two latencies, a percentage, a seed and an address".into()),
        },
        _ => Err("expected the file of a document, and a port".into()),
    };
    match served {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

fn read(arguments: &[&str]) -> Option<Behavior> {
    let [least, most, faults, seed, webhooks] = arguments else {
        return None;
    };
    Some(Behavior {
        latency: (least.parse().ok()?, most.parse().ok()?),
        faults: faults.parse().ok()?,
        seed: seed.parse().ok()?,
        webhooks: Some((*webhooks).to_owned()).filter(|url| !url.is_empty()),
        secret: std::env::var(SECRET).ok(),
    })
}

async fn run(file: &str, port: &str, behavior: Behavior) -> Result<(), Box<dyn Error>> {
    let document = Document::read(&std::fs::read_to_string(file)?)?;
    let operations = document.operations().len();
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port.parse()?)).await?;
    println!(
        "http://{} ({operations} operations)",
        listener.local_addr()?
    );
    Ok(serve_on(listener, document, behavior).await?)
}

/// Serves a document, and prints a line for each request.
///
/// # Errors
///
/// Those of the connection, and a secret of webhooks that is none.
pub async fn serve_on(
    listener: TcpListener,
    document: Document,
    behavior: Behavior,
) -> std::io::Result<()> {
    if let Some(url) = &behavior.webhooks {
        let secret = behavior.secret.as_deref().unwrap_or(signature::MADE_UP);
        let signature = Signature::read(&document, secret).map_err(std::io::Error::other)?;
        if signature.is_some() && behavior.secret.is_none() {
            println!("webhooks are signed with `{secret}`");
        }
        let sent = sent::webhooks(&document, url, signature.as_ref());
        send(sent.map_err(std::io::Error::other)?);
    }
    let server = Arc::new(Server {
        document,
        kept: Mutex::default(),
        bill: Mutex::default(),
        calls: Mutex::default(),
        draw: Mutex::new(Draw(behavior.seed)),
        behavior,
    });
    let router = Router::new().fallback(answer).with_state(server);
    axum::serve(listener, router).await
}

/// Sends requests one after another, beside the service.
fn send(all: Vec<Sent>) {
    tokio::spawn(async move {
        for one in all {
            one.send().await;
        }
    });
}

async fn answer(State(server): State<Arc<Server>>, request: Request) -> Response {
    let (mut head, body) = request.into_parts();
    let followed = followed(&mut head);
    let (method, path) = (head.method.as_str(), head.uri.path());
    if (method, path) == ("GET", "/") && server.document.0.pointer("/paths/~1").is_none() {
        return lock(&server.calls).page().into_response();
    }
    let received = match to_bytes(body, LARGEST).await {
        Ok(body) => received(&server.document, &head, body).await,
        Err(error) => Err(error.to_string()),
    };
    let (latency, fault) = faults::next(&mut lock(&server.draw), &server.behavior);
    tokio::time::sleep(latency).await;
    let answer = match &received {
        Ok(received) => {
            let asked = Asked {
                head: &head,
                path: decoded(path, false),
                received,
                followed,
            };
            server.respond(&asked, fault)
        }
        Err(refusal) => Answer::refused(refusal.clone()),
    };
    let Answer {
        response,
        said,
        price,
    } = answer;
    let status = response.status().as_u16();
    println!("{status} {method} {path}: {said}");
    lock(&server.calls).add(method, path, status, price);
    match fault {
        Some(Fault::BreaksOff) if received.is_ok() => faults::broken_off(response).await,
        _ => response,
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Answer {
    fn of(response: Response, said: String) -> Self {
        Self {
            response,
            said,
            price: None,
        }
    }

    /// The response to a request that the document does not allow.
    fn refused(refusal: String) -> Self {
        let body = Json(json!({ "refused": refusal }));
        let response = (StatusCode::BAD_REQUEST, body).into_response();
        Self::of(response, refusal)
    }
}

impl Server {
    fn respond(&self, asked: &Asked<'_>, fault: Option<Fault>) -> Answer {
        let (received, path) = (asked.received, &*asked.path);
        let mut said = received.operation.clone();
        if let Some(Fault::Status(status)) = fault {
            return Answer::of(faults::response(status), said + ", a fault");
        }
        let mut operations = self.document.operations().into_iter();
        let Some(operation) = operations.find(|one| one.id == received.operation) else {
            return Answer::of(StatusCode::NOT_FOUND.into_response(), said);
        };
        let mut kept = lock(&self.kept);
        if kept.is_deleted(path) && asked.head.method != Method::PUT {
            let gone = json!({ "gone": path });
            return Answer::of((StatusCode::NOT_FOUND, Json(gone)).into_response(), said);
        }
        let documented = documented(&self.document, &operation);
        let content = match self.content(&mut kept, &operation, &documented.content, asked) {
            Ok(content) => content,
            Err(refusal) => return Answer::refused(refusal),
        };
        send(sent::callbacks(&self.document, &operation, received));
        let price = lock(&self.bill).add(&operation, received);
        if let Some([price, sum]) = price {
            said.push_str(&format!(", {price} credits of {sum}"));
        }
        if fault.is_some() {
            said.push_str(", which breaks off");
        }
        let response = match content {
            Some((headers, mut body)) => {
                if let (Some([price, _]), Some(schema)) = (price, documented.content.schema) {
                    bill::report(&self.document, schema, &mut body, price);
                }
                (documented.status, headers, Json(body)).into_response()
            }
            None => documented.status.into_response(),
        };
        Answer {
            response,
            said,
            price,
        }
    }

    /// Does what a request means. Returns the headers and the body of its response, if it has one, or why no page is the requested one.
    fn content(
        &self,
        kept: &mut Kept,
        operation: &Operation<'_>,
        documented: &Content<'_>,
        asked: &Asked<'_>,
    ) -> Result<Option<(HeaderMap, Value)>, String> {
        let (path, received) = (&*asked.path, asked.received);
        let pages = Pages::of(&self.document, operation, documented.schema);
        let method = asked.head.method.as_str();
        if method == "DELETE" {
            kept.delete(path);
        }
        let Some(body) = documented.body.clone() else {
            return Ok(None);
        };
        let (mut headers, body) = match pages {
            Some(pages) => {
                // A made-up list has a record.
                let made_up = documented.is_made_up.then(|| pages.template().ok());
                let whole = made_up.flatten().unwrap_or(body);
                let whole = kept.read(path, whole, Some(pages.items()));
                pages.requested(&whole, received, asked.followed, asked.head)?
            }
            None => {
                let body = match method {
                    "POST" => kept.create(path, body, &received.body),
                    "PUT" | "PATCH" => kept.change(path, body, &received.body),
                    "GET" => kept.read(path, body, None),
                    _ => body,
                };
                (HeaderMap::new(), body)
            }
        };
        if documented.is_made_up {
            headers.insert(MADE_UP, HeaderValue::from_static("true"));
        }
        Ok(Some((headers, body)))
    }
}
