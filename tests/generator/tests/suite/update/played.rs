//! Updates of the committed crate, as providers publish them. Each is one command, and leaves at most decisions to a person, which are all
//! there at once.

use openapi_crate::commands::overrides::{self, RebaseOptions};
use openapi_document::pointer;
use openapi_overrides::judge;
use serde_json::Value;

use super::edits::*;
use super::{built, *};
use crate::rebase::committed::moved;
use crate::support::Inputs;

/// A document that replaces the committed one.
pub(super) struct New {
    file: &'static str,
    text: String,
    /// A person accepts what is likely.
    accept: bool,
}

impl New {
    fn edited(edit: Edit, accept: bool) -> Self {
        let mut document = Inputs::committed().published.value.clone();
        edit(&mut document);
        Self {
            file: "new.json",
            text: serde_json::to_string_pretty(&document).unwrap(),
            accept,
        }
    }

    fn read(path: &str) -> Self {
        let is_json = path.ends_with(".json");
        Self {
            file: if is_json { "new.json" } else { "new.yaml" },
            text: std::fs::read_to_string(path).unwrap(),
            accept: true,
        }
    }
}

/// What an update says, and what it took.
pub(super) struct Played {
    shown: String,
    /// The overrides that a person decided on.
    decisions: usize,
    /// The lines that a person wrote for that.
    lines: usize,
}

/// Updates a workspace to a document, after a command with its name.
pub(super) fn play(workspace: &Workspace, new: &New, command: fn(&Workspace, &str)) -> Played {
    workspace.write(new.file, &new.text);
    workspace.git(&["init", "--quiet"]);
    workspace.git(&["add", "."]);
    let update = Options {
        document: new.file.to_owned(),
        name: new.file.to_owned(),
        accept: new.accept,
        ..options()
    };
    command(workspace, new.file);
    let (mut updated, stop) = run(workspace, &update);
    let (mut decisions, mut lines) = (0, 0);
    if let Some(stop) = stop {
        decisions = stop.findings().len();
        delete_overrides(workspace, &stop);
        lines = written_lines(workspace);
        workspace.git(&["add", "."]);
        let (shown, stop) = run(workspace, &update);
        if let Some(stop) = stop {
            panic!("another decision: {stop}");
        }
        updated = shown;
    }
    let (fresh, shown) = workspace.regen(true);
    assert!(fresh, "{shown}");
    workspace.git(&["add", "."]);
    let again = done(workspace, &update);
    assert!(again.contains("is unchanged"), "{again}");
    Played {
        shown: updated,
        decisions,
        lines,
    }
}

/// Decides for the document: deletes the overrides of these findings, with their evidence.
fn delete_overrides(workspace: &Workspace, stop: &DocumentError) {
    for finding in stop.findings() {
        let text = workspace.read(&finding.file);
        let file: Value = serde_yaml::from_str(&text).unwrap();
        std::fs::remove_file(workspace.root().join(&finding.file)).unwrap();
        let evidence = file["x-override"]["evidence"].as_array();
        for file in evidence.into_iter().flatten() {
            let file = format!("overrides/{}", file.as_str().unwrap());
            std::fs::remove_file(workspace.root().join(file)).unwrap();
        }
    }
}

/// Returns the number of lines that were added since git had all files.
fn written_lines(workspace: &Workspace) -> usize {
    let changes = workspace.git(&["diff", "--numstat"]);
    let added = changes.lines().map(|line| line.split('\t').next().unwrap());
    added.map(|number| number.parse::<usize>().unwrap()).sum()
}

