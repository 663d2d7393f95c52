//! An update with uncommitted changes: a crashed update, edits of a person, untracked files.

use openapi_crate::commands::overrides;

use super::*;

/// Returns a document that retires an override and raises the version: every kind of change.
fn new() -> String {
    with_property("size: {type: integer, description: How large it is.}").replace(
        "name: {type: string}",
        "name: {type: string, description: Its name.}",
    )
}

/// Returns the changes of an update, in order: paths, with the new bytes of each.
fn changes() -> Vec<(String, Option<Vec<u8>>)> {
    let workspace = workspace(&new());
    let shown = done(&workspace, &options());
    let after = workspace.files();
    let changed = shown.lines().filter_map(|line| {
        let (verb, path) = line.trim_start().split_once(' ')?;
        ["Wrote", "Deleted"].contains(&verb).then_some(path)
    });
    changed
        .map(|path| (path.to_owned(), after.get(path).cloned()))
        .collect()
}

/// Creates a workspace in which an update crashed after these changes.
fn crashed(changes: &[(String, Option<Vec<u8>>)]) -> Workspace {
    let workspace = workspace(&new());
    workspace.write(&format!("{STAGING}/spec/openapi.yaml"), "half a fi");
    for (path, bytes) in changes {
        let path = workspace.root().join(path);
        match bytes {
            Some(bytes) => std::fs::write(path, bytes).unwrap(),
            None => std::fs::remove_file(path).unwrap(),
        }
    }
    workspace
}

/// Runs everything that only reads; some commands may report problems.
fn read_only(workspace: &Workspace) {
    let layout = workspace.layout();
    let mut out = Vec::new();
    let dry = Options {
        dry_run: true,
        ..options()
    };
    let _ = overrides::list(&layout, false, &mut out);
    let _ = overrides::check(&layout, None, &mut out);
    let _ = crate::support::tool::regen(&layout, true, &mut out);
    let _ = update(&layout, &dry, &mut out);
}

#[test]
fn an_update_that_crashed_is_refused_until_git_has_restored_the_files() {
    let changes = changes();
    let (last, _) = changes.last().unwrap();
    assert_eq!(last, "spec/openapi.yaml");
    assert!(
        changes.iter().any(|(_, bytes)| bytes.is_none()),
        "nothing is deleted"
    );
    let complete = crashed(&changes).files();
    for done in 1..changes.len() {
        let workspace = crashed(&changes[..done]);
        let before = workspace.files();
        read_only(&workspace);
        assert_eq!(workspace.files(), before, "after {done} changes");
        let (_, stop) = refused(&workspace, &options());
        let finding = &stop.findings()[0];
        assert_eq!(finding.rule, "unsaved-changes");
        for (path, _) in &changes[..done] {
            let note = format!("the same holds for {path}");
            assert!(
                finding.file == *path || finding.notes.contains(&note),
                "{path}: {stop}"
            );
        }
        // Follow the help.
        let (_, rest) = finding.help.split_once("`git restore -- ").unwrap();
        let (places, _) = rest.split_once('`').unwrap();
        let places: Vec<&str> = places.split(' ').collect();
        workspace.git(&[&["restore", "--"], &places[..]].concat());
        assert!(workspace.regen(false).0);
        assert_eq!(run(&workspace, &options()).1, None, "after {done} changes");
        let mut expected = complete.clone();
        expected.remove(&format!("{STAGING}/spec/openapi.yaml"));
        assert_eq!(workspace.files(), expected, "after {done} changes");
    }
    // After the last change, the update is complete.
    let shown = done(&crashed(&changes), &options());
    assert!(shown.contains("is unchanged"), "{shown}");
}

#[test]
fn what_a_person_wrote_since_a_crash_stays_whatever_runs() {
    let changes = changes();
    let workspace = crashed(&changes[..changes.len() / 2]);
    let edits = ["CHANGELOG.md", "overrides/generator/package.yaml"];
    for path in edits {
        workspace.write(path, &format!("{}# Mine.\n", workspace.read(path)));
    }
    let edited = edits.map(|path| workspace.read(path));
    read_only(&workspace);
    let (_, stop) = refused(&workspace, &options());
    workspace.regen(false);
    overrides::guard(&workspace.layout(), &[], None, &mut Vec::new()).unwrap();
    assert_eq!(edits.map(|path| workspace.read(path)), edited);
    insta::assert_snapshot!(stop);
}

