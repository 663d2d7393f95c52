//! Lists with a type for each position.

use std::fmt;
use std::marker::PhantomData;

use serde::de::value::UnitDeserializer;
use serde::de::{Error, IgnoredAny, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

use crate::decode::lenient::is_lenient;

/// Reads a list of a fixed length. The second, tolerant decode also accepts another length: a missing element is `null`, and additional
/// ones are ignored.
///
/// # Errors
///
/// Those of the elements, and for anything but a list of this length.
pub fn tuple<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Elements<'de>,
{
    deserializer.deserialize_seq(Positions(PhantomData))
}

/// The elements of a list of a fixed length: a tuple of two to twelve types.
pub trait Elements<'de>: Sized {
    /// Reads one element after the other.
    ///
    /// # Errors
    ///
    /// Those of the elements, and for a list that ends early.
    fn read<S: SeqAccess<'de>>(list: &mut S) -> Result<Self, S::Error>;
}

struct Positions<T>(PhantomData<T>);

impl<'de, T: Elements<'de>> Visitor<'de> for Positions<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array")
    }

    fn visit_seq<S: SeqAccess<'de>>(self, mut list: S) -> Result<T, S::Error> {
        let elements = T::read(&mut list)?;
        while list.next_element::<IgnoredAny>()?.is_some() {
            if !is_lenient() {
                return Err(S::Error::custom("more elements than the document has"));
            }
        }
        Ok(elements)
    }
}

fn element<'de, S: SeqAccess<'de>, T: Deserialize<'de>>(list: &mut S) -> Result<T, S::Error> {
    match list.next_element()? {
        Some(element) => Ok(element),
        None if is_lenient() => T::deserialize(UnitDeserializer::new()),
        None => Err(S::Error::custom("fewer elements than the document has")),
    }
}

macro_rules! elements {
    ($first:ident $($rest:ident)+) => {
        impl<'de, $first: Deserialize<'de>, $($rest: Deserialize<'de>),+> Elements<'de> for ($first, $($rest),+) {
            fn read<S: SeqAccess<'de>>(list: &mut S) -> Result<Self, S::Error> {
                Ok((element::<S, $first>(list)?, $(element::<S, $rest>(list)?),+))
            }
        }
        elements!($($rest)+);
    };
    ($last:ident) => {};
}

elements!(T1 T2 T3 T4 T5 T6 T7 T8 T9 T10 T11 T12);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::lenient::leniently;

    type Pair = (Option<f64>, Option<String>);

    fn pair(json: &str) -> Option<Pair> {
        tuple(&mut serde_json::Deserializer::from_str(json)).ok()
    }

    #[test]
    fn each_position_has_its_type_and_null_is_none() {
        assert_eq!(pair(r#"[1.5, "a"]"#), Some((Some(1.5), Some("a".into()))));
        assert_eq!(pair(r#"[null, "a"]"#), Some((None, Some("a".into()))));
        for json in [r#"["a", 1.5]"#, "{}", "1", "null"] {
            assert_eq!(pair(json), None, "{json}");
            assert_eq!(leniently(|| pair(json)), None, "{json}");
        }
    }

    #[test]
    fn only_the_tolerant_decode_accepts_another_length() {
        for (json, read) in [
            ("[]", (None, None)),
            ("[1]", (Some(1.0), None)),
            (r#"[1, "a", {"b": [2]}]"#, (Some(1.0), Some("a".into()))),
        ] {
            assert_eq!(pair(json), None, "{json}");
            assert_eq!(leniently(|| pair(json)), Some(read), "{json}");
        }
        let number = || tuple::<_, (f64, f64)>(&mut serde_json::Deserializer::from_str("[1]")).ok();
        assert_eq!(leniently(number), None);
    }

    #[test]
    fn twelve_elements_are_read_in_their_order() {
        type Twelve = (u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8);
        let mut json = serde_json::Deserializer::from_str("[1,2,3,4,5,6,7,8,9,10,11,12]");
        let read: Twelve = tuple(&mut json).unwrap();
        assert_eq!(read, (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12));
    }
}
