//! The scripts of the action in the CI of others, with this program and a `gh` that only notes its arguments, and the form of the files
//! that only a service reads.

#![cfg(unix)]
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

use crate::elsewhere::DOCUMENT;

const OVERRIDE: &str = "\
overlay: 1.0.0
info: {title: Words, version: 1.0.0}
x-override: {published: p, observed: o, reference: '1', retire-when: r}
actions:
  - target: $.paths['/things'].get
    x-expect: {operationId: things}
    update: {summary: All things.}
";

/// Notes its arguments, and the content of the file that it is given.
const GH: &str = "#!/bin/sh\nprintf '%s ' gh \"$@\" >>\"$RUNNER_TEMP/gh\"\nfor last; do :; done\n[ -f \"$last\" ] && cat \"$last\" >>\"$RUNNER_TEMP/gh\"\ntrue\n";

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A repository with a crate, its origin, and a folder for what a runner has.
struct Runner {
    folder: TempDir,
}

impl Runner {
    fn new() -> Self {
        let runner = Self {
            folder: tempfile::tempdir().unwrap(),
        };
        let config = "[crates.small]\ndocument = \"api.yaml\"\noutput = \"client\"\n[crates.small.package]\nversion = \"0.1.0\"\n";
        runner.write("home/api.yaml", DOCUMENT);
        runner.write("home/openapi-crate.toml", config);
        runner.write("home/.gitignore", "/openapi-crate.sarif\n");
        runner.program("gh", GH);
        fs::create_dir_all(runner.path("temp")).unwrap();
        runner.sh("openapi-crate generate");
        runner.sh(
            "git init --quiet --initial-branch main . && git init --quiet --bare ../origin.git",
        );
        runner.sh("git remote add origin ../origin.git && git add .");
        runner.sh("git -c user.name=a -c user.email=a@a.example commit --quiet --message all");
        runner
    }

    fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Runs a script in the repository, with the program and `gh` in the search path.
    fn run(&self, script: &str, variables: &[(&str, &str)], succeeds: bool) -> String {
        let program = Path::new(env!("CARGO_BIN_EXE_openapi-crate"));
        let found = [self.path("bin"), program.parent().unwrap().to_owned()];
        let others = std::env::var_os("PATH").unwrap();
        let found = std::env::join_paths(found.into_iter().chain(std::env::split_paths(&others)));
        let mut bash = Command::new("bash");
        let output = bash
            .args(["-c", script])
            .current_dir(self.path("home"))
            .env("PATH", found.unwrap())
            .env("RUNNER_TEMP", self.path("temp"))
            .envs(variables.iter().copied())
            .output()
            .unwrap();
        let printed = String::from_utf8_lossy(&output.stdout).into_owned();
        let printed = printed + &String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.success(), succeeds, "{script}: {printed}");
        printed
    }

    /// Runs a script that has to succeed.
    fn sh(&self, script: &str) -> String {
        self.run(script, &[], true)
    }

    /// Adds a program to the search path.
    fn program(&self, name: &str, script: &str) {
        let path = format!("bin/{name}");
        self.write(&path, script);
        fs::set_permissions(self.path(&path), fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// Returns the arguments of `gh` since the last time.
    fn asked(&self) -> String {
        let asked = fs::read_to_string(self.path("temp/gh")).unwrap_or_default();
        let _ = fs::remove_file(self.path("temp/gh"));
        asked
    }

    /// The script of the action for a command.
    fn action(&self, name: &str, variables: &[(&str, &str)], succeeds: bool) -> String {
        let script = repository().join(".github/action").join(name);
        self.run(&script.to_string_lossy(), variables, succeeds)
    }
}

/// Serves the file `next.yaml` of a runner, whatever it is at the time.
fn address(runner: &Runner) -> String {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/api.yaml", listener.local_addr().unwrap());
    let file = runner.path("next.yaml");
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let (mut stream, body) = (stream.unwrap(), fs::read_to_string(&file).unwrap());
            let _ = std::io::Read::read(&mut stream, &mut [0; 4096]);
            let head = format!(
                "HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
                body.len()
            );
            let _ = std::io::Write::write_all(&mut stream, (head + &body).as_bytes());
        }
    });
    address
}

