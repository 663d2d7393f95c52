//! A value whose form is assumed: one, several, or something else altogether.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use crate::decode::bridge::deserialize;
use crate::decode::failure::Failure;
use crate::decode::object::Omit;
use crate::decode::read::Read;
use crate::decode::reader::{Mode, Reader};
use crate::document::shape::{Shape, Shaped};

/// One `T`, a list of them, nothing, or any other value. It never fails a decode, except for a list that exceeds the memory allowance of a
/// body.
///
/// For properties of undocumented form. An absent or `null` value is [missing](Self::is_missing), the default.
///
/// ```
/// use generated_client::values::Loose;
///
/// let one: Loose<String> = serde_json::from_str(r#""red""#)?;
/// let several: Loose<String> = serde_json::from_str(r#"["red", "blue"]"#)?;
/// let other: Loose<String> = serde_json::from_str("17")?;
/// assert_eq!((one.as_str(), several.as_str(), other.as_str()), ("red", "red", ""));
/// assert_eq!(format!("{one}; {several}; {other}"), "red; red, blue; 17");
/// for color in several.iter() {
///     println!("{color}");
/// }
/// # Ok::<_, serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Loose<T>(Form<T>);

#[derive(Debug, Clone, PartialEq)]
enum Form<T> {
    Missing,
    One(T),
    Several(Vec<T>),
    Other(Value),
}

impl<T> Loose<T> {
    /// Makes one value.
    pub fn one(value: T) -> Self {
        Self(Form::One(value))
    }

    /// Makes a list of values.
    pub fn several(values: impl IntoIterator<Item = T>) -> Self {
        Self(Form::Several(values.into_iter().collect()))
    }

    /// Returns the values that have the assumed form: one, several or none.
    pub fn as_slice(&self) -> &[T] {
        match &self.0 {
            Form::One(one) => std::slice::from_ref(one),
            Form::Several(several) => several,
            Form::Missing | Form::Other(_) => &[],
        }
    }

    /// Returns the first of them.
    pub fn first(&self) -> Option<&T> {
        self.as_slice().first()
    }

    /// Iterates over the values that have the assumed form.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.as_slice().iter()
    }

    /// Returns the first string: that of the first value, or a string of another form. Empty if there is none.
    pub fn as_str(&self) -> &str
    where
        T: AsRef<str>,
    {
        self.first()
            .map(AsRef::as_ref)
            .or(self.text())
            .unwrap_or_default()
    }

    /// Returns the value that was sent instead, if it has another form.
    pub fn other(&self) -> Option<&Value> {
        match &self.0 {
            Form::Other(value) => Some(value),
            _ => None,
        }
    }

    /// Returns the string that was sent instead, if it has another form.
    pub fn text(&self) -> Option<&str> {
        self.other().and_then(Value::as_str)
    }

    /// Returns whether the service sent nothing or `null`. An empty list is not missing.
    pub fn is_missing(&self) -> bool {
        matches!(self.0, Form::Missing)
    }
}

impl<T> Omit for Loose<T> {
    fn is_omitted(&self) -> bool {
        self.is_missing()
    }
}

/// Makes a missing value.
impl<T> Default for Loose<T> {
    fn default() -> Self {
        Self(Form::Missing)
    }
}

/// Makes one value.
impl<T> From<T> for Loose<T> {
    fn from(value: T) -> Self {
        Self::one(value)
    }
}

/// Makes one string.
impl From<&str> for Loose<String> {
    fn from(text: &str) -> Self {
        Self::one(text.to_owned())
    }
}

/// Makes a list of values.
impl<T> From<Vec<T>> for Loose<T> {
    fn from(values: Vec<T>) -> Self {
        Self(Form::Several(values))
    }
}

/// Writes the values, separated by commas; a value of another form as a string or as JSON; nothing for a missing one.
impl<T: fmt::Display> fmt::Display for Loose<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Form::Missing => f.pad(""),
            Form::One(one) => one.fmt(f),
            Form::Several(several) => {
                let texts: Vec<String> = several.iter().map(ToString::to_string).collect();
                f.pad(&texts.join(", "))
            }
            Form::Other(Value::String(text)) => f.pad(text),
            Form::Other(value) => f.pad(&value.to_string()),
        }
    }
}

impl<T: Shaped> Shaped for Loose<T> {
    const SHAPE: &'static Shape = &Shape::Loose(Shape::of::<T>);
}

impl<T: Read> Read for Loose<T> {
    #[inline(never)]
    fn read(reader: &mut Reader<'_>) -> Result<Self, Failure> {
        if reader.null()? {
            return Ok(Self::default());
        }
        // A list is never one value.
        let form = if reader.peek() == Some(b'[') {
            reader.attempt(Mode::Strict, Vec::read)?.map(Form::Several)
        } else {
            reader.attempt(Mode::Strict, T::read)?.map(Form::One)
        };
        match form {
            Some(form) => Ok(Self(form)),
            None => Value::read(reader).map(|value| Self(Form::Other(value))),
        }
    }
}

