//! An open question does not stop an update, which lists the questions to read again.

use super::{NEW, Workspace, edited, options, run, workspace};

const QUESTIONS: &str = r#"questions:
  - id: names
    question: Which names are there?
    published: A name.
    meanwhile: It is a text.
    reference: "1"
    about: [$.components.schemas.Things.properties.name]
  - id: order
    question: In which order do things come?
    published: Things.
    meanwhile: They stay in their order.
    reference: "2"
    about: ["$.paths['/things'].get"]
"#;

/// Creates a workspace with the list of questions, and a new document.
fn asking(new: &str) -> Workspace {
    let workspace = workspace(new).file("overrides/open-questions.yaml", QUESTIONS);
    workspace.regen(false);
    workspace.git(&["add", "."]);
    workspace
}

#[test]
fn a_place_that_is_gone_is_a_note() {
    let workspace = asking(&edited("name: {type: string}", "title: {type: string}"));
    let target = "`$.components.schemas.Things.properties.name`";
    let gone = format!("  - {target} (the document no longer has it)\n");
    assert!(!workspace.read("generated/OVERRIDES.md").contains(&gone));
    let (shown, stop) = run(&workspace, &options());
    assert_eq!(stop, None);
    let note = "names: the document no longer has $.components.schemas.Things.properties.name";
    // In the output, and in the text of the pull request.
    assert!(shown.contains(&format!("Question {note}\n")), "{shown}");
    assert!(
        shown.contains(&format!("Open questions to read again:\n\n- {note}\n")),
        "{shown}"
    );
    assert!(!shown.contains("order:"), "{shown}");
    assert!(workspace.read("generated/OVERRIDES.md").contains(&gone));
    assert_eq!(workspace.read("spec/openapi.yaml"), workspace.read(NEW));
}

#[test]
fn a_place_that_changed_may_settle_its_question() {
    let workspace = asking(&edited(
        "operationId: things\n",
        "operationId: things\n      description: By name.\n",
    ));
    let (shown, stop) = run(&workspace, &options());
    assert_eq!(stop, None);
    assert!(
        shown.contains(
            "Question order: the document changed here, check whether it answers: In which order do things come?\n"
        ),
        "{shown}"
    );
    assert!(!shown.contains("names:"), "{shown}");
}

#[test]
fn an_update_elsewhere_says_nothing_of_questions() {
    let workspace = asking(&edited("title: Small", "title: Smaller"));
    let (shown, stop) = run(&workspace, &options());
    assert_eq!(stop, None);
    assert!(!shown.contains("uestion"), "{shown}");
}
