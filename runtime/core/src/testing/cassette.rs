//! Responses that are recorded once and replayed.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};

use bytes::Bytes;
use http::HeaderMap;
use http::header::CONTENT_TYPE;
use serde::{Deserialize, Serialize};

use crate::error::TransportError;
use crate::future::BoxFuture;
use crate::lock::lock;
use crate::response::failure::TransportErrorKind;
use crate::secret::key::ApiKey;
use crate::transport::secrets::{public_query, secrets};
use crate::transport::transport::{NotSent, Transport, TransportResult};

/// Responses in a file: recorded once from a service, and replayed without it.
///
/// A recording has method, path, query and body of each request, and status code, `Content-Type` and body of its response. It has no other
/// headers and no credentials: a response that repeats a credential of at least eight characters is not recorded. Arguments and bodies are
/// stored unchanged.
///
/// ```no_run
/// use generated_client::testing::Cassette;
/// # use generated_client::document::Api;
/// # use generated_client::{Client, ClientBuilder, Error};
/// # fn example(api: &'static Api) -> Result<(Client, Client), Box<dyn std::error::Error>> {
/// # let builder = || ClientBuilder::new(api, "https://api.example.com").api_key("secret");
/// // Once:
/// let recording = Cassette::open("tests/things.json")?;
/// let client = builder().wrap(move |service| recording.record(service)).build()?;
///
/// // In every test:
/// let replayed = builder().transport(Cassette::open("tests/things.json")?).build()?;
/// # Ok((client, replayed))
/// # }
/// ```
#[derive(Clone)]
pub struct Cassette {
    path: PathBuf,
    recordings: Arc<Mutex<Vec<Recording>>>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Recording {
    request: Asked,
    status: u16,
    #[serde(default)]
    content_type: Option<String>,
    body: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Asked {
    method: String,
    path: String,
    query: String,
    body: String,
}

impl Cassette {
    /// Reads the recordings of a file; a missing file has none.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or contains something else.
    pub fn open(path: impl AsRef<Path>) -> io::Result<Self> {
        let recordings = match fs::read(&path) {
            Ok(text) => serde_json::from_slice(&text)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(error),
        };
        Ok(Self {
            path: path.as_ref().to_owned(),
            recordings: Arc::new(Mutex::new(recordings)),
        })
    }

    /// Sends requests to `service`, and writes each response to the file, replacing one for the same request. A response that cannot be
    /// recorded is still returned, and an event at WARN gives the reason.
    pub fn record(&self, service: Arc<dyn Transport>) -> impl Transport + use<> {
        let cassette = self.clone();
        move |request: http::Request<Bytes>| {
            let (cassette, service) = (cassette.clone(), Arc::clone(&service));
            async move {
                let asked = Asked::of(&request);
                let secrets = secrets(&request);
                let response = service.send(request).await?;
                if let Err(why) = cassette.keep(asked, &response, &secrets) {
                    tracing::warn!(why, "a response is not recorded");
                }
                Ok(response)
            }
        }
    }

    fn keep(
        &self,
        asked: Asked,
        response: &http::Response<Bytes>,
        secrets: &ApiKey,
    ) -> Result<(), String> {
        let Ok(body) = str::from_utf8(response.body()) else {
            return Err("its body is not valid UTF-8".to_owned());
        };
        let content_type = text(response.headers(), CONTENT_TYPE.as_str());
        let texts = [
            body,
            content_type.as_deref().unwrap_or_default(),
            &asked.path,
            &asked.query,
            &asked.body,
        ];
        if texts.iter().any(|text| secrets.is_in(text.as_bytes())) {
            return Err("it repeats a credential".to_owned());
        }
        let recording = Recording {
            status: response.status().as_u16(),
            content_type,
            body: body.to_owned(),
            request: asked,
        };
        let mut recordings = self.lock();
        recordings.retain(|one| one.request != recording.request);
        recordings.push(recording);
        let file = serde_json::to_string_pretty(&*recordings).map_err(|error| error.to_string())?;
        fs::write(&self.path, file + "\n").map_err(|error| error.to_string())
    }

    fn replay(&self, asked: &Asked) -> TransportResult {
        let recordings = self.lock();
        let Some(found) = recordings.iter().find(|one| one.request == *asked) else {
            let why = format!("no recording of {asked}");
            return Err(TransportError::new(TransportErrorKind::Other, why).not_sent());
        };
        let response = http::Response::builder().status(found.status);
        let mut response = response.extension(NotSent);
        if let Some(content_type) = &found.content_type {
            response = response.header(CONTENT_TYPE, content_type);
        }
        let response = response.body(Bytes::from(found.body.clone()));
        response.map_err(|error| TransportError::new(TransportErrorKind::Other, error))
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Recording>> {
        lock(&self.recordings)
    }
}

/// Replays a recording, as [`NotSent`]. A request without one fails, as [`TransportErrorKind::Other`] that is
/// [not sent](TransportError::not_sent).
impl Transport for Cassette {
    fn send(&self, request: http::Request<Bytes>) -> BoxFuture<'_, TransportResult> {
        let found = self.replay(&Asked::of(&request));
        Box::pin(async { found })
    }
}

impl fmt::Debug for Cassette {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cassette")
            .field("path", &self.path)
            .field("recordings", &self.lock().len())
            .finish()
    }
}

impl Asked {
    fn of(request: &http::Request<Bytes>) -> Self {
        Self {
            method: request.method().to_string(),
            path: request.uri().path().to_owned(),
            query: public_query(request),
            body: String::from_utf8_lossy(request.body()).into_owned(),
        }
    }
}

/// `GET /v1/things?limit=2`, with the size of its body.
impl fmt::Display for Asked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mark = if self.query.is_empty() { "" } else { "?" };
        write!(f, "{} {}{mark}{}", self.method, self.path, self.query)?;
        match self.body.len() {
            0 => Ok(()),
            bytes => write!(f, " with a body of {bytes} bytes"),
        }
    }
}

fn text(headers: &HeaderMap, name: &str) -> Option<String> {
    headers.get(name)?.to_str().ok().map(str::to_owned)
}
