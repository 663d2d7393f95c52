//! Open questions that follow a new document.

use xtask::overrides::OverrideSet;
use xtask::rebase::rebase;

use super::{DOCUMENT, source};
use crate::support::Workspace;

const QUESTIONS: &str = "questions:
  - id: errors
    question: What does an error response look like?
    published: Nothing.
    meanwhile: Every body is kept.
    reference: '1'
    about: ['$.paths[*][*].responses']
";

const OTHERS: &str = "  /v1/others:
    get:
      operationId: others
      responses: {'200': {description: Others.}}
components:
";

/// The places that the question is about, and whether its file is rewritten.
fn asked(new: &str) -> (Vec<String>, bool) {
    let workspace = Workspace::with(DOCUMENT).file("overrides/open-questions.yaml", QUESTIONS);
    let set = OverrideSet::load(workspace.root(), "overrides").unwrap();
    let new = source(new);
    let rebase = rebase(&source(DOCUMENT), &new, &set, true).unwrap();
    let asked = rebase.set.questions.ask(&new.value).into_iter();
    let places = asked.flat_map(|one| one.places).collect();
    (places, !rebase.files.is_empty())
}

#[test]
fn a_question_about_all_operations_is_about_new_ones() {
    let others = "/paths/~1v1~1others/get/responses";
    let thing = "/paths/~1v1~1things~1{id}/get/responses";
    let (places, is_rewritten) = asked(&DOCUMENT.replacen("components:\n", OTHERS, 1));
    assert_eq!(places, [others, thing]);
    assert!(!is_rewritten);
}
