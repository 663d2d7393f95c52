//! The types that the runtime has for values, in one table: which `x-rust-type` chooses them, which formats of strings they have.

/// A helper type of the runtime.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuntimeType {
    /// The name in overrides.
    pub name: &'static str,
    /// The type's path.
    pub path: &'static str,
    /// How it takes the place of the schema's own type.
    pub form: Form,
    /// The formats of strings that have it.
    pub formats: &'static [&'static str],
    /// A string of it, for examples.
    pub example: &'static str,
    /// Its value if nothing was sent.
    pub absent: Absent,
    /// The feature of the runtime that has it; empty if it needs none.
    pub feature: &'static str,
}

/// How a runtime type takes the place of a schema's own type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Instead of it. Its own decode never fails.
    Instead,
    /// Instead of it; an optional field is decoded by this function, which never fails.
    DecodedBy(&'static str),
    /// Around it, and around the element type of a list.
    Around,
}

/// The default of a runtime type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Absent {
    /// An empty form, which means that nothing was sent.
    Empty,
    /// A value like any other.
    Value,
    /// It would be wrong: an amount of credits that is missing is unknown and not zero, and no secret is empty.
    Wrong,
}

/// All of them, by name.
#[rustfmt::skip]
pub const RUNTIME_TYPES: [RuntimeType; 8] = [
    RuntimeType { formats: &["base64", "byte"], example: "text", ..instead("Base64", "::generated_client::values::Base64") },
    RuntimeType { form: Form::DecodedBy("lenient"), absent: Absent::Wrong, ..instead("Credits", "::generated_client::Credits") },
    RuntimeType { form: Form::Around, ..instead("Loose", "::generated_client::values::Loose") },
    RuntimeType { formats: &["password"], example: "text", absent: Absent::Wrong, ..instead("SecretText", "::generated_client::values::SecretText") },
    RuntimeType { formats: &["date", "date-time"], example: "2024-05-06", absent: Absent::Value, ..instead("TextDate", "::generated_client::values::TextDate") },
    RuntimeType { formats: &["decimal"], example: "1.50", absent: Absent::Value, ..instead("TextDecimal", "::generated_client::values::TextDecimal") },
    instead("TextRange", "::generated_client::values::TextRange"),
    RuntimeType { formats: UUIDS, example: "67e55044-10b1-426f-9247-bb680e5fe0c8", absent: Absent::Value, ..instead("TextUuid", "::generated_client::values::TextUuid") },
];

const fn instead(name: &'static str, path: &'static str) -> RuntimeType {
    RuntimeType {
        name,
        path,
        form: Form::Instead,
        formats: &[],
        example: "",
        absent: Absent::Empty,
        feature: "",
    }
}

/// The formats of UUIDs; those with a number are of pydantic.
const UUIDS: &[&str] = &[
    "uuid", "uuid1", "uuid3", "uuid4", "uuid5", "uuid6", "uuid7", "uuid8",
];

/// The types of other crates that a document may request, by format and by the feature of the runtime. Each keeps values that it cannot
/// read.
#[rustfmt::skip]
const NATIVE_TYPES: [RuntimeType; 5] = [
    native("ChronoDate", "::generated_client::values::ChronoDate", "chrono", &["date"]),
    native("ChronoDateTime", "::generated_client::values::ChronoDateTime", "chrono", &["date-time"]),
    native("JiffDate", "::generated_client::values::JiffDate", "jiff", &["date"]),
    native("JiffTimestamp", "::generated_client::values::JiffTimestamp", "jiff", &["date-time"]),
    native("NativeUuid", "::generated_client::values::NativeUuid", "uuid", UUIDS),
];

const fn native(
    name: &'static str,
    path: &'static str,
    feature: &'static str,
    formats: &'static [&'static str],
) -> RuntimeType {
    RuntimeType {
        feature,
        formats,
        absent: Absent::Value,
        ..instead(name, path)
    }
}

/// Returns the runtime type of this name.
pub fn runtime_type(name: &str) -> Option<&'static RuntimeType> {
    RUNTIME_TYPES.iter().find(|one| one.name == name)
}

impl RuntimeType {
    /// Returns the type of strings with a format.
    pub fn of_format(format: &str) -> Option<&'static Self> {
        let mut all = RUNTIME_TYPES.iter();
        all.find(|one| one.formats.contains(&format))
    }

    /// Returns the type of another crate for strings with a format, which the runtime has with a feature.
    pub fn native(format: &str, feature: &str) -> Option<&'static Self> {
        let mut all = NATIVE_TYPES.iter();
        all.find(|one| one.feature == feature && one.formats.contains(&format))
    }

    /// Returns whether it holds a value of another crate.
    pub fn is_native(&self) -> bool {
        !self.feature.is_empty()
    }

    /// Returns whether it is the type of secret strings.
    pub fn is_secret(&self) -> bool {
        self.formats.contains(&"password")
    }

    /// Returns whether it is the type of UUIDs.
    pub fn is_uuid(&self) -> bool {
        self.formats.contains(&"uuid") && !self.is_native()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn a_format_has_one_type_and_an_example() {
        assert!(RUNTIME_TYPES.is_sorted_by(|a, b| a.name < b.name));
        let mut formats = HashSet::new();
        for one in RUNTIME_TYPES {
            assert_eq!(
                one.formats.is_empty(),
                one.example.is_empty(),
                "{}",
                one.name
            );
            assert!(one.formats.iter().all(|format| formats.insert(*format)));
        }
    }
}
