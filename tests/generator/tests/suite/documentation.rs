//! What the documentation of methods and builders says, and that it says it once.

use std::collections::BTreeSet;

use crate::support::{Inputs, Workspace};

/// The sentences of a file's documentation, without examples and without the lines on overrides.
fn sentences(file: &str) -> Vec<String> {
    let mut is_example = false;
    let mut blocks = vec![String::new()];
    for line in file.lines() {
        let line = line.trim_start().strip_prefix("///").map(str::trim);
        is_example ^= line.is_some_and(|line| line.starts_with("```"));
        match line {
            Some(line) if !is_example && !line.is_empty() && !line.starts_with("```") => {
                let block = blocks.last_mut().unwrap();
                block.push_str(line.trim_start_matches("- "));
                block.push(' ');
            }
            _ => blocks.push(String::new()),
        }
    }
    let is_said = |sentence: &&str| sentence.split(' ').count() > 3;
    blocks
        .iter()
        .flat_map(|block| block.split(". "))
        .map(|sentence| sentence.trim().trim_end_matches('.'))
        .filter(is_said)
        .filter(|sentence| !sentence.contains("crate::overrides#"))
        .map(str::to_owned)
        .collect()
}

#[test]
fn no_sentence_stands_twice_in_a_file_of_the_client() {
    let tree = Inputs::committed().tree();
    let files = tree
        .iter()
        .filter(|(path, _)| path.starts_with("src/operations/") || *path == "src/client.rs");
    for (path, text) in files {
        let mut seen = BTreeSet::new();
        for sentence in sentences(text) {
            assert!(seen.insert(sentence.clone()), "{path}: {sentence}");
        }
        assert!(seen.len() > 10, "{path}: {seen:?}");
    }
}

#[test]
fn a_method_begins_with_its_verb_and_the_builder_has_the_facts_as_a_list() {
    let document = |description: &str| {
        format!(
            "openapi: 3.0.3
info: {{title: Things, version: '1'}}
paths:
  /things:
    get:
      operationId: things
      summary: Things
      description: {description}
      x-credits: [{{credits: 2}}]
      parameters:
        - {{name: of, in: query, required: true, schema: {{type: string}}, description: Their owner.}}
        - {{name: limit, in: query, schema: {{type: integer, minimum: 1, maximum: 50}}}}
      responses:
        '200': {{description: Some., content: {{application/json: {{schema: {{type: array, items: {{type: string}}}}}}}}}}
        '404': {{description: There is no owner.}}
        '409': {{description: Busy.}}
"
        )
    };
    let generated = |description: &str| {
        let workspace = Workspace::with(&document(description));
        let (fresh, output) = workspace.regen(false);
        assert!(fresh, "{output}");
        let builder = workspace.read("generated/src/operations/things.rs");
        (workspace.read("generated/src/client.rs"), builder)
    };
    let (client, builder) = generated("Lists things");
    let link = "    /// Arguments, price and errors: [`Things`](crate::operations::Things).\n";
    let expected = format!("\n\n    /// Lists things.\n    ///\n{link}");
    assert!(client.contains(&expected), "{client}");
    let expected = "\
/// The request `GET /things`, of [`Client::things`](crate::Client::things).
///
/// - `of`: Their owner.
/// - Price, as observed: 2 credits.
/// - Limits: `limit` at most 50.
/// - Errors: `404`, `409`, which [`send`](Self::send) describes.
#[derive(";
    assert!(builder.contains(expected), "{builder}");
    // A description that is no such sentence does not replace the summary.
    for description in ["All of them.", "This is a list."] {
        let (client, _) = generated(description);
        let expected = format!("    /// Things.\n    ///\n    /// {description}\n    ///\n{link}");
        assert!(client.contains(&expected), "{client}");
    }
}
