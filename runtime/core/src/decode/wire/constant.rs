//! A member with a fixed value, in a type that callers send: the type writes it itself.

use std::fmt;
use std::marker::PhantomData;

use serde::ser::Error as _;
use serde::{Serialize, Serializer};
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};

use crate::decode::failure::Failure;
use crate::decode::member::Members;
use crate::decode::read::Read;
use crate::decode::reader::Reader;
use crate::document::shape::{Literal, Shape, Shaped};

impl Literal<'_> {
    /// Returns whether this is the value of a JSON text.
    pub(super) fn is_in(self, text: &str) -> bool {
        match self {
            Self::Text(value) => {
                serde_json::from_str::<String>(text).is_ok_and(|read| read == value)
            }
            Self::Integer(value) => {
                serde_json::from_str::<i64>(text).is_ok_and(|read| read == value)
            }
            Self::Boolean(value) => {
                serde_json::from_str::<bool>(text).is_ok_and(|read| read == value)
            }
        }
    }
}

/// The value of a constant member, for generated code.
///
/// ```
/// use generated_client::wire::{Known, Literal};
///
/// /// The value of a web page.
/// enum WebPage {}
///
/// impl Known for WebPage {
///     const VALUE: Literal<'static> = Literal::Text("web_page");
/// }
/// ```
pub trait Known {
    /// The value as it is written on the wire.
    const VALUE: Literal<'static>;
}

/// A member with a fixed value, for generated code. If a service sent another value, it is kept and written back.
///
/// ```
/// use generated_client::wire::{Constant, Known, Literal};
///
/// #[derive(Default)]
/// struct Web;
/// impl Known for Web {
///     const VALUE: Literal<'static> = Literal::Text("web");
/// }
///
/// let constant = Constant::<Web>::default();
/// assert_eq!(serde_json::to_string(&constant)?, r#""web""#);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub struct Constant<K> {
    /// The value that was received instead.
    other: Option<Box<Value>>,
    known: PhantomData<fn() -> K>,
}

impl<K: Known> fmt::Debug for Constant<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.other {
            None => match K::VALUE {
                Literal::Text(value) => value.fmt(f),
                Literal::Integer(value) => value.fmt(f),
                Literal::Boolean(value) => value.fmt(f),
            },
            Some(other) => other.fmt(f),
        }
    }
}

impl<K: Known> Serialize for Constant<K> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.other {
            None => K::VALUE.serialize(serializer),
            Some(other) => other.serialize(serializer),
        }
    }
}

impl<K: Known> Shaped for Constant<K> {
    const SHAPE: &'static Shape = &Shape::Constant(K::VALUE);
}

impl<K: Known + Default> Read for Constant<K> {
    fn read(reader: &mut Reader<'_>) -> Result<Self, Failure> {
        let mark = reader.mark();
        if K::VALUE.is_in(reader.raw()?) {
            return Ok(Self::default());
        }
        reader.return_to(mark);
        Value::read(reader).map(|value| Self {
            other: Some(Box::new(value)),
            known: PhantomData,
        })
    }
}

/// Writes an alternative of a union with its tag. `values` are the allowed tags; if the alternative has none of them, the first is written.
///
/// # Errors
///
/// Those of the alternative and of the serializer.
///
/// ```
/// use generated_client::wire;
///
/// #[derive(serde::Serialize)]
/// struct Plain {
///     size: u8,
/// }
///
/// let written = wire::tagged(&Plain { size: 3 }, "type", &["plain"], serde_json::value::Serializer)?;
/// assert_eq!(written, serde_json::json!({"type": "plain", "size": 3}));
/// # Ok::<(), serde_json::Error>(())
/// ```
pub fn tagged<T, S>(value: &T, tag: &str, values: &[&str], serializer: S) -> Result<S::Ok, S::Error>
where
    T: Serialize,
    S: Serializer,
{
    let raw = to_raw_value(value).and_then(|raw| with_tag(raw, tag, values));
    raw.map_err(S::Error::custom)?.serialize(serializer)
}

/// Sets the tag of an object that has none of these values, and leaves everything else unchanged.
fn with_tag(raw: Box<RawValue>, tag: &str, values: &[&str]) -> serde_json::Result<Box<RawValue>> {
    let members = Members::read(raw.get()).filter(|_| raw.get().starts_with('{'));
    let (Some(first), Some(Members(mut members))) = (values.first(), members) else {
        return Ok(raw);
    };
    let first = to_raw_value(first)?;
    match members.iter_mut().find(|(name, _)| name == tag) {
        Some((_, value)) => {
            let own: Option<String> = serde_json::from_str(value.get()).unwrap_or_default();
            if own.is_some_and(|own| values.contains(&own.as_str())) {
                return Ok(raw);
            }
            *value = first;
        }
        None => members.insert(0, (tag.to_owned(), first)),
    }
    to_raw_value(&Members(members))
}

