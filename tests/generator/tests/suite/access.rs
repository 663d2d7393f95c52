//! Credentials and addresses with which emitted code calls the operations of a document.

use openapi_document::source::Source;
use openapi_model::{Auth, Carrier, Model};

use crate::support::Workspace;

fn model(document: &str) -> (Model, Vec<String>) {
    let source = Source::parse("openapi.yaml", document.to_owned()).unwrap();
    // The lints are skipped, because they restrict OpenAPI documents further.
    let model = openapi_model::read(&source).unwrap();
    let warnings = model.warnings.iter();
    let warnings = warnings.map(|warning| format!("{} {}", warning.rule, warning.pointer));
    let warnings = warnings.collect();
    (model, warnings)
}

/// Returns the model of a document of one operation with this `security` and these schemes, and its warnings.
fn needing(security: &str, schemes: &str) -> (Model, Vec<String>) {
    model(&format!(
        "openapi: 3.0.3\n\
         info: {{title: Small, version: '1'}}\n\
         paths:\n\
         \x20 /a: {{get: {{operationId: a, security: {security}, responses: {{'204': {{description: d}}}}}}}}\n\
         \x20 /b: {{get: {{operationId: b, responses: {{'204': {{description: d}}}}}}}}\n\
         components: {{securitySchemes: {schemes}}}\n"
    ))
}

/// Returns the credentials that `a` accepts.
fn of_a(auth: &Auth) -> Vec<Vec<&str>> {
    let needed = auth.of.get("/paths/~1a/get").unwrap_or(&auth.usual);
    needed
        .iter()
        .map(|names| names.iter().map(String::as_str).collect())
        .collect()
}

#[test]
fn a_credential_that_is_described_as_a_parameter_is_a_credential() {
    let parameter = |required| {
        format!(
            "openapi: 3.1.0\n\
             info: {{title: Small, version: '1'}}\n\
             paths:\n\
             \x20 /a: {{get: {{operationId: a, parameters: [{{name: authorization, in: header, required: {required}, schema: {{type: string}}}}], responses: {{'204': {{description: d}}}}}}}}\n\
             \x20 /b: {{get: {{operationId: b, security: [], parameters: [{{name: Authorization, in: header, schema: {{type: string}}}}], responses: {{'204': {{description: d}}}}}}}}\n"
        )
    };
    for (required, needed) in [
        (true, vec![vec!["Authorization header"]]),
        (false, vec![vec!["Authorization header"], vec![]]),
    ] {
        let (model, warnings) = model(&parameter(required));
        assert_eq!(of_a(&model.auth), needed);
        assert!(model.auth.of["/paths/~1b/get"].is_empty());
        let [scheme] = model.auth.schemes.as_slice() else {
            panic!("{:?}", model.auth.schemes);
        };
        assert_eq!(scheme.carrier, Carrier::Authorization);
        assert_eq!(scheme.rust_name, "authorization_header");
        assert!(model.operations.iter().all(|one| one.parameters.is_empty()));
        assert_eq!(
            warnings,
            [
                "credential-parameter /paths/~1a/get/parameters/0",
                "credential-parameter /paths/~1b/get/parameters/0"
            ]
        );
    }
}

#[test]
fn a_key_that_is_described_as_a_parameter_is_a_credential_where_nothing_else_is() {
    let operation = |path: &str, security: &str| {
        format!(
            "\x20 /{path}: {{get: {{operationId: {path}, {security}parameters: [{{name: xi-api-key, in: header, required: true, schema: {{type: string}}}}], responses: {{'204': {{description: d}}}}}}}}\n"
        )
    };
    let (first, second) = (operation("a", ""), operation("b", "security: [], "));
    let (model, warnings) = model(&format!(
        "openapi: 3.1.0\ninfo: {{title: Small, version: '1'}}\npaths:\n{first}{second}"
    ));
    assert_eq!(of_a(&model.auth), [["xi-api-key header"]]);
    assert_eq!(
        model.auth.schemes[0].carrier,
        Carrier::Header("xi-api-key".to_owned())
    );
    let parameters = model.operations.iter().map(|one| one.parameters.len());
    assert_eq!(parameters.collect::<Vec<_>>(), [0, 1]);
    assert_eq!(
        warnings,
        ["credential-parameter /paths/~1a/get/parameters/0"]
    );
}

