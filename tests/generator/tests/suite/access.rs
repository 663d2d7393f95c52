//! Credentials and addresses of a document that has all kinds of them. Each kind alone is in `fixtures/cases/access.yaml`.

use crate::support::{Workspace, builder};

#[test]
fn each_operation_says_what_it_needs_where_that_is_not_usual() {
    let workspace = Workspace::fixture("zoo");
    let (fresh, output) = workspace.regen(false);
    assert!(fresh, "{output}");
    let client = workspace.read("generated/src/client.rs");
    for line in [
        r#"usual: &[&["token"], &["app", "user"]]"#,
        r#"carrier: Carrier::Query("app id")"#,
        r#"carrier: Carrier::Header("x-user")"#,
        r#"carrier: Carrier::Cookie("sid")"#,
        "carrier: Carrier::Authorization",
        "pub fn token_provider(",
        "/// Flow `clientCredentials`, tokens: `https://id.zoo.example/token`.",
        "/// `Client::from_env` reads `ZOO_LOGIN_USER` and `ZOO_LOGIN_PASSWORD`.",
        "region: ServerProductionRegion,",
        "TenantTestZooExample {",
    ] {
        assert!(client.contains(line), "{line}: {client}");
    }
    // Invalid base URLs and schemes that no operation needs are absent.
    for absent in ["plain.zoo", "unused"] {
        assert!(!client.contains(absent), "{absent}: {client}");
    }
    let builders = workspace.read("generated/src/operations.rs");
    for (operation, needed) in [
        ("animals", None),
        ("login", Some("request.security(&[]);")),
        ("open", Some(r#"request.security(&[&[], &["login"]]);"#)),
        (
            "put_file",
            Some(r#"request.security(&[&["session"], &["digest"], &["base_url"]]);"#),
        ),
    ] {
        let file = builder(&builders, &operation.to_uppercase());
        let found = file.lines().find(|line| line.contains("request.security("));
        assert_eq!(found.map(str::trim), needed, "{file}");
        assert_eq!(
            file.contains(r#"url: "https://files.zoo.example/up""#),
            operation == "put_file"
        );
    }
    let same = builder(&builders, "SAME");
    assert!(!same.contains("OwnServer"), "an address of the API: {same}");
    let readme = workspace.read("generated/README.md");
    assert!(
        readme.contains("| `login` | `login` | `ZOO_LOGIN_USER`, `ZOO_LOGIN_PASSWORD` |"),
        "{readme}"
    );
}
