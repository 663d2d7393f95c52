//! Types that are read from JSON: numbers, strings, lists, maps, and any JSON.

use std::collections::BTreeMap;

use serde::de::IgnoredAny;
use serde_json::value::RawValue;
use serde_json::{Map, Number as JsonNumber, Value};

use super::allowance::{draw_element, draw_member};
use super::failure::{Failure, Found};
use super::reader::Reader;
use super::scan::Number;

/// Whole numbers below this are exact as a float, and so are strings that spell them as one.
const EXACT_BELOW: f64 = 9_007_199_254_740_992.0;

/// Returns the whole number that a float equals.
pub(crate) fn whole(number: f64) -> Option<i64> {
    (number.fract() == 0.0 && number.abs() < EXACT_BELOW).then_some(number as i64)
}

/// A type that is read from JSON, for generated code.
#[doc(hidden)]
pub trait Read: Sized {
    /// True if `null` is a value, also as an element of a list or a map.
    const HAS_NULL: bool = false;

    /// Reads the next value.
    ///
    /// # Errors
    ///
    /// The value does not match the type.
    fn read(reader: &mut Reader<'_>) -> Result<Self, Failure>;
}

/// Reads the next value as an element of a list or a map; `None` if it is left out: it is `null`, or set aside.
///
/// # Errors
///
/// Those of [`Read::read`], where nothing is set aside.
pub(super) fn read_element<T: Read>(reader: &mut Reader<'_>) -> Result<Option<T>, Failure> {
    let mut element = None;
    reader.or_aside(&mut element, T::HAS_NULL, T::read)?;
    Ok(element)
}

impl Reader<'_> {
    /// Reads a number, or a string that spells one.
    #[inline(never)]
    fn any_number<T>(
        &mut self,
        expected: &'static str,
        read: fn(Number<'_>) -> Option<T>,
        in_range: &'static str,
    ) -> Result<T, Failure> {
        let next = self.peek();
        let start = self.at;
        let found = match next {
            Some(b'-' | b'0'..=b'9') => self.number()?.text.to_owned(),
            Some(b'"') if !self.is_strict() => {
                let text = self.string()?;
                if let Some(number) = Number::of(&text).and_then(read) {
                    return Ok(number);
                }
                return Err(Failure::of_type(start, Found::String, expected));
            }
            _ => return Err(self.mismatch(expected)),
        };
        let is_plain = found
            .bytes()
            .all(|byte| byte == b'-' || byte.is_ascii_digit());
        let expected = if is_plain { in_range } else { expected };
        Err(Failure::of_type(
            start,
            Found::Number(found.into()),
            expected,
        ))
    }

    /// Reads a whole number.
    #[inline(never)]
    fn integer<T: TryFrom<i128>>(&mut self) -> Result<T, Failure> {
        if let Some(b'-' | b'0'..=b'9') = self.peek() {
            let start = self.at;
            let number = self.number()?;
            let read = if number.is_plain || !self.is_strict() {
                number.whole()
            } else {
                None
            };
            if let Some(read) = read.and_then(|whole| T::try_from(whole).ok()) {
                return Ok(read);
            }
            self.at = start;
        }
        self.any_number(
            "a whole number",
            |number| T::try_from(number.whole()?).ok(),
            "a whole number within range",
        )
    }

    /// Reads a number with decimals.
    fn float(&mut self) -> Result<f64, Failure> {
        if let Some(b'-' | b'0'..=b'9') = self.peek() {
            let start = self.at;
            let number = self.number()?;
            return number
                .float()
                .ok_or_else(|| Failure::text(start, "number out of range"));
        }
        self.any_number("a number", |number| number.float(), "a number")
    }

    /// Reads a string, or a number or boolean as its text.
    #[inline]
    fn text(&mut self) -> Result<String, Failure> {
        if self.peek() == Some(b'"') {
            return Ok(self.string()?.into_owned());
        }
        self.text_of_other()
    }

    #[cold]
    fn text_of_other(&mut self) -> Result<String, Failure> {
        match self.peek() {
            Some(b'-' | b'0'..=b'9') if !self.is_strict() => Ok(self.number()?.text.to_owned()),
            Some(b't' | b'f') if !self.is_strict() => Ok(self.boolean()?.to_string()),
            _ => Err(self.mismatch("a string")),
        }
    }

    /// Reads a string, if the next value is one that Rust can have.
    pub(crate) fn text_if_string(&mut self) -> Result<Option<String>, Failure> {
        if self.peek() != Some(b'"') {
            return Ok(None);
        }
        let mark = self.mark();
        match self.string() {
            Ok(text) => Ok(Some(text.into_owned())),
            Err(_) => {
                self.return_to(mark);
                Ok(None)
            }
        }
    }

    fn flag(&mut self) -> Result<bool, Failure> {
        match self.peek() {
            Some(b't' | b'f') => return self.boolean(),
            Some(b'"') if !self.is_strict() => {}
            _ => return Err(self.mismatch("a boolean")),
        }
        let start = self.at;
        let text = self.string()?;
        let is_true = text.eq_ignore_ascii_case("true");
        if is_true || text.eq_ignore_ascii_case("false") {
            Ok(is_true)
        } else {
            Err(Failure::of_type(start, Found::String, "a boolean"))
        }
    }

    /// Reads any JSON.
    fn any(&mut self) -> Result<Value, Failure> {
        Ok(match self.peek() {
            Some(b'n') => {
                self.null()?;
                Value::Null
            }
            Some(b't' | b'f') => Value::Bool(self.boolean()?),
            Some(b'"') => Value::String(self.string()?.into_owned()),
            Some(b'-' | b'0'..=b'9') => Value::Number(self.any_json_number()?),
            Some(b'[') => Value::Array(Vec::read(self)?),
            Some(b'{') => Value::Object(Map::read(self)?),
            _ => return Err(self.mismatch("a value")),
        })
    }

    fn any_json_number(&mut self) -> Result<JsonNumber, Failure> {
        let start = self.at;
        let number = self.number()?;
        let whole = number.is_plain.then(|| number.whole()).flatten();
        // `-0` is a float.
        let whole = whole.filter(|whole| *whole != 0 || !number.text.starts_with('-'));
        let json = match whole {
            Some(whole) => u64::try_from(whole)
                .map(JsonNumber::from)
                .or_else(|_| i64::try_from(whole).map(JsonNumber::from))
                .ok(),
            None => None,
        };
        json.or_else(|| JsonNumber::from_f64(number.float()?))
            .ok_or_else(|| Failure::text(start, "number out of range"))
    }

    /// Reads the members of an object, by a function for the value of each.
    pub(crate) fn members(
        &mut self,
        each: &mut dyn FnMut(String, &mut Self) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        if self.peek() != Some(b'{') {
            return Err(self.mismatch("an object"));
        }
        self.enter()?;
        let mut is_first = true;
        while self.goes_on(is_first, b'}')? {
            is_first = false;
            let name = self.member_name()?;
            each(name, self)?;
        }
        Ok(())
    }

    /// Reads the name of a member, and its colon.
    pub(super) fn member_name(&mut self) -> Result<String, Failure> {
        if self.peek() != Some(b'"') {
            return Err(self.broken("key must be a string"));
        }
        let name = self.string()?.into_owned();
        self.colon()?;
        Ok(name)
    }
}

impl Number<'_> {
    /// Returns the whole number that it equals.
    fn whole(self) -> Option<i128> {
        if !self.is_plain {
            return whole(self.float()?).map(i128::from);
        }
        let (is_negative, digits) = match self.text.strip_prefix('-') {
            Some(digits) => (true, digits),
            None => (false, self.text),
        };
        // 19 digits fit into 64 bits.
        let whole = if digits.len() <= 19 {
            let value = digits
                .bytes()
                .fold(0_u64, |value, digit| value * 10 + u64::from(digit - b'0'));
            i128::from(value)
        } else {
            digits.parse().ok()?
        };
        Some(if is_negative { -whole } else { whole })
    }