impl<'de, T: Read> Deserialize<'de> for Loose<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserialize(deserializer)
    }
}

impl<T: Serialize> Serialize for Loose<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0 {
            Form::Missing => serializer.serialize_unit(),
            Form::One(one) => one.serialize(serializer),
            Form::Several(several) => several.serialize(serializer),
            Form::Other(value) => value.serialize(serializer),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::allowance::Allowance;
    use crate::decode::decode::decode_setting_aside;
    use crate::decode::reader::State;
    use crate::wire::object;

    #[derive(Debug, Clone, PartialEq)]
    struct Coded {
        code: String,
    }
    object!(Coded {
        code: required "code",
    });

    #[test]
    fn every_form_is_kept_and_written_unchanged() {
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
    fn a_missing_value_differs_from_an_empty_list_and_is_written_as_null() {
        let missing: Loose<String> = serde_json::from_str("null").unwrap();
        assert_eq!(missing, Loose::default());
        assert!(missing.is_missing());
        assert_eq!((missing.as_str(), missing.other()), ("", None));
        assert_eq!(serde_json::to_string(&missing).unwrap(), "null");
        let empty = Loose::<String>::several([]);
        assert!(!empty.is_missing());
        assert_ne!(empty, missing);
    }

    #[test]
    fn values_are_made_read_and_shown_in_one_step() {
        let one: Loose<String> = "red".into();
        let several: Loose<String> = vec!["red".to_owned(), "blue".to_owned()].into();
        let other: Loose<String> = serde_json::from_str(r#"{"a":1}"#).unwrap();
        let number = Loose::from(7);
        for (shown, expected) in [
            (format!("{one:>5}"), "  red"),
            (format!("{several:<10}|"), "red, blue |"),
            (other.to_string(), r#"{"a":1}"#),
            (number.to_string(), "7"),
            (Loose::<String>::default().to_string(), ""),
        ] {
            assert_eq!(shown, expected);
        }
        assert_eq!(several.iter().count(), 2);
        assert_eq!(
            (one.as_str(), several.as_str(), other.as_str()),
            ("red", "red", "")
        );
        let text: Loose<Only> = serde_json::from_str(r#""about three""#).unwrap();
        assert_eq!(text.as_str(), "about three");
    }

    /// A type with a single valid string.
    #[derive(Debug, Clone, PartialEq)]
    struct Only;

    impl Read for Only {
        fn read(reader: &mut Reader<'_>) -> Result<Self, Failure> {
            match reader.text_if_string()?.as_deref() {
                Some("known") => Ok(Self),
                _ => Err(reader.mismatch("a known string")),
            }
        }
    }

    impl AsRef<str> for Only {
        fn as_ref(&self) -> &str {
            "known"
        }
    }

    #[test]
    fn a_client_reads_the_assumed_form_directly_and_other_forms_as_before() {
        for json in [
            "null",
            "7",
            "-7",
            "7.5",
            "true",
            "\"a\"",
            "\"\\u0061\"",
            "[]",
            "[null]",
            "[\"a\", 1]",
            "[[\"a\"]]",
            "{}",
            r#"{"code":"a","more":1}"#,
            r#"{"code":"a","code":"b"}"#,
            r#"[{"code":"a"}]"#,
            r#"[{"code":"a"},null]"#,
        ] {
            same::<Coded>(json);
            same::<String>(json);
            same::<f64>(json);
        }
    }

    fn same<T: Read + fmt::Debug + PartialEq>(json: &str) {
        let client = decode_setting_aside(json.as_bytes(), Loose::<T>::read);
        let (client, _) = client.unwrap();
        assert_eq!(client, serde_json::from_str(json).unwrap(), "{json}");
    }

    #[test]
    fn a_list_draws_on_the_allowance() {
        let read = |bytes, json| {
            let state = State::new(Mode::Open, Allowance(Some(bytes)));
            Loose::<String>::read(&mut Reader::new(json, state))
        };
        let size = 4 * size_of::<String>();
        assert!(read(size, r#"["a", "b"]"#).is_ok());
        assert!(read(size - 1, r#"["a", "b"]"#).is_err());
    }

    #[test]
    fn a_list_of_strings_is_not_read_as_the_fields_of_a_struct() {
        let loose: Loose<Coded> = serde_json::from_str(r#"["a"]"#).unwrap();
        assert_eq!(loose.first(), None);
        assert_eq!(loose.other(), Some(&serde_json::json!(["a"])));
        assert_eq!(Loose::<u8>::default().first(), None);
    }
}
