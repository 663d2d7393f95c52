//! Connections that do not come about, over TLS on real sockets: nothing was sent, whatever it was that failed.

use std::future::pending;
use std::net::Ipv4Addr;
use std::sync::Arc;
use std::time::Duration;

use generated_client::error::TransportErrorKind;
use generated_client::{Client, ClientBuilder, Credits, Error, Outcome, RetryPolicy};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::pki_types::PrivateKeyDer;
use tokio_rustls::rustls::server::Acceptor;
use tokio_rustls::{LazyConfigAcceptor, TlsAcceptor};

use crate::support::api::{API, KEY};
use crate::support::scripted_client::{FREE, PAID, call, credits};

/// The server behind an `https` address.
#[derive(Clone)]
enum Server {
    /// There is no such host.
    Nowhere,
    /// Responds to any request with these bytes, and closes.
    Says(&'static [u8]),
    Hangs,
    /// It has a certificate that it made itself.
    IsUntrusted(TlsAcceptor),
}

impl Server {
    async fn listen(self) -> String {
        if matches!(self, Self::Nowhere) {
            return "https://nobody.invalid".to_owned();
        }
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(async move {
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                tokio::spawn(self.clone().serve(stream));
            }
        });
        format!("https://{address}")
    }

    async fn serve(self, mut stream: TcpStream) {
        match self {
            Self::Nowhere => {}
            Self::Hangs => pending().await,
            Self::Says(bytes) => {
                // A handshake begins.
                let read = stream.read(&mut [0; 4096]).await.unwrap();
                assert!(read > 0);
                stream.write_all(bytes).await.unwrap();
            }
            Self::IsUntrusted(acceptor) => {
                let accepted = acceptor.accept(stream).await;
                assert!(accepted.is_err(), "the client trusts anybody");
            }
        }
    }
}

fn untrusted() -> TlsAcceptor {
    let made = rcgen::generate_simple_self_signed(["127.0.0.1".to_owned()]).unwrap();
    let key = PrivateKeyDer::try_from(made.signing_key.serialize_der()).unwrap();
    let config = ServerConfig::builder()
        .with_no_client_auth()
        .with_single_cert(vec![made.cert.into()], key)
        .unwrap();
    TlsAcceptor::from(Arc::new(config))
}

async fn fails(what: &str, server: Server) {
    let client: Client = ClientBuilder::new(&API, server.listen().await)
        .api_key(KEY)
        .budget(credits("10"))
        .connect_timeout(Duration::from_secs(1))
        .build()
        .unwrap();
    let (paid, free) = tokio::join!(call(&client, &PAID), call(&client, &FREE));
    for error in [paid.unwrap_err(), free.unwrap_err()] {
        let Error::Transport(transport) = &error else {
            panic!("{what}: {error:?}");
        };
        assert_eq!(
            transport.kind(),
            TransportErrorKind::Connect,
            "{what}: {error:?}"
        );
        assert_eq!(error.outcome(), Outcome::NotSent, "{what}");
        assert_eq!(error.attempts(), 3, "{what}");
        assert!(
            error.is_retryable() && !error.may_have_been_charged(),
            "{what}"
        );
    }
    let usage = client.budget().usage();
    assert_eq!(
        (usage.reserved, usage.at_risk),
        (Credits::ZERO, Credits::ZERO),
        "{what}"
    );
    assert_eq!((usage.spent, usage.calls), (Credits::ZERO, 0), "{what}");
}

#[tokio::test]
async fn a_connection_that_does_not_come_about_has_sent_nothing() {
    let refusal = b"\x15\x03\x03\x00\x02\x02\x28";
    let http = b"HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n";
    let mut running = Vec::new();
    for (what, server) in [
        ("no such host", Server::Nowhere),
        ("no TLS", Server::Says(http)),
        ("a refused handshake", Server::Says(refusal)),
        ("a handshake that breaks off", Server::Says(b"")),
        ("a handshake that hangs", Server::Hangs),
        ("an untrusted certificate", Server::IsUntrusted(untrusted())),
    ] {
        running.push(tokio::spawn(fails(what, server)));
    }
    for running in running {
        running.await.unwrap();
    }
}

#[tokio::test]
async fn an_attempt_that_ends_while_it_connects_has_sent_nothing() {
    let short = Duration::from_millis(300);
    let base_url = Server::Hangs.listen().await;
    let builder = || {
        let builder = ClientBuilder::new(&API, &*base_url).api_key(KEY);
        builder.retry(RetryPolicy::Never)
    };
    for builder in [
        builder().attempt_timeout(short),
        builder().read_timeout(short),
    ] {
        let client: Client = builder.build().unwrap();
        let error = call(&client, &PAID).await.unwrap_err();
        let Error::Transport(transport) = &error else {
            panic!("{error:?}");
        };
        assert_eq!(transport.kind(), TransportErrorKind::Connect, "{error:?}");
        assert_eq!(error.outcome(), Outcome::NotSent);
    }
}

#[tokio::test]
async fn only_http_1_1_is_offered() {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
    let base_url = format!("https://{}", listener.local_addr().unwrap());
    let offered = tokio::spawn(async move {
        let (stream, _) = listener.accept().await.unwrap();
        let start = LazyConfigAcceptor::new(Acceptor::default(), stream);
        let start = start.await.unwrap();
        let hello = start.client_hello();
        hello
            .alpn()
            .unwrap()
            .map(<[u8]>::to_vec)
            .collect::<Vec<_>>()
    });
    let builder = ClientBuilder::new(&API, base_url).api_key(KEY);
    let client: Client = builder.retry(RetryPolicy::Never).build().unwrap();
    call(&client, &FREE).await.unwrap_err();
    assert_eq!(offered.await.unwrap(), [b"http/1.1"]);
}