#[test]
fn described_credentials_that_may_be_left_out_are_alternatives() {
    let described = |parameters: &str| {
        let (model, _) = model(&format!(
            "openapi: 3.1.0\ninfo: {{title: Small, version: '1'}}\npaths:\n\
             \x20 /a: {{get: {{operationId: a, parameters: [{parameters}], responses: {{'204': {{description: d}}}}}}}}\n"
        ));
        let needed = of_a(&model.auth);
        let needed = needed.iter().map(|names| names.join("+"));
        (
            needed.collect::<Vec<_>>(),
            model.operations[0].parameters.len(),
        )
    };
    let header = |name: &str, required: bool, schema: &str| {
        format!("{{name: {name}, in: header, required: {required}, schema: {{{schema}}}}}")
    };
    let key = |name, required| header(name, required, "type: string");
    let (one, two) = ("x-api-key header", "Authorization header");
    let both = [key("X-Api-Key", false), key("Authorization", false)].join(", ");
    let all = vec![
        format!("{one}+{two}"),
        one.to_owned(),
        two.to_owned(),
        String::new(),
    ];
    assert_eq!(described(&both), (all, 0));
    let both = [key("X-Api-Key", true), key("Authorization", false)].join(", ");
    assert_eq!(
        described(&both),
        (vec![format!("{one}+{two}"), one.to_owned()], 0)
    );
    for other in [
        header("X-Api-Key", true, "type: boolean"),
        header("X-Api-Key", true, "type: string, enum: [live, test]"),
        key("X-Not-An-Api-Key", true),
    ] {
        assert_eq!(described(&other), (Vec::new(), 1), "{other}");
    }
}

#[test]
fn alternatives_are_read_as_far_as_the_client_can_use_them() {
    let schemes = "{k: {type: apiKey, in: header, name: X-K}, l: {type: http, scheme: BEARER}, m: {type: mutualTLS}, \
                   odd: {type: apiKey, in: body, name: x}, circle: {$ref: '#/components/securitySchemes/k'}, nameless: {type: http}}";
    for (security, needed, warnings) in [
        ("[{k: []}, {l: [a, b]}]", vec![vec!["k"], vec!["l"]], vec![]),
        ("[{k: [], l: []}]", vec![vec!["k", "l"]], vec![]),
        ("[{}, {k: []}]", vec![vec![], vec!["k"]], vec![]),
        ("[{l: [a]}, {l: [b]}]", vec![vec!["l"]], vec![]),
        ("[{circle: []}]", vec![vec!["circle"]], vec![]),
        ("[{m: []}, {k: []}]", vec![vec![], vec!["k"]], vec![]),
        ("[{m: [], k: []}]", vec![vec!["k"]], vec![]),
        ("[]", vec![], vec![]),
        ("[{}]", vec![], vec![]),
        (
            "[{odd: []}, {l: []}]",
            vec![vec!["l"]],
            vec!["security-scheme /components/securitySchemes/odd"],
        ),
        (
            "[{nameless: []}, {gone: []}, {l: []}]",
            vec![vec!["l"]],
            vec![
                "security-scheme /components/securitySchemes/nameless",
                "security-scheme /paths/~1a/get/security/1",
            ],
        ),
        (
            "7",
            vec![],
            vec![
                "security-scheme /paths/~1a/get/security",
                "security-scheme /components/securitySchemes/k",
            ],
        ),
        (
            "[7, {l: []}]",
            vec![vec!["l"]],
            vec!["security-scheme /paths/~1a/get/security/0"],
        ),
    ] {
        let (model, found) = needing(security, schemes);
        assert_eq!(of_a(&model.auth), needed, "{security}");
        assert_eq!(found, warnings, "{security}");
        assert_eq!(model.operations.len(), 2, "{security}");
    }
}

#[test]
fn schemes_without_security_are_a_warning() {
    let keys = "{k: {type: apiKey, in: header, name: k}, l: {type: http, scheme: bearer}}";
    let (model, warnings) = needing("null", keys);
    assert_eq!(of_a(&model.auth), Vec::<Vec<&str>>::new());
    assert_eq!(warnings, ["security-scheme /components/securitySchemes/k"]);
    let (_, warnings) = needing("[]", keys);
    assert_eq!(warnings, Vec::<String>::new());
}

#[test]
fn an_operation_without_a_usable_alternative_is_left_out_and_named() {
    let (model, warnings) = needing("[{gone: []}]", "{}");
    let ids: Vec<&str> = model.operations.iter().map(|one| one.id.as_str()).collect();
    assert_eq!(ids, ["b"]);
    let [left_out] = model.left_out.as_slice() else {
        panic!("{:?}", model.left_out);
    };
    assert_eq!(
        (&*left_out.method, &*left_out.path, &*left_out.pointer),
        ("GET", "/a", "/paths/~1a/get")
    );
    assert_eq!(
        warnings,
        [
            "security-scheme /paths/~1a/get/security/0",
            "left-out /paths/~1a/get"
        ]
    );
}

