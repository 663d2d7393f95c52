//! Notices one member of the object that a body is, while the body is decoded: a pass of its own takes as long as `IgnoredAny`.
//!
//! Only the outermost deserializer is wrapped, because the parser below it hands over each name of that object, whatever the type makes of
//! it. What a decode shows is certain, or it is not used. It is certain where the whole text has decoded strictly as an object, the type has
//! read each name as a string and each value without an error, and the member is there at most once and is neither an object nor a list. What a
//! type makes of an error within a value is not seen: one that goes on after broken JSON there has its member noticed.

use std::cell::Cell;
use std::fmt;

use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor,
};
use serde::forward_to_deserialize_any;
use serde_json::value::RawValue;

/// The member to notice, and what the last decode has shown of it.
pub(crate) struct Watch<'de> {
    /// `None` where none is to be noticed.
    name: Cell<Option<&'static str>>,
    shown: Cell<Shown<'de>>,
}

#[derive(Clone, Copy)]
enum Shown<'de> {
    Doubtful,
    /// The member has this value, or is not there.
    Certain(Option<&'de str>),
    /// The decode has failed because of the watch.
    InTheWay,
}

impl<'de> Watch<'de> {
    pub(crate) fn new(name: Option<&'static str>) -> Self {
        Self {
            name: Cell::new(name),
            shown: Cell::new(Shown::Doubtful),
        }
    }

    /// Decodes a text strictly.
    pub(crate) fn read<T: DeserializeOwned>(&self, text: &'de str) -> serde_json::Result<T> {
        self.shown.set(Shown::Doubtful);
        let mut parser = serde_json::Deserializer::from_str(text);
        let read = T::deserialize(Watched {
            inner: &mut parser,
            watch: self,
        });
        self.unless_failed(read.and_then(|value| parser.end().map(|()| value)))
    }

    /// The value of the member, or that it is not there; `None` where this is not certain.
    pub(crate) fn shown(&self) -> Option<Option<&'de str>> {
        match self.shown.get() {
            Shown::Certain(value) => Some(value),
            Shown::Doubtful | Shown::InTheWay => None,
        }
    }

    /// Whether the last decode has failed because of the watch. The next one watches nothing.
    pub(crate) fn is_in_the_way(&self) -> bool {
        matches!(self.shown.get(), Shown::InTheWay)
    }

    fn begin(&self) {
        if self.name.get().is_some() {
            self.shown.set(Shown::Certain(None));
        }
    }

    /// Notes a value of the member.
    fn note(&self, value: &'de str) {
        match self.shown.get() {
            Shown::Certain(None) => self.shown.set(Shown::Certain(Some(value))),
            // There are several.
            _ => self.doubt(),
        }
    }

    fn doubt(&self) {
        if !self.is_in_the_way() {
            self.shown.set(Shown::Doubtful);
        }
    }

    /// Doubts after a failure, whatever the type makes of that: it may go on without the error.
    fn unless_failed<R, E>(&self, read: Result<R, E>) -> Result<R, E> {
        if read.is_err() {
            self.doubt();
        }
        read
    }

    /// Stops: read from a text of its own, what the member nests could be one level deeper than in the body.
    fn get_out_of_the_way(&self) {
        self.name.set(None);
        self.shown.set(Shown::InTheWay);
    }
}

/// Wraps the parser, for the outermost value alone; and the visitor of that.
struct Watched<'w, 'de, X> {
    inner: X,
    watch: &'w Watch<'de>,
}