#[test]
fn a_pull_request_has_a_comment_and_fails_where_callers_break() {
    let runner = Runner::new();
    runner.write("home/api.yaml", &DOCUMENT.replace("/things:", "/items:"));
    let variables = [
        ("BASE", "HEAD"),
        ("DOCUMENT", "api.yaml"),
        ("PULL_REQUEST", "7"),
    ];
    runner.action("diff", &variables, true);
    let asked = runner.asked();
    assert!(asked.starts_with("gh pr comment 7 "), "{asked}");
    assert!(asked.contains("/things"), "{asked}");
    let sarif = fs::read_to_string(runner.path("home/openapi-crate.sarif")).unwrap();
    let sarif: Value = serde_json::from_str(&sarif).unwrap();
    assert_eq!(sarif["version"], "2.1.0");
    let strict = [&variables[..2], &[("FAIL_ON", "breaking")]].concat();
    runner.action("diff", &strict, false);
    assert_eq!(runner.asked(), "", "no pull request, no comment");
}

#[test]
#[ignore = "the gate runs it: it makes several crates"]
fn a_new_document_becomes_a_pull_request_and_a_decision_an_issue() {
    let runner = Runner::new();
    let address = address(&runner);
    let update = |succeeds| runner.action("update", &[("ADDRESS", &address)], succeeds);
    runner.write("next.yaml", DOCUMENT);
    assert!(update(true).contains("the document says the same"));
    assert_eq!(runner.asked(), "");

    runner.write("next.yaml", &DOCUMENT.replace("/things:", "/items:"));
    update(true);
    let asked = runner.asked();
    assert!(
        asked.starts_with("gh pr create --head document-"),
        "{asked}"
    );
    assert!(asked.contains("--title Update"), "{asked}");
    let log = runner.sh("git ls-remote origin");
    assert!(log.contains("refs/heads/document-"), "{log}");

    // The pull request is open by now.
    runner.sh("git switch --quiet main");
    assert!(update(true).contains("its pull request is open"));
    assert_eq!(runner.asked(), "");
    runner.sh("git restore --staged --worktree . && git clean --quiet --force -d");

    // An override that cannot follow needs a person, and an unreadable document is a failure.
    runner.write("home/overrides/generator/words.yaml", OVERRIDE);
    runner.sh("openapi-crate generate && git add .");
    runner.write(
        "next.yaml",
        "openapi: 3.0.3\ninfo: {title: Small, version: '1'}\npaths: {/things: {get: {operationId: other, responses: {'204': {description: None.}}}}}\n",
    );
    update(true);
    let asked = runner.asked();
    assert!(
        asked.contains("gh issue create --title The document of the provider"),
        "{asked}"
    );
    assert!(asked.contains("A person has to decide"), "{asked}");
    runner.write("next.yaml", "openapi: 2.0\n");
    update(false);
    assert_eq!(runner.asked(), "");
}

/// Notes its arguments, and serves nothing.
const CURL: &str = "#!/bin/sh\nprintf '%s ' \"$@\" >\"$RUNNER_TEMP/curl\"\nexit 22\n";

#[test]
fn an_address_is_fetched_as_it_is_written_and_from_no_file() {
    let runner = Runner::new();
    let served = address(&runner);
    runner.write("next.yaml", DOCUMENT);
    let literal = format!("{served}?a=[1");
    let printed = runner.action("update", &[("ADDRESS", &literal)], true);
    assert!(printed.contains("the document says the same"), "{printed}");
    let file = format!("file://{}", runner.path("next.yaml").display());
    runner.action("update", &[("ADDRESS", &file)], false);

    runner.program("curl", CURL);
    for (scheme, is_encrypted) in [("https", true), ("HTTPS", true), ("http", false)] {
        let address = format!("{scheme}://example.com/api.yaml");
        runner.action("update", &[("ADDRESS", &address)], false);
        let asked = fs::read_to_string(runner.path("temp/curl")).unwrap();
        let stays = asked.contains("--proto-redir =https ");
        assert_eq!(stays, is_encrypted, "{asked}");
        assert!(asked.contains("--max-filesize 67108864 "), "{asked}");
        assert!(asked.ends_with(&format!("--url {address} ")), "{asked}");
    }
}

/// Serves the files of the folder `released` that belong to a release.
const SERVES: &str = "#!/bin/sh\nfor last; do [ \"$before\" = --output ] && to=$last; before=$last; done\n\
    printf '%s\\n' \"$last\" >>\"$RUNNER_TEMP/asked\"\ncp \"$RUNNER_TEMP/../released/${last##*/}\" \"$to\" 2>/dev/null || exit 22\n";

/// Notes that it builds, and writes a program.
const CARGO: &str = "#!/bin/sh\nfor last; do :; done\necho built >>\"$RUNNER_TEMP/built\"\n\
    mkdir -p \"$last/bin\" && printf '#!/bin/sh\\necho built' >\"$last/bin/openapi-crate\" && chmod +x \"$last/bin/openapi-crate\"\n";

