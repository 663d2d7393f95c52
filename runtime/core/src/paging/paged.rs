//! The trait that generated code implements for paged operations.

use serde::de::DeserializeOwned;

use super::source::{Source, Target};
use super::style::Style;
use super::typed::ItemsAs;
use crate::client::client::Client;
use crate::decode::read::Read;
use crate::decode::records::Records;
use crate::request::request::Request;

/// An operation whose responses are pages. For generated code.
pub trait Paged: Clone + Send + Sync + 'static {
    /// The array of the records, by a JSON Pointer for each of its names; of several lists, the array that contains them. A page without it is
    /// an error. Empty if the service leaves it out where there are no records.
    #[doc(hidden)]
    const LIST: &'static [&'static str] = &[];
    /// How the next page is requested.
    #[doc(hidden)]
    const STYLE: Style = Style::Offset;
    /// The place where a page says whether there is another one.
    #[doc(hidden)]
    const MORE: Option<Source> = None;
    /// The place of the total number of records, if not in [`List::total`].
    #[doc(hidden)]
    const TOTAL: Option<Source> = None;
    /// True if a page with fewer records than `limit` is the last one.
    #[doc(hidden)]
    const SHORT_IS_LAST: bool = false;
    /// The member of the JSON body for the number of records to skip or of the page, as a JSON Pointer; `None` if `set_offset` sets it.
    #[doc(hidden)]
    const OFFSET_IN_BODY: Option<&'static str> = None;
    /// The body of a page.
    type Page: Read + Send + 'static;
    /// A record of a page.
    type Item: Send + 'static;

    /// Returns the client that makes the calls.
    #[doc(hidden)]
    fn client(&self) -> &Client;
    /// Returns the same client, mutable.
    #[doc(hidden)]
    fn client_mut(&mut self) -> &mut Client;
    /// Returns the request with its current arguments.
    #[doc(hidden)]
    fn request(&self) -> Request;
    /// Returns the number of records to skip, or of the page; `None` if the caller did not set it.
    #[doc(hidden)]
    fn offset(&self) -> Option<u64> {
        None
    }
    /// Sets the number of records to skip, or the number of the page.
    #[doc(hidden)]
    fn set_offset(&mut self, offset: u64) {
        let _ = offset;
    }
    /// Returns the maximum number of records per page: set by the caller, or the documented default.
    #[doc(hidden)]
    fn limit(&self) -> Option<u64> {
        None
    }
    /// Returns the offset that a response echoes.
    #[doc(hidden)]
    fn echoed_offset(page: &Self::Page) -> Option<u64> {
        let _ = page;
        None
    }
    /// Returns the lists in a page; most pages have one.
    #[doc(hidden)]
    fn lists(page: &Self::Page) -> Vec<List<'_, Self::Item>>;
    /// Returns the records of these lists, in the same order.
    #[doc(hidden)]
    fn into_records(page: Self::Page) -> Vec<Records<Self::Item>>;
}

/// Returns the call's number of records to skip, or of the page; `None` if the caller did not set it.
pub(super) fn given<P: Paged>(paged: &P) -> Option<u64> {
    match P::OFFSET_IN_BODY {
        Some(pointer) => paged.request().body_number(pointer),
        None => paged.offset(),
    }
}

/// Returns the request with this number of records to skip, or of the page.
pub(super) fn numbered<P: Paged>(mut paged: P, number: u64) -> Request {
    let Some(pointer) = P::OFFSET_IN_BODY else {
        paged.set_offset(number);
        return paged.request();
    };
    let mut request = paged.request();
    Target::Integer(pointer).write(&mut request, &number.to_string());
    request
}

/// Gives a builder the methods of operations that page. `made` is what happens to a page, as their documentation says it.
#[doc(hidden)]
#[macro_export]
macro_rules! paged {
    ($name:ident, $made:literal) => {
        impl $name {
            #[doc = ::std::concat!(" Returns a lazy stream of pages: each page is ", $made, " when it is polled.")]
            /// [`Pages`](crate::paging::Pages) documents its end, and how to resume after an error.
            #[inline]
            pub fn pages(self) -> $crate::paging::Pages<Self> {
                $crate::paging::Pages::new(self)
            }

            /// Returns the records of all pages as a lazy stream of [`Items`](crate::paging::Items), which has an example.
            #[doc = ::std::concat!(" A page is ", $made, " when its first record is polled for.")]
            #[inline]
            pub fn items(self) -> $crate::paging::Items<Self> {
                $crate::paging::Items::new(self)
            }
        }
    };
}

