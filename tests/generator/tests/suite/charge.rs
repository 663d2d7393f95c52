//! Which member of a response reports the charge: said once for the API, and at an operation only where it is another one.

use crate::support::Workspace;

/// A document with an operation for each of these members; without one, its response reports no charge.
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

/// The line that says the charge in a generated file, and the sentence on the price.
fn said(workspace: &Workspace, file: &str) -> (String, String) {
    let text = workspace.read(&format!("generated/src/{file}"));
    let line = |start: &str| {
        let mut lines = text.lines().map(str::trim);
        let found = lines.find(|line| line.starts_with(start));
        found.unwrap_or_default().to_owned()
    };
    (line("charge:"), line("/// Price:"))
}

#[test]
fn an_operation_repeats_no_charge_that_the_api_has() {
    let workspace = generated(&[Some("cost"), Some("cost"), None]);
    assert_eq!(said(&workspace, "client.rs").0, "charge: Some(\"cost\"),");
    for operation in ["op0", "op1", "op2"] {
        let (charge, price) = said(&workspace, &format!("operations/{operation}.rs"));
        assert_eq!(charge, "charge: None,");
        assert_eq!(
            price,
            "/// Price: not published; `cost` of the response reports it."
        );
    }
}

#[test]
fn operations_that_differ_name_their_own_charge() {
    let workspace = generated(&[Some("cost"), Some("fee"), None]);
    assert_eq!(said(&workspace, "client.rs").0, "charge: None,");
    for (operation, member) in [("op0", "cost"), ("op1", "fee")] {
        let (charge, price) = said(&workspace, &format!("operations/{operation}.rs"));
        assert_eq!(charge, format!("charge: Some(\"{member}\"),"));
        assert_eq!(
            price,
            format!("/// Price: not published; `{member}` of the response reports it.")
        );
    }
    let silent = said(&workspace, "operations/op2.rs");
    assert_eq!(
        silent,
        (
            "charge: None,".to_owned(),
            "/// Price: not published.".to_owned()
        )
    );
}
