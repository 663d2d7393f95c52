//! The program outside its repository: a file, copied to a place without anything of the repository that built it.

#![expect(
    clippy::disallowed_methods,
    reason = "runs the binary in folders that it makes"
)]
#![allow(
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that panics is a test that fails"
)]

use std::collections::BTreeSet;
use std::fs;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use serde_json::Value;
use tempfile::TempDir;

const DOCUMENT: &str = "\
openapi: 3.0.3
info: {title: Small, version: '1'}
paths:
  /things: {get: {operationId: things, responses: {'204': {description: None.}}}}
";

const OVERLAY: &str = "overlay: 1.0.0\ninfo: {title: O, version: '1'}\nactions: [{target: $.info, update: {title: T}}]\n";

/// A program in a separate folder tree.
struct Elsewhere {
    folder: TempDir,
    program: PathBuf,
}

/// The output of a run, standard output before standard error, and its exit code.
struct Run {
    text: String,
    code: i32,
}

impl Elsewhere {
    fn new() -> Self {
        // Copied once: while another test starts a process, a file that is being written cannot run.
        static PROGRAM: LazyLock<TempDir> = LazyLock::new(|| {
            let folder = tempfile::tempdir().unwrap();
            let program = folder.path().join("openapi-crate");
            fs::copy(env!("CARGO_BIN_EXE_openapi-crate"), program).unwrap();
            folder
        });
        let program = PROGRAM.path().join("openapi-crate");
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("home/some/folder")).unwrap();
        Self { folder, program }
    }

    fn home(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.home().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn read(&self, path: &str) -> String {
        fs::read_to_string(self.home().join(path)).unwrap()
    }

    fn run(&self, folder: &str, arguments: &[&str]) -> Run {
        let mut command = Command::new(&self.program);
        // Cargo sets it for a program that it runs.
        command.env("CARGO_MANIFEST_DIR", env!("CARGO_MANIFEST_DIR"));
        let output = command
            .current_dir(self.home().join(folder))
            .args(arguments)
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        Run {
            text: text + &String::from_utf8_lossy(&output.stderr),
            code: output.status.code().unwrap(),
        }
    }

    /// Runs a command that has to end with this code.
    fn expect(&self, arguments: &[&str], code: i32) -> String {
        let printed = self.run("", arguments);
        assert_eq!(printed.code, code, "{arguments:?}: {}", printed.text);
        printed.text
    }

    fn git(&self, arguments: &[&str]) {
        let identity = ["-c", "user.name=a", "-c", "user.email=a@a.example"];
        let mut git = Command::new("git");
        git.current_dir(self.home()).args(identity).args(arguments);
        let output = git.output().unwrap();
        let printed = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "git {arguments:?}: {printed}");
    }

    fn commit(&self) {
        self.git(&["add", "."]);
        self.git(&["commit", "--quiet", "--message", "all"]);
    }
}

/// Returns the files of a folder, with their contents.
fn files(root: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut files = Vec::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => folders.push(path),
                false => files.push((path.clone(), fs::read(path).unwrap())),
            }
        }
    }
    files.sort();
    files
}

/// Lists the files that commands could write in the repository that built the program.
fn of_the_repository() -> Vec<(PathBuf, Vec<u8>)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folders = ["spec", "overrides", "generated", "tests/documents"];
    let mut all: Vec<_> = folders
        .iter()
        .flat_map(|one| files(&root.join(one)))
        .collect();
    for file in ["Cargo.lock", "CHANGELOG.md", "openapi-crate.toml"] {
        all.push((root.join(file), fs::read(root.join(file)).unwrap()));
    }
    all
}

