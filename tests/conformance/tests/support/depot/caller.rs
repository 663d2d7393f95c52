//! How tests call the depot.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use depot_client::Client;
use depot_client::credentials::{Token, TokenProvider};
use depot_client::types::CreateTokenForm;
use depot_client::values::SecretText;

use super::{Depot, FIRST_REFRESH_TOKEN};

/// Returns a client without credentials.
pub(crate) fn anonymous(service: &Depot) -> Client {
    Client::builder(service.url()).build().unwrap()
}

/// Exchanges refresh tokens by the client's own operation, each of them once.
pub(crate) fn tokens(service: &Depot) -> impl TokenProvider {
    let client = anonymous(service);
    let next = Arc::new(Mutex::new(SecretText::from(FIRST_REFRESH_TOKEN)));
    move |_| {
        let (client, next) = (client.clone(), Arc::clone(&next));
        async move {
            let refresh_token = next.lock().unwrap().clone();
            let body = CreateTokenForm::new(refresh_token).scope(["files", "notes"]);
            let issued = client.create_token(body).send().await?.body;
            let (Some(access), Some(refresh)) = (issued.access_token, issued.refresh_token) else {
                return Err("the service issued half a token".into());
            };
            *next.lock().unwrap() = refresh;
            let seconds = u64::try_from(issued.expires_in)?;
            Ok(Token::new(access).expires_in(Duration::from_secs(seconds)))
        }
    }
}
