//! The rights of workflows: Scorecard's checks of pinned dependencies, tokens and dangerous workflows, and references that have to exist.

use std::path::{Path, PathBuf};

use serde_yaml::Value;

use crate::support::repository;

/// Members of an event that anybody can write: a shell would run what stands in them.
const WRITTEN_BY_ANYBODY: &str = "github.event";

fn workflows() -> Vec<(String, Value)> {
    let folder = repository().join(".github/workflows");
    let files = std::fs::read_dir(folder).unwrap();
    let mut paths: Vec<PathBuf> = files.map(|file| file.unwrap().path()).collect();
    paths.push(repository().join("action.yml"));
    paths.iter().map(|path| read(path)).collect()
}

fn read(path: &Path) -> (String, Value) {
    let text = std::fs::read_to_string(path).unwrap();
    let value = serde_yaml::from_str(&text).unwrap_or_else(|error| panic!("{path:?}: {error}"));
    (path.display().to_string(), value)
}

fn jobs(workflow: &Value) -> Vec<(&str, &Value)> {
    let jobs = workflow["jobs"].as_mapping().into_iter().flatten();
    jobs.map(|(name, job)| (name.as_str().unwrap(), job))
        .collect()
}

/// Returns the steps of all jobs, or of an action.
fn steps(workflow: &Value) -> Vec<&Value> {
    let of_jobs = jobs(workflow).into_iter().map(|(_, job)| &job["steps"]);
    let all = of_jobs.chain([&workflow["runs"]["steps"]]);
    all.filter_map(Value::as_sequence).flatten().collect()
}

/// Returns whether an action is one of this repository, or pinned by the whole id of a commit.
fn is_pinned(action: &str) -> bool {
    let commit = action.split_once('@').map(|(_, commit)| commit);
    action.starts_with("./")
        || commit.is_some_and(|commit| {
            commit.len() == 40 && commit.chars().all(|c| c.is_ascii_hexdigit())
        })
}

/// Says what a workflow must not have.
fn problems(workflow: &Value) -> Vec<String> {
    let mut problems = Vec::new();
    let all = jobs(workflow);
    for (name, job) in &all {
        let needs = &job["needs"];
        let needs = needs.as_sequence().into_iter().flatten().chain([needs]);
        for needed in needs.filter_map(Value::as_str) {
            if all.iter().all(|(known, _)| *known != needed) {
                problems.push(format!("`{name}` needs `{needed}`, which is no job"));
            }
        }
        if job["timeout-minutes"].is_null() {
            problems.push(format!("`{name}` may run for hours"));
        }
    }
    for step in steps(workflow) {
        if let Some(action) = step["uses"].as_str()
            && !is_pinned(action)
        {
            problems.push(format!("`{action}` may change: pin it by a commit"));
        }
        if let Some(script) = step["run"].as_str()
            && script.contains("${{")
            && script.contains(WRITTEN_BY_ANYBODY)
        {
            problems.push(format!("a script holds text of an event: {script}"));
        }
    }
    let events = &workflow["on"];
    if !events["pull_request_target"].is_null() {
        problems.push("it runs with a token for anybody's pull request".to_owned());
    }
    let allowed = workflow["permissions"].as_mapping();
    let is_reader = allowed.is_some_and(|allowed| allowed.values().all(|one| one == "read"));
    if !all.is_empty() && !is_reader {
        problems.push("each of its jobs may write".to_owned());
    }
    problems
}

#[test]
fn workflows_pin_what_they_use_and_may_do_what_they_need() {
    let workflows = workflows();
    assert!(
        workflows
            .iter()
            .all(|(_, workflow)| !steps(workflow).is_empty())
    );
    for (path, workflow) in workflows {
        assert_eq!(problems(&workflow), [""; 0], "{path}");
    }
}

#[test]
fn what_a_workflow_must_not_have_is_found() {
    let workflow = "
on: {pull_request_target: {branches: [main]}}
jobs:
  one:
    needs: [two]
    steps:
      - uses: actions/checkout@v4
      - run: echo ${{ github.event.issue.title }}
";
    let found = problems(&serde_yaml::from_str(workflow).unwrap());
    assert_eq!(found.len(), 6, "{found:?}");
}
