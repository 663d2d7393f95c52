//! The page of the last calls, at `GET /` unless the document has that path. It has no query, header or body: a key is in none of its cells.

use std::collections::VecDeque;
use std::time::{SystemTime, UNIX_EPOCH};

use axum::response::Html;

/// The number of calls that the page has.
const MOST: usize = 100;

/// Lines of the table, the newest first.
#[derive(Debug, Default)]
pub(super) struct Calls(VecDeque<String>);

impl Calls {
    /// Adds a call that ends now.
    pub(super) fn add(&mut self, method: &str, path: &str, status: u16, price: Option<[f64; 2]>) {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let seconds = now.unwrap_or_default().as_secs();
        let [hours, minutes, seconds] = [seconds / 3600 % 24, seconds / 60 % 60, seconds % 60];
        let [price, sum] =
            price.map_or_else(Default::default, |both| both.map(|one| one.to_string()));
        let (method, path) = (escaped(method), escaped(path));
        self.0.truncate(MOST - 1);
        self.0.push_front(format!(
            "<tr><td>{hours:02}:{minutes:02}:{seconds:02}<td>{method}<td>{path}<td>{status}<td>{price}<td>{sum}\n"
        ));
    }

    pub(super) fn page(&self) -> Html<String> {
        let rows: String = self.0.iter().map(String::as_str).collect();
        Html(format!(
            "<!doctype html><meta charset=utf-8><meta http-equiv=refresh content=5><title>Calls</title>\n\
             <style>td, th {{ padding: 0 1em; text-align: left }}</style>\n\
             <table><tr><th>UTC<th>method<th>path<th>status<th>credits<th>bill\n{rows}</table>\n"
        ))
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}