#[test]
fn a_file_with_changes_that_git_does_not_have_is_kept_until_they_are_staged() {
    let workspace = workspace(&new());
    workspace.write("CHANGELOG.md", &format!("{CHANGELOG}- Mine.\n"));
    let (_, stop) = refused(&workspace, &options());
    insta::assert_snapshot!(stop);
    // Follow the help.
    workspace.git(&["add", "--update", "--", "CHANGELOG.md"]);
    done(&workspace, &options());
    assert!(workspace.read("CHANGELOG.md").ends_with("- Mine.\n"));
    assert!(
        workspace
            .git(&["show", ":CHANGELOG.md"])
            .ends_with("- Mine.\n")
    );
}

#[test]
fn a_file_that_git_does_not_know_is_neither_replaced_nor_deleted() {
    for path in ["overrides/assumed/size.yaml", "CHANGELOG.md"] {
        let workspace = workspace(&new());
        workspace.git(&["rm", "--quiet", "--cached", path]);
        // The same for an ignored file.
        workspace.write(".gitignore", &format!("/{path}\n"));
        let (_, stop) = refused(&workspace, &options());
        let finding = &stop.findings()[0];
        assert_eq!(
            (finding.rule, finding.file.as_str()),
            ("untracked-file", path)
        );
        workspace.git(&["add", "--force", "--", path]);
        done(&workspace, &options());
    }
}

#[test]
fn a_file_that_the_update_does_not_change_need_not_be_in_git() {
    let workspace = workspace(&new());
    workspace.write("generated/notes.md", "mine");
    workspace.git(&[
        "rm",
        "--quiet",
        "--cached",
        "overrides/assumed/wording.yaml",
    ]);
    done(&workspace, &options());
    assert_eq!(workspace.read("generated/notes.md"), "mine");
}

#[test]
fn an_edit_that_git_was_told_to_overlook_is_kept() {
    let workspace = workspace(&new());
    workspace.git(&["update-index", "--assume-unchanged", "CHANGELOG.md"]);
    workspace.write("CHANGELOG.md", &format!("{CHANGELOG}- Mine.\n"));
    let (_, stop) = refused(&workspace, &options());
    assert_eq!(stop.findings()[0].file, "CHANGELOG.md");
}

#[test]
fn a_workspace_in_a_folder_of_a_repository_is_like_any_other() {
    let outer = Workspace::new();
    outer.git(&["init", "--quiet"]);
    let inner = Workspace {
        folder: tempfile::tempdir_in(outer.root()).unwrap(),
    };
    for (path, bytes) in workspace(&new()).files() {
        inner.write(&path, std::str::from_utf8(&bytes).unwrap());
    }
    assert_eq!(
        refused(&inner, &options()).1.findings()[0].rule,
        "untracked-file"
    );
    outer.git(&["add", "."]);
    done(&inner, &options());
}

#[test]
fn without_git_only_a_dry_run_runs() {
    let workspace = workspace(&new());
    std::fs::remove_dir_all(workspace.root().join(".git")).unwrap();
    let (_, stop) = refused(&workspace, &options());
    assert!(matches!(stop, DocumentError::Unreadable(_)));
    let finding = &stop.findings()[0];
    assert_eq!(finding.rule, "no-git");
    assert!(finding.help.contains("`git init`, `git add .`"));
    let dry = Options {
        dry_run: true,
        ..options()
    };
    done(&workspace, &dry);
    workspace.git(&["init", "--quiet"]);
    workspace.git(&["add", "."]);
    done(&workspace, &options());
}

#[test]
fn a_changelog_that_is_no_text_is_not_replaced() {
    let workspace = workspace(&new());
    std::fs::write(workspace.root().join("CHANGELOG.md"), b"# Log\n\xff\n").unwrap();
    workspace.git(&["add", "--update"]);
    let (_, stop) = refused(&workspace, &options());
    let finding = &stop.findings()[0];
    assert_eq!(
        (finding.rule, finding.file.as_str()),
        ("unreadable-file", "CHANGELOG.md")
    );
}

#[test]
fn git_does_not_see_what_is_staged() {
    let ignored = std::fs::read_to_string(crate::support::repository().join(".gitignore")).unwrap();
    let workspace = Workspace::new().file(".gitignore", &ignored);
    workspace.git(&["init", "--quiet"]);
    workspace.write(&format!("{STAGING}/generated/src/lib.rs"), "half a fi");
    let seen = workspace.git(&["ls-files", "--others", "--exclude-standard"]);
    assert_eq!(seen, ".gitignore\n");
}