#[test]
fn functions_and_variables_of_schemes_are_unique() {
    let (model, _) = needing(
        "[{'my token': []}, {my-token: []}, {login: []}, {login_user: []}, {my_token_provider: []}, {base url: []}]",
        "{'my token': {type: http, scheme: bearer}, my-token: {type: apiKey, in: query, name: a}, login: {type: http, scheme: basic}, \
         login_user: {type: apiKey, in: query, name: b}, my_token_provider: {type: apiKey, in: query, name: c}, \
         'base url': {type: apiKey, in: query, name: d}}",
    );
    let schemes = model.auth.schemes.iter();
    let names: Vec<(&str, &str)> = schemes
        .map(|one| (one.rust_name.as_str(), one.variable.as_str()))
        .collect();
    assert_eq!(
        names,
        [
            ("my_token", "MY_TOKEN"),
            ("my_token_2", "MY_TOKEN_2"),
            ("login", "LOGIN"),
            ("login_user_2", "LOGIN_USER_2"),
            ("my_token_provider_2", "MY_TOKEN_PROVIDER_2"),
            ("base_url_2", "BASE_URL_2"),
        ]
    );
}

#[test]
fn one_key_that_all_operations_need_stays_simple() {
    let document = |security: &str| {
        format!(
            "openapi: 3.0.3\n\
             info: {{title: Small, version: '1'}}\n\
             security: [{{k: []}}]\n\
             paths: {{/a: {{get: {{operationId: a, {security} responses: {{'204': {{description: d}}}}}}}}}}\n\
             components: {{securitySchemes: {{k: {{type: http, scheme: bearer}}}}}}\n"
        )
    };
    let emitted = |security: &str| {
        let workspace = Workspace::with(&document(security));
        workspace.regen(false);
        workspace.read("generated/src/client.rs")
    };
    let client = emitted("");
    assert!(client.contains("auth: Auth::Bearer"), "{client}");
    assert!(!client.contains("mod credentials"), "{client}");
    let client = emitted("security: [],");
    assert!(client.contains("usual: &[&[\"k\"]]"), "{client}");
    assert!(client.contains("variable: \"API_KEY\""), "{client}");
    assert!(client.contains("pub fn k_provider("), "{client}");
}

