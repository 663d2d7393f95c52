//! Lines of drift as `Response::drift()` prints them, with or without the operation.

/// The content of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Line {
    /// The id of the operation.
    pub(super) operation: Option<String>,
    /// JSON Pointer to the value in the body; empty for the body.
    pub(super) pointer: String,
    pub(super) kind: Kind,
}

/// The kind of difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// An undocumented property, and its JSON type if the line has it.
    Property(Option<String>),
    EnumValue(String),
    Alias {
        sent: String,
        documented: String,
    },
    /// A required property is missing.
    Missing,
    /// A required property is null.
    Null,
    Type {
        sent: String,
        documented: String,
    },
}

const PROPERTY: &str = ": an undocumented property";
const MISSING: &str = ": missing, a required property";
const NULL: &str = ": null, a required property";
const ENUM_VALUE: &str = "`, an undocumented enum value";
const DOCUMENTED: &str = ", documented as ";

/// Reads a line; `None` for one that is not drift. A log's prefix is ignored.
pub(super) fn read(line: &str) -> Option<Line> {
    let line = without_count(line.trim());
    let (place, kind) = if let Some((place, ty)) = line.rsplit_once(PROPERTY) {
        let ty = match ty {
            "" => None,
            ty => Some(ty.strip_prefix(" of type ")?.to_owned()),
        };
        (place, Kind::Property(ty))
    } else if let Some(place) = line.strip_suffix(MISSING) {
        (place, Kind::Missing)
    } else if let Some(place) = line.strip_suffix(NULL) {
        (place, Kind::Null)
    } else if let Some(rest) = line.strip_suffix(ENUM_VALUE) {
        let (place, value) = rest.split_once(": `")?;
        (place, Kind::EnumValue(value.to_owned()))
    } else {
        let (rest, documented) = line.rsplit_once(DOCUMENTED)?;
        let documented = documented.trim_matches('`').to_owned();
        if let Some((place, sent)) = rest.rsplit_once(": of type ") {
            let kind = match sent {
                "null" => Kind::Null,
                sent => Kind::Type {
                    sent: sent.to_owned(),
                    documented,
                },
            };
            (place, kind)
        } else {
            let (place, sent) = rest.strip_suffix('`')?.rsplit_once(": `")?;
            let sent = sent.to_owned();
            (place, Kind::Alias { sent, documented })
        }
    };
    let (before, pointer) = if let Some(before) = place.strip_suffix("the body") {
        (before, "")
    } else {
        let at = match place.starts_with('/') {
            true => 0,
            false => place.find(" /")? + 1,
        };
        place.split_at_checked(at)?
    };
    let operation = before.split_whitespace().next_back().map(str::to_owned);
    Some(Line {
        operation,
        pointer: pointer.to_owned(),
        kind,
    })
}

/// Returns a line without its count.
fn without_count(line: &str) -> &str {
    let count = line
        .strip_suffix(" times)")
        .and_then(|rest| rest.rsplit_once(" ("));
    match count {
        Some((rest, count)) if count.chars().all(|c| c.is_ascii_digit()) => rest,
        _ => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(operation: Option<&str>, pointer: &str, kind: Kind) -> Option<Line> {
        Some(Line {
            operation: operation.map(str::to_owned),
            pointer: pointer.to_owned(),
            kind,
        })
    }

    #[test]
    fn all_that_drift_prints_is_read() {
        let text = |text: &str| text.to_owned();
        for (printed, expected) in [
            (
                "/data/0/seniority: an undocumented property (20 times)",
                line(None, "/data/0/seniority", Kind::Property(None)),
            ),
            (
                "INFO 12:00 jobPosts /data/0/a b: an undocumented property of type string (2 times)",
                line(
                    Some("jobPosts"),
                    "/data/0/a b",
                    Kind::Property(Some(text("string"))),
                ),
            ),
            (
                "jobPosts /data/3/type: `FREELANCE: `a`, an undocumented enum value",
                line(
                    Some("jobPosts"),
                    "/data/3/type",
                    Kind::EnumValue(text("FREELANCE: `a")),
                ),
            ),
            (
                "a /tags/3: of type null, documented as string",
                line(Some("a"), "/tags/3", Kind::Null),
            ),
            (
                "/data/7/href: `href`, documented as `link`",
                line(
                    None,
                    "/data/7/href",
                    Kind::Alias {
                        sent: text("href"),
                        documented: text("link"),
                    },
                ),
            ),
            (
                "a /count: of type integer, documented as array or string (3 times)",
                line(
                    Some("a"),
                    "/count",
                    Kind::Type {
                        sent: text("integer"),
                        documented: text("array or string"),
                    },
                ),
            ),
            (
                "a the body: of type array, documented as object",
                line(
                    Some("a"),
                    "",
                    Kind::Type {
                        sent: text("array"),
                        documented: text("object"),
                    },
                ),
            ),
            (
                "jobPosts /data/0/title: missing, a required property (2 times)",
                line(Some("jobPosts"), "/data/0/title", Kind::Missing),
            ),
            (
                "/data/0/title: null, a required property",
                line(None, "/data/0/title", Kind::Null),
            ),
            ("something else", None),
            ("", None),
            ("https: an undocumented property", None),
        ] {
            assert_eq!(read(printed), expected, "{printed}");
        }
    }
}
