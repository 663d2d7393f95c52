//! Where the server is reached: standard input and output, or streamable HTTP on loopback.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use rmcp::ServiceExt;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::net::TcpListener;

use super::server::Server;
use super::session::Session;
use crate::ended::Ended;
use crate::report::report;

/// The most bytes of a request: as many as a line of standard input may have.
const REQUEST: usize = 16 * 1024 * 1024;

/// Serves standard input until it ends.
pub(super) async fn standard(session: Arc<Session>) -> Result<(), Ended> {
    let pipes = rmcp::transport::stdio();
    let served = Server(session).serve(pipes).await;
    // A client that disconnects before its first message is not a failure.
    let Ok(served) = served else { return Ok(()) };
    let ended = served.waiting().await;
    ended
        .map(|_| ())
        .map_err(|error| Ended::Failed(error.to_string()))
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
        .with_max_request_body_bytes(REQUEST);
    let server = Server(session);
    let sessions = Arc::new(LocalSessionManager::default());
    let service = StreamableHttpService::new(move || Ok(server.clone()), sessions, config);
    loop {
        let Ok((connection, _)) = listener.accept().await else {
            // Too many files are open, for example.
            tokio::time::sleep(Duration::from_millis(100)).await;
            continue;
        };
        let service = TowerToHyperService::new(service.clone());
        tokio::spawn(async move {
            let mut http = http1::Builder::new();
            http.timer(TokioTimer::new())
                .header_read_timeout(Duration::from_secs(30));
            _ = http
                .serve_connection(TokioIo::new(connection), service)
                .await;
        });
    }
}