/// The new document of a case.
enum Change {
    Edit(Edit),
    /// A file of `fixtures/exports`: what a framework publishes for the service of the committed document.
    Export(&'static str),
}

/// An update as providers publish it.
struct Case {
    kind: &'static str,
    change: Change,
    accept: bool,
    /// The name of the snapshot of its pull request, if reviewers read that.
    text: Option<&'static str>,
}

const CASES: [Case; 15] = [
    Case::of("a new operation that is paged", additive).read("additive"),
    Case::of(
        "the export of a framework: 3.1, other ids, titles and null everywhere",
        exported,
    )
    .accepted()
    .read("exported"),
    Case::of(
        "the export of another framework: other ids and slashes, enums moved, null everywhere",
        exported_with_enums,
    )
    .accepted(),
    Case::export("what FastAPI exports", "fastapi.json").read("fastapi"),
    Case::export("what drf-spectacular exports: 3.0", "drf-3.0.yaml").read("drf"),
    Case::export("what drf-spectacular exports: 3.1", "drf-3.1.yaml"),
    Case::of("what overrides of `upstream/` correct", corrected).accepted(),
    Case::of(
        "a property gets the name that an override has for it",
        |document| renamed(document, false),
    )
    .read("renamed"),
    Case::of("a property of that name beside the other", |document| {
        renamed(document, true)
    }),
    Case::of("an operation is gone", without_an_operation),
    Case::of(
        "an operation is gone with its schemas",
        without_an_operation_and_its_schemas,
    )
    .read("gone"),
    Case::of("all components have other names", with_other_schemas)
        .accepted()
        .read("other_schemas"),
    Case::of("all paths have another prefix", with_another_prefix).read("prefix"),
    Case::of("another description", with_other_words),
    Case::of("another format", in_another_format),
];

impl Case {
    const fn of(kind: &'static str, edit: Edit) -> Self {
        Self {
            kind,
            change: Change::Edit(edit),
            accept: false,
            text: None,
        }
    }

    const fn export(kind: &'static str, file: &'static str) -> Self {
        Self {
            kind,
            change: Change::Export(file),
            accept: true,
            text: None,
        }
    }

    /// A person accepts what is likely.
    const fn accepted(mut self) -> Self {
        self.accept = true;
        self
    }

    const fn read(mut self, text: &'static str) -> Self {
        self.text = Some(text);
        self
    }

    fn document(&self) -> New {
        match self.change {
            Change::Edit(edit) => New::edited(edit, self.accept),
            Change::Export(file) => New::read(&format!("{EXPORTS}/{file}")),
        }
    }

    /// Plays it. Returns its row of the table, with the number of red tests that the page has.
    fn row(&self, page: &str) -> String {
        let played = play(&Workspace::committed(), &self.document(), |_, _| {});
        let Played {
            shown,
            decisions,
            lines,
        } = &played;
        let at = shown.find("# Update to interface").unwrap_or(shown.len());
        let (_, text) = shown.split_at(at);
        let (text, _) = text.split_once("\n**Wire: ").unwrap_or_default();
        if let Some(name) = self.text {
            insta::assert_snapshot!(format!("pull_request_{name}"), text);
        }
        let version = text.lines().find(|line| line.starts_with("The package "));
        let (_, step) = version
            .unwrap_or_default()
            .rsplit_once(": ")
            .unwrap_or(("", "no new one."));
        assert!(*decisions <= HANDFUL && *lines == 0, "{}", self.kind);
        let accept = if self.accept { " --accept" } else { "" };
        let (assumptions, kind) = (assumptions(text), self.kind);
        let red = red_tests(page, kind).unwrap_or(NOT_BUILT);
        format!(
            "| {kind} | `update{accept}` | {assumptions} | {decisions} | {lines} | {red} | {} |\n",
            step.trim_end_matches('.')
        )
    }
}

/// Returns the number of assumptions that a pull request lists.
fn assumptions(text: &str) -> &str {
    let (_, assumed) = text
        .split_once("- **Assumed:** ")
        .unwrap_or(("", "nothing"));
    let (assumed, _) = assumed.split_once('\n').unwrap_or((assumed, ""));
    match assumed.split_once(": ") {
        _ if assumed == "nothing" => "0",
        Some((number, _)) if number.parse::<usize>().is_ok() => number,
        _ => "1",
    }
}

/// Most decisions that a person takes at once.
const HANDFUL: usize = 5;
const EXPORTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/exports");
const PAGE: &str = "../../CONTRIBUTING.md";
/// The line below the head of the table.
const BELOW_HEAD: &str = "| --- | --- | --- | --- | --- | --- | --- |\n";
/// The column of red tests, by the number of bars before it.
const RED_TESTS: usize = 6;
/// The number of red tests of a client that was not built yet.
const NOT_BUILT: &str = "?";

/// Returns the number of red tests that the table has for a kind.
fn red_tests<'p>(page: &'p str, kind: &str) -> Option<&'p str> {
    let row = format!("| {kind} |");
    let row = page.lines().find(|line| line.starts_with(&row))?;
    row.split('|').nth(RED_TESTS).map(str::trim)
}