#[test]
fn a_command_without_its_file_says_what_it_looked_for_and_changes_nothing() {
    let elsewhere = Elsewhere::new();
    elsewhere.write("some/folder/new.yaml", DOCUMENT);
    let before = (of_the_repository(), files(&elsewhere.home()));
    for arguments in [
        &["generate"][..],
        &["check"],
        &["validate"],
        &["update", "new.yaml"],
        &["release"],
        &["review", "--no-run"],
        &["diff"],
        &["diff", "new.yaml", "new.yaml", "--reconciled"],
        &["overrides", "list"],
        &["overrides", "check"],
        &["overrides", "guard"],
        &["overrides", "rebase", "--document", "new.yaml"],
        &["overrides", "new", "upstream/a", "--target", "$.info"],
        &["overrides", "from-drift", "line"],
    ] {
        let printed = elsewhere.run("some/folder", arguments);
        assert_eq!(printed.code, 2, "{arguments:?}: {}", printed.text);
        assert!(
            printed.text.contains("error[no-config]"),
            "{arguments:?}: {}",
            printed.text
        );
        assert!(
            printed.text.contains("openapi-crate.toml"),
            "{}",
            printed.text
        );
        assert!(printed.text.contains("some/folder"), "{}", printed.text);
    }
    let after = (of_the_repository(), files(&elsewhere.home()));
    assert!(before == after, "a command wrote something");
}

#[test]
fn commands_that_need_no_file_run_anywhere() {
    let elsewhere = Elsewhere::new();
    elsewhere.write("a.yaml", DOCUMENT);
    elsewhere.write("o.yaml", OVERLAY);
    for arguments in [
        &["diff", "a.yaml", "a.yaml"][..],
        &["diff", "a.yaml", "a.yaml", "--wire-only"],
        &["validate", "a.yaml"],
        &["generate", "a.yaml", "--output", "crate"],
        &["overlay", "apply", "a.yaml", "o.yaml"],
    ] {
        elsewhere.expect(arguments, 0);
    }
    assert!(
        elsewhere
            .read("crate/src/lib.rs")
            .starts_with("// Generated by `openapi-crate generate`.")
    );
}

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

/// Runs a crate's life in a separate repository.
#[test]
fn a_document_becomes_a_crate_that_follows_it() {
    let elsewhere = Elsewhere::new();
    let before = of_the_repository();
    elsewhere.write("api.yaml", DOCUMENT);
    elsewhere.write(
        "next/api.yaml",
        &DOCUMENT
            .replace("/things:", "/items:")
            .replace("'1'", "'2'"),
    );
    elsewhere.git(&["init", "--quiet"]);
    elsewhere.expect(&["init", "api.yaml", "--output", "client"], 0);
    let config = elsewhere.read("openapi-crate.toml");
    let config = config.replace("runtime =", "overlays = [\"title.yaml\"]\nruntime =");
    elsewhere.write("openapi-crate.toml", &(config + "license = \"MIT\"\n"));
    elsewhere.write("title.yaml", OVERLAY);
    elsewhere.expect(&["check"], 1);
    let printed = elsewhere.expect(&["generate"], 0);
    assert!(
        printed.contains("client/CHANGELOG.md, which is yours now"),
        "{printed}"
    );
    // A file that a person adds stays, and is not reported.
    elsewhere.write("client/tests/mine.rs", "");
    elsewhere.commit();
    let printed = elsewhere.expect(&["check"], 0);
    assert!(printed.contains("Fresh client"), "{printed}");

    // The document is replaced by hand: stale.
    let first = elsewhere.read("api.yaml");
    elsewhere.write("api.yaml", &elsewhere.read("next/api.yaml"));
    let printed = elsewhere.expect(&["check"], 1);
    assert!(printed.contains("Stale client/src"), "{printed}");
    assert!(
        printed.contains("run `openapi-crate generate`"),
        "{printed}"
    );
    elsewhere.write("api.yaml", &first);

    // A release, and a document that breaks callers: the version in the file follows, and the changelog.
    elsewhere.git(&["tag", "v0.1.0"]);
    let printed = elsewhere.expect(&["update", "next/api.yaml"], 0);
    assert!(printed.contains("0.1.0 to 0.2.0"), "{printed}");
    let config = elsewhere.read("openapi-crate.toml");
    assert!(config.contains("version = \"0.2.0\""), "{config}");
    assert!(
        elsewhere
            .read("client/Cargo.toml")
            .contains("version = \"0.2.0\"")
    );
    let manifest = elsewhere.read("client/Cargo.toml");
    assert!(manifest.contains("license = \"MIT\""), "{manifest}");
    assert!(
        manifest.contains("description = \"Typed client for T\""),
        "{manifest}"
    );
    let changelog = elsewhere.read("client/CHANGELOG.md");
    assert!(changelog.contains("0.2.0"), "{changelog}");
    assert!(elsewhere.read("api.yaml").contains("/items:"));
    let printed = elsewhere.expect(&["update", "next/api.yaml"], 0);
    assert!(printed.contains("says the same"), "{printed}");
    elsewhere.commit();
    elsewhere.expect(&["check"], 0);

    // A version that is less than due is what a check finds.
    elsewhere.write("openapi-crate.toml", &config.replace("0.2.0", "0.1.1"));
    elsewhere.expect(&["generate"], 0);
    let printed = elsewhere.expect(&["check"], 1);
    assert!(
        printed.contains("run `openapi-crate release --bump`"),
        "{printed}"
    );
    elsewhere.commit();
    elsewhere.expect(&["release", "--bump"], 0);
    assert!(elsewhere.read("openapi-crate.toml").contains("0.2.0"));
    assert!(before == of_the_repository(), "the repository changed");
}

