//! The three commands of the README build few dependencies twice: features that differ build a dependency and all that depend on it again.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use serde_json::Value;

use crate::support::repository;

const TOUR: [&str; 5] = [
    "build",
    "--package",
    "company-intel-sandbox",
    "--example",
    "tour",
];
const REGEN: [&str; 3] = ["build", "--package", "xtask"];
const TESTS: [&str; 3] = ["test", "--workspace", "--no-run"];

/// What the tour does without: TLS, and compressed bodies. They take a minute of a processor.
const OTHER_IN_THE_TOUR: [&str; 2] = ["reqwest", "tower-http"];

/// The units that a command compiles, as cargo plans them.
struct Plan(Vec<Value>);

impl Plan {
    fn of(command: &[&str]) -> Self {
        let output = Command::new(env!("CARGO"))
            .args(command)
            .args(["--locked", "--unit-graph", "-Zunstable-options"])
            .env("RUSTC_BOOTSTRAP", "1")
            .current_dir(repository())
            .output()
            .unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{errors}");
        let plan: Value = serde_json::from_slice(&output.stdout).unwrap();
        Self(plan["units"].as_array().unwrap().clone())
    }

    /// Returns all that a unit is built from, apart from what it depends on.
    fn own(&self, unit: usize) -> String {
        let unit = &self.0[unit];
        let profile = &unit["profile"];
        let parts = [
            &unit["pkg_id"],
            &unit["target"]["kind"],
            &unit["mode"],
            &unit["features"],
            &profile["opt_level"],
            &profile["debuginfo"],
            &profile["debug_assertions"],
        ];
        parts.map(ToString::to_string).join(" ")
    }

    /// Returns all that a unit is built from.
    fn key(&self, unit: usize, known: &mut BTreeMap<usize, BTreeSet<String>>) -> BTreeSet<String> {
        if let Some(key) = known.get(&unit) {
            return key.clone();
        }
        let mut key = BTreeSet::from([self.own(unit)]);
        for dependency in self.0[unit]["dependencies"].as_array().unwrap() {
            let index = dependency["index"].as_u64().unwrap() as usize;
            key.extend(self.key(index, known));
        }
        known.insert(unit, key.clone());
        key
    }

    /// Returns the libraries of others with all that they are built from, by package.
    fn libraries(&self) -> BTreeMap<String, BTreeSet<BTreeSet<String>>> {
        let mut known = BTreeMap::new();
        let mut libraries: BTreeMap<_, BTreeSet<_>> = BTreeMap::new();
        for (index, unit) in self.0.iter().enumerate() {
            let id = unit["pkg_id"].as_str().unwrap();
            let is_script = unit["target"]["kind"][0] == "custom-build";
            if id.starts_with("registry") && !is_script {
                let key = self.key(index, &mut known);
                let (_, package) = id.rsplit_once('#').unwrap();
                let (name, _) = package.split_once('@').unwrap();
                libraries.entry(name.to_owned()).or_default().insert(key);
            }
        }
        libraries
    }
}

/// Returns the packages that the tests build again.
fn built_again(command: &[&str]) -> Vec<String> {
    let of_tests = Plan::of(&TESTS).libraries();
    let mut again = Vec::new();
    for (name, keys) in Plan::of(command).libraries() {
        if !of_tests
            .get(&name)
            .is_some_and(|tests| keys.is_subset(tests))
        {
            again.push(name);
        }
    }
    again
}

#[test]
fn the_tests_use_what_the_tour_has_built() {
    assert_eq!(
        built_again(&TOUR),
        OTHER_IN_THE_TOUR,
        "give them the features of the tests, in tests/sandbox/Cargo.toml"
    );
}

#[test]
fn the_tests_use_what_regen_has_built() {
    let none: [&str; 0] = [];
    assert_eq!(
        built_again(&REGEN),
        none,
        "give them the features of the tests, in xtask/Cargo.toml"
    );
}
