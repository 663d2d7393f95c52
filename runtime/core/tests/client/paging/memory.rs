//! How many records of a run are in memory. The operation is generated; only its records are counted here. Time is paused.

use std::cell::Cell;

use generated_client::document::{Shape, Shaped};
use generated_client::paging::{Items, List, Paged};
use generated_client::request::Request;
use generated_client::wire::{Failure, Read, Reader, object};
use generated_client::{Client, Records};
use serde::{Serialize, Serializer};
use things_client::operations::Things;

use super::seven;

thread_local! {
    static ALIVE: Cell<usize> = const { Cell::new(0) };
}

/// A record that is counted as long as it lives.
#[derive(Debug)]
struct Counted;

impl Read for Counted {
    fn read(reader: &mut Reader<'_>) -> Result<Self, Failure> {
        u64::read(reader)?;
        ALIVE.set(ALIVE.get() + 1);
        Ok(Self)
    }
}

impl Shaped for Counted {
    const SHAPE: &'static Shape = &Shape::Any;
}

impl Serialize for Counted {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_unit()
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        ALIVE.set(ALIVE.get().saturating_sub(1));
    }
}

#[derive(Debug)]
struct CountedPage {
    offset: Option<u64>,
    total: Option<u64>,
    things: Records<Counted>,
}
object!(CountedPage {
    offset: optional "offset",
    total: optional "total",
    things: content "things",
});

/// The generated operation with counted records: all but the types of its pages is left to it.
#[derive(Clone)]
struct CountedThings(Things);

impl Paged for CountedThings {
    type Page = CountedPage;
    type Item = Counted;

    fn client(&self) -> &Client {
        self.0.client()
    }

    fn client_mut(&mut self) -> &mut Client {
        self.0.client_mut()
    }

    fn request(&self) -> Request {
        Paged::request(&self.0)
    }

    fn offset(&self) -> Option<u64> {
        Paged::offset(&self.0)
    }

    fn set_offset(&mut self, offset: u64) {
        self.0.set_offset(offset);
    }

    fn limit(&self) -> Option<u64> {
        Paged::limit(&self.0)
    }

    fn echoed_offset(page: &CountedPage) -> Option<u64> {
        page.offset
    }

    fn lists(page: &CountedPage) -> Vec<List<'_, Counted>> {
        vec![List {
            key: None,
            records: &page.things,
            total: page.total,
        }]
    }

    fn into_records(page: CountedPage) -> Vec<Records<Counted>> {
        vec![page.things]
    }
}

#[tokio::test(start_paused = true)]
async fn one_page_is_in_memory_at_a_time() {
    let service = seven();
    let mut items = Items::new(CountedThings(service.client().things()));
    for left in [2, 1, 0, 2, 1, 0, 0] {
        items.next().await.unwrap().unwrap();
        assert_eq!(ALIVE.get(), left);
    }
}