#[test]
#[ignore = "plays whole updates: the gate and `cargo xtask review` do"]
fn each_update_is_one_command_as_the_table_says() {
    let text = reviewed_facts::read(PAGE);
    let rows: Vec<String> = std::thread::scope(|scope| {
        let plays: Vec<_> = CASES
            .iter()
            .map(|case| scope.spawn(|| case.row(&text)))
            .collect();
        plays.into_iter().map(|play| play.join().unwrap()).collect()
    });
    let (before, rest) = text.split_once(BELOW_HEAD).unwrap();
    let (_, after) = rest.split_once("\n\n").unwrap();
    let table = rows.concat();
    let now = format!("{before}{BELOW_HEAD}{table}\n{after}");
    reviewed_facts::assert_reviewed(PAGE, Some(&now));
}

/// The gate builds the client of an export; `PLAYED` has the kind of another case or a part of its name, or the file of a document.
#[test]
#[ignore = "builds the client: the gate does"]
fn the_client_of_each_update_builds_and_its_tests_pass() {
    let kind = std::env::var("PLAYED").unwrap_or_else(|_| "export of a framework".to_owned());
    if std::path::Path::new(&kind).is_file() {
        assert_eq!(built::build(&New::read(&kind)), [""; 0]);
        return;
    }
    let mut chosen = CASES
        .iter()
        .filter(|case| case.kind.contains(&kind))
        .peekable();
    assert!(chosen.peek().is_some(), "no case is about {kind}");
    let mut red = Vec::new();
    for case in chosen {
        let own = built::build(&case.document());
        if own.is_empty() {
            let text = reviewed_facts::read(PAGE);
            let lines = text.lines().map(|line| with_no_red_test(line, case.kind));
            let now: String = lines.map(|line| line + "\n").collect();
            reviewed_facts::assert_reviewed(PAGE, Some(&now));
        }
        red.extend(own.into_iter().map(|test| format!("{}: {test}", case.kind)));
    }
    assert_eq!(red, [""; 0]);
}

/// Returns a line of the page, without red tests if it is the row of a kind.
fn with_no_red_test(line: &str, kind: &str) -> String {
    let mut cells: Vec<String> = line.split('|').map(str::to_owned).collect();
    if let (true, Some(cell)) = (
        line.starts_with(&format!("| {kind} |")),
        cells.get_mut(RED_TESTS),
    ) {
        " 0 ".clone_into(cell);
    }
    cells.join("|")
}

#[test]
#[ignore = "plays whole updates: the gate and `cargo xtask review` do"]
fn an_operation_of_an_override_needs_the_key_that_all_others_need() {
    let inputs = Inputs::committed();
    let mut document = inputs.published.value.clone();
    exported(&mut document);
    let (new, rebase) = moved(inputs, &document);
    let judged = judge(&new, &rebase.set);
    pointer::walk(&judged.document["paths"], "", &mut |at, value| {
        if value.get("operationId").is_some() && value.get("responses").is_some() {
            assert!(value.get("security").is_some(), "{at}");
        }
    });
}

#[test]
#[ignore = "plays whole updates: the gate and `cargo xtask review` do"]
fn overrides_that_were_rebased_first_are_those_of_an_update() {
    for case in CASES.iter().filter(|case| case.kind.contains("export")) {
        let new = case.document();
        let (direct, in_two_steps) = (Workspace::committed(), Workspace::committed());
        play(&direct, &new, decide);
        play(&in_two_steps, &new, |workspace, document| {
            decide(workspace, document);
            let rebase = RebaseOptions {
                document: document.to_owned(),
                accept: true,
                dry_run: false,
                verbose: false,
            };
            overrides::rebase(&workspace.layout(), &rebase, &mut Vec::new()).unwrap();
            workspace.git(&["add", "."]);
        });
        assert_eq!(override_files(&in_two_steps), override_files(&direct));
    }
}

/// Decides for the document before the update.
fn decide(workspace: &Workspace, document: &str) {
    let update = Options {
        document: document.to_owned(),
        name: document.to_owned(),
        accept: true,
        dry_run: true,
        ..options()
    };
    if let (_, Some(stop)) = run(workspace, &update) {
        delete_overrides(workspace, &stop);
        workspace.git(&["add", "."]);
    }
}

fn override_files(workspace: &Workspace) -> Vec<(String, String)> {
    let mut files = Vec::new();
    for (path, content) in workspace.files() {
        if path.starts_with("overrides/") {
            files.push((path, String::from_utf8(content).unwrap()));
        }
    }
    files
}
