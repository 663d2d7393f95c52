//! The service as a program: a line for each request, resources that are created and deleted, and values made up where the document has no example.

use std::error::Error;
use std::net::Ipv4Addr;
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};

use axum::body::to_bytes;
use axum::extract::{Request, State};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::{Json, Router};
use serde_json::{Value, json};
use tokio::net::TcpListener;

use crate::kept::Kept;
use crate::request::{is_json, received};
use crate::wire::decoded;
use crate::{Direction, Document, Received, Values};

/// The header of a response that no example of the document is.
const MADE_UP: &str = "x-made-up";

/// Bytes of the largest request.
const LARGEST: usize = 1 << 26;

struct Server {
    document: Document,
    kept: Mutex<Kept>,
}

/// A documented response: its status code, its body, and whether the body is made up.
struct Documented {
    status: StatusCode,
    body: Option<Value>,
    is_made_up: bool,
}

/// Runs as a program: the arguments are the file of the document and the port, 0 for any.
pub async fn serve() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let served = match arguments.as_slice() {
        [file, port] => run(file, port).await,
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

async fn run(file: &str, port: &str) -> Result<(), Box<dyn Error>> {
    let document = Document::read(&std::fs::read_to_string(file)?)?;
    let operations = document.operations().len();
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port.parse()?)).await?;
    println!(
        "http://{} ({operations} operations)",
        listener.local_addr()?
    );
    Ok(serve_on(listener, document).await?)
}

/// Serves a document, and prints a line for each request.
///
/// # Errors
///
/// Those of the connection.
pub async fn serve_on(listener: TcpListener, document: Document) -> std::io::Result<()> {
    let server = Arc::new(Server {
        document,
        kept: Mutex::default(),
    });
    let router = Router::new().fallback(answer).with_state(server);
    axum::serve(listener, router).await
}

async fn answer(State(server): State<Arc<Server>>, request: Request) -> Response {
    let (head, body) = request.into_parts();
    let received = match to_bytes(body, LARGEST).await {
        Ok(body) => received(&server.document, &head, body).await,
        Err(error) => Err(error.to_string()),
    };
    let (method, path) = (head.method.as_str(), head.uri.path());
    let response = match &received {
        Ok(received) => server.respond(method, &decoded(path, false), received),
        Err(refusal) => {
            let refusal = json!({ "refused": refusal });
            (StatusCode::BAD_REQUEST, Json(refusal)).into_response()
        }
    };
    let what = match &received {
        Ok(received) => &received.operation,
        Err(refusal) => refusal,
    };
    println!("{} {method} {path}: {what}", response.status().as_u16());
    response
}

impl Server {
    fn respond(&self, method: &str, path: &str, received: &Received) -> Response {
        let documented = self.documented(&received.operation);
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.is_deleted(path) && method != "PUT" {
            let gone = json!({ "gone": path });
            return (StatusCode::NOT_FOUND, Json(gone)).into_response();
        }
        if method == "DELETE" {
            kept.delete(path);
        }
        let Some(body) = documented.body else {
            return documented.status.into_response();
        };
        let body = match method {
            "POST" => kept.create(path, body, &received.body),
            "PUT" | "PATCH" => kept.change(path, body, &received.body),
            "GET" => kept.read(path, body),
            _ => body,
        };
        let mut response = (documented.status, Json(body)).into_response();
        if documented.is_made_up {
            let headers = response.headers_mut();
            headers.insert(MADE_UP, HeaderValue::from_static("true"));
        }
        response
    }

    /// Returns the first success that the document has for an operation.
    fn documented(&self, operation: &str) -> Documented {
        let operations = self.document.operations();
        let operation = operations.iter().find(|one| one.id == operation);
        let responses = operation.and_then(|one| one.value.get("responses")?.as_object());
        for (status, response) in responses.into_iter().flatten() {
            let status = status.replace("XX", "00");
            let status = status.parse().ok().filter(|code| (200..300).contains(code));
            let Some(status) = status.and_then(|code| StatusCode::from_u16(code).ok()) else {
                continue;
            };
            let response = self.document.meant(response);
            let content = response.get("content").and_then(Value::as_object);
            let mut content = content.into_iter().flatten();
            let json = content.find(|(media_type, _)| is_json(media_type));
            let media = json.map(|(_, media)| media);
            let example = media.and_then(|media| self.example(media));
            return Documented {
                status,
                is_made_up: example.is_none(),
                body: example.or_else(|| self.made_up(media?.get("schema")?)),
            };
        }
        Documented {
            status: StatusCode::OK,
            body: None,
            is_made_up: false,
        }
    }

    /// Returns an example of a media type, or of its schema.
    fn example(&self, media: &Value) -> Option<Value> {
        let named = media.get("examples").and_then(Value::as_object);
        let named = named.and_then(|all| self.document.meant(all.values().next()?).get("value"));
        let schema = media
            .get("schema")
            .map(|schema| self.document.meant(schema));
        let of_schema = schema.and_then(|schema| schema.get("example"));
        media.get("example").or(named).or(of_schema).cloned()
    }

    /// Makes up a value of a schema with all of its members, which is the same each time.
    fn made_up(&self, schema: &Value) -> Option<Value> {
        let states = Values::new(&self.document, Direction::Response).states(schema);
        states.into_iter().next()
    }
}