#[test]
fn several_crates_share_a_file_and_one_is_chosen() {
    let elsewhere = Elsewhere::new();
    elsewhere.write("some/folder/one.yaml", DOCUMENT);
    elsewhere.write("two.yaml", &DOCUMENT.replace("Small", "Large"));
    let config = "[crates.one]\ndocument = \"some/folder/one.yaml\"\noutput = \"clients/one\"\n\
         [crates.two]\ndocument = \"two.yaml\"\noutput = \"clients/two\"\n";
    elsewhere.write("openapi-crate.toml", config);
    let printed = elsewhere.run("some/folder", &["generate"]);
    assert_eq!(printed.code, 0, "{}", printed.text);
    for name in ["one", "two"] {
        let manifest = elsewhere.read(&format!("clients/{name}/Cargo.toml"));
        assert!(
            manifest.contains(&format!("name = \"{name}\"")),
            "{manifest}"
        );
    }
    let printed = elsewhere.expect(&["update", "two.yaml"], 2);
    assert!(
        printed.contains("choose one with `--crate`: one, two"),
        "{printed}"
    );
    let printed = elsewhere.expect(&["update", "two.yaml", "--crate", "twoo"], 2);
    assert!(printed.contains("did you mean `two`?"), "{printed}");
    elsewhere.expect(&["check", "--crate", "one"], 0);
    // The file by its name alone, and from another folder.
    elsewhere.expect(&["check", "--config", "openapi-crate.toml"], 0);
    let printed = elsewhere.run(
        "some/folder",
        &["check", "--config", "../../openapi-crate.toml"],
    );
    assert_eq!(printed.code, 0, "{}", printed.text);
}

#[test]
fn errors_in_the_file_have_a_place() {
    let elsewhere = Elsewhere::new();
    elsewhere.write("a.yaml", DOCUMENT);
    elsewhere.write("old/core/Cargo.toml", "[package]\nversion = \"0.0.9\"\n");
    let good = "[crates.small]\ndocument = \"a.yaml\"\noutput = \"client\"\n";
    let crates = |more: &str| format!("{good}{more}");
    for (text, place, message) in [
        (
            crates("outptu = \"b\"\n"),
            "openapi-crate.toml:4:1",
            "unknown field `outptu`",
        ),
        (
            crates("runtime = \"elsewhere\"\n"),
            "openapi-crate.toml:4:11",
            "`runtime` is \"registry\"",
        ),
        (
            crates("[crates.small.package]\nname = \"b\"\n"),
            "openapi-crate.toml:5:1",
            "that of its table",
        ),
        (
            crates("overlays = [\"gone.yaml\"]\n"),
            "openapi-crate.toml:4:13",
            "there is no gone.yaml",
        ),
        (
            crates("beside-overrides = [\"../*.json\"]\n"),
            "openapi-crate.toml:4:21",
            "no path below the folder",
        ),
        (
            good.replace("client", "../out"),
            "openapi-crate.toml:3:10",
            "no path below the folder",
        ),
        (
            good.replace("crates.small", "crates.\"Not a name\""),
            "openapi-crate.toml:1:9",
            "cannot be the name of a crate",
        ),
        (
            crates("[crates.other]\ndocument = \"a.yaml\"\noutput = \"client/other\"\n"),
            "openapi-crate.toml:3:10",
            "the folder clashes with that of the crate",
        ),
        (
            crates("runtime = {path = \"old\"}\n"),
            "openapi-crate.toml:4:11",
            "the runtime has the version 0.0.9, and crates are made for",
        ),
        (
            crates("runtime = {path = \"gone\"}\n"),
            "openapi-crate.toml:4:11",
            "there is no runtime",
        ),
        (String::new(), "openapi-crate.toml", "the file has no crate"),
        (
            "crates = 1".to_owned(),
            "openapi-crate.toml:1:10",
            "expected a map",
        ),
    ] {
        elsewhere.write("openapi-crate.toml", &text);
        let printed = elsewhere.expect(&["generate"], 2);
        assert!(
            printed.contains(place) && printed.contains(message),
            "{text}\n{printed}"
        );
        assert!(!elsewhere.home().join("client").exists(), "{text}");
    }
    // An unknown member of the package, and a file in the way.
    elsewhere.write(
        "openapi-crate.toml",
        &crates("[crates.small.package]\nversoin = \"1.0.0\"\n"),
    );
    let printed = elsewhere.expect(&["generate"], 1);
    assert!(printed.contains("did you mean `version`?"), "{printed}");
    assert!(printed.contains("openapi-crate.toml wrote it"), "{printed}");
    elsewhere.write("openapi-crate.toml", good);
    elsewhere.write("client/README.md", "mine");
    let printed = elsewhere.expect(&["generate"], 1);
    assert!(printed.contains("error[foreign-file]"), "{printed}");
    assert_eq!(files(&elsewhere.home().join("client")).len(), 1);
}

