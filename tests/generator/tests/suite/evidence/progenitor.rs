//! Progenitor judges the overrides from outside. The snapshot has what its types of the published document do not read of each observation:
//! nothing where the document has a plain string, and the override corrects its words. Its types of the corrected document read all of them, and
//! those of the reconciled document every reviewed payload.

use std::collections::BTreeSet;
use std::io::Write;
use std::process::{Command, Stdio};

use openapi_overrides::{Family, reconcile};
use progenitor::Generator;
use serde_json::{Value, json};
use syn::Item;

use crate::support::{Inputs, Workspace, repository};

const MANIFEST: &str = r#"
[package]
name = "judge"
version = "0.0.0"
edition = "2024"

[dependencies]
chrono = { version = "*", default-features = false, features = ["serde"] }
regress = "*"
serde = { version = "1", features = ["derive"] }
serde_json = "1"
uuid = { version = "1", features = ["serde"] }

[workspace]
"#;

/// Answers each value of standard input as its type writes it, or with the error. The modules and `answer` follow.
const PROGRAM: &str = r#"#![allow(warnings)]
use serde_json::{Value, json};

fn read<T: serde::Serialize + serde::de::DeserializeOwned>(value: Value) -> Value {
    match serde_json::from_value::<T>(value) {
        Ok(value) => json!({"read": value}),
        Err(error) => json!({"error": error.to_string()}),
    }
}

fn main() {
    for line in std::io::stdin().lines() {
        let (module, schema, value) = serde_json::from_str::<(String, String, Value)>(&line.unwrap()).unwrap();
        println!("{}", answer(&module, &schema, value));
    }
}
"#;

/// A value that the types of a document should read.
struct Question {
    module: &'static str,
    schema: String,
    value: Value,
}