    /// Returns the closest float; `None` for a number beyond all of them.
    fn float(self) -> Option<f64> {
        self.text
            .parse()
            .ok()
            .filter(|float: &f64| float.is_finite())
    }
}

macro_rules! integers {
    ($($type:ty)*) => {$(
        impl Read for $type {
            #[inline]
            fn read(reader: &mut Reader<'_>) -> Result<Self, Failure> {
                reader.integer()
            }
        }
    )*};
}

integers!(i8 i16 i32 i64 i128 u8 u16 u32 u64);

impl Read for f64 {
    #[inline]
    fn read(reader: &mut Reader<'_>) -> Result<Self, Failure> {
        reader.float()
    }
}

impl Read for bool {
    #[inline]
    fn read(reader: &mut Reader<'_>) -> Result<Self, Failure> {
        reader.flag()
    }
}

impl Read for String {
    #[inline]
    fn read(reader: &mut Reader<'_>) -> Result<Self, Failure> {
        reader.text()
    }
}

impl Read for () {
    fn read(reader: &mut Reader<'_>) -> Result<Self, Failure> {
        if reader.null()? {
            Ok(())
        } else {
            Err(reader.mismatch("null"))
        }
    }
}

impl Read for IgnoredAny {
    fn read(reader: &mut Reader<'_>) -> Result<Self, Failure> {
        reader.skip().map(|()| Self)
    }
}

