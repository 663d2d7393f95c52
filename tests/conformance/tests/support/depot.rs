//! A service written by hand for the document in `tests/documents/depot`. It shares no code with the client, refuses requests that the
//! document does not allow with status 400, and records the head of each request.

use std::collections::BTreeMap;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex, MutexGuard};

use axum::body::Bytes;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::{Json, Router};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use refusal::{Refusal, is};
use upload::Upload;

mod about;
pub(crate) mod caller;
mod changes;
mod refusal;
mod upload;

/// The first refresh token. Each one works once.
pub(crate) const FIRST_REFRESH_TOKEN: &str = "refresh-0 +/=&";
/// A file whose `kind` is undocumented.
pub(crate) const VIDEO: &str = "00000000-0000-4000-8000-000000000001";

/// A running service; it stops when this is dropped.
pub(crate) struct Depot {
    address: SocketAddr,
    store: Arc<Mutex<Store>>,
    task: JoinHandle<()>,
}

/// A request as the service received it.
#[derive(Debug, Clone)]
pub(crate) struct Received {
    /// Method, path and raw query.
    pub(crate) line: String,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
    pub(crate) status: StatusCode,
}

struct Store {
    calls_per_token: u32,
    /// Remaining calls of the current access token.
    calls_left: u32,
    /// Also the number in the current tokens.
    tokens_issued: u32,
    /// Also the number in the last identifier.
    files_stored: u32,
    files: BTreeMap<String, File>,
    received: Vec<Received>,
}

struct File {
    name: String,
    /// Its metadata besides the name.
    about: serde_json::Map<String, Value>,
    kind: &'static str,
    tags: Vec<String>,
    content: Bytes,
}

type Handled = Result<Response, Refusal>;

impl Depot {
    /// Starts the service. Each access token is valid for this many calls.
    pub(crate) async fn start(calls_per_token: u32) -> Self {
        let video = File {
            name: "a.mp4".to_owned(),
            about: about::first(),
            kind: "video",
            tags: Vec::new(),
            content: Bytes::from_static(b"moving"),
        };
        let store = Arc::new(Mutex::new(Store {
            calls_per_token,
            calls_left: 0,
            tokens_issued: 0,
            files_stored: 0,
            files: BTreeMap::from([(VIDEO.to_owned(), video)]),
            received: Vec::new(),
        }));
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let router = Router::new().fallback(serve).with_state(Arc::clone(&store));
        let task = tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self {
            address,
            store,
            task,
        }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// Returns the requests since the last call.
    pub(crate) fn take_received(&self) -> Vec<Received> {
        std::mem::take(&mut lock(&self.store).received)
    }
}

impl Drop for Depot {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Received {
    /// Returns the value of a header that occurs at most once.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut values = self.headers.get_all(name).iter();
        let value = values.next()?;
        assert!(values.next().is_none(), "{name} twice");
        Some(value.to_str().unwrap())
    }
}

fn lock(store: &Mutex<Store>) -> MutexGuard<'_, Store> {
    store.lock().unwrap()
}

async fn serve(State(store): State<Arc<Mutex<Store>>>, request: Request) -> Response {
    let (head, body) = request.into_parts();
    let body = axum::body::to_bytes(body, 8 << 20).await.unwrap();
    let query = head.uri.query();
    let line = match query {
        Some(query) => format!("{} {}?{query}", head.method, head.uri.path()),
        None => format!("{} {}", head.method, head.uri.path()),
    };
    let handled = respond(
        &store,
        &head.method,
        head.uri.path(),
        query,
        &head.headers,
        &body,
    );
    let response = handled.await.unwrap_or_else(|refusal| refusal.response());
    let status = response.status();
    lock(&store).received.push(Received {
        line,
        headers: head.headers,
        body,
        status,
    });
    response
}

