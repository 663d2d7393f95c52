//! A value whose form is assumed: one, several, or something else altogether.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use crate::decode::allowance::draw;

/// One `T`, a list of them, or whatever else the service sent. It never fails a decode, but for a list that a body has no memory for.
///
/// For properties of undocumented form: one value, a list of values, or something else.
///
/// ```
/// use metered_client::Loose;
///
/// let one: Loose<u8> = serde_json::from_str("1")?;
/// let several: Loose<u8> = serde_json::from_str("[1, 2]")?;
/// let other: Loose<u8> = serde_json::from_str(r#""about three""#)?;
/// assert_eq!(one.as_slice(), [1]);
/// assert_eq!(several.as_slice(), [1, 2]);
/// assert_eq!((other.first(), other.text()), (None, Some("about three")));
/// # Ok::<_, serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Loose<T>(Form<T>);

#[derive(Debug, Clone, PartialEq)]
enum Form<T> {
    One(T),
    Several(Vec<T>),
    Other(Value),
}

impl<T> Loose<T> {
    /// The values that have the assumed form: one, several or none.
    pub fn as_slice(&self) -> &[T] {
        match &self.0 {
            Form::One(one) => std::slice::from_ref(one),
            Form::Several(several) => several,
            Form::Other(_) => &[],
        }
    }

    /// The first of them.
    pub fn first(&self) -> Option<&T> {
        self.as_slice().first()
    }

    /// What came instead, when it has another form.
    pub fn other(&self) -> Option<&Value> {
        match &self.0 {
            Form::Other(value) => Some(value),
            _ => None,
        }
    }

    /// What came instead, when it is a text.
    pub fn text(&self) -> Option<&str> {
        self.other().and_then(Value::as_str)
    }
}

impl<T> Default for Loose<T> {
    fn default() -> Self {
        Self(Form::Several(Vec::new()))
    }
}

impl<'de, T: DeserializeOwned> Deserialize<'de> for Loose<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        // A list is never one value: serde would read a struct from a list of its fields.
        Ok(Self(if let Value::Array(elements) = &value {
            draw(size_of::<T>().saturating_mul(elements.len()))?;
            Vec::deserialize(&value).map_or(Form::Other(value), Form::Several)
        } else {
            T::deserialize(&value).map_or(Form::Other(value), Form::One)
        }))
    }
}

impl<T: Serialize> Serialize for Loose<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0 {
            Form::One(one) => one.serialize(serializer),
            Form::Several(several) => several.serialize(serializer),
            Form::Other(value) => value.serialize(serializer),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::allowance::within;

    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    struct Coded {
        code: String,
    }

    #[test]
    fn every_form_is_kept_and_written_as_it_came() {
        for (json, codes, text) in [
            (r#"{"code":"a"}"#, vec!["a"], None),
            (r#"[{"code":"a"},{"code":"b"}]"#, vec!["a", "b"], None),
            ("[]", vec![], None),
            (r#""a""#, vec![], Some("a")),
            ("1", vec![], None),
            (r#"{"label":"A"}"#, vec![], None),
            (r#"[{"code":"a"},1]"#, vec![], None),
        ] {
            let loose: Loose<Coded> = serde_json::from_str(json).unwrap();
            let found: Vec<&str> = loose
                .as_slice()
                .iter()
                .map(|one| one.code.as_str())
                .collect();
            assert_eq!(found, codes, "{json}");
            assert_eq!(loose.text(), text, "{json}");
            assert_eq!(serde_json::to_string(&loose).unwrap(), json);
        }
    }

    #[test]
    fn a_list_draws_on_the_allowance() {
        let read = |json| serde_json::from_str::<Loose<[u64; 4]>>(json);
        assert!(within(64, || read("[[1,2,3,4],[5,6,7,8]]")).is_ok());
        assert!(within(63, || read("[[1,2,3,4],[5,6,7,8]]")).is_err());
    }

    #[test]
    fn a_list_of_texts_is_not_taken_for_the_fields_of_a_struct() {
        let loose: Loose<Coded> = serde_json::from_str(r#"["a"]"#).unwrap();
        assert_eq!(loose.first(), None);
        assert_eq!(loose.other(), Some(&serde_json::json!(["a"])));
        assert_eq!(Loose::<u8>::default().first(), None);
    }
}