#[test]
fn a_parameter_that_is_a_credential_of_its_operation_is_not_sent_twice() {
    let document = |security: &str| {
        format!(
            "openapi: 3.0.3\n\
             info: {{title: Small, version: '1'}}\n\
             paths:\n\
             \x20 /a:\n\
             \x20   get:\n\
             \x20     operationId: a\n\
             \x20     security: {security}\n\
             \x20     parameters:\n\
             \x20       - {{name: KEY, in: query, schema: {{type: string}}}}\n\
             \x20       - {{name: key, in: query, schema: {{type: string}}}}\n\
             \x20       - {{name: X-KEY, in: header, schema: {{type: string}}}}\n\
             \x20     responses: {{'204': {{description: d}}}}\n\
             components:\n\
             \x20 securitySchemes:\n\
             \x20   q: {{type: apiKey, in: query, name: key}}\n\
             \x20   h: {{type: apiKey, in: header, name: x-key}}\n"
        )
    };
    for (security, kept) in [
        ("[{q: []}]", vec!["KEY", "X-KEY"]),
        ("[{h: []}]", vec!["KEY", "key"]),
        ("[{q: []}, {h: []}]", vec!["KEY"]),
        // Without a scheme, it is an ordinary argument.
        ("[]", vec!["KEY", "key", "X-KEY"]),
    ] {
        // Renamed, because conflicts between two arguments are not tested here.
        let document = document(security).replace("name: KEY", "name: other");
        let (model, warnings) = model(&document);
        let parameters = model.operations[0].parameters.iter();
        let names: Vec<&str> = parameters.map(|one| one.name.as_str()).collect();
        let kept: Vec<&str> = kept
            .into_iter()
            .map(|name| if name == "KEY" { "other" } else { name })
            .collect();
        assert_eq!(names, kept, "{security}");
        assert_eq!(warnings.len(), 3 - kept.len(), "{warnings:?}");
    }
}

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
    for (operation, needed) in [
        ("animals", None),
        ("login", Some("request.security(&[]);")),
        ("open", Some(r#"request.security(&[&[], &["login"]]);"#)),
        (
            "put_file",
            Some(r#"request.security(&[&["session"], &["digest"], &["base_url"]]);"#),
        ),
    ] {
        let file = workspace.read(&format!("generated/src/operations/{operation}.rs"));
        let found = file.lines().find(|line| line.contains("request.security("));
        assert_eq!(found.map(str::trim), needed, "{file}");
        assert_eq!(
            file.contains(r#"url: "https://files.zoo.example/up""#),
            operation == "put_file"
        );
    }
    let same = workspace.read("generated/src/operations/same.rs");
    assert!(!same.contains("OwnServer"), "an address of the API: {same}");
    let readme = workspace.read("generated/README.md");
    assert!(
        readme.contains("| `login` | `login` | `ZOO_LOGIN_USER`, `ZOO_LOGIN_PASSWORD` |"),
        "{readme}"
    );
}

#[test]
fn an_address_of_an_operation_is_the_documents_or_the_operation_is_left_out() {
    for (servers, own) in [
        (
            "[{url: 'https://b.example/x'}]",
            Ok(Some("https://b.example/x")),
        ),
        ("[{url: 'https://api.example/'}]", Ok(None)),
        ("[]", Ok(None)),
        (
            "[{url: /x}, {url: 'https://b.example'}]",
            Ok(Some("https://b.example")),
        ),
        (
            "[{url: '{o}', variables: {o: {default: 'https://b.example'}}}]",
            Ok(Some("https://b.example")),
        ),
        (
            "[{url: 'https://b.example:{p}', variables: {p: {enum: [81, 82]}}}]",
            Ok(Some("https://b.example:81")),
        ),
        (
            "[{url: 'http://localhost:1'}]",
            Ok(Some("http://localhost:1")),
        ),
        ("[{url: 'http://b.example'}]", Err(())),
        ("[{url: /x}]", Err(())),
        ("[{url: 'https://'}]", Err(())),
        ("[{url: 'https://{a}.example'}]", Err(())),
        ("[{url: 'https://me@b.example'}]", Err(())),
        ("[{url: 'https://b.example?a=b'}]", Err(())),
        ("[7]", Err(())),
    ] {
        let document = format!(
            "openapi: 3.0.3\n\
             info: {{title: Small, version: '1'}}\n\
             servers: [{{url: 'https://api.example'}}]\n\
             paths:\n\
             \x20 /a: {{servers: {servers}, get: {{operationId: a, responses: {{'204': {{description: d}}}}}}}}\n\
             \x20 /b: {{get: {{operationId: b, responses: {{'204': {{description: d}}}}}}}}\n"
        );
        let (model, warnings) = model(&document);
        let found = model.servers.own.get("/paths/~1a/get").map(String::as_str);
        assert_eq!(found, own.unwrap_or_default(), "{servers}");
        assert_eq!(model.left_out.len(), usize::from(own.is_err()), "{servers}");
        // One of two addresses is called.
        let others = servers
            .contains("}, {")
            .then(|| "other-servers /paths/~1a/servers".to_owned());
        let left_out = || "own-servers /paths/~1a/servers".to_owned();
        let expected = own.err().map(|()| left_out()).or(others);
        assert_eq!(warnings, Vec::from_iter(expected), "{servers}");
    }
}

#[test]
fn a_first_https_address_without_variables_needs_no_environment() {
    for (servers, first) in [
        (
            "[{url: 'https://api.example/v1'}]",
            Some("https://api.example/v1"),
        ),
        (
            "[{url: 'https://a.example'}, {url: 'https://b.example'}]",
            Some("https://a.example"),
        ),
        (
            "[{url: 'https://a.example'}, {url: /v1}]",
            Some("https://a.example"),
        ),
        (
            "[{url: 'https://{a}.example', variables: {a: {default: x}}}]",
            None,
        ),
        (
            "[{url: '{base_url}', variables: {base_url: {default: 'https://a.example'}}}]",
            None,
        ),
        ("[{url: 'http://localhost:8080'}]", None),
        (
            "[{url: 'http://localhost:8080'}, {url: 'https://b.example'}]",
            None,
        ),
        ("[{url: /v1}]", None),
        ("[]", None),
    ] {
        let document = format!(
            "openapi: 3.0.3\n\
             info: {{title: Small, version: '1'}}\n\
             servers: {servers}\n\
             paths: {{/a: {{get: {{operationId: a, responses: {{'204': {{description: d}}}}}}}}}}\n"
        );
        let (model, _) = model(&document);
        assert_eq!(model.servers.first.as_deref(), first, "{servers}");
    }
}
