//! Formats of texts that have types of their own.

/// What a text is by its `format`, where the runtime has a type for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextFormat {
    /// Bytes in Base64.
    Bytes,
    /// A date, with or without a time of day.
    Date,
    /// A decimal number.
    Decimal,
    /// A text that is not shown.
    Secret,
    /// A UUID.
    Uuid,
}

impl TextFormat {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::Bytes,
        Self::Date,
        Self::Decimal,
        Self::Secret,
        Self::Uuid,
    ];

    /// The format that a document calls so.
    pub fn named(format: &str) -> Option<Self> {
        Some(match format {
            "base64" | "byte" => Self::Bytes,
            "date" | "date-time" => Self::Date,
            "decimal" => Self::Decimal,
            "password" => Self::Secret,
            // The others are those of pydantic.
            "uuid" | "uuid1" | "uuid3" | "uuid4" | "uuid5" | "uuid6" | "uuid7" | "uuid8" => {
                Self::Uuid
            }
            _ => return None,
        })
    }

    /// The runtime's name of the type.
    pub fn type_name(self) -> &'static str {
        match self {
            Self::Bytes => "Base64",
            Self::Date => "TextDate",
            Self::Decimal => "TextDecimal",
            Self::Secret => "SecretText",
            Self::Uuid => "TextUuid",
        }
    }
}