impl Read for Value {
    const HAS_NULL: bool = true;

    fn read(reader: &mut Reader<'_>) -> Result<Self, Failure> {
        reader.any()
    }
}

impl Read for Box<RawValue> {
    fn read(reader: &mut Reader<'_>) -> Result<Self, Failure> {
        reader.kept()
    }
}

impl<T: Read> Read for Box<T> {
    #[inline]
    fn read(reader: &mut Reader<'_>) -> Result<Self, Failure> {
        T::read(reader).map(Self::new)
    }
}

impl<T: Read> Read for Option<T> {
    const HAS_NULL: bool = true;

    #[inline]
    fn read(reader: &mut Reader<'_>) -> Result<Self, Failure> {
        if reader.null()? {
            Ok(None)
        } else {
            T::read(reader).map(Some)
        }
    }
}

impl<T: Read> Read for Vec<T> {
    fn read(reader: &mut Reader<'_>) -> Result<Self, Failure> {
        elements(reader, some)
    }
}

impl<T: Read> Read for BTreeMap<String, T> {
    fn read(reader: &mut Reader<'_>) -> Result<Self, Failure> {
        members(reader, some)
    }
}

/// Reads a value that is there.
fn some<T: Read>(reader: &mut Reader<'_>) -> Result<Option<T>, Failure> {
    T::read(reader).map(Some)
}

/// Reads a list, without the elements that have no value.
#[inline(never)]
pub(super) fn elements<T>(
    reader: &mut Reader<'_>,
    read: fn(&mut Reader<'_>) -> Result<Option<T>, Failure>,
) -> Result<Vec<T>, Failure> {
    let mut list = Vec::new();
    reader.list(&mut |reader| match read(reader) {
        Ok(Some(element)) => add(&mut list, element, reader),
        Ok(None) => Ok(()),
        Err(failure) => Err(failure),
    })?;
    Ok(list)
}

/// Adds an element to a list, within the allowance.
#[inline(never)]
pub(super) fn add<T>(
    list: &mut Vec<T>,
    element: T,
    reader: &mut Reader<'_>,
) -> Result<(), Failure> {
    let drawn = draw_element(reader, size_of::<T>(), list.len());
    if drawn.is_ok() {
        list.push(element);
    }
    drawn
}

/// Reads a map, without the members that have no value.
#[inline(never)]
pub(super) fn members<T>(
    reader: &mut Reader<'_>,
    read: fn(&mut Reader<'_>) -> Result<Option<T>, Failure>,
) -> Result<BTreeMap<String, T>, Failure> {
    let mut map = BTreeMap::new();
    reader.members(&mut |name, reader| {
        if let Some(member) = read(reader)? {
            let before = map.len();
            map.insert(name, member);
            if map.len() > before {
                draw_member(reader, size_of::<(String, T)>(), before)?;
            }
        }
        Ok(())
    })?;
    Ok(map)
}

impl Read for Map<String, Value> {
    fn read(reader: &mut Reader<'_>) -> Result<Self, Failure> {
        let mut map = Self::new();
        reader.members(&mut |name, reader| {
            let member = Value::read(reader)?;
            let before = map.len();
            map.insert(name, member);
            if map.len() > before {
                draw_member(reader, size_of::<(String, Value)>(), before)?;
            }
            Ok(())
        })?;
        Ok(map)
    }
}
