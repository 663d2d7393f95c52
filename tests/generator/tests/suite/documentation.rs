//! The documentation of methods and builders, without repetitions.

use std::collections::BTreeSet;

use crate::support::{Inputs, Workspace, repository};

/// Returns the sentences of a file's documentation, without examples and without the lines on overrides.
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
fn no_sentence_stands_twice_in_the_client_or_a_builder() {
    let tree = Inputs::committed().tree();
    let client = tree.get("src/client.rs").unwrap();
    // Each begins with its facts; imports are before the first.
    let builders = tree.get("src/operations.rs").unwrap().split("\nstatic ");
    for text in builders.skip(1).chain([client]) {
        let mut seen = BTreeSet::new();
        for sentence in sentences(text) {
            assert!(seen.insert(sentence.clone()), "{sentence}: {text}");
        }
        assert!(seen.len() > 3, "{seen:?}");
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
        let builder = workspace.read("generated/src/operations.rs");
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
/// - Errors:
///   - `404`: There is no owner.
///   - `409`: Busy.
#[derive(";
    assert!(builder.contains(expected), "{builder}");
    // Another description does not replace the summary.
    for description in ["All of them.", "This is a list."] {
        let (client, _) = generated(description);
        let expected = format!("    /// Things.\n    ///\n    /// {description}\n    ///\n{link}");
        assert!(client.contains(&expected), "{client}");
    }
}

#[test]
fn a_command_that_takes_a_crate_of_ours_says_where_it_is() {
    // None of them is on a registry.
    let files = std::process::Command::new("git")
        .args(["ls-files", "*.md", "*.rs"])
        .current_dir(repository())
        .output()
        .unwrap();
    let files = String::from_utf8(files.stdout).unwrap();
    let of_others = ["tokio", "--locked"];
    let mut found = 0;
    for file in files
        .lines()
        .filter(|file| !file.starts_with("tests/generator/"))
    {
        let Ok(text) = std::fs::read_to_string(repository().join(file)) else {
            continue;
        };
        for line in text.lines() {
            let commands = ["cargo add ", "cargo install "].map(|verb| line.split_once(verb));
            for (_, rest) in commands.into_iter().flatten() {
                let is_ours = !of_others.iter().any(|other| rest.starts_with(other));
                found += usize::from(is_ours);
                let is_placed = rest.contains("--path") || rest.contains("--git");
                assert!(is_placed || !is_ours, "{file}: {line}");
            }
        }
    }
    assert!(found > 5, "{found}");
}

/// Collects the files of a folder, by path.
fn texts_below(folder: &std::path::Path, found: &mut Vec<(String, String)>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match std::fs::read_to_string(&path) {
            Ok(text) => found.push((path.display().to_string(), text)),
            Err(_) if path.is_dir() => texts_below(&path, found),
            Err(_) => {}
        }
    }
}

#[test]
fn links_of_a_client_lead_to_what_it_exports() {
    let documents = std::fs::read_dir(repository().join("tests/documents")).unwrap();
    let documents = documents.map(|folder| folder.unwrap().path().join("client"));
    let mut wrong = BTreeSet::new();
    let mut count = 0;
    for client in documents.chain([repository().join("generated")]) {
        let mut files = Vec::new();
        texts_below(&client.join("src"), &mut files);
        let root = std::fs::read_to_string(client.join("src/lib.rs")).unwrap();
        let is_word = |text: &str, word: &str| {
            let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
            words.into_iter().any(|one| one == word)
        };
        for (file, text) in &files {
            for link in text.split("](crate::").skip(1) {
                let path = link.split([')', '#']).next().unwrap();
                let mut steps = path.split("::");
                let (first, second) = (steps.next().unwrap(), steps.next());
                let exported: Vec<&str> = root
                    .split(';')
                    .filter(|item| item.contains("pub use") || item.contains("pub mod"))
                    .collect();
                let is_exported = exported.iter().any(|item| is_word(item, first));
                let runtime = repository().join(format!("runtime/core/src/{first}/mod.rs"));
                let is_inside = match (second, std::fs::read_to_string(runtime)) {
                    (Some(second), Ok(module)) => is_word(&module, second),
                    _ => true,
                };
                count += 1;
                if !is_exported || !is_inside {
                    wrong.insert(format!("{file}: crate::{path}"));
                }
            }
        }
    }
    assert!(count > 50, "{count}");
    assert_eq!(wrong, BTreeSet::new());
}

#[test]
fn the_first_call_reads_something_and_needs_the_fewest_arguments() {
    let document = "openapi: 3.0.3
info: {title: Things, version: '1'}
paths:
  /things/{id}: {get: {operationId: one, parameters: [{name: id, in: path, required: true, schema: {type: string}}], responses: {'204': {description: d}}}}
  /others: {post: {operationId: add, responses: {'204': {description: d}}}}
  /old: {get: {operationId: old, deprecated: true, responses: {'204': {description: d}}}}
  /things: {get: {operationId: all, responses: {'204': {description: d}}}}
";
    let tree = crate::support::tool::tree_of(document);
    let readme = tree.get("README.md").unwrap();
    assert!(readme.contains("client.all().send()"), "{readme}");
}
