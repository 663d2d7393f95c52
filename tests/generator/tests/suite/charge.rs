//! The member of a response that reports the charge: for each operation, and for raw calls if all operations share it.

use crate::support::{Emitted, Workspace};

/// Generates a document with an operation for each of these members; without one, its response reports no charge.
fn generated(members: &[Option<&str>]) -> Workspace {
    let mut document =
        String::from("openapi: 3.0.3\ninfo: {title: Small, version: \"1\"}\npaths:\n");
    for (index, member) in members.iter().enumerate() {
        let charge = member.map_or(String::new(), |member| {
            format!(", {member}: {{type: number, x-rust-type: Credits}}")
        });
        document.push_str(&format!(
            "  /op{index}:\n    get:\n      operationId: op{index}\n      responses:\n        '200':\n          description: A response.\n          \
             content: {{application/json: {{schema: {{type: object, properties: {{name: {{type: string}}{charge}}}}}}}}}\n",
        ));
    }
    let workspace = Workspace::with(&document);
    workspace.regen(false);
    workspace
}

/// Returns the charge of the whole API.
fn charge_of_the_api(workspace: &Workspace) -> String {
    after(&workspace.read("generated/src/client.rs"), "meter(")
}

/// Returns the code after `text`, up to the end of an option.
fn after(code: &str, text: &str) -> String {
    let (_, rest) = code.split_once(text).unwrap();
    match rest.strip_prefix("None") {
        Some(_) => "None".to_owned(),
        None => format!("{})", rest.split(')').next().unwrap()),
    }
}

/// Returns the charge of an operation, and the sentence on its price.
fn said(workspace: &Workspace, operation: &str) -> (String, String) {
    let emitted = Emitted::of_workspace(workspace);
    let module = format!("operations::{operation}");
    let code = workspace.read(&format!("generated/src/operations/{operation}.rs"));
    let mut items = emitted.module(&module);
    let builder = items.find(|item| item.kind == "struct").unwrap();
    let mut lines = builder.docs.lines();
    let price = lines.find_map(|line| {
        line.strip_prefix("- ")
            .filter(|line| line.starts_with("Price:"))
    });
    (
        after(&code, "charge: "),
        price.unwrap_or_default().to_owned(),
    )
}

#[test]
fn raw_calls_have_the_charge_that_all_operations_share() {
    let workspace = generated(&[Some("cost"), Some("cost"), None]);
    assert_eq!(charge_of_the_api(&workspace), "Some(\"cost\")");
    for operation in ["op0", "op1", "op2"] {
        let (charge, price) = said(&workspace, operation);
        assert_eq!(charge, "Some(\"cost\")");
        assert_eq!(
            price,
            "Price: not published; `cost` of the response reports it."
        );
    }
}

#[test]
fn operations_that_differ_name_their_own_charge() {
    let workspace = generated(&[Some("cost"), Some("fee"), None]);
    assert_eq!(charge_of_the_api(&workspace), "None");
    for (operation, member) in [("op0", "cost"), ("op1", "fee")] {
        let (charge, price) = said(&workspace, operation);
        assert_eq!(charge, format!("Some(\"{member}\")"));
        assert_eq!(
            price,
            format!("Price: not published; `{member}` of the response reports it.")
        );
    }
    let silent = said(&workspace, "op2");
    assert_eq!(
        silent,
        ("None".to_owned(), "Price: not published.".to_owned())
    );
}
