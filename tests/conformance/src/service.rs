//! A scripted service that misbehaves: the script decides each response, down to its bytes and to how the connection ends. The service
//! counts its requests and what it bills, and complains about a key in the wrong place.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use company_intel::{Budget, Credits};
use serde::{Deserialize, Serialize};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::sleep;

use crate::KEY;
use crate::request::{Recorded, read};

/// Handling of one request, in the order of the fields.
#[derive(Debug, Clone)]
pub struct Deed {
    pub bills: Credits,
    pub after: Duration,
    pub sends: Vec<u8>,
    pub then: Then,
}

/// Fate of the connection after the response.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Then {
    /// The connection stays open for the next request.
    #[default]
    Listens,
    Closes,
    Resets,
    /// The connection stays open, but nothing more is sent.
    Hangs,
    /// The connection is closed when the next request arrives, without reading it.
    ClosesUnread,
}

impl Deed {
    /// Returns a whole response. It repeats the key in a header and in the reason phrase, because the service knows the key.
    pub fn response(status: u16, headers: &[(&str, &str)], body: &str) -> Self {
        let length = body.len();
        let mut head = format!("HTTP/1.1 {status} {KEY}\r\nx-seen: {KEY}\r\n");
        for (name, value) in headers {
            head += &format!("{name}: {value}\r\n");
        }
        if status != 204 {
            head += &format!("content-length: {length}\r\n");
        }
        Self::sending(format!("{head}\r\n{body}"), Then::Listens)
    }

    pub fn json(body: &str) -> Self {
        Self::response(200, &[("content-type", "application/json")], body)
    }

    pub fn sending(bytes: impl Into<Vec<u8>>, then: Then) -> Self {
        Self {
            bills: Credits::ZERO,
            after: Duration::ZERO,
            sends: bytes.into(),
            then,
        }
    }

    pub fn billing(self, credits: &str) -> Self {
        Self {
            bills: credits.parse().unwrap(),
            ..self
        }
    }

    pub fn after(self, millis: u64) -> Self {
        Self {
            after: Duration::from_millis(millis),
            ..self
        }
    }

    pub fn then(self, then: Then) -> Self {
        Self { then, ..self }
    }
}

/// Script of a service: returns the handling of a request, given the number of earlier ones.
type Play = dyn Fn(&Recorded, usize) -> Deed + Send + Sync;

/// A service that listens until it is dropped.
pub struct Service {
    address: SocketAddr,
    books: Arc<Mutex<Books>>,
    listening: tokio::task::JoinHandle<()>,
}

#[derive(Default)]
struct Books {
    connections: usize,
    requests: Vec<Recorded>,
    billed: u64,
    /// Budget that must cover the whole bill at every moment.
    budget: Option<Budget>,
    complaints: Vec<String>,
}

impl Service {
    pub async fn playing(play: impl Fn(&Recorded, usize) -> Deed + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let books = Arc::<Mutex<Books>>::default();
        let play: Arc<Play> = Arc::new(play);
        let kept = Arc::clone(&books);
        let listening = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, Arc::clone(&play), Arc::clone(&books)));
            }
        });
        Self {
            address,
            books: kept,
            listening,
        }
    }

    /// Starts a service that handles each request with the next deed, and repeats the last one.
    pub async fn of(deeds: impl IntoIterator<Item = Deed>) -> Self {
        let deeds: Vec<_> = deeds.into_iter().collect();
        Self::playing(move |_, before| deeds[before.min(deeds.len() - 1)].clone()).await
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Complains when more is billed than this budget accounts for.
    pub fn watch(&self, budget: &Budget) {
        self.books().budget = Some(budget.clone());
    }

    pub fn connections(&self) -> usize {
        self.books().connections
    }

    /// Returns the completely read requests, in order.
    pub fn requests(&self) -> Vec<Recorded> {
        self.books().requests.clone()
    }

    pub fn billed(&self) -> Credits {
        Credits::from_micros(self.books().billed)
    }

    pub fn complaints(&self) -> Vec<String> {
        self.books().complaints.clone()
    }

    /// Waits until this many requests were read.
    pub async fn has_read(&self, requests: usize) {
        while self.books().requests.len() < requests {
            sleep(Duration::from_millis(1)).await;
        }
    }

    fn books(&self) -> MutexGuard<'_, Books> {
        self.books.lock().unwrap()
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        self.listening.abort();
    }
}

impl Books {
    fn bill(&mut self, credits: Credits) {
        self.billed += credits.micros();
        let Some(usage) = self.budget.as_ref().map(Budget::usage) else {
            return;
        };
        let known = [usage.spent, usage.reserved, usage.at_risk].map(Credits::micros);
        if self.billed > known.iter().sum() {
            let complaint = format!("billed {}, known are {known:?}", self.billed);
            self.complaints.push(complaint);
        }
    }
}

async fn serve(mut stream: TcpStream, play: Arc<Play>, books: Arc<Mutex<Books>>) {
    books.lock().unwrap().connections += 1;
    while let Some(request) = read(&mut stream).await {
        let before = {
            let mut books = books.lock().unwrap();
            if !has_one_key(&request) {
                let complaint = format!("the key is not where it belongs: {request:?}");
                books.complaints.push(complaint);
            }
            books.requests.push(request.clone());
            books.requests.len() - 1
        };
        let deed = play(&request, before);
        books.lock().unwrap().bill(deed.bills);
        sleep(deed.after).await;
        if stream.write_all(&deed.sends).await.is_err() {
            return;
        }
        match deed.then {
            Then::Listens => {}
            Then::Closes => return drop(stream.shutdown().await),
            Then::Resets => return stream.set_zero_linger().unwrap(),
            // Wait until the client closes the connection.
            Then::Hangs => return drop(stream.read(&mut [0]).await),
            Then::ClosesUnread => return stream.readable().await.unwrap(),
        }
    }
}

/// Returns whether the key is the value of its header, and nowhere else in the request.
fn has_one_key(request: &Recorded) -> bool {
    let shown = format!("{request:?}");
    request.header("x-api-key") == [KEY] && shown.matches(KEY).count() == 1
}
