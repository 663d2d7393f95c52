//! The committed crate is what the committed inputs give.

use xtask::commands::{self, Layout};

use crate::support::{Inputs, repository};

#[test]
fn the_committed_crate_is_fresh() {
    let mut out = Vec::new();
    let fresh = commands::regen(&Layout::at(repository()), true, &mut out).unwrap();
    assert!(fresh, "{}", String::from_utf8_lossy(&out));
}

#[test]
fn the_same_inputs_give_the_same_bytes() {
    let inputs = Inputs::committed();
    assert_eq!(inputs.tree(), inputs.tree());
}

#[test]
fn every_generated_file_says_who_wrote_it() {
    for (path, content) in Inputs::committed().tree().iter() {
        assert!(xtask::emit::is_ours(content.as_bytes()), "{path}");
    }
}