async fn respond(
    store: &Mutex<Store>,
    method: &Method,
    path: &str,
    query: Option<&str>,
    headers: &HeaderMap,
    body: &Bytes,
) -> Handled {
    let segments: Vec<&str> = path.trim_start_matches('/').split('/').collect();
    if query.is_some() && (method, segments.as_slice()) != (&Method::GET, &["v1", "files"]) {
        return Err(Refusal::bad("the operation has no query"));
    }
    if (method, segments.as_slice()) == (&Method::POST, &["v1", "token"]) {
        return token(&mut lock(store), headers, body);
    }
    authorize(&mut lock(store), headers)?;
    match (method.as_str(), segments.as_slice()) {
        ("GET", ["v1", "files"]) => list(&lock(store), query, headers),
        ("POST", ["v1", "files"]) => upload(store, headers, body).await,
        ("GET", ["v1", "files", id]) => {
            let store = lock(store);
            Ok(Json(store.file(id)?.describe(id)).into_response())
        }
        ("DELETE", ["v1", "files", id]) => {
            let mut store = lock(store);
            store.file(id)?;
            store.files.remove(*id);
            Ok(StatusCode::NO_CONTENT.into_response())
        }
        ("GET", ["v1", "files", id, "content"]) => download(lock(store).file(id)?, headers),
        ("PUT", ["v1", "files", id, "content"]) => {
            is(headers, "content-type", "application/octet-stream")?;
            let mut store = lock(store);
            store.file(id)?;
            if body.starts_with(b"large") {
                return Err(Refusal::too_large(9));
            }
            let file = store.files.get_mut(*id);
            file.unwrap().content = body.clone();
            Ok(StatusCode::NO_CONTENT.into_response())
        }
        ("PATCH", ["v1", "files", id]) => {
            about::change(lock(store).file_mut(id)?, headers, body, "name")
        }
        ("GET", ["v1", "files", id, "about"]) => Ok(about::show(lock(store).file(id)?)),
        ("PUT", ["v1", "files", id, "about"]) => {
            about::replace(lock(store).file_mut(id)?, headers, body)
        }
        ("PATCH", ["v1", "files", id, "about"]) => {
            about::change(lock(store).file_mut(id)?, headers, body, "new")
        }
        ("GET", ["v1", "changes"]) => changes::respond(VIDEO, headers),
        ("GET", ["v1", "log"]) => changes::log(VIDEO, headers),
        ("GET", ["v1", "log", "changes"]) => changes::sequence(VIDEO, headers),
        ("GET", ["v1", "files", id, "note"]) => {
            is(headers, "accept", "text/plain")?;
            let note = format!("\"{}\"\n is no JSON, é\n", lock(store).file(id)?.name);
            Ok(([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], note).into_response())
        }
        _ => Err(Refusal::bad("the document has no operation there")),
    }
}

/// Reads the form literally, and accepts each refresh token once.
fn token(store: &mut Store, headers: &HeaderMap, body: &Bytes) -> Handled {
    is(headers, "content-type", "application/x-www-form-urlencoded")?;
    if headers.contains_key(header::AUTHORIZATION) {
        return Err(Refusal::bad("the call for a token needs no token"));
    }
    let refresh_token = match store.tokens_issued {
        0 => "refresh-0%20%2B%2F%3D%26".to_owned(),
        issued => format!("refresh-{issued}"),
    };
    let body = String::from_utf8_lossy(body);
    let plain = format!("grant_type=refresh_token&refresh_token={refresh_token}");
    // The space between the scopes, in both encodings.
    let scopes = [
        "",
        "&scope=files",
        "&scope=files%20notes",
        "&scope=files+notes",
    ];
    if !scopes.iter().any(|scope| body == format!("{plain}{scope}")) {
        return Err(Refusal::bad("used, or no such form"));
    }
    store.tokens_issued += 1;
    store.calls_left = store.calls_per_token;
    let issued = store.tokens_issued;
    let token = json!({
        "access_token": format!("access-{issued}"),
        "refresh_token": format!("refresh-{issued}"),
        "expires_in": 3600,
    });
    Ok(Json(token).into_response())
}

fn authorize(store: &mut Store, headers: &HeaderMap) -> Result<(), Refusal> {
    let expected = format!("Bearer access-{}", store.tokens_issued);
    let is_known = store.tokens_issued > 0 && is(headers, "authorization", &expected).is_ok();
    if !is_known || store.calls_left == 0 {
        return Err(Refusal::of(StatusCode::UNAUTHORIZED, "expired or unknown"));
    }
    store.calls_left -= 1;
    Ok(())
}

