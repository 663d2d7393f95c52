//! Streamable HTTP on loopback. The number of sessions is bounded, and a session without requests ends.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::header::{CONTENT_TYPE, HeaderValue};
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
use tokio::sync::Mutex;
use tokio::time::{sleep, timeout};

use super::message;
use super::server::Server;
use super::session::Session;
use crate::ended::Ended;
use crate::report::report;

/// How long a request may take to arrive.
const ARRIVAL: Duration = Duration::from_secs(30);

/// How many sessions are open at most.
const SESSIONS: usize = 128;

/// How long a session may be without a request.
const IDLE: Duration = Duration::from_secs(10 * 60);

/// The server of a port.
struct Http {
    service: StreamableHttpService<Server, LocalSessionManager>,
    sessions: Arc<LocalSessionManager>,
    most: usize,
    idle: Duration,
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
    serve(listener, address, session, SESSIONS, IDLE).await
}

/// Serves this many sessions, each until it has been idle for this long.
pub(super) async fn serve(
    listener: TcpListener,
    address: SocketAddr,
    session: Arc<Session>,
    most: usize,
    idle: Duration,
) -> Result<(), Ended> {
    let port = address.port();
    // A page in a browser could otherwise reach the server by a host name that resolves to it.
    let hosts = [
        format!("localhost:{port}"),
        format!("127.0.0.1:{port}"),
        format!("[::1]:{port}"),
        address.to_string(),
    ];
    let config = StreamableHttpServerConfig::default()
        .with_allowed_hosts(hosts)
        .enforce_origin_validation()
        .with_max_request_body_bytes(message::MOST);
    let server = Server(session);
    let mut sessions = LocalSessionManager::default();
    sessions.session_config.keep_alive = Some(idle);
    let sessions = Arc::new(sessions);
    let service = move || Ok(server.clone());
    let http = Arc::new(Http {
        service: StreamableHttpService::new(service, Arc::clone(&sessions), config),
        sessions,
        most,
        idle,
        opening: Mutex::new(()),
    });
    loop {
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
            let mut protocol = http1::Builder::new();
            protocol
                .timer(TokioTimer::new())
                .header_read_timeout(ARRIVAL);
            _ = protocol
                .serve_connection(TokioIo::new(connection), respond)
                .await;
        });
    }
}

impl Http {
    async fn respond(&self, request: Request<Incoming>) -> Response<BoxBody<Bytes, Infallible>> {
        let (head, body) = request.into_parts();
        let body = Limited::new(body, message::MOST.saturating_add(1)).collect();
        let body = match timeout(ARRIVAL, body).await {
            Ok(Ok(body)) => body.to_bytes(),
            Ok(Err(_)) => {
                return refusal(StatusCode::PAYLOAD_TOO_LARGE, "the request is too large");
            }
            Err(_) => {
                return refusal(
                    StatusCode::REQUEST_TIMEOUT,
                    "the request did not arrive in time",
                );
            }
        };
        let is_message = head.method == Method::POST;
        let message = is_message.then(|| message::read(&body));
        let request = Request::from_parts(head, Full::new(body));
        match message {
            Some(Ok(ClientJsonRpcMessage::Request(opens)))
                if matches!(opens.request, ClientRequest::InitializeRequest(_)) =>
            {
                let _opening = self.opening.lock().await;
                let open = self.sessions.sessions.read().await.len();
                if open < self.most {
                    self.service.handle(request).await
                } else {
                    self.is_full(opens.id)
                }
            }
            Some(Err(Some(error))) => {
                let refused = self.service.handle(request).await;
                // A request of a web page is refused before its body matters.
                match refused.status() {
                    StatusCode::UNSUPPORTED_MEDIA_TYPE | StatusCode::PAYLOAD_TOO_LARGE => {
                        response(StatusCode::BAD_REQUEST, &error)
                    }
                    _ => refused,
                }
            }
            _ => self.service.handle(request).await,
        }
    }

    fn is_full(&self, id: RequestId) -> Response<BoxBody<Bytes, Infallible>> {
        let problem = format!(
            "{} sessions are open, and no more are allowed. Close one (`DELETE` with its `Mcp-Session-Id`), or wait: a session ends after {} seconds without a request.",
            self.most,
            self.idle.as_secs()
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
