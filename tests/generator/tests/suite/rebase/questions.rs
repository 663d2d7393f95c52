//! Tests of open questions that follow a new document.

use openapi_overrides::{OverrideSet, rebase};

use super::{DOCUMENT, source};
use crate::support::Workspace;

const QUESTIONS: &str = "questions:
  - id: errors
    question: What does an error response look like?
    published: Nothing.
    meanwhile: Every body is kept.
    reference: '1'
    about: ['$.paths[*][*].responses']
  - id: kinds
    question: Which other kinds are there?
    published: Two of them.
    meanwhile: Any text is kept.
    reference: '1'
    about: [$.components.schemas.Kind]
";

const OTHERS: &str = "  /v1/others:
    get:
      operationId: others
      responses: {'200': {description: Others.}}
components:
";

/// Returns the locations that a question is about, and whether its file is rewritten.
fn asked(id: &str, new: &str) -> (Vec<String>, bool) {
    let workspace = Workspace::with(DOCUMENT).file("overrides/open-questions.yaml", QUESTIONS);
    let set = OverrideSet::load(workspace.root(), "overrides").unwrap();
    let new = source(new);
    let rebase = rebase(&source(DOCUMENT), &new, &set, true).unwrap();
    let asked = rebase.set.questions.ask(&new.value).unwrap().into_iter();
    let own = asked.filter(|one| one.by.id == id);
    let places = own.flat_map(|one| one.places).collect();
    (places, !rebase.files.is_empty())
}

#[test]
fn a_question_about_all_operations_is_about_new_ones() {
    let others = "/paths/~1v1~1others/get/responses";
    let thing = "/paths/~1v1~1things~1{id}/get/responses";
    let (places, is_rewritten) = asked("errors", &DOCUMENT.replacen("components:\n", OTHERS, 1));
    assert_eq!(places, [others, thing]);
    assert!(!is_rewritten);
}

#[test]
fn a_question_about_a_component_is_read_at_the_types_that_it_is_a_part_of() {
    let reference = "{$ref: '#/components/schemas/Kind'}";
    let with_blank = format!("{{oneOf: [{reference}, {{enum: ['']}}]}}");
    let new = DOCUMENT.replace(reference, &with_blank);
    let place = "/components/schemas/Thing/properties/kind";
    assert_eq!(asked("kinds", &new), (vec![place.to_owned()], true));
    let kind = "/components/schemas/Kind";
    assert_eq!(asked("kinds", DOCUMENT), (vec![kind.to_owned()], false));
}