macro_rules! forward {
    ($($method:ident($($argument:ident: $type:ty),*)),* $(,)?) => {
        $(fn $method<V: Visitor<'de>>(self $(, $argument: $type)*, visitor: V) -> Result<V::Value, D::Error> {
            self.inner.$method($($argument,)* visitor)
        })*
    };
}

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Watched<'_, 'de, D> {
    type Error = D::Error;

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        let watch = self.watch;
        let inner = visitor;
        watch.unless_failed(self.inner.deserialize_map(Watched { inner, watch }))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        let watch = self.watch;
        let visitor = Watched {
            inner: visitor,
            watch,
        };
        watch.unless_failed(self.inner.deserialize_struct(name, fields, visitor))
    }

    // Nothing is shown of what is read as anything else.
    forward! {
        deserialize_any(), deserialize_bool(), deserialize_i8(), deserialize_i16(), deserialize_i32(), deserialize_i64(),
        deserialize_i128(), deserialize_u8(), deserialize_u16(), deserialize_u32(), deserialize_u64(), deserialize_u128(),
        deserialize_f32(), deserialize_f64(), deserialize_char(), deserialize_str(), deserialize_string(), deserialize_bytes(),
        deserialize_byte_buf(), deserialize_option(), deserialize_unit(), deserialize_seq(), deserialize_identifier(),
        deserialize_ignored_any(), deserialize_unit_struct(name: &'static str), deserialize_newtype_struct(name: &'static str),
        deserialize_tuple(length: usize), deserialize_tuple_struct(name: &'static str, length: usize),
        deserialize_enum(name: &'static str, variants: &'static [&'static str]),
    }

    fn is_human_readable(&self) -> bool {
        self.inner.is_human_readable()
    }
}

/// The parser gives one of these where a map or a struct is asked for.
impl<'de, V: Visitor<'de>> Visitor<'de> for Watched<'_, 'de, V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.expecting(f)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<V::Value, A::Error> {
        self.inner.visit_seq(list)
    }

    fn visit_map<A: MapAccess<'de>>(self, object: A) -> Result<V::Value, A::Error> {
        self.watch.begin();
        self.inner.visit_map(Members {
            object,
            watch: self.watch,
            is_named: false,
        })
    }
}

struct Members<'w, 'de, A> {
    object: A,
    watch: &'w Watch<'de>,
    /// Whether the name that was read last is that of the member.
    is_named: bool,
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Members<'_, 'de, A> {
    type Error = A::Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, A::Error> {
        let name = self.watch.name.get();
        let is_named = Cell::new(None);
        let key = self.object.next_key_seed(Name {
            inner: seed,
            name,
            is_named: &is_named,
        });
        let key = self.watch.unless_failed(key)?;
        if key.is_some() && is_named.get().is_none() {
            self.watch.doubt();
        }
        self.is_named = is_named.get() == Some(true);
        Ok(key)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, A::Error> {
        let read = match self.is_named {
            true => self.watched_value(seed),
            false => self.object.next_value_seed(seed),
        };
        self.watch.unless_failed(read)
    }

    fn size_hint(&self) -> Option<usize> {
        self.object.size_hint()
    }
}

impl<'de, A: MapAccess<'de>> Members<'_, 'de, A> {
    fn watched_value<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, A::Error> {
        let value = self.object.next_value::<&'de RawValue>()?.get();
        if value.starts_with(['{', '[']) {
            self.watch.get_out_of_the_way();
            return Err(A::Error::custom("to be read without a watch"));
        }
        self.watch.note(value);
        let mut parser = serde_json::Deserializer::from_str(value);
        let read = seed.deserialize(&mut parser);
        read.and_then(|read| parser.end().map(|()| read))
            .map_err(A::Error::custom)
    }
}

/// Wraps the seed of a name, its deserializer and its visitor, and compares the name.
struct Name<'w, X> {
    inner: X,
    name: Option<&'static str>,
    /// `None` until the name has been read as a string.
    is_named: &'w Cell<Option<bool>>,
}

impl<'w, X> Name<'w, X> {
    fn of<Y>(&self, inner: Y) -> Name<'w, Y> {
        Name {
            inner,
            name: self.name,
            is_named: self.is_named,
        }
    }

    fn compare(&self, name: &str) {
        self.is_named.set(Some(self.name == Some(name)));
    }
}

impl<'de, S: DeserializeSeed<'de>> DeserializeSeed<'de> for Name<'_, S> {
    type Value = S::Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<S::Value, D::Error> {
        let deserializer = self.of(deserializer);
        self.inner.deserialize(deserializer)
    }
}

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Name<'_, D> {
    type Error = D::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        let visitor = self.of(visitor);
        self.inner.deserialize_any(visitor)
    }

    // As the parser itself does for names.
    forward_to_deserialize_any! {
        char str string unit unit_struct seq tuple tuple_struct map struct identifier ignored_any
    }

    forward! {
        deserialize_bool(), deserialize_i8(), deserialize_i16(), deserialize_i32(), deserialize_i64(), deserialize_i128(),
        deserialize_u8(), deserialize_u16(), deserialize_u32(), deserialize_u64(), deserialize_u128(), deserialize_f32(),
        deserialize_f64(), deserialize_bytes(), deserialize_byte_buf(), deserialize_option(),
        deserialize_newtype_struct(name: &'static str), deserialize_enum(name: &'static str, variants: &'static [&'static str]),
    }

    fn is_human_readable(&self) -> bool {
        self.inner.is_human_readable()
    }
}

