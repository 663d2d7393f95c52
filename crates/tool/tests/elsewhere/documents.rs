//! Documents: fetched, from standard input or a revision, and with Overlays.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::process::Command;

use crate::support::{DOCUMENT, Elsewhere, OVERLAY};

#[test]
fn an_overlay_of_any_tool_applies_and_is_an_input() {
    let elsewhere = Elsewhere::new();
    elsewhere.write("a.yaml", DOCUMENT);
    elsewhere.write("o.yaml", OVERLAY);
    elsewhere.expect(
        &[
            "generate",
            "a.yaml",
            "--overlay",
            "o.yaml",
            "--output",
            "crate",
        ],
        0,
    );
    assert!(elsewhere.read("crate/Cargo.toml").contains("name = \"t\""));
    assert!(
        elsewhere
            .read("crate/manifest.yaml")
            .contains("  o.yaml: sha256:")
    );
    // The error names the file that breaks it.
    let broken = OVERLAY.replace("title: T", "x-rust-package: {nope: 1}");
    elsewhere.write("o.yaml", &broken);
    let printed = elsewhere.expect(&["validate", "a.yaml", "--overlay", "o.yaml"], 1);
    assert!(printed.contains("o.yaml wrote it"), "{printed}");
    elsewhere.write("o.yaml", "overlay: 1.0.0\n");
    let printed = elsewhere.expect(&["validate", "a.yaml", "--overlay", "o.yaml"], 1);
    assert!(printed.contains("o.yaml"), "{printed}");
}

/// Answers each request with this body, and says how many there were.
fn service(body: &'static [u8]) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/api.yaml", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut request = [0; 4096];
            let _ = stream.read(&mut request);
            let status = if body.is_empty() {
                "404 Not Found"
            } else {
                "200 OK"
            };
            let length = body.len();
            let head = format!(
                "HTTP/1.1 {status}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
            );
            let _ = stream
                .write_all(head.as_bytes())
                .and_then(|()| stream.write_all(body));
        }
    });
    address
}

#[test]
fn a_document_is_fetched_whole_or_not_at_all() {
    let elsewhere = Elsewhere::new();
    let address = service(DOCUMENT.as_bytes());
    let printed = elsewhere.expect(&["fetch", &address], 0);
    assert!(
        printed.starts_with(DOCUMENT) && printed.contains("sha256:"),
        "{printed}"
    );
    let digest = printed.split("sha256:").nth(1).unwrap()[..64].to_owned();
    elsewhere.expect(
        &[
            "fetch", &address, "--sha256", &digest, "--output", "api.yaml",
        ],
        0,
    );
    assert_eq!(elsewhere.read("api.yaml"), DOCUMENT);
    let printed = format!("sha256:{digest}");
    elsewhere.expect(
        &["fetch", &address, "--sha256", &printed, "--output", "-"],
        0,
    );
    let wrong = digest.replace(|_| true, "0");
    for (arguments, message) in [
        (["--sha256", &wrong], "and not 0000"),
        (["--max-bytes", "10"], "more than 10 bytes"),
    ] {
        let printed = elsewhere.expect(
            &[
                &["fetch", &address, "--output", "other.yaml"][..],
                &arguments,
            ]
            .concat(),
            2,
        );
        assert!(
            printed.contains("error[fetch]") && printed.contains(message),
            "{printed}"
        );
    }
    let printed = elsewhere.expect(&["fetch", &service(b""), "--output", "other.yaml"], 2);
    assert!(printed.contains("404 Not Found"), "{printed}");
    let printed = elsewhere.expect(&["fetch", &service(&[0xff]), "--output", "other.yaml"], 2);
    assert!(printed.contains("utf-8"), "{printed}");
    assert!(!elsewhere.home().join("other.yaml").exists());
    // No message contains the secret parts of an address.
    let secret = address.replace("http://", "http://user:canary@") + "?key=canary";
    for (address, code) in [
        (secret.as_str(), 0),
        (&secret.replace("/api.yaml", ":9/"), 2),
        ("http://user:canary@127.0.0.1:1/?key=canary", 2),
        ("user:canary@host", 2),
    ] {
        let printed = elsewhere.expect(&["fetch", address], code);
        assert!(!printed.contains("canary"), "{printed}");
    }
    // The address of the file, and no other command that takes one.
    elsewhere.write("openapi-crate.toml", &format!("[crates.small]\ndocument = \"api.yaml\"\naddress = \"{address}\"\noutput = \"client\"\n"));
    let printed = elsewhere.expect(&["fetch"], 0);
    assert!(printed.starts_with(DOCUMENT), "{printed}");
    let secret = secret.as_str();
    let printed = elsewhere.expect(&["update", secret], 2);
    assert!(
        printed.contains("documents are read from files"),
        "{printed}"
    );
    assert!(!printed.contains("canary"), "{printed}");
    elsewhere.expect(&["init", "-", "--output", "other"], 2);
}

#[test]
fn a_document_comes_from_a_path_standard_input_or_a_revision() {
    let elsewhere = Elsewhere::new();
    elsewhere.write("a.yaml", DOCUMENT);
    elsewhere.git(&["init", "--quiet"]);
    elsewhere.commit();
    for document in ["a.yaml", "HEAD:a.yaml"] {
        elsewhere.expect(&["generate", document, "--output", "one"], 0);
    }
    let mut command = Command::new(&elsewhere.program);
    let command = command.args(["generate", "-", "--output", "two"]);
    let input = fs::File::open(elsewhere.home().join("a.yaml")).unwrap();
    let status = command.current_dir(elsewhere.home()).stdin(input).status();
    assert!(status.unwrap().success());
    let one = |path: &str| elsewhere.read(&format!("one/{path}"));
    assert_eq!(one("src/client.rs"), elsewhere.read("two/src/client.rs"));
    let printed = elsewhere.expect(&["validate", "https://a.example/b.yaml"], 1);
    assert!(
        printed.contains("documents are read from files"),
        "{printed}"
    );
}
