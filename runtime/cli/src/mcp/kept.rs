//! A result as the journal keeps it, and the memory of results that cost nothing.

use std::collections::VecDeque;
use std::sync::Arc;

use generated_client::Client;
use generated_client::internal::conceal;
use generated_client::paging::Position;
use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Map, Value};

/// How many free results are remembered, and how many bytes they have together.
const MOST: usize = 64;
const MOST_BYTES: usize = 64 * 1024 * 1024;

/// The result of a call.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Kept {
    pub(super) tool: String,
    pub(super) arguments: Map<String, Value>,
    /// The cost in credits; `None` for a free call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) cost: Option<String>,
    /// True for a page of records, false for a single response.
    pub(super) is_page: bool,
    pub(super) records: Vec<Box<RawValue>>,
    /// True if the response differs from the document.
    #[serde(default)]
    pub(super) is_failure: bool,
    /// Warnings of the client about records that differ from the document.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) notes: Vec<String>,
    /// Where the next page begins, if there may be one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) next: Option<Position>,
}

impl Kept {
    /// Removes the key, which a service may repeat in what it sends.
    pub(super) fn conceal_key(&mut self, client: &Client) {
        for record in &mut self.records {
            let without = conceal(client, record.get());
            if without != record.get() {
                // A string, if it is not valid JSON any more.
                let json = RawValue::from_string(without.clone());
                *record = json.or_else(|_| to_raw_value(&without)).unwrap_or_default();
            }
        }
        let position = serde_json::to_string(&self.next).unwrap_or_default();
        if conceal(client, &position) != position {
            self.next = None;
            self.notes
                .push("The position of the next page holds the key, and is not kept.".to_owned());
        }
    }

    fn bytes(&self) -> usize {
        self.records.iter().map(|one| one.get().len()).sum()
    }
}

/// The results of the latest free calls, the latest at the end.
#[derive(Default)]
pub(super) struct Memory {
    all: VecDeque<(String, Arc<Kept>)>,
    bytes: usize,
}

impl Memory {
    pub(super) fn add(&mut self, id: String, kept: Arc<Kept>) {
        self.bytes = self.bytes.saturating_add(kept.bytes());
        self.all.push_back((id, kept));
        while self.all.len() > MOST || (self.bytes > MOST_BYTES && self.all.len() > 1) {
            let Some((_, gone)) = self.all.pop_front() else {
                break;
            };
            self.bytes = self.bytes.saturating_sub(gone.bytes());
        }
    }

    pub(super) fn get(&self, id: &str) -> Option<Arc<Kept>> {
        let found = self.all.iter().find(|(one, _)| one == id);
        found.map(|(_, kept)| Arc::clone(kept))
    }
}
