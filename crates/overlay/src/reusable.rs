//! Reusable actions of Overlay 1.2: `components.actions`, and the `$ref` of an action that leads to one.

use std::collections::BTreeMap;

use openapi_document::finding::near;
use openapi_document::pointer;
use serde_json::{Map, Value};

use super::form::Form;
use super::model::Effect;

/// The prefix of an action's `$ref`.
const PREFIX: &str = "#/components/actions/";

/// An action without a target.
#[derive(Clone)]
pub(super) struct Reusable {
    /// The location of its fields.
    pub(super) fields: String,
    pub(super) effect: Effect,
    pub(super) guard: Option<Value>,
}

/// The reusable actions of a file by name; `None` for one that a finding is about.
pub(super) type Reusables = BTreeMap<String, Option<Reusable>>;

/// Reads `components`.
pub(super) fn reusables<'s>(form: &mut Form<'s>, root: &'s Map<String, Value>) -> Reusables {
    let at = "/components";
    let components = root.get("components").filter(|_| form.has_reusables());
    let Some(components) = components.and_then(|value| form.object(at, value)) else {
        return Reusables::new();
    };
    form.only(at, components, &["actions"]);
    let at = "/components/actions";
    let all = components.get("actions");
    let all = all.and_then(|value| form.object(at, value));
    let all = all.into_iter().flatten();
    all.map(|(name, one)| (name.clone(), reusable(form, &pointer::join(at, name), one)))
        .collect()
}

fn reusable<'s>(form: &mut Form<'s>, at: &str, value: &'s Value) -> Option<Reusable> {
    let one = form.object(at, value)?;
    form.only(at, one, &["description", "fields"]);
    form.text(at, one, "description", false);
    let at = format!("{at}/fields");
    let (effect, guard) = match one.get("fields") {
        None => (Effect::Nothing, None),
        Some(fields) => {
            let fields = form.object(&at, fields)?;
            form.only(&at, fields, &["description", "update", "copy", "remove"]);
            form.text(&at, fields, "description", false);
            (form.effect(&at, fields)?, fields.get("x-expect").cloned())
        }
    };
    Some(Reusable {
        fields: at,
        effect,
        guard,
    })
}

/// The reusable action that the `$ref` of an action leads to.
pub(super) fn referred<'s>(
    form: &mut Form<'s>,
    at: &str,
    action: &'s Map<String, Value>,
    reusables: &Reusables,
) -> Option<Reusable> {
    let reference = form.text(at, action, "$ref", true)?;
    let at = format!("{at}/$ref");
    let Some(name) = reference.strip_prefix(PREFIX).and_then(name) else {
        form.wrong(
            &at,
            format!(
                "`{reference}` is not a reusable action: expected `{PREFIX}NAME`, with `~1` for `/` and `~0` for `~` in the name"
            ),
        );
        return None;
    };
    let Some(found) = reusables.get(&name) else {
        let near = near(&name, reusables.keys().map(String::as_str));
        let near = near.map_or(String::new(), |near| format!(": did you mean `{near}`?"));
        form.wrong(&at, format!("`components.actions` has no `{name}`{near}"));
        return None;
    };
    found.clone()
}

/// The name that is the last token of a pointer in a fragment of a URI.
fn name(token: &str) -> Option<String> {
    let token = pointer::percent_decoded(token);
    let mut escapes = token.split('~').skip(1);
    let is_token = !token.is_empty() && !token.contains('/');
    (is_token && escapes.all(|rest| rest.starts_with(['0', '1'])))
        .then(|| pointer::unescape(&token))
}
