//! The service: accepts the requests that the document allows, records them, and responds with the documented example.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};

use axum::body::to_bytes;
use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::{Json, Router};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use crate::list::List;
use crate::pages::followed;
use crate::request::received;
use crate::{Document, Received};

/// A running service; it stops when this is dropped.
pub struct Service {
    address: SocketAddr,
    state: Arc<Shared>,
    task: JoinHandle<()>,
}

struct Shared {
    document: Document,
    events: Vec<(String, String)>,
    received: Mutex<Vec<Result<Received, String>>>,
    list: Mutex<Option<Arc<List>>>,
}

impl Service {
    /// Starts the service of a document. Operations with event streams send these bodies, by operation.
    ///
    /// # Errors
    ///
    /// The document is not valid YAML, or no port is free.
    pub async fn start(
        document: &str,
        events: &[(&str, &str)],
    ) -> Result<Self, Box<dyn std::error::Error>> {
        let state = Arc::new(Shared {
            document: Document::read(document)?,
            events: events
                .iter()
                .map(|(operation, text)| ((*operation).to_owned(), (*text).to_owned()))
                .collect(),
            received: Mutex::default(),
            list: Mutex::default(),
        });
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let address = listener.local_addr()?;
        let router = Router::new().fallback(serve).with_state(Arc::clone(&state));
        let task = tokio::spawn(async move {
            // It ends with the task.
            let _ = axum::serve(listener, router).await;
        });
        Ok(Self {
            address,
            state,
            task,
        })
    }

    /// Returns the base URL.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Returns every accepted request since the last call.
    pub fn take_received(&self) -> Vec<Received> {
        self.take_all().into_iter().filter_map(Result::ok).collect()
    }

    /// Returns every request since the last call, or why it was refused.
    pub fn take_all(&self) -> Vec<Result<Received, String>> {
        std::mem::take(&mut self.state.requests())
    }

    /// Serves the pages of a list for its operation, until the next list.
    pub(crate) fn serve_list(&self, list: Arc<List>) {
        *self.state.list() = Some(list);
    }

    /// Returns the document.
    pub fn document(&self) -> &Document {
        &self.state.document
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Shared {
    fn list(&self) -> std::sync::MutexGuard<'_, Option<Arc<List>>> {
        self.list.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn requests(&self) -> std::sync::MutexGuard<'_, Vec<Result<Received, String>>> {
        self.received.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn serve(State(state): State<Arc<Shared>>, request: Request) -> Response {
    let (mut head, body) = request.into_parts();
    let list = state.list().clone();
    let followed = list.as_ref().and_then(|_| followed(&mut head));
    let body = to_bytes(body, 1 << 24)
        .await
        .map_err(|error| error.to_string());
    let received = match body {
        Ok(body) => received(&state.document, &head, body).await,
        Err(error) => Err(error),
    };
    let response = match &received {
        Ok(received) => match list.filter(|list| list.operation == received.operation) {
            Some(list) => match list.page(&state.document, received, followed, &head) {
                Ok(page) => page,
                Err(why) => {
                    state.requests().push(Err(why));
                    StatusCode::BAD_REQUEST.into_response()
                }
            },
            None => response(&state, &received.operation),
        },
        Err(refusal) => {
            (StatusCode::BAD_REQUEST, Json(json!({ "refused": refusal }))).into_response()
        }
    };
    state.requests().push(received);
    response
}

/// Returns the documented example of an operation's response, or null without one.
fn response(state: &Shared, operation: &str) -> Response {
    if let Some((_, events)) = state.events.iter().find(|(of, _)| of == operation) {
        return (
            [(header::CONTENT_TYPE, "text/event-stream")],
            events.clone(),
        )
            .into_response();
    }
    let all = state.document.operations();
    let known = all.iter().find(|one| one.id == operation);
    let example = known.and_then(|operation| state.document.example(operation.value));
    let (status, example) = example.unwrap_or((200, Value::Null));
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::OK);
    (status, Json(example)).into_response()
}