#[test]
fn a_released_program_is_checked_and_otherwise_one_is_built_once() {
    let runner = Runner::new();
    let uname = "#!/bin/sh\n[ \"$1\" = -s ] && echo Linux || echo x86_64\n";
    for (name, script) in [("curl", SERVES), ("cargo", CARGO), ("uname", uname)] {
        runner.program(name, script);
    }
    let archive = "openapi-crate-x86_64-unknown-linux-musl.tar.gz";
    runner.write("released/openapi-crate", "#!/bin/sh\necho released");
    runner.sh(&format!(
            "cd ../released && chmod +x openapi-crate && tar -czf {archive} openapi-crate && sha256sum {archive} >{archive}.sha256"
        ));
    let install = repository().join(".github/action/install");
    let installed = |home: &str, revision: &str| {
        let home = runner.path(home);
        let variables = [
            ("HOME", home.to_str().unwrap()),
            ("RELEASES", "https://example.com/owner/name.git"),
            ("REVISION", revision),
        ];
        let program = runner.run(&install.to_string_lossy(), &variables, true);
        assert!(program.starts_with(home.to_str().unwrap()), "{program}");
        runner.sh(program.trim())
    };
    assert_eq!(installed("first", "v1.2.3"), "released\n");
    let asked = fs::read_to_string(runner.path("temp/asked")).unwrap();
    let address = format!("https://example.com/owner/name/releases/download/v1.2.3/{archive}");
    assert_eq!(asked, format!("{address}\n{address}.sha256\n"));
    assert!(!runner.path("temp/built").exists());

    // A branch has no release, and what was changed is not run.
    assert_eq!(installed("second", "main"), "built\n");
    runner.write(
        &format!("released/{archive}.sha256"),
        &format!("{:064}  {archive}\n", 0),
    );
    for _ in 0..2 {
        assert_eq!(installed("third", "v1.2.3"), "built\n");
    }
    let built = fs::read_to_string(runner.path("temp/built")).unwrap();
    assert_eq!(built, "built\nbuilt\n", "once in each home");
}

/// Each script in a workflow or the action.
fn scripts(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Object(map) => {
            for (key, value) in map {
                match (key.as_str(), value) {
                    ("run", Value::String(script)) => found.push(script.clone()),
                    _ => scripts(value, found),
                }
            }
        }
        Value::Array(list) => list.iter().for_each(|value| scripts(value, found)),
        _ => {}
    }
}

#[test]
fn what_a_service_reads_has_its_form() {
    let root = repository();
    let read = |path: &Path| -> Value {
        let text = fs::read_to_string(path).unwrap();
        serde_yaml::from_str(&text).unwrap()
    };
    let mut all = vec![root.join("action.yml")];
    let workflows = fs::read_dir(root.join(".github/workflows")).unwrap();
    all.extend(workflows.map(|entry| entry.unwrap().path()));
    for file in &all {
        let mut found = Vec::new();
        scripts(&read(file), &mut found);
        assert!(
            !found.is_empty() || file.ends_with("document.yml"),
            "{}",
            file.display()
        );
        for script in found {
            // The values of the service are text.
            let script = script.replace("${{", "$(: ").replace("}}", ")");
            let checked = Command::new("bash").args(["-n", "-c", &script]).status();
            assert!(checked.unwrap().success(), "{}: {script}", file.display());
        }
    }
    // Inputs that are passed are inputs that there are.
    let action = read(&root.join("action.yml"));
    let inputs = action["inputs"].as_object().unwrap();
    let text = fs::read_to_string(root.join("action.yml")).unwrap();
    for used in text.split("inputs.").skip(1) {
        let name: String = used
            .chars()
            .take_while(|c| c.is_ascii_lowercase() || *c == '-')
            .collect();
        assert!(inputs.contains_key(&name), "{name}");
    }
    let document = read(&root.join(".github/workflows/document.yml"));
    let steps = document["jobs"]["update"]["steps"].as_array().unwrap();
    let with = steps.iter().find(|step| step["uses"] == "./").unwrap();
    let passed = with["with"].as_object().unwrap();
    assert!(
        passed.keys().all(|name| inputs.contains_key(name)),
        "{passed:?}"
    );
    // Hooks are commands that the program has.
    let hooks = read(&root.join(".pre-commit-hooks.yaml"));
    for hook in hooks.as_array().unwrap() {
        let (script, command) = hook["entry"].as_str().unwrap().split_once(' ').unwrap();
        let runner = Runner::new();
        let script = root.join(script);
        let printed = runner.sh(&format!("{} {command} --help", script.display()));
        assert!(
            printed.contains(&format!("openapi-crate {command}")),
            "{printed}"
        );
    }
}
