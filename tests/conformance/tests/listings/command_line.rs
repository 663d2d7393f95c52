//! The command line resumes from its journal, whatever the style of a list.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde_json::Value;

use super::promise;
use super::rows::{Row, list_articles, search_hits};
use super::service::{CALLS, Deed, RECORDS, Running, SIZE};

/// A folder with a key and a journal.
struct Folder(PathBuf);

impl Folder {
    fn new(test: &str, row: &Row) -> Self {
        let name = format!("{test}-{}", row.command.first().unwrap());
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("key"), "a-key").unwrap();
        Self(folder)
    }

    fn journal(&self) -> PathBuf {
        self.0.join("journal")
    }

    /// Returns how many records are written, and whether these are all of them.
    fn records(&self) -> (usize, bool) {
        let text = fs::read_to_string(self.journal()).unwrap();
        assert!(!text.contains("a-key"), "{text}");
        let lines: Vec<Value> = text
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        let count = |name: &str| lines.iter().filter(|line| line.get(name).is_some()).count();
        let done = count("done");
        // The last record ends the list.
        (count("at") + count("within") + done, done == 1)
    }

    async fn run(&self, running: &Running, more: &[&str]) -> ExitCode {
        let path = |name: &str| self.0.join(name).to_str().unwrap().to_owned();
        let (key, journal, url) = (path("key"), path("journal"), running.base_url());
        // A link of an earlier run may lead to a call of another price.
        let money = ["--budget", "9", "--assume-price", "1"];
        let common = ["--of", "all", "--base-url", &url];
        let files = ["--key-file", &key, "--resume", &journal];
        let given = common.iter().chain(&money).chain(&files).chain(more);
        let command = ["lists-client".to_owned()].into_iter();
        let command = command
            .chain(running.row().command.iter().cloned())
            .chain(given.map(ToString::to_string));
        let command: Vec<String> = command.collect();
        let run = tokio::task::spawn_blocking(|| lists_client::cli::run(command));
        run.await.unwrap()
    }
}

promise!(the_command_line_goes_on_and_pays_no_page_twice);
async fn the_command_line_goes_on_and_pays_no_page_twice(row: fn() -> Row) {
    for (call, deed) in
        (1..=CALLS).flat_map(|call| [(call, Deed::Fails(call)), (call, Deed::Lacks(call))])
    {
        let running = Running::start(row(), deed).await;
        let folder = Folder::new(&format!("fails-{call}"), running.row());
        assert_eq!(folder.run(&running, &["--all"]).await, ExitCode::from(1));
        assert_eq!(folder.records(), ((call - 1) * SIZE, false));
        for _ in 0..2 {
            // The failed call may have been billed.
            let all = ["--all", "--again"];
            assert_eq!(folder.run(&running, &all).await, ExitCode::SUCCESS);
            assert_eq!(folder.records(), (RECORDS, true));
            assert_eq!(running.calls(), CALLS + 1);
        }
    }
    // One page first, then all others.
    let running = Running::start(row(), Deed::Honest).await;
    let folder = Folder::new("page", running.row());
    assert_eq!(folder.run(&running, &[]).await, ExitCode::SUCCESS);
    assert_eq!((folder.records(), running.calls()), ((SIZE, false), 1));
    assert_eq!(folder.run(&running, &["--all"]).await, ExitCode::SUCCESS);
    assert_eq!(
        (folder.records(), running.calls()),
        ((RECORDS, true), CALLS)
    );
}

promise!(a_page_of_which_some_records_are_out_is_called_again_only_on_demand);
async fn a_page_of_which_some_records_are_out_is_called_again_only_on_demand(row: fn() -> Row) {
    let running = Running::start(row(), Deed::Honest).await;
    let folder = Folder::new("within", running.row());
    let some = ["--max-records", "4"];
    for _ in 0..2 {
        assert_eq!(folder.run(&running, &some).await, ExitCode::SUCCESS);
        assert_eq!((folder.records(), running.calls()), ((4, false), 2));
    }
    if !running.row().is_by_offset() {
        assert_eq!(folder.run(&running, &["--all"]).await, ExitCode::from(2));
        assert_eq!(running.calls(), 2);
    }
    let all = ["--all", "--again"];
    assert_eq!(folder.run(&running, &all).await, ExitCode::SUCCESS);
    assert_eq!((folder.records(), running.calls()), ((RECORDS, true), 4));
}

#[tokio::test]
async fn a_journal_of_another_list_style_or_version_is_refused() {
    for row in [search_hits, list_articles] {
        let running = Running::start(row(), Deed::Honest).await;
        let folder = Folder::new("other", running.row());
        assert_eq!(folder.run(&running, &[]).await, ExitCode::SUCCESS);
        let text = fs::read_to_string(folder.journal()).unwrap();
        for (written, other) in [
            ("\"operation\":\"", "\"operation\":\"other"),
            ("\"offset\":3", "\"number\":2"),
            ("\"number\":2", "\"offset\":3"),
            ("\"version\":1", "\"version\":9"),
            ("\"version\":2", "\"version\":1"),
            ("\"position\":", "\"offset\":3,\"position\":"),
        ] {
            let changed = text.replace(written, other);
            if changed == text {
                continue;
            }
            fs::write(folder.journal(), changed).unwrap();
            let code = folder.run(&running, &["--all"]).await;
            assert_eq!((code, running.calls()), (ExitCode::from(2), 1), "{other}");
        }
    }
}
