//! Reads one member of the body's object while the body is decoded; a separate pass would take as long as `IgnoredAny`.
//!
//! The [decoder](crate::decode::decoder) shows each name of the outermost object. The address of the name in the body locates its value.
//! The value is used only if it is certain. The complete body must decode as an object, and the type must read each name and value without
//! an error. The member must occur at most once, and must be neither an object nor a list. Errors that a type ignores inside a value are not
//! noticed.

use std::cell::Cell;

use serde_json::value::RawValue;

/// The member to watch, and the observation of the last decode.
#[derive(Clone, Copy)]
pub(crate) struct Watch {
    /// `None` if no member is watched.
    name: Option<&'static str>,
    seen: Seen,
}

#[derive(Clone, Copy)]
enum Seen {
    Doubtful,
    Absent,
    At(usize),
}

thread_local! {
    /// The watch of this thread's decode. `Deserialize` has no parameter for it.
    static WATCH: Cell<Watch> = const { Cell::new(Watch::new(None)) };
}

impl Watch {
    pub(crate) const fn new(name: Option<&'static str>) -> Self {
        let seen = Seen::Doubtful;
        Self { name, seen }
    }

    pub(super) fn is_idle(&self) -> bool {
        self.name.is_none()
    }

    /// Runs a decode and records its observation.
    pub(super) fn during<T, E>(&mut self, read: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
        let restore = Restore(WATCH.replace(Self::new(self.name)));
        let read = read();
        if read.is_err() {
            doubt();
        }
        *self = WATCH.get();
        drop(restore);
        read
    }

    /// Returns the member's value in the last body, or `Some(None)` if it is absent; `None` if neither is certain.
    pub(crate) fn shown<'b>(&self, body: &'b [u8]) -> Option<Option<&'b str>> {
        match self.seen {
            Seen::Doubtful => None,
            Seen::Absent => Some(None),
            Seen::At(name) => self.value(body, name).map(Some),
        }
    }

    fn value<'b>(&self, body: &'b [u8], name: usize) -> Option<&'b str> {
        let start = name.checked_sub(body.as_ptr().addr())?;
        let rest = body.get(start..)?.strip_prefix(self.name?.as_bytes())?;
        let rest = rest.strip_prefix(b"\"")?.trim_ascii_start();
        let rest = rest.strip_prefix(b":")?;
        let mut values = serde_json::Deserializer::from_slice(rest).into_iter::<&RawValue>();
        let value = values.next()?.ok()?.get();
        (!value.starts_with(['{', '['])).then_some(value)
    }
}

/// Restores in `drop`: the caller's `Deserialize` implementation may panic while its thread continues.
struct Restore(Watch);

impl Drop for Restore {
    fn drop(&mut self) {
        WATCH.set(self.0);
    }
}

fn update(change: impl FnOnce(&mut Watch)) {
    let mut watch = WATCH.get();
    change(&mut watch);
    WATCH.set(watch);
}

/// Begins the outermost object.
pub(super) fn begin() {
    update(|watch| watch.seen = Seen::Absent);
}

/// Compares a name. A name that is not borrowed from the body has no address in it, so its value stays doubtful.
pub(super) fn compare(name: &str) {
    update(|watch| {
        if watch.name == Some(name) {
            watch.seen = match watch.seen {
                Seen::Absent => Seen::At(name.as_ptr().addr()),
                // The member occurs twice.
                _ => Seen::Doubtful,
            };
        }
    });
}