/// Returns progenitor's module of the types of a document.
fn types(document: &Value) -> String {
    let mut document = document.clone();
    document["paths"] = json!({});
    // Typify makes one struct of all alternatives of `anyOf`, even of a string and null. Here the alternatives exclude each other.
    let text = document.to_string().replace("\"anyOf\":", "\"oneOf\":");
    let tokens = Generator::default().generate_tokens(&serde_json::from_str(&text).unwrap());
    let file: syn::File = syn::parse2(tokens.unwrap()).unwrap();
    let module = file.items.into_iter().find_map(|item| match item {
        Item::Mod(module) if module.ident == "types" => module.content,
        _ => None,
    });
    let (_, items) = module.unwrap();
    quote::quote!(#(#items)*).to_string()
}

/// Writes and runs a program with the types of the documents. Returns what it does not read of each value.
fn misread(documents: &[(&str, &Value)], questions: &[Question]) -> Vec<Vec<String>> {
    let known: BTreeSet<_> = questions
        .iter()
        .map(|question| (question.module, &question.schema))
        .collect();
    let mut program = PROGRAM.to_owned();
    for (module, document) in documents {
        program += &format!("mod {module} {{ {} }}\n", types(document));
    }
    program += "fn answer(module: &str, schema: &str, value: Value) -> Value {\nmatch (module, schema) {\n";
    for (module, schema) in known {
        program += &format!("({module:?}, {schema:?}) => read::<{module}::{schema}>(value),\n");
    }
    program += "_ => unreachable!(),\n}\n}\n";
    let workspace = Workspace::new()
        .file("Cargo.toml", MANIFEST)
        .file("src/main.rs", &program);
    let lock = repository().join("Cargo.lock");
    std::fs::copy(lock, workspace.root().join("Cargo.lock")).unwrap();
    let mut running = Command::new(env!("CARGO"))
        .args(["run", "--offline", "--quiet", "--target-dir"])
        .arg(concat!(env!("CARGO_TARGET_TMPDIR"), "/foreign"))
        .current_dir(workspace.root())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = running.stdin.take().unwrap();
    for Question {
        module,
        schema,
        value,
    } in questions
    {
        writeln!(input, "{}", json!([module, schema, value])).unwrap();
    }
    drop(input);
    let output = running.wait_with_output().unwrap();
    assert!(output.status.success());
    let answers = String::from_utf8(output.stdout).unwrap();
    let answers: Vec<Value> = answers
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(answers.len(), questions.len());
    let pairs = questions.iter().zip(&answers);
    pairs
        .map(|(question, answer)| lost(&question.value, answer))
        .collect()
}

/// Returns the error, or the places that the value read from `sent` lacks.
fn lost(sent: &Value, answer: &Value) -> Vec<String> {
    let mut places = Vec::new();
    match answer.get("read") {
        Some(read) => compare(sent, read, "", &mut places),
        None => places.push(answer["error"].to_string()),
    }
    places
}

fn compare(sent: &Value, read: &Value, at: &str, places: &mut Vec<String>) {
    match (sent, read) {
        (Value::Object(sent), Value::Object(read)) => {
            for (name, value) in sent {
                let read = read.get(name).unwrap_or(&Value::Null);
                compare(value, read, &format!("{at}/{name}"), places);
            }
        }
        (Value::Array(sent), Value::Array(read)) if sent.len() == read.len() => {
            for (index, (sent, read)) in sent.iter().zip(read).enumerate() {
                compare(sent, read, &format!("{at}/{index}"), places);
            }
        }
        // It does not write an empty optional list.
        (Value::Array(sent), Value::Null) if sent.is_empty() => {}
        // Without a `format`, it reads a number in 32 bits.
        (Value::Number(sent), Value::Number(read)) => {
            let [sent, read] = [sent, read].map(|number| number.as_f64().unwrap());
            if (sent - read).abs() > 1e-6 * sent.abs() {
                places.push(at.to_owned());
            }
        }
        _ if sent == read => {}
        _ => places.push(at.to_owned()),
    }
}

#[test]
#[ignore = "the gate runs it: it compiles a crate"]
fn progenitor_misreads_what_an_override_corrects_and_nothing_after_it() {
    let inputs = Inputs::committed();
    let mut upstream = inputs.overrides.clone();
    upstream
        .overrides
        .retain(|one| one.family == Family::Upstream);
    let corrected = reconcile(&inputs.published, &upstream).unwrap();
    let (mut questions, mut ids) = (Vec::new(), Vec::new());
    for one in &upstream.overrides {
        for evidence in &one.evidence {
            for module in ["published", "corrected"] {
                questions.push(Question {
                    module,
                    schema: evidence.said.schema.clone(),
                    value: evidence.said.payload.clone(),
                });
            }
            ids.push(one.id.as_str());
        }
    }
    let evidence = questions.len();
    let reconciled = inputs.reconciled().value();
    for operation in &inputs.model().operations {
        let at = format!(
            "{}/responses/200/content/application~1json/schema/$ref",
            operation.pointer
        );
        let Some(Value::String(reference)) = reconciled.pointer(&at) else {
            continue;
        };
        questions.push(Question {
            module: "reconciled",
            schema: reference.rsplit('/').next().unwrap().to_owned(),
            value: serde_json::from_str(&reviewed_facts::payload(&operation.rust_name)).unwrap(),
        });
    }
    assert!(questions.len() > evidence);
    let documents = [
        ("published", &inputs.published.value),
        ("corrected", corrected.value()),
        ("reconciled", reconciled),
    ];
    let misread = misread(&documents, &questions);
    let (of_evidence, of_payloads) = misread.split_at(evidence);
    let mut shown = String::new();
    for (id, pair) in ids.iter().zip(of_evidence.chunks(2)) {
        let [published, corrected] = pair else {
            unreachable!()
        };
        let published = match published.join(", ") {
            places if places.is_empty() => "nothing".to_owned(),
            places => places,
        };
        shown += &format!("{id}: {published}\n");
        assert!(corrected.is_empty(), "{id}: {corrected:?}");
    }
    insta::assert_snapshot!(shown);
    for (question, places) in questions[evidence..].iter().zip(of_payloads) {
        assert!(places.is_empty(), "{}: {places:?}", question.schema);
    }
}
