//! serde and the reader. Types that implement only `Deserialize` are read by serde_json, and a type that the reader reads asks it for the
//! raw JSON.

use std::cell::Cell;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{DeserializeOwned, Deserializer, Error, Visitor};
use serde_json::Value;

use super::allowance::Allowance;
use super::failure::Failure;
use super::read::Read;
use super::reader::{Mode, Reader, State};
use super::wire::raw::raw;

thread_local! {
    /// The mode of the reader around a value that serde_json reads.
    static AROUND: Cell<Mode> = const { Cell::new(Mode::Outside) };
}

/// Restores the mode in `drop`: the caller's `Deserialize` implementation may panic while its thread continues.
struct Restore(Mode);

impl Drop for Restore {
    fn drop(&mut self) {
        AROUND.set(self.0);
    }
}

/// Reads a value of a type that implements only `Deserialize`, as serde_json does.
pub(crate) fn read_serde<T: DeserializeOwned>(reader: &mut Reader<'_>) -> Result<T, Failure> {
    reader.peek();
    let at = reader.at;
    let text = reader.raw()?;
    let _restore = Restore(AROUND.replace(reader.state.mode));
    serde_json::from_str(text).map_err(|error| Failure::of_serde(at + index(text, &error), &error))
}

/// Returns the index of the byte at which serde_json refuses a text.
fn index(text: &str, error: &serde_json::Error) -> usize {
    let before = text
        .split_inclusive('\n')
        .take(error.line().saturating_sub(1));
    let start: usize = before.map(str::len).sum();
    start + error.column().saturating_sub(1)
}

/// Implements `Deserialize` of a type that is read from JSON.
#[doc(hidden)]
#[macro_export]
macro_rules! __deserialize {
    ($name:ty) => {
        impl<'de> ::serde::Deserialize<'de> for $name {
            fn deserialize<D: ::serde::Deserializer<'de>>(
                deserializer: D,
            ) -> ::std::result::Result<Self, D::Error> {
                $crate::wire::deserialize(deserializer)
            }
        }
    };
}

#[doc(inline)]
pub use crate::__deserialize as deserializes;

/// Reads a value from any deserializer. One of another crate is asked for the raw JSON.
///
/// # Errors
///
/// The value does not match the type.
pub fn deserialize<'de, D: Deserializer<'de>, T: Read>(deserializer: D) -> Result<T, D::Error> {
    deserializer.deserialize_newtype_struct("", Bridge(PhantomData))
}

struct Bridge<T>(PhantomData<T>);

impl<'de, T: Read> Visitor<'de> for Bridge<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    /// A string of a deserializer that has no newtypes, such as those of `serde::de::value`.
    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        let json = Value::from(text).to_string();
        let state = State::new(Mode::Outside, Allowance::UNBOUNDED);
        T::read(&mut Reader::new(&json, state)).map_err(E::custom)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, inner: D) -> Result<T, D::Error> {
        let raw = raw(inner)?;
        let state = State::new(AROUND.get(), Allowance::UNBOUNDED);
        T::read(&mut Reader::new(raw.get(), state)).map_err(|failure| {
            match failure.within(raw.get(), 0).pointer.as_str() {
                "" => D::Error::custom(failure),
                pointer => D::Error::custom(format_args!("at `{pointer}`: {failure}")),
            }
        })
    }
}
