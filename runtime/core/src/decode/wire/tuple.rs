//! Lists with a type for each position.

use crate::decode::failure::Failure;
use crate::decode::read::Read;
use crate::decode::reader::{Mode, Reader, State};

/// Reads a list of a fixed length. Another length is accepted, unless the attempt is strict: a missing element is `null`, and additional
/// ones are ignored.
///
/// # Errors
///
/// Those of the elements, and for anything but a list.
pub fn tuple<T: Elements>(reader: &mut Reader<'_>) -> Result<T, Failure> {
    let is_strict = reader.is_strict();
    if reader.peek() != Some(b'[') {
        return Err(reader.mismatch("an array"));
    }
    let start = reader.at;
    reader.enter()?;
    let mut list = Positions {
        reader,
        start,
        is_first: true,
        has_ended: false,
    };
    let elements = T::read(&mut list)?;
    while list.goes_on()? {
        if is_strict {
            return Err(Failure::text(start, "more elements than the document has"));
        }
        list.reader.skip()?;
    }
    Ok(elements)
}

/// The elements of a list that is read by position.
pub struct Positions<'r, 'b> {
    reader: &'r mut Reader<'b>,
    /// The index of its first byte.
    start: usize,
    is_first: bool,
    has_ended: bool,
}

impl Positions<'_, '_> {
    fn goes_on(&mut self) -> Result<bool, Failure> {
        self.has_ended = self.has_ended || !self.reader.goes_on(self.is_first, b']')?;
        self.is_first = false;
        Ok(!self.has_ended)
    }

    fn element<T: Read>(&mut self) -> Result<T, Failure> {
        if self.goes_on()? {
            return T::read(self.reader);
        }
        let ended = Failure::text(self.start, "fewer elements than the document has");
        if self.reader.is_strict() {
            return Err(ended);
        }
        let state = State::new(Mode::Whole, self.reader.state.allowance);
        T::read(&mut Reader::new("null", state)).map_err(|_| ended)
    }
}

/// The elements of a list of a fixed length: a tuple of two to twelve types.
pub trait Elements: Sized {
    /// Reads one element after the other.
    ///
    /// # Errors
    ///
    /// Those of the elements, and for a list that ends early.
    fn read(list: &mut Positions<'_, '_>) -> Result<Self, Failure>;
}

macro_rules! elements {
    ($first:ident $($rest:ident)+) => {
        impl<$first: Read, $($rest: Read),+> Elements for ($first, $($rest),+) {
            fn read(list: &mut Positions<'_, '_>) -> Result<Self, Failure> {
                Ok((list.element::<$first>()?, $(list.element::<$rest>()?),+))
            }
        }
        elements!($($rest)+);
    };
    ($last:ident) => {};
}

elements!(T1 T2 T3 T4 T5 T6 T7 T8 T9 T10 T11 T12);

/// Implements the reading of a struct with a field for each position, its shape, and `Deserialize`, by names for its fields.
#[doc(hidden)]
#[macro_export]
macro_rules! __tuple_struct {
    ($name:ident($($value:ident),*)) => {
        impl $crate::document::Shaped for $name {
            // A shape has one form for all elements of a list.
            const SHAPE: &'static $crate::document::Shape =
                $crate::document::Shape::of::<::std::vec::Vec<::serde_json::Value>>();
        }

        impl $crate::wire::Read for $name {
            #[inline]
            fn read(
                reader: &mut $crate::wire::Reader<'_>,
            ) -> ::std::result::Result<Self, $crate::wire::Failure> {
                $crate::wire::tuple(reader).map(|($($value),*)| Self($($value),*))
            }
        }

        $crate::__deserialize!($name);
    };
}

#[doc(inline)]
pub use crate::__tuple_struct as tuple_struct;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::allowance::Allowance;

    fn read<T: Elements>(mode: Mode, json: &str) -> Option<T> {
        tuple(&mut Reader::new(
            json,
            State::new(mode, Allowance::UNBOUNDED),
        ))
        .ok()
    }

    fn pair(mode: Mode, json: &str) -> Option<(Option<f64>, Option<String>)> {
        read(mode, json)
    }

    #[test]
    fn each_position_has_its_type_and_null_is_none() {
        for mode in [Mode::Strict, Mode::Open] {
            let both = pair(mode, r#"[1.5, "a"]"#);
            assert_eq!(both, Some((Some(1.5), Some("a".into()))));
            let one = pair(mode, r#"[null, "a"]"#);
            assert_eq!(one, Some((None, Some("a".into()))));
            for json in [r#"["a", 1.5]"#, "{}", "1", "null"] {
                assert_eq!(pair(mode, json), None, "{json}");
            }
        }
    }

    #[test]
    fn a_strict_attempt_refuses_another_length() {
        for (json, expected) in [
            ("[]", (None, None)),
            ("[1]", (Some(1.0), None)),
            (r#"[1, "a", {"b": [2]}]"#, (Some(1.0), Some("a".into()))),
        ] {
            assert_eq!(pair(Mode::Strict, json), None, "{json}");
            assert_eq!(pair(Mode::Open, json), Some(expected), "{json}");
        }
        assert_eq!(read::<(f64, f64)>(Mode::Open, "[1]"), None);
    }

    #[test]
    fn a_list_of_another_length_is_located_where_it_begins() {
        let text = r#"{"a": [1], "b": 2}"#;
        for mode in [Mode::Strict, Mode::Open] {
            let mut reader = Reader::new(text, State::new(mode, Allowance::UNBOUNDED));
            reader.at = text.find('[').unwrap();
            let failure = tuple::<(f64, f64)>(&mut reader).unwrap_err();
            assert_eq!(failure.within(text, 0).pointer, "/a");
        }
    }

    #[test]
    fn twelve_elements_are_read_in_their_order() {
        type Twelve = (u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8);
        let twelve: Option<Twelve> = read(Mode::Strict, "[1,2,3,4,5,6,7,8,9,10,11,12]");
        assert_eq!(twelve, Some((1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)));
    }
}