pub(super) fn doubt() {
    update(|watch| watch.seen = Seen::Doubtful);
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::fmt;

    use serde::de::{DeserializeOwned, IgnoredAny, MapAccess, Visitor};
    use serde::{Deserialize, Deserializer};
    use serde_json::Value;

    use super::*;
    use crate::decode::decode::{decode, decode_watching};
    use crate::decode::decoder::read_watched;

    #[derive(Debug, PartialEq, Deserialize)]
    struct Thing {
        left: Option<Value>,
    }

    fn shown<T: DeserializeOwned>(body: &str) -> Option<Option<&str>> {
        let mut watch = Watch::new(Some("left"));
        _ = decode_watching::<T>(body.as_bytes(), &mut watch);
        watch.shown(body.as_bytes())
    }

    #[test]
    fn only_certain_values_are_shown() {
        for (body, expected) in [
            (r#"{"left": 1.50 , "a": 2}"#, Some(Some("1.50"))),
            (
                "{\"a\": {\"left\": 3}, \"left\" \n:\t\"1\"}",
                Some(Some(r#""1""#)),
            ),
            // A name with an escape has no address in the body.
            (r#"{"l\u0065ft": 1}"#, None),
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
        let number = r#"{"1": 2}"#;
        assert_eq!(shown::<BTreeMap<u8, IgnoredAny>>(number), Some(None));
        let once = r#"{"left": 1}"#;
        assert_eq!(shown::<BTreeMap<String, u8>>(once), Some(Some("1")));
        // Observed by a tolerant decode, after a strict one failed.
        for (body, expected) in [
            (r#"{"left": 1.0, "a": "2"}"#, Some(Some("1.0"))),
            (r#"{"a": "2"}"#, Some(None)),
            (r#"{"left": "2", "left": 2}"#, None),
            (r#"{"a": "2", "left": "x"}"#, None),
            (r#"{"left": 1.0"#, None),
        ] {
            assert_eq!(shown::<BTreeMap<String, u8>>(body), expected, "{body}");
        }
        assert_eq!(shown::<Option<Thing>>(once), None);
        assert_eq!(shown::<Value>(once), None);
    }

    #[derive(Debug, PartialEq)]
    struct IgnoresErrors(Option<Value>);

    impl<'de> Deserialize<'de> for IgnoresErrors {
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
    fn a_type_that_ignores_an_error_shows_nothing() {
        for (body, expected) in [
            (r#"{"a": 1, "left": 2}"#, Some(Some("2"))),
            (r#"{"left": ["#, None),
            (r#"{"left": 2, "a": ["#, None),
            (r#"{"left": 2, "a": nulx}"#, None),
            (r#"{"left": 2,}"#, None),
            (r#"{"left": 2, "a"}"#, None),
            (r#"{"a": 1, "left": nulx}"#, None),
            (r#"{"a": 1, "left": [2]}"#, None),
        ] {
            assert_eq!(shown::<IgnoresErrors>(body), expected, "{body}");
            let mut watch = Watch::new(Some("left"));
            let watched = decode_watching::<IgnoresErrors>(body.as_bytes(), &mut watch);
            assert_eq!(watched.ok(), decode(body.as_bytes()).ok(), "{body}");
        }
    }

    #[test]
    fn nested_and_panicking_decodes_do_not_affect_others() {
        let (outer, inner) = (r#"{"left": 1}"#, r#"{"left": 2, "left": 3}"#);
        let mut watch = Watch::new(Some("left"));
        let read = watch.during(|| {
            let read = read_watched::<Thing>(outer);
            assert_eq!(shown::<BTreeMap<String, IgnoredAny>>(inner), None);
            let panicking = || Watch::new(Some("left")).during(|| -> Result<(), ()> { panic!() });
            std::panic::catch_unwind(panicking).unwrap_err();
            read
        });
        assert!(read.is_ok());
        assert_eq!(watch.shown(outer.as_bytes()), Some(Some("1")));
    }

    #[test]
    fn watching_does_not_reduce_the_allowed_depth() {
        for depth in 120..132 {
            let body = format!(r#"{{"left": {}{}}}"#, "[".repeat(depth), "]".repeat(depth));
            let mut watch = Watch::new(Some("left"));
            let watched = decode_watching::<Thing>(body.as_bytes(), &mut watch);
            let read = decode::<Thing>(body.as_bytes());
            assert_eq!(watched.ok(), read.ok(), "{depth}");
        }
    }
}
