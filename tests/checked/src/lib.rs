//! A service that knows an API by its document alone: it checks each request by the schemas, records it, and responds with the documented
//! example. It shares no code with the generator, the clients or the sandbox.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{FromRequest, Multipart, Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;
use axum::{Json, Router, response::IntoResponse};
use serde_json::{Map, Value, json};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

pub use document::Document;
pub use schema::check;
pub use states::states;

mod document;
mod schema;
mod states;

/// A running service; it stops when this is dropped.
pub struct Service {
    address: SocketAddr,
    state: Arc<Shared>,
    task: JoinHandle<()>,
}

/// A request that the service took on.
#[derive(Clone, Debug, PartialEq)]
pub struct Received {
    /// The operation that the document has for it.
    pub operation: String,
    /// The media type, without parameters.
    pub media_type: Option<String>,
    /// JSON as it came; the parts of a form as `{name, file, type, text}`, in their order; other bytes as text.
    pub body: Value,
}

struct Shared {
    document: Document,
    events: Vec<(String, String)>,
    received: Mutex<Vec<Received>>,
}

impl Service {
    /// Starts the service of a document. Operations that respond with events send these texts, by operation.
    ///
    /// # Errors
    ///
    /// A document that is no YAML, and a port that cannot be had.
    pub async fn start(
        document: &str,
        events: &[(&str, &str)],
    ) -> Result<Self, Box<dyn std::error::Error>> {
        let state = Arc::new(Shared {
            document: Document(serde_yaml::from_str(document)?),
            events: events
                .iter()
                .map(|(operation, text)| ((*operation).to_owned(), (*text).to_owned()))
                .collect(),
            received: Mutex::default(),
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

    /// Where it listens.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Every request since the last time.
    pub fn take_received(&self) -> Vec<Received> {
        let mut received = self.state.received.lock();
        std::mem::take(
            received
                .as_mut()
                .unwrap_or_else(|poisoned| poisoned.get_mut()),
        )
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn serve(State(state): State<Arc<Shared>>, request: Request) -> Response {
    match taken(&state, request).await {
        Ok(response) => response,
        Err(refusal) => {
            (StatusCode::BAD_REQUEST, Json(json!({ "refused": refusal }))).into_response()
        }
    }
}

async fn taken(state: &Shared, request: Request) -> Result<Response, String> {
    let (head, body) = request.into_parts();
    let body = to_bytes(body, 1 << 24)
        .await
        .map_err(|error| error.to_string())?;
    let method = head.method.as_str().to_ascii_lowercase();
    let operation = state
        .document
        .operation(&method, head.uri.path())
        .ok_or_else(|| format!("no operation {method} {}", head.uri.path()))?;
    let id = operation.get("operationId").and_then(Value::as_str);
    let id = id.unwrap_or_default().to_owned();
    let content_type = head.headers.get(header::CONTENT_TYPE);
    let (media_type, body) = read(state, operation, content_type, body).await?;
    let mut received = state
        .received
        .lock()
        .unwrap_or_else(PoisonError::into_inner);
    received.push(Received {
        operation: id.clone(),
        media_type,
        body,
    });
    if let Some((_, events)) = state.events.iter().find(|(of, _)| *of == id) {
        return Ok((
            [(header::CONTENT_TYPE, "text/event-stream")],
            events.clone(),
        )
            .into_response());
    }
    let (status, example) = state
        .document
        .example(operation)
        .ok_or_else(|| format!("`{id}` documents no example of a response"))?;
    let status = StatusCode::from_u16(status).map_err(|error| error.to_string())?;
    Ok((status, Json(example)).into_response())
}

/// The media type and the body, if the operation takes them.
async fn read(
    state: &Shared,
    operation: &Value,
    content_type: Option<&HeaderValue>,
    body: Bytes,
) -> Result<(Option<String>, Value), String> {
    let declared = operation
        .get("requestBody")
        .map(|body| state.document.meant(body));
    let content = declared.and_then(|body| body.get("content"));
    let Some(content_type) = content_type else {
        let is_required = declared.is_some_and(|body| body.get("required") == Some(&json!(true)));
        return match is_required || !body.is_empty() {
            true => Err("a body has to have a media type".to_owned()),
            false => Ok((None, Value::Null)),
        };
    };
    let full = content_type.to_str().map_err(|error| error.to_string())?;
    let essence = full.split(';').next().unwrap_or_default().trim().to_owned();
    let declared = content
        .and_then(|content| content.get(&essence))
        .ok_or_else(|| format!("the operation takes no `{essence}`"))?;
    let any = json!({});
    let schema = declared.get("schema").unwrap_or(&any);
    let body = match essence.as_str() {
        "application/json" => {
            let value = serde_json::from_slice(&body).map_err(|error| error.to_string())?;
            check(&state.document, schema, &value, "body")?;
            value
        }
        "multipart/form-data" => parts(&state.document, schema, full, body).await?,
        _ => String::from_utf8_lossy(&body).into_owned().into(),
    };
    Ok((Some(essence), body))
}

/// The parts of a form. Each is checked by the schema of its property.
async fn parts(
    document: &Document,
    schema: &Value,
    content_type: &str,
    body: Bytes,
) -> Result<Value, String> {
    let request = Request::builder().header(header::CONTENT_TYPE, content_type);
    let request = request
        .body(Body::from(body))
        .map_err(|error| error.to_string())?;
    let parts = Multipart::from_request(request, &()).await;
    let mut parts = parts.map_err(|error| error.to_string())?;
    let schema = document.meant(schema);
    let properties = schema.get("properties");
    let (mut all, mut seen) = (Vec::new(), Map::new());
    while let Some(part) = parts
        .next_field()
        .await
        .map_err(|error| error.to_string())?
    {
        let name = part.name().unwrap_or_default().to_owned();
        let (file, kind) = (
            part.file_name().map(str::to_owned),
            part.content_type().map(str::to_owned),
        );
        let text = part.text().await.map_err(|error| error.to_string())?;
        let property = properties.and_then(|all| all.get(&name));
        let property = property.ok_or_else(|| format!("the form has no part `{name}`"))?;
        let property = document.meant(property);
        let is_list = property.get("type") == Some(&json!("array"));
        if seen.insert(name.clone(), Value::Null).is_some() && !is_list {
            return Err(format!("the part `{name}` came twice"));
        }
        let one = property
            .get("items")
            .filter(|_| is_list)
            .unwrap_or(property);
        if document.is_file(one) != (file.is_some() && kind.is_some()) {
            return Err(format!(
                "the part `{name}` has to have a file name and a media type if it is a file"
            ));
        }
        if !document.is_file(one) && document.meant(one).get("type") == Some(&json!("string")) {
            check(document, one, &json!(text), &name)?;
        }
        all.push(json!({"name": name, "file": file, "type": kind, "text": text}));
    }
    let required = schema.get("required").and_then(Value::as_array);
    for name in required.into_iter().flatten().filter_map(Value::as_str) {
        if !seen.contains_key(name) {
            return Err(format!("the part `{name}` is missing"));
        }
    }
    Ok(all.into())
}
