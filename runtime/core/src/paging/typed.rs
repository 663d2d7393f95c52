//! Records decoded as types of the caller. Paging itself reads the documented totals, offsets and locations of records.

use std::fmt;
use std::marker::PhantomData;

use serde::de::DeserializeOwned;

use super::items::Items;
use super::paged::{List, Paged};
use super::source::Source;
use super::style::Style;
use crate::client::client::Client;
use crate::decode::failure::Failure;
use crate::decode::read::Read;
use crate::decode::reader::Reader;
use crate::decode::records::Records;
use crate::request::request::Request;

/// A paged operation whose records are decoded as `T`. `items_as` of a call makes it.
pub struct As<P, T> {
    paged: P,
    read: PhantomData<fn() -> T>,
}

impl<P, T> As<P, T> {
    pub(super) fn new(paged: P) -> Self {
        Self {
            paged,
            read: PhantomData,
        }
    }
}

impl<P: Clone, T> Clone for As<P, T> {
    fn clone(&self) -> Self {
        Self::new(self.paged.clone())
    }
}

impl<P: fmt::Debug, T> fmt::Debug for As<P, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("As").field(&self.paged).finish()
    }
}

impl<P: Paged, T: DeserializeOwned + Send + 'static> Paged for As<P, T> {
    const LIST: &'static [&'static str] = P::LIST;
    const STYLE: Style = P::STYLE;
    const MORE: Option<Source> = P::MORE;
    const TOTAL: Option<Source> = P::TOTAL;
    const SHORT_IS_LAST: bool = P::SHORT_IS_LAST;
    const OFFSET_IN_BODY: Option<&'static str> = P::OFFSET_IN_BODY;
    type Page = RecordsAs<P, T>;
    type Item = T;

    fn client(&self) -> &Client {
        self.paged.client()
    }

    fn client_mut(&mut self) -> &mut Client {
        self.paged.client_mut()
    }

    fn request(&self) -> Request {
        self.paged.request()
    }

    fn offset(&self) -> Option<u64> {
        self.paged.offset()
    }

    fn set_offset(&mut self, offset: u64) {
        self.paged.set_offset(offset);
    }

    fn limit(&self) -> Option<u64> {
        self.paged.limit()
    }

    fn echoed_offset(page: &Self::Page) -> Option<u64> {
        page.echoed_offset
    }

    fn lists(page: &Self::Page) -> Vec<List<'_, T>> {
        let lists = page.lists.iter().map(|(key, records, total)| List {
            key: key.clone(),
            records,
            total: *total,
        });
        lists.collect()
    }

    fn into_records(page: Self::Page) -> Vec<Records<T>> {
        page.lists
            .into_iter()
            .map(|(_, records, _)| records)
            .collect()
    }
}

/// A page of `P` whose records are decoded as `T`.
pub struct RecordsAs<P, T> {
    echoed_offset: Option<u64>,
    lists: Vec<(Option<String>, Records<T>, Option<u64>)>,
    paged: PhantomData<fn() -> P>,
}

impl<P: Paged, T: DeserializeOwned> Read for RecordsAs<P, T> {
    fn read(reader: &mut Reader<'_>) -> Result<Self, Failure> {
        let page = reader.unread(P::Page::read)?;
        let echoed_offset = P::echoed_offset(&page);
        let heads: Vec<_> = P::lists(&page)
            .into_iter()
            .map(|list| (list.key, list.total))
            .collect();
        let mut lists = Vec::new();
        for ((key, total), records) in heads.into_iter().zip(P::into_records(page)) {
            lists.push((key, records.decoded(reader)?, total));
        }
        Ok(Self {
            echoed_offset,
            lists,
            paged: PhantomData,
        })
    }
}

/// The records of an operation, each decoded as `T`. `items_as` of a call makes it. The rest of a page is decoded as documented.
pub type ItemsAs<P, T> = Items<As<P, T>>;

impl<P: Paged, T: DeserializeOwned + Send + 'static> ItemsAs<P, T> {
    /// Starts at the offset of this call. For generated code.
    pub fn of(paged: P) -> Self {
        Self::new(As::new(paged))
    }
}