impl<'de, V: Visitor<'de>> Visitor<'de> for Name<'_, V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.expecting(f)
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<V::Value, E> {
        self.compare(name);
        self.inner.visit_str(name)
    }

    fn visit_borrowed_str<E: Error>(self, name: &'de str) -> Result<V::Value, E> {
        self.compare(name);
        self.inner.visit_borrowed_str(name)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde::Deserialize;
    use serde::de::IgnoredAny;
    use serde_json::Value;

    use super::*;
    use crate::decode::decode::{decode, decode_watching};

    #[derive(Debug, PartialEq, Deserialize)]
    struct Thing {
        left: Option<Value>,
    }

    fn shown<T: DeserializeOwned>(body: &str) -> Option<Option<&str>> {
        let watch = Watch::new(Some("left"));
        _ = decode_watching::<T>(body.as_bytes(), &watch);
        watch.shown()
    }

    #[test]
    fn what_is_certain_is_shown_and_nothing_else() {
        for (body, expected) in [
            (r#"{"left": 1.50 , "a": 2}"#, Some(Some("1.50"))),
            (
                r#"{"a": {"left": 3}, "l\u0065ft":"1"}"#,
                Some(Some(r#""1""#)),
            ),
            (r#"{"left ": 1}"#, Some(None)),
            ("{}", Some(None)),
            (r#"{"left": null}"#, Some(Some("null"))),
            (r#"{"left": [1]}"#, None),
            (r#"{"left": {}}"#, None),
            (r#"{"left": 1} x"#, None),
            (r#"{"left": 1"#, None),
            (r#"[{"left": 1}]"#, None),
            ("", None),
        ] {
            assert_eq!(shown::<Thing>(body), expected, "{body}");
        }
        let twice = r#"{"left": 1, "left": 2}"#;
        assert_eq!(shown::<BTreeMap<String, IgnoredAny>>(twice), None);
        assert_eq!(shown::<BTreeMap<u8, IgnoredAny>>(r#"{"1": 2}"#), None);
        let once = r#"{"left": 1}"#;
        assert_eq!(shown::<BTreeMap<String, u8>>(once), Some(Some("1")));
        assert_eq!(shown::<Option<Thing>>(once), None);
        assert_eq!(shown::<Value>(once), None);
    }

    /// Goes on without what fails.
    #[derive(Debug, PartialEq)]
    struct Careless(Option<Value>);

    impl<'de> Deserialize<'de> for Careless {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            struct Any;

            impl<'de> Visitor<'de> for Any {
                type Value = Option<Value>;

                fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    f.write_str("anything")
                }

                fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                    let mut last = None;
                    while let Ok(Some(_)) = map.next_key::<String>() {
                        last = map.next_value().ok().or(last);
                    }
                    Ok(last)
                }
            }

            let read = deserializer.deserialize_map(Any);
            Ok(Self(read.unwrap_or_default()))
        }
    }

    #[test]
    fn a_type_that_goes_on_after_an_error_shows_nothing() {
        for (body, expected) in [
            (r#"{"a": 1, "left": 2}"#, Some(Some("2"))),
            (r#"{"left": ["#, None),
            (r#"{"left": 2, "a": ["#, None),
            (r#"{"left": 2, "a": nulx}"#, None),
            (r#"{"a": 1, "left": nulx}"#, None),
            (r#"{"a": 1, "left": [2]}"#, None),
        ] {
            assert_eq!(shown::<Careless>(body), expected, "{body}");
            let watch = Watch::new(Some("left"));
            let watched = decode_watching::<Careless>(body.as_bytes(), &watch);
            assert_eq!(watched.ok(), decode(body.as_bytes()).ok(), "{body}");
        }
    }

    #[test]
    fn what_a_member_nests_may_be_as_deep_as_ever() {
        for depth in 120..132 {
            let body = format!(r#"{{"left": {}{}}}"#, "[".repeat(depth), "]".repeat(depth));
            let watch = Watch::new(Some("left"));
            let watched = decode_watching::<Thing>(body.as_bytes(), &watch);
            let read = decode::<Thing>(body.as_bytes());
            assert_eq!(watched.ok(), read.ok(), "{depth}");
        }
    }
}
