//! Package metadata that cargo or crates.io refuse, found before anything is emitted.

use crate::extensions::Metadata;

/// The most keywords and categories that crates.io takes.
const MOST: usize = 5;
/// The longest keyword, in characters.
const LONGEST_KEYWORD: usize = 20;

/// A wrong member of the extension.
pub(super) struct Problem {
    /// Its place below the extension.
    pub(super) at: String,
    pub(super) message: String,
}

impl Problem {
    fn new(at: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            at: at.into(),
            message: message.into(),
        }
    }
}

/// Lists what is wrong.
pub(super) fn problems(metadata: &Metadata) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (key, address) in [
        ("repository", &metadata.repository),
        ("homepage", &metadata.homepage),
    ] {
        if let Some(address) = address.as_deref().filter(|one| !is_address(one)) {
            problems.push(Problem::new(
                key,
                format!("`{address}` is not an address that begins with `https://` or `http://`"),
            ));
        }
    }
    if let Some(license) = metadata.license.as_deref().filter(|one| !is_license(one)) {
        problems.push(Problem::new(
            "license",
            format!("`{license}` is not an SPDX expression, such as `MIT OR Apache-2.0`"),
        ));
    }
    if let Some(file) = metadata.license_file.as_deref() {
        if metadata.license.is_some() {
            let message = "a package has `license` or `license-file`, not both";
            problems.push(Problem::new("license-file", message));
        }
        if !is_inside(file) {
            let message = format!("`{file}` is not the path of a file in the folder of the crate");
            problems.push(Problem::new("license-file", message));
        }
    }
    for (index, author) in metadata.authors.iter().enumerate() {
        if author.trim().is_empty() || author.contains(char::is_control) {
            problems.push(Problem::new(
                format!("authors/{index}"),
                "an author is a name on one line, such as `Ann Lee <ann@example.com>`",
            ));
        }
    }
    for (key, all) in [
        ("keywords", &metadata.keywords),
        ("categories", &metadata.categories),
    ] {
        if all.len() > MOST {
            let count = all.len();
            let message = format!("crates.io takes up to {MOST} {key}, and these are {count}");
            problems.push(Problem::new(key, message));
        }
        for (index, one) in all.iter().enumerate() {
            let problem = match key {
                "keywords" => keyword(one),
                _ => category(one),
            };
            let mut earlier = all.iter().take(index);
            let is_double = earlier.any(|other| other.eq_ignore_ascii_case(one));
            let double = is_double.then(|| format!("`{one}` is listed twice"));
            for message in problem.into_iter().chain(double) {
                problems.push(Problem::new(format!("{key}/{index}"), message));
            }
        }
    }
    problems
}

fn keyword(text: &str) -> Option<String> {
    if text.chars().count() > LONGEST_KEYWORD {
        return Some(format!(
            "`{text}` is longer than {LONGEST_KEYWORD} characters"
        ));
    }
    let is_valid = text.starts_with(|c: char| c.is_ascii_alphanumeric())
        && (text.chars()).all(|c| c.is_ascii_alphanumeric() || "_-+".contains(c));
    (!is_valid).then(|| {
        format!("`{text}` is not a keyword: an ASCII letter or digit, then letters, digits, `_`, `-` and `+`")
    })
}

fn category(text: &str) -> Option<String> {
    let is_valid = text.split("::").all(|part| {
        let mut letters = part.chars();
        !part.is_empty()
            && letters.all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
    });
    (!is_valid).then(|| format!("`{text}` is not a category of crates.io, such as `api-bindings`"))
}

fn is_address(text: &str) -> bool {
    let rest = text
        .strip_prefix("https://")
        .or(text.strip_prefix("http://"));
    rest.is_some_and(|rest| {
        !rest.is_empty()
            && !rest.starts_with('/')
            && rest.chars().all(|c| !c.is_whitespace() && !c.is_control())
    })
}

/// An expression of identifiers, `OR`, `AND`, `WITH` and parentheses. crates.io knows the identifiers; the old form has `/` for `OR`.
fn is_license(text: &str) -> bool {
    let mut letters = text.chars();
    text.contains(|c: char| c.is_ascii_alphanumeric())
        && letters.all(|c| c.is_ascii_alphanumeric() || "-.+() /:".contains(c))
}

/// Returns whether a path names a file below the folder that it starts from.
fn is_inside(path: &str) -> bool {
    path.split('/').all(|part| !["", ".", ".."].contains(&part))
        && !path.contains(['\\', ':'])
        && !path.contains(char::is_control)
}