/// Declares the type of a constant member, with its value.
#[doc(hidden)]
#[macro_export]
macro_rules! __constant {
    ($name:ident, $kind:ident($value:expr)) => {
        #[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
        pub(crate) struct $name;

        impl $crate::wire::Known for $name {
            const VALUE: $crate::wire::Literal<'static> = $crate::wire::Literal::$kind($value);
        }
    };
}

#[doc(inline)]
pub use crate::__constant as constant;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::allowance::Allowance;
    use crate::decode::reader::{Mode, State};

    #[derive(Clone, Debug, Default, PartialEq)]
    struct Web;

    impl Known for Web {
        const VALUE: Literal<'static> = Literal::Text("web");
    }

    #[derive(Clone, Debug, Default, PartialEq)]
    struct Tool {
        kind: Constant<Web>,
    }
    crate::wire::object!(Tool {
        kind: defaulted "type",
    });

    #[derive(Debug, Default, PartialEq)]
    struct True;

    impl Known for True {
        const VALUE: Literal<'static> = Literal::Boolean(true);
    }

    #[derive(Debug, Default, PartialEq)]
    struct Three;

    impl Known for Three {
        const VALUE: Literal<'static> = Literal::Integer(3);
    }

    #[test]
    fn a_constant_is_written_automatically_and_another_value_is_written_back() {
        let text = serde_json::to_string(&Tool::default()).unwrap();
        assert_eq!(text, r#"{"type":"web"}"#);
        for (read, written) in [
            (r#"{"type":"web"}"#, r#"{"type":"web"}"#),
            ("{}", r#"{"type":"web"}"#),
            (r#"{"type":"other"}"#, r#"{"type":"other"}"#),
            (r#"{"type":null}"#, r#"{"type":null}"#),
        ] {
            let tool: Tool = serde_json::from_str(read).unwrap();
            assert_eq!(serde_json::to_string(&tool).unwrap(), written, "{read}");
            assert_eq!(tool == Tool::default(), written.contains("web"), "{read}");
        }
        assert_eq!(format!("{:?}", Tool::default()), r#"Tool { kind: "web" }"#);
    }

    #[test]
    fn a_number_and_a_boolean_are_constants_too() {
        fn again<K: Known + Default + PartialEq>(text: &str) -> (String, bool) {
            let state = State::new(Mode::Strict, Allowance::UNBOUNDED);
            let read = Constant::<K>::read(&mut Reader::new(text, state)).unwrap();
            let written = serde_json::to_string(&read).unwrap();
            (written, read == Constant::default())
        }
        for text in ["3", "true", "4", "3.0", "false", r#""true""#, "null"] {
            assert_eq!(again::<Three>(text), (text.to_owned(), text == "3"));
            assert_eq!(again::<True>(text), (text.to_owned(), text == "true"));
        }
        let both = (Constant::<Three>::default(), Constant::<True>::default());
        assert_eq!(serde_json::to_string(&both).unwrap(), "[3,true]");
        assert_eq!(format!("{both:?}"), "(3, true)");
    }

    #[test]
    fn an_alternative_is_written_with_its_tag() {
        let write = |text: &str| {
            let value: Box<RawValue> = serde_json::from_str(text).unwrap();
            let mut bytes = Vec::new();
            let serializer = &mut serde_json::Serializer::new(&mut bytes);
            tagged(&value, "type", &["a", "b"], serializer).unwrap();
            String::from_utf8(bytes).unwrap()
        };
        assert_eq!(write("{}"), r#"{"type":"a"}"#);
        // The spelling of the number stays unchanged.
        assert_eq!(write(r#"{"n":1.50}"#), r#"{"type":"a","n":1.50}"#);
        assert_eq!(write(r#"{"type":"b"}"#), r#"{"type":"b"}"#);
        assert_eq!(write(r#"{"type":"c"}"#), r#"{"type":"a"}"#);
        assert_eq!(
            write(r#"{"type":"c","n":12345678901234567890123}"#),
            r#"{"type":"a","n":12345678901234567890123}"#
        );
        assert_eq!(write(r#"{"type":null}"#), r#"{"type":"a"}"#);
        assert_eq!(write("[1]"), "[1]");
    }
}
