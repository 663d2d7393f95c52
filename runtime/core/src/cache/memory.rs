//! Responses in memory: when there is no room, the one that was stored first goes.

use std::collections::{BTreeMap, HashMap};
use std::future::ready;
use std::sync::Mutex;

use super::entry::Entry;
use super::store::{Step, Store};
use crate::lock::lock;

/// How many bytes of responses and their requests are stored at most.
pub(super) const MOST_BYTES: usize = 64 * 1024 * 1024;

/// What an entry takes beside its strings.
const OVERHEAD: usize = 256;

pub(super) struct Memory {
    stored: Mutex<Stored>,
    most: usize,
}

#[derive(Default)]
struct Stored {
    entries: HashMap<String, (u64, Entry)>,
    /// The keys, in the order in which they were stored.
    order: BTreeMap<u64, String>,
    /// How many responses were stored so far.
    count: u64,
    bytes: usize,
}

impl Memory {
    pub(super) fn new(most: usize) -> Self {
        Self {
            stored: Mutex::default(),
            most,
        }
    }
}

impl Stored {
    fn remove(&mut self, key: &str) {
        if let Some((number, entry)) = self.entries.remove(key) {
            self.order.remove(&number);
            self.bytes = self.bytes.saturating_sub(size(key, &entry));
        }
    }

    fn insert(&mut self, key: &str, entry: Entry, most: usize) {
        self.remove(key);
        let size = size(key, &entry);
        if size > most {
            return;
        }
        while self.bytes.saturating_add(size) > most {
            let Some((_, first)) = self.order.pop_first() else {
                break;
            };
            self.remove(&first);
        }
        self.count = self.count.saturating_add(1);
        self.bytes = self.bytes.saturating_add(size);
        self.order.insert(self.count, key.to_owned());
        self.entries.insert(key.to_owned(), (self.count, entry));
    }
}

fn size(key: &str, entry: &Entry) -> usize {
    let headers = entry.headers.iter();
    let headers = headers.map(|(name, value)| name.len().saturating_add(value.len()));
    let sizes = headers.chain([key.len(), key.len(), entry.body.len(), OVERHEAD]);
    sizes.fold(0, usize::saturating_add)
}

impl Store for Memory {
    fn get<'a>(&'a self, key: &'a str) -> Step<'a, Option<Entry>> {
        let found = lock(&self.stored).entries.get(key).cloned();
        Box::pin(ready(Ok(found.map(|(_, entry)| entry))))
    }

    fn put(&self, key: &str, _operation: &'static str, entry: Entry) -> Step<'static, ()> {
        lock(&self.stored).insert(key, entry, self.most);
        Box::pin(ready(Ok(())))
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use http::Response;

    use super::*;

    #[test]
    fn the_response_that_was_stored_first_makes_room() {
        let memory = Memory::new(10 + 2 * (OVERHEAD + 2));
        let mut stored = lock(&memory.stored);
        let entry = |size: usize| Entry::new(&Response::new(Bytes::from(vec![0; size])), None);
        for (key, size) in [("a", 3), ("b", 3), ("a", 2), ("c", 4), ("d", 900)] {
            stored.insert(key, entry(size), memory.most);
        }
        let mut keys: Vec<_> = stored.entries.keys().map(String::as_str).collect();
        keys.sort_unstable();
        assert_eq!(
            (keys, stored.bytes),
            (vec!["a", "c"], 6 + 2 * (OVERHEAD + 2))
        );
    }
}