#[test]
fn a_crate_stays_in_a_folder_of_its_own() {
    let elsewhere = Elsewhere::new();
    elsewhere.write("in/a.yaml", DOCUMENT);
    elsewhere.write("in/some/file", "");
    let config = |output: &str| {
        let crates = format!("[crates.one]\ndocument = \"a.yaml\"\noutput = \"{output}\"\n");
        elsewhere.write("in/openapi-crate.toml", &crates);
    };
    config("client");
    let run = |folder: &str, arguments: &[&str], code: i32| {
        let printed = elsewhere.run(folder, arguments);
        assert_eq!(printed.code, code, "{arguments:?}: {}", printed.text);
        printed.text
    };
    run("in", &["generate"], 0);
    let before = files(&elsewhere.home());
    for output in [".", "..", "../out", "/out", "client/../../out"] {
        let printed = run("in", &["generate", "--output", output], 2);
        assert!(printed.contains("is not below"), "{printed}");
    }
    assert!(before == files(&elsewhere.home()), "something was written");
    // The same folder, under any name and from any place.
    run("in", &["generate", "--output", "./some/../client/"], 0);
    let absolute = elsewhere.home().join("in/client");
    let config_of = ["check", "--config", "../openapi-crate.toml"];
    run("in/some", &config_of, 0);
    let output = ["generate", "--config", "../openapi-crate.toml", "--output"];
    run(
        "in/some",
        &[&output[..], &[absolute.to_str().unwrap()]].concat(),
        0,
    );
    assert!(before == files(&elsewhere.home()), "something was written");
    // No file has a version.
    elsewhere.write("next.yaml", &DOCUMENT.replace("/things:", "/items:"));
    elsewhere.git(&["init", "--quiet"]);
    elsewhere.commit();
    let printed = run("in", &["update", "../next.yaml"], 1);
    assert!(
        printed.contains("no file declares the version of the package"),
        "{printed}"
    );
    assert!(printed.contains("[crates.one.package]"), "{printed}");
    // Two names of one folder, a review and a link that lead out.
    let twice = "[crates.one]\ndocument = \"a.yaml\"\noutput = \"s/./o\"\n[crates.two]\ndocument = \"a.yaml\"\noutput = \"s/o\"\n";
    elsewhere.write("in/openapi-crate.toml", twice);
    assert!(run("in", &["generate"], 2).contains("the folder clashes"));
    let review = "[crates.one]\ndocument = \"a.yaml\"\noutput = \"client\"\n[review]\nfolder = \"..\"\ntests = []\n";
    elsewhere.write("in/openapi-crate.toml", review);
    assert!(run("in", &["review", "--no-run"], 2).contains("openapi-crate.toml:5:10"));
    #[cfg(unix)]
    {
        fs::create_dir_all(elsewhere.home().join("outside")).unwrap();
        std::os::unix::fs::symlink("../outside", elsewhere.home().join("in/link")).unwrap();
        config("link/client");
        let printed = run("in", &["generate"], 2);
        assert!(
            printed.contains("out of the folder of the file"),
            "{printed}"
        );
        // A link of a person in the folder of the crate is no file of it.
        std::os::unix::fs::symlink("gone", elsewhere.home().join("in/client/mine")).unwrap();
        config("client");
        run("in", &["check"], 0);
    }
}

