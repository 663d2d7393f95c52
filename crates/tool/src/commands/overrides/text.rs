//! The override file that a command writes: its path, its target and its id.

use openapi_document::keywords::COMPOSITIONS;
use openapi_document::pointer;
use openapi_model::names;
use serde_json::Value;

/// Returns the content of an override file, each action in block style.
pub(in crate::commands) fn file(head: &Value, actions: &[Value]) -> String {
    let head = serde_yaml::to_string(head).unwrap_or_default();
    let actions = actions.iter().map(|action| {
        let action = serde_yaml::to_string(action).unwrap_or_default();
        let lines = action.lines().enumerate().map(|(index, line)| match index {
            0 => format!("  - {line}\n"),
            _ => format!("    {line}\n"),
        });
        lines.collect::<String>()
    });
    format!("{head}actions:\n{}", actions.collect::<String>())
}

/// A pointer as a JSONPath.
pub(in crate::commands) fn path(pointer: &str) -> String {
    pointer::tokens(pointer).fold("$".to_owned(), |path, step| {
        let is_name = step.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && step.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if is_name {
            format!("{path}.{step}")
        } else if step
            .parse::<usize>()
            .is_ok_and(|index| index.to_string() == step)
            && COMPOSITIONS.iter().any(|key| path.ends_with(key))
        {
            format!("{path}[{step}]")
        } else {
            let quoted = step.replace('\\', "\\\\").replace('\'', "\\'");
            format!("{path}['{quoted}']")
        }
    })
}

/// An id: lower-case letters, digits and hyphens.
pub(in crate::commands) fn kebab(text: &str) -> String {
    let words = text.split(|c: char| !c.is_alphanumeric());
    let words = words.filter(|word| !word.is_empty());
    // A keyword of Rust gets a mark.
    let words: Vec<String> = words
        .map(|word| names::snake(word).trim_matches('_').replace('_', "-"))
        .collect();
    words.join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_become_json_paths_and_ids() {
        for (pointer, expected) in [
            (
                "/components/schemas/Job/properties/kind",
                "$.components.schemas.Job.properties.kind",
            ),
            (
                "/paths/~1a/get/responses/200",
                "$.paths['/a'].get.responses['200']",
            ),
            (
                "/components/schemas/A/allOf/0",
                "$.components.schemas.A.allOf[0]",
            ),
            ("/x/it's", "$.x['it\\'s']"),
        ] {
            assert_eq!(path(pointer), expected);
        }
        assert_eq!(
            kebab("BookEntry seniority_level FREE LANCE"),
            "book-entry-seniority-level-free-lance"
        );
        assert_eq!(kebab("Käse"), "k-se");
    }
}
