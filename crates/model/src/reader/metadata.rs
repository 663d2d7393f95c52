//! Package metadata that cargo or crates.io refuse, found before anything is emitted.

use crate::extensions::Metadata;

/// The most keywords and categories that crates.io takes.
const MOST: usize = 5;
/// The longest keyword, in characters.
const LONGEST_KEYWORD: usize = 20;

/// Lists what is wrong: the place below the extension, and the message.
pub(super) fn problems(metadata: &Metadata) -> Vec<(String, String)> {
    let mut problems = Vec::new();
    let mut wrong = |at: String, message: String| problems.push((at, message));
    for (key, address) in [
        ("repository", &metadata.repository),
        ("homepage", &metadata.homepage),
    ] {
        if let Some(address) = address.as_deref().filter(|one| !is_address(one)) {
            wrong(
                key.to_owned(),
                format!("`{address}` is not an address that begins with `https://` or `http://`"),
            );
        }
    }
    if let Some(license) = metadata.license.as_deref().filter(|one| !is_license(one)) {
        wrong(
            "license".to_owned(),
            format!("`{license}` is not an SPDX expression, such as `MIT OR Apache-2.0`"),
        );
    }
    if let Some(file) = metadata.license_file.as_deref() {
        if metadata.license.is_some() {
            wrong(
                "license-file".to_owned(),
                "a package has `license` or `license-file`, not both".to_owned(),
            );
        }
        if !is_inside(file) {
            wrong(
                "license-file".to_owned(),
                format!("`{file}` is not the path of a file in the folder of the crate"),
            );
        }
    }
    for (index, author) in metadata.authors.iter().enumerate() {
        if author.trim().is_empty() || author.contains(char::is_control) {
            wrong(
                format!("authors/{index}"),
                "an author is a name on one line, such as `Ann Lee <ann@example.com>`".to_owned(),
            );
        }
    }
    for (key, all) in [
        ("keywords", &metadata.keywords),
        ("categories", &metadata.categories),
    ] {
        if all.len() > MOST {
            wrong(
                key.to_owned(),
                format!(
                    "crates.io takes up to {MOST} {key}, and these are {}",
                    all.len()
                ),
            );
        }
        for (index, one) in all.iter().enumerate() {
            let problem = match key {
                "keywords" => keyword(one),
                _ => category(one),
            };
            if let Some(problem) = problem {
                wrong(format!("{key}/{index}"), problem);
            }
            if all
                .iter()
                .take(index)
                .any(|other| other.eq_ignore_ascii_case(one))
            {
                wrong(format!("{key}/{index}"), format!("`{one}` is listed twice"));
            }
        }
    }
    problems
}

fn keyword(text: &str) -> Option<String> {
    let is_known = |c: char| c.is_ascii_alphanumeric() || "_-+".contains(c);
    if text.chars().count() > LONGEST_KEYWORD {
        Some(format!(
            "`{text}` is longer than {LONGEST_KEYWORD} characters"
        ))
    } else if !text.starts_with(|c: char| c.is_ascii_alphanumeric()) || !text.chars().all(is_known)
    {
        Some(format!(
            "`{text}` is not a keyword: an ASCII letter or digit, then letters, digits, `_`, `-` and `+`"
        ))
    } else {
        None
    }
}

fn category(text: &str) -> Option<String> {
    let is_known = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    let is_part = |part: &str| !part.is_empty() && part.chars().all(is_known);
    (!text.split("::").all(is_part))
        .then(|| format!("`{text}` is not a category of crates.io, such as `api-bindings`"))
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
    let is_known = |c: char| c.is_ascii_alphanumeric() || "-.+() /:".contains(c);
    text.contains(|c: char| c.is_ascii_alphanumeric()) && text.chars().all(is_known)
}

/// Returns whether a path names a file below the folder that it starts from.
fn is_inside(path: &str) -> bool {
    let is_name = |part: &str| !part.is_empty() && part != "." && part != "..";
    path.split('/').all(is_name) && !path.contains(['\\', ':']) && !path.contains(char::is_control)
}
