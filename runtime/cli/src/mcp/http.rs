//! Streamable HTTP on loopback. The numbers of sessions and connections are bounded, and a session without requests ends.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use generated_client::internal::without_mark;
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::header::{CONTENT_TYPE, HOST, HeaderMap, HeaderValue, ORIGIN};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use rmcp::model::{
    ClientJsonRpcMessage, ClientRequest, ErrorCode, ErrorData, RequestId, ServerJsonRpcMessage,
};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::net::TcpListener;
use tokio::sync::{Mutex, Semaphore};
use tokio::time::{sleep, timeout};

use super::message;
use super::server::Server;
use super::session::Session;
use crate::ended::Ended;
use crate::report::report;

/// The bounds of a server.
#[derive(Clone, Copy)]
pub(super) struct Bounds {
    /// How many sessions are open at most. There are twice as many connections: a session has one for its events and one for its requests.
    pub(super) sessions: usize,
    /// How long a session may be without a request.
    pub(super) idle: Duration,
    /// How long the head of a request may take to arrive, and then its body.
    pub(super) arrival: Duration,
}

const BOUNDS: Bounds = Bounds {
    sessions: 128,
    idle: Duration::from_secs(10 * 60),
    arrival: Duration::from_secs(30),
};

/// The server of a port.
struct Http {
    service: StreamableHttpService<Server, LocalSessionManager>,
    sessions: Arc<LocalSessionManager>,
    /// The names of the port, with its number.
    hosts: [String; 4],
    bounds: Bounds,
    /// Held while a session is opened: two at a time would both find room for one.
    opening: Mutex<()>,
}

/// Serves an address of this machine alone.
pub(super) async fn loopback(session: Arc<Session>, address: SocketAddr) -> Result<(), Ended> {
    if !address.ip().is_loopback() {
        return Err(Ended::Usage(format!(
            "{address}: anyone who reaches the server can spend the budget; `--listen` takes loopback addresses only, such as 127.0.0.1:{}",
            address.port()
        )));
    }
    let failed = |error: std::io::Error| Ended::Usage(format!("{address}: {error}"));
    let listener = TcpListener::bind(address).await.map_err(failed)?;
    let address = listener.local_addr().map_err(failed)?;
    report(&format!("listening on http://{address}/"));
    serve(listener, address, session, BOUNDS).await
}

/// Serves within these bounds.
pub(super) async fn serve(
    listener: TcpListener,
    address: SocketAddr,
    session: Arc<Session>,
    bounds: Bounds,
) -> Result<(), Ended> {
    let port = address.port();
    let hosts = [
        format!("localhost:{port}"),
        format!("127.0.0.1:{port}"),
        format!("[::1]:{port}"),
        address.to_string(),
    ];
    // Checked here, before a body is read.
    let config = StreamableHttpServerConfig::default()
        .disable_allowed_hosts()
        .with_max_request_body_bytes(message::MOST);
    let server = Server(session);
    let mut sessions = LocalSessionManager::default();
    sessions.session_config.keep_alive = Some(bounds.idle);
    let sessions = Arc::new(sessions);
    let service = move || Ok(server.clone());
    let http = Arc::new(Http {
        service: StreamableHttpService::new(service, Arc::clone(&sessions), config),
        sessions,
        hosts,
        bounds,
        opening: Mutex::new(()),
    });
    let connections = Arc::new(Semaphore::new(bounds.sessions.saturating_mul(2)));
    loop {
        let permit = Arc::clone(&connections).acquire_owned().await;
        let Ok((connection, _)) = listener.accept().await else {
            // Too many files are open, for example.
            sleep(Duration::from_millis(100)).await;
            continue;
        };
        let http = Arc::clone(&http);
        let respond = service_fn(move |request| {
            let http = Arc::clone(&http);
            async move { Ok::<_, Infallible>(http.respond(request).await) }
        });
        tokio::spawn(async move {
            let _permit = permit;
            let mut protocol = http1::Builder::new();
            protocol
                .timer(TokioTimer::new())
                .header_read_timeout(bounds.arrival);
            _ = protocol
                .serve_connection(TokioIo::new(connection), respond)
                .await;
        });
    }
}

impl Http {
    async fn respond(&self, request: Request<Incoming>) -> Response<BoxBody<Bytes, Infallible>> {
        let (head, body) = request.into_parts();
        if !self.is_for_this_server(&head.headers) {
            let problem = "the request is from a page of a browser, or for another host";
            return refusal(StatusCode::FORBIDDEN, problem);
        }
        let body = Limited::new(body, message::MOST.saturating_add(1)).collect();
        let body = match timeout(self.bounds.arrival, body).await {
            Ok(Ok(body)) => body.to_bytes(),
            Ok(Err(error)) if error.is::<LengthLimitError>() => {
                return refusal(StatusCode::PAYLOAD_TOO_LARGE, "the request is too large");
            }
            Ok(Err(_)) => {
                return refusal(StatusCode::BAD_REQUEST, "the request could not be read");
            }
            Err(_) => {
                return refusal(
                    StatusCode::REQUEST_TIMEOUT,
                    "the request did not arrive in time",
                );
            }
        };
        let body = body.slice_ref(without_mark(&body));
        let is_message = head.method == Method::POST;
        let message = is_message.then(|| message::read(&body));
        let request = Request::from_parts(head, Full::new(body));
        match message {
            Some(Ok(ClientJsonRpcMessage::Request(opens)))
                if matches!(opens.request, ClientRequest::InitializeRequest(_)) =>
            {
                let _opening = self.opening.lock().await;
                let open = self.sessions.sessions.read().await.len();
                if open < self.bounds.sessions {
                    self.service.handle(request).await
                } else {
                    self.is_full(opens.id)
                }
            }
            Some(Err(Some(error))) => response(StatusCode::BAD_REQUEST, &error),
            _ => self.service.handle(request).await,
        }
    }

    /// Returns whether a request names this server and is not from a page in a browser. A page could reach the server by a host name that
    /// resolves to it.
    fn is_for_this_server(&self, headers: &HeaderMap) -> bool {
        let Some(host) = headers.get(HOST).and_then(|host| host.to_str().ok()) else {
            return false;
        };
        let is_own = |own: &String| own.eq_ignore_ascii_case(host);
        self.hosts.iter().any(is_own) && !headers.contains_key(ORIGIN)
    }

    fn is_full(&self, id: RequestId) -> Response<BoxBody<Bytes, Infallible>> {
        let problem = format!(
            "{} sessions are open, and no more are allowed. Close one (`DELETE` with its `Mcp-Session-Id`), or wait: a session ends after {} seconds without a request.",
            self.bounds.sessions,
            self.bounds.idle.as_secs()
        );
        let error = ErrorData::new(ErrorCode::INTERNAL_ERROR, problem, None);
        let error = ServerJsonRpcMessage::error(error, Some(id));
        response(StatusCode::SERVICE_UNAVAILABLE, &error)
    }
}

fn response(
    status: StatusCode,
    message: &ServerJsonRpcMessage,
) -> Response<BoxBody<Bytes, Infallible>> {
    let json = serde_json::to_vec(message).unwrap_or_default();
    let mut response = Response::new(Full::new(json.into()).boxed());
    *response.status_mut() = status;
    let json = HeaderValue::from_static("application/json");
    response.headers_mut().insert(CONTENT_TYPE, json);
    response
}

/// Refuses what is no message.
fn refusal(status: StatusCode, problem: &'static str) -> Response<BoxBody<Bytes, Infallible>> {
    let error = ErrorData::invalid_request(problem, None);
    response(status, &ServerJsonRpcMessage::error(error, None))
}