/// A field of a builder that is the number of a page, of the records to skip, or of those per page. For generated code.
#[doc(hidden)]
pub trait PageNumber {
    /// Returns the number; `None` for one below zero, and for one that the caller did not set.
    fn number(&self) -> Option<u64>;

    /// Makes the field of a number. The greatest one stands for those that its type does not have.
    fn of_number(number: u64) -> Self;
}

impl<T: PageNumber> PageNumber for Option<T> {
    fn number(&self) -> Option<u64> {
        self.as_ref().and_then(T::number)
    }

    fn of_number(number: u64) -> Self {
        Some(T::of_number(number))
    }
}

macro_rules! page_numbers {
    ($($type:ty)*) => {$(
        impl PageNumber for $type {
            fn number(&self) -> Option<u64> {
                u64::try_from(*self).ok()
            }

            fn of_number(number: u64) -> Self {
                Self::try_from(number).unwrap_or(Self::MAX)
            }
        }
    )*};
}

page_numbers!(i8 i16 i32 i64 u8 u16 u32 u64);

/// Implements the methods of [`Paged`](crate::paging::Paged) that lead to the request of a page, from the field of the client, the method
/// `request`, and these:
///
/// - `size`: the parameter for the number of records per page, and its field or its place in the body, with its documented default.
/// - `number`: the field for the number of the page, or of the records to skip.
/// - `with`: an optional argument that paging requires.
#[doc(hidden)]
#[macro_export]
macro_rules! page_request {
    (
        $client:ident $(, size($size:literal $($limit:tt)*))? $(, number($number:ident))?
        $(, with($field:ident $needed:literal))?
    ) => {
        $($crate::page_request!(@ limit $($limit)*);)?

        $(fn offset(&self) -> ::std::option::Option<u64> {
            $crate::paging::PageNumber::number(&self.$number)
        }

        fn set_offset(&mut self, offset: u64) {
            self.$number = $crate::paging::PageNumber::of_number(offset);
        })?

        fn client(&self) -> &$crate::Client {
            &self.$client
        }

        fn client_mut(&mut self) -> &mut $crate::Client {
            &mut self.$client
        }

        fn request(&self) -> $crate::request::Request {
            #[allow(unused_mut)]
            let mut request = self.request();
            $(request.require_for_pages($needed, !$crate::wire::Omit::is_omitted(&self.$field));)?
            $(request.require_page_size($size, $crate::paging::Paged::limit(self));)?
            request
        }
    };
    (@ limit) => {};
    (@ limit $limit:ident $(or $default:literal)?) => {
        fn limit(&self) -> ::std::option::Option<u64> {
            $crate::paging::PageNumber::number(&self.$limit) $(.or(::std::option::Option::Some($default)))?
        }
    };
    (@ limit $limit:literal $(or $default:literal)?) => {
        fn limit(&self) -> ::std::option::Option<u64> {
            self.request().body_number($limit) $(.or(::std::option::Option::Some($default)))?
        }
    };
}

/// Implements the methods of [`Paged`](crate::paging::Paged) about the records of a page that always has one list.
#[doc(hidden)]
#[macro_export]
macro_rules! page_list {
    ($page:ident, $records:expr, $total:expr) => {
        fn lists($page: &Self::Page) -> ::std::vec::Vec<$crate::paging::List<'_, Self::Item>> {
            ::std::vec![$crate::paging::List {
                key: ::std::option::Option::None,
                records: &$records,
                total: $total,
            }]
        }

        #[inline]
        fn into_records($page: Self::Page) -> ::std::vec::Vec<$crate::Records<Self::Item>> {
            ::std::vec![$records]
        }
    };
}

/// The method of all paged operations that decodes records as a type of the caller.
///
/// ```
/// use generated_client::Error;
/// use generated_client::paging::Paged;
/// use generated_client::prelude::*;
///
/// # async fn example<C: Paged>(call: C) -> Result<(), Error> {
/// let mut items = call.items_as::<serde_json::Value>();
/// while let Some(item) = items.next().await {
///     println!("{}", item?);
/// }
/// # Ok(()) }
/// ```
pub trait PagedAs: Paged {
    /// Returns the records of all pages, each decoded as a type of the caller, as `serde_json` does. Paging reads totals and offsets as they
    /// are documented.
    fn items_as<T: DeserializeOwned + Send + 'static>(self) -> ItemsAs<Self, T> {
        ItemsAs::of(self)
    }
}

impl<P: Paged> PagedAs for P {}

/// One list in a page.
#[derive(Debug)]
pub struct List<'p, T> {
    /// Identifies the list among several lists of the page.
    pub key: Option<String>,
    /// Its records.
    pub records: &'p Records<T>,
    /// The total number of records over all pages, if the response has it.
    pub total: Option<u64>,
}