fn list(store: &Store, query: Option<&str>, headers: &HeaderMap) -> Handled {
    let (mut kind, mut least, mut tags) = (None, 0, Vec::new());
    for pair in query.into_iter().flat_map(|query| query.split('&')) {
        match pair.split_once('=') {
            Some(("filter%5Bkind%5D", value)) => kind = Some(value),
            Some(("filter%5Bmin_size%5D", value)) => {
                least = value.parse().map_err(|_| Refusal::bad("min_size"))?;
            }
            Some(("tag", value)) => tags = value.split("%7C").map(str::to_owned).collect(),
            _ => return Err(Refusal::bad(&format!("the query has {pair}"))),
        }
    }
    if let Some(cookie) = headers.get(header::COOKIE) {
        let cookie = cookie.to_str().unwrap_or_default();
        if !cookie.starts_with("session=") || cookie.contains([';', ' ', '"']) {
            return Err(Refusal::bad(&format!("the cookie is {cookie}")));
        }
    }
    let is_asked = |file: &File| {
        kind.is_none_or(|kind| file.kind == kind)
            && file.content.len() >= least
            && tags.iter().all(|tag| file.tags.contains(tag))
    };
    let files = store.files.iter().filter(|(_, file)| is_asked(file));
    let files: Vec<Value> = files.map(|(id, file)| file.describe(id)).collect();
    Ok(Json(files).into_response())
}

/// Stores a file, or announces a job for it if its name begins with `later`.
async fn upload(store: &Mutex<Store>, headers: &HeaderMap, body: &Bytes) -> Handled {
    let upload = Upload::read(headers, body).await?;
    let mut store = lock(store);
    if store.files.values().any(|file| file.name == upload.name) {
        return Err(Refusal::of(StatusCode::CONFLICT, "the name is taken"));
    }
    if upload.name.starts_with("large") {
        return Err(Refusal::too_large(8));
    }
    if upload.name.starts_with("later") {
        return Ok((StatusCode::ACCEPTED, Json(json!({"job": "job-1"}))).into_response());
    }
    store.files_stored += 1;
    let id = format!("00000000-0000-4000-9000-{:012}", store.files_stored);
    let is_image = upload.name.ends_with(".png");
    let file = File {
        name: upload.name,
        about: serde_json::Map::new(),
        kind: if is_image { "image" } else { "text" },
        tags: upload.tags,
        content: upload.content,
    };
    let described = file.describe(&id);
    store.files.insert(id, file);
    Ok((StatusCode::CREATED, Json(described)).into_response())
}

/// Returns a whole file, or its bytes `first-last`, both included.
fn download(file: &File, headers: &HeaderMap) -> Handled {
    is(headers, "accept", "application/octet-stream")?;
    let media_type = (header::CONTENT_TYPE, "application/octet-stream");
    let Some(range) = headers.get(header::RANGE) else {
        return Ok(([media_type], file.content.clone()).into_response());
    };
    let range = range
        .to_str()
        .ok()
        .and_then(|range| range.strip_prefix("bytes="));
    let ends = range.and_then(|range| range.split_once('-'));
    let ends = ends.and_then(|(first, last)| {
        Some((first.parse::<usize>().ok()?, last.parse::<usize>().ok()?))
    });
    let Some((first, last)) =
        ends.filter(|(first, last)| first <= last && *last < file.content.len())
    else {
        return Err(Refusal::of(StatusCode::RANGE_NOT_SATISFIABLE, "the range"));
    };
    let total = file.content.len();
    let part = file.content.slice(first..=last);
    let range = (
        header::CONTENT_RANGE,
        format!("bytes {first}-{last}/{total}"),
    );
    Ok((StatusCode::PARTIAL_CONTENT, [media_type], [range], part).into_response())
}

impl Store {
    fn file(&self, id: &str) -> Result<&File, Refusal> {
        let missing = || Refusal::of(StatusCode::NOT_FOUND, "no such file");
        self.files.get(id).ok_or_else(missing)
    }

    fn file_mut(&mut self, id: &str) -> Result<&mut File, Refusal> {
        let missing = || Refusal::of(StatusCode::NOT_FOUND, "no such file");
        self.files.get_mut(id).ok_or_else(missing)
    }
}

impl File {
    fn describe(&self, id: &str) -> Value {
        let mut described = json!({
            "id": id,
            "kind": self.kind,
            "name": self.name,
            "size": self.content.len(),
            "taken": null,
            "checksum": "AAEC/w==",
            "owner": 7,
        });
        match self.kind {
            "image" => {
                described["width"] = json!(2);
                described["position"] = json!([1.5, -2.0]);
            }
            "text" => {
                described["language"] = json!("en");
                described["copies"] = json!([{"id": VIDEO, "kind": "image", "name": "copy.png"}]);
            }
            _ => described["seconds"] = json!(9),
        }
        described
    }
}
