//! Structs that are read only from JSON objects.

use std::fmt;

use serde::de::{Deserializer, Error, MapAccess, Visitor};
use serde::forward_to_deserialize_any;

use crate::decode::decoder::FLATTENED;
use crate::decode::explain::LACKS;

/// Reads a struct from an object. serde also accepts an array, by the position of its elements.
///
/// # Errors
///
/// Those of `read`, and for anything but an object.
pub fn object<'de, D, T>(
    deserializer: D,
    read: impl FnOnce(Object<D>) -> Result<T, D::Error>,
) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
{
    read(Object(deserializer))
}

/// Makes the error of an object that has none of these members, although a response has at least one.
pub fn none_of<E: Error>(names: &[&str]) -> E {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    E::custom(format_args!("{LACKS}{}", quoted.join(" or ")))
}

/// Implements `Deserialize` of a struct: from an object, by its serde remote, or by conversion from another struct.
#[doc(hidden)]
#[macro_export]
macro_rules! __read_as {
    ($name:ident, remote $twin:path) => {
        impl<'de> ::serde::Deserialize<'de> for $name {
            fn deserialize<D: ::serde::Deserializer<'de>>(
                deserializer: D,
            ) -> ::std::result::Result<Self, D::Error> {
                $crate::wire::object(deserializer, <$twin>::deserialize)
            }
        }
    };
    ($name:ident, $twin:path) => {
        impl<'de> ::serde::Deserialize<'de> for $name {
            fn deserialize<D: ::serde::Deserializer<'de>>(
                deserializer: D,
            ) -> ::std::result::Result<Self, D::Error> {
                $crate::wire::object(deserializer, <$twin as ::serde::Deserialize>::deserialize)
                    .map(::std::convert::Into::into)
            }
        }
    };
}

#[doc(inline)]
pub use crate::__read_as as read_as;

/// A deserializer that accepts only objects.
pub struct Object<D>(D);

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Object<D> {
    type Error = D::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.0.deserialize_map(Members(visitor))
    }

    // serde asks for a map if the struct keeps its unnamed members.
    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.0.deserialize_struct(FLATTENED, &[], Members(visitor))
    }

    // The kind of request is passed on, because serde's wrappers depend on it.
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        self.0.deserialize_struct(name, fields, Members(visitor))
    }

    fn is_human_readable(&self) -> bool {
        self.0.is_human_readable()
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct enum identifier ignored_any
    }
}

struct Members<V>(V);

impl<'de, V: Visitor<'de>> Visitor<'de> for Members<V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<V::Value, A::Error> {
        self.0.visit_map(members)
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Default, PartialEq)]
    struct Thing {
        a: Option<u8>,
        b: Option<u8>,
    }

    impl<'de> Deserialize<'de> for Thing {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            object(deserializer, Twin::deserialize)
        }
    }

    #[derive(Deserialize)]
    #[serde(remote = "Thing")]
    struct Twin {
        a: Option<u8>,
        b: Option<u8>,
    }

    #[test]
    fn an_array_is_not_read_as_an_object() {
        let thing: Thing = serde_json::from_str(r#"{"b": 2, "c": 3}"#).unwrap();
        assert_eq!(
            thing,
            Thing {
                a: None,
                b: Some(2)
            }
        );
        for text in ["[]", "[1]", "[1, 2]", "null", "7", "\"a\""] {
            let refusal = serde_json::from_str::<Thing>(text).unwrap_err().to_string();
            assert!(refusal.contains("expected an object"), "{text}: {refusal}");
        }
        assert!(serde_json::from_value::<Thing>(serde_json::json!([1])).is_err());
    }

    #[test]
    fn missing_members_are_listed() {
        let error: serde_json::Error = none_of(&["a", "b"]);
        assert_eq!(error.to_string(), "expected an object with `a` or `b`");
    }
}