/// Debugging information has paths, and other crates are elsewhere: what is looked for is what the program itself could use.
#[test]
fn no_source_of_the_program_takes_a_path_of_the_build() {
    for (path, text) in files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src")) {
        let text = String::from_utf8(text).unwrap();
        for word in ["CARGO_MANIFEST", "OUT_DIR", "CARGO_TARGET", "option_env!"] {
            assert!(!text.contains(word), "{}: {word}", path.display());
        }
    }
}

#[test]
fn programs_read_json_of_each_crate() {
    let elsewhere = Elsewhere::new();
    elsewhere.write(
        "a.yaml",
        &DOCUMENT.replace("{description: None.}", "{$ref: '#/gone'}"),
    );
    elsewhere.expect(&["init", "a.yaml", "--output", "client"], 0);
    let json = |arguments: &[&str], code| -> Value {
        let printed = elsewhere.expect(arguments, code);
        let line = printed.lines().find(|line| line.starts_with('{')).unwrap();
        serde_json::from_str(line).unwrap()
    };
    let stale = json(&["check", "--json"], 1);
    assert_eq!(stale["fresh"], false);
    assert_eq!(stale["files"]["Missing"][0], "client/Cargo.toml");
    let made = json(&["generate", "--json"], 0);
    assert_eq!(made["package"], "small");
    let warning = &made["warnings"][0];
    assert_eq!(
        (&warning["severity"], &warning["line"]),
        (&"warning".into(), &4.into())
    );
    assert_eq!(json(&["check", "--json"], 0)["fresh"], true);
    elsewhere.write("a.yaml", "openapi: 3.0.3\n");
    let invalid = json(&["validate", "--json"], 1);
    assert_eq!(invalid["valid"], false);
    assert_eq!(invalid["findings"][0]["file"], "a.yaml");
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
fn completions_and_manual_pages_name_every_command() {
    let elsewhere = Elsewhere::new();
    let help = elsewhere.expect(&["--help"], 0);
    let commands = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let commands = commands.take_while(|line| !line.is_empty());
    // Continuation lines are indented further.
    let names: Vec<&str> = commands
        .filter_map(|line| line.strip_prefix("  "))
        .filter(|line| !line.starts_with(' '))
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert!(names.len() > 10, "{help}");
    elsewhere.expect(&["man", "pages"], 0);
    for shell in ["bash", "zsh", "fish"] {
        let completions = elsewhere.expect(&["completions", shell], 0);
        assert!(
            names.iter().all(|name| completions.contains(name)),
            "{completions}"
        );
    }
    for name in names.iter().filter(|name| **name != "help") {
        assert!(
            elsewhere
                .read(&format!("pages/openapi-crate-{name}.1"))
                .contains(name)
        );
    }
}

/// The table of the page names every key of a crate that the program reads, and no other.
#[test]
fn the_page_lists_what_the_file_may_say() {
    let elsewhere = Elsewhere::new();
    let keys = |text: &str| -> BTreeSet<String> {
        elsewhere.write("openapi-crate.toml", text);
        let printed = elsewhere.expect(&["check"], 2);
        let (_, expected) = printed.split_once("expected one of ").unwrap();
        let expected = expected.lines().next().unwrap();
        expected
            .split(", ")
            .map(|key| key.trim_matches('`').to_owned())
            .collect()
    };
    let mut read = keys("[crates.small]\nunknown = 1\n");
    read.extend(keys("unknown = 1\n"));
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/your-own-api.md");
    let page = fs::read_to_string(page).unwrap();
    let rows = page.lines().filter_map(|line| line.strip_prefix("| `"));
    let listed = rows
        .filter_map(|row| row.split_once('`'))
        .map(|(key, _)| key.to_owned());
    let listed: BTreeSet<String> = listed
        .map(|key| key.replace("crates.NAME", "crates"))
        .collect();
    assert_eq!(listed, read);
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
