//! The bump that a changed document is worth, predicted and proved.
//!
//! Each pair of documents is generated; all crates are modules of one, so that one build and one run of rustdoc do.
//! Here and not in a crate of its own: it is the generator that is tested, with fixtures as the other suites have.

// mod caller;
mod build;
mod pairs;
mod reality;

use xtask::overrides::OverrideReport;
use xtask::surface::{self, Bump, Difference};

use self::pairs::{PAIRS, Pair};

/// The greatest bump of some differences.
fn due(differences: &[Difference]) -> Option<Bump> {
    differences.iter().map(|difference| difference.bump).max()
}

fn differences(pair: &Pair) -> Vec<Difference> {
    let (old, new) = pair.documents();
    let read = |document| surface::read(&document, &OverrideReport::default()).expect(pair.name);
    surface::compare(&read(old), &read(new))
}

#[test]
fn every_kind_of_change_has_the_bump_that_people_expect() {
    let mut wrong = Vec::new();
    for pair in PAIRS {
        let differences = differences(pair);
        if due(&differences) != pair.bump {
            wrong.push(format!("{}: {differences:#?}", pair.name));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What people read of each pair.
#[test]
fn sentences() {
    let mut text = String::new();
    for pair in PAIRS {
        text.push_str(&format!("{}\n", pair.name));
        for one in differences(pair) {
            let place = one.new.or(one.old).unwrap();
            text.push_str(&format!(
                "    {:?}: {} (#{place})\n",
                one.bump, one.sentence
            ));
        }
    }
    insta::assert_snapshot!(text);
}
