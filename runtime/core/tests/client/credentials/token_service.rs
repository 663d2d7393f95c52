//! A provider that counts, and a service that notes the tokens of its calls.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use generated_client::credentials::{Credential, Token, TokenProvider, TokenReason};
use generated_client::request::Request;
use generated_client::testing::{Reply, Script, Sent};
use generated_client::transport::BoxFuture;
use generated_client::{Client, ClientBuilder, Error, Response, http};
use tokio::time::sleep;

use super::support::SCHEMES;
use crate::support::scripted_client::PAID;

pub(super) type Provided = Result<Token, Box<dyn std::error::Error + Send + Sync>>;

/// Gives `t1`, `t2` and so on, and notes why it was asked.
#[derive(Clone, Default)]
pub(super) struct Counting {
    pub(super) reasons: Arc<Mutex<Vec<TokenReason>>>,
    pub(super) life: Option<Duration>,
    pub(super) takes: Duration,
}

impl TokenProvider for Counting {
    fn token(&self, reason: TokenReason) -> BoxFuture<'_, Provided> {
        let mut reasons = self.reasons.lock().unwrap();
        reasons.push(reason);
        let token = Token::new(format!("t{}", reasons.len()));
        Box::pin(async move {
            sleep(self.takes).await;
            Ok(match self.life {
                Some(life) => token.expires_in(life),
                None => token,
            })
        })
    }
}

impl Counting {
    pub(super) fn reasons(&self) -> Vec<TokenReason> {
        self.reasons.lock().unwrap().clone()
    }
}

/// Notes the token of each request, and replies as the closure says.
#[derive(Clone)]
pub(super) struct Service {
    pub(super) tokens: Arc<Mutex<Vec<String>>>,
    pub(super) script: Script,
}

impl Service {
    pub(super) fn replying(reply: impl Fn(&Sent) -> Reply + Send + Sync + 'static) -> Self {
        Self {
            tokens: Arc::default(),
            script: Script::responding(reply),
        }
    }

    /// Refuses these tokens with 401, and gives this body.
    pub(super) fn refusing(refused: &'static [&'static str], body: &'static str) -> Self {
        let tokens = Arc::<Mutex<Vec<String>>>::default();
        let seen = Arc::clone(&tokens);
        let script = Script::responding(move |_| {
            let last = seen.lock().unwrap().last().cloned().unwrap_or_default();
            if refused.contains(&last.as_str()) {
                Reply::new(401, body)
            } else {
                Reply::new(200, r#"{"cost": 2}"#)
            }
        });
        Self { tokens, script }
    }

    pub(super) fn builder(&self) -> ClientBuilder<Client> {
        let service = self.clone();
        ClientBuilder::new(&SCHEMES, "https://example.com").transport(
            move |request: http::Request<generated_client::Bytes>| {
                let header = request.headers()["authorization"].to_str().unwrap();
                let token = header.strip_prefix("Bearer ").unwrap().to_owned();
                service.tokens.lock().unwrap().push(token);
                let script = service.script.clone();
                async move { generated_client::transport::Transport::send(&script, request).await }
            },
        )
    }

    pub(super) fn client(&self, provider: impl TokenProvider) -> Client {
        let credential = Credential::provider("bearer", provider);
        self.builder().credential(credential).build().unwrap()
    }

    pub(super) fn tokens(&self) -> Vec<String> {
        self.tokens.lock().unwrap().clone()
    }
}

pub(super) async fn call(client: &Client) -> Result<Response<serde_json::Value>, Error> {
    client.send(Request::new(&PAID)).await
}
