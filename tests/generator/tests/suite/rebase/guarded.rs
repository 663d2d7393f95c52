//! A random edit inside of a guarded value. The edits of a list are known to change nothing; any other one stops the override.

use std::sync::LazyLock;

use openapi_document::pointer;
use openapi_document::source::Source;
use openapi_overrides::{Family, Override, OverrideSet, Verdict, judge, rebase};
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::RngSeed;
use serde_json::{Map, Value, json};

use super::{alone, file};
use crate::diff::random::{any_value, other, places};
use crate::diff::shop;
use crate::support::random;

/// The shop, with a licence and a contact.
static DOCUMENT: LazyLock<Value> = LazyLock::new(|| {
    let mut document = shop().clone();
    document["info"]["license"] = json!({"name": "MIT", "identifier": "MIT"});
    document["info"]["contact"] = json!({"name": "Anna", "url": "https://shop.example"});
    document
});

/// Lists that are in any order.
const UNORDERED: [&str; 8] = [
    "allOf",
    "anyOf",
    "enum",
    "oneOf",
    "parameters",
    "required",
    "security",
    "type",
];

/// Members for people.
const WORDS: [&str; 6] = [
    "description",
    "example",
    "examples",
    "externalDocs",
    "summary",
    "title",
];

/// Objects whose keys are names.
const NAMES: [&str; 4] = ["patternProperties", "properties", "scopes", "mapping"];

/// Change of the value at one location.
#[derive(Clone, Debug)]
enum Edit {
    Other,
    Gone,
    Value(Value),
    Member(&'static str, Value),
    /// Two elements of a list are swapped.
    Swap(Index, Index),
    /// An element of a list replaces another one.
    Double(Index, Index),
    /// The keys of an object are in another order.
    Keys,
    /// A list is in another order.
    Order,
    /// A description, or another text for people, is another one.
    Words,
}

/// Effect of an override on the value that it guards.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Effect {
    /// Adds a member beside it.
    Annotate,
    Remove,
    /// Writes another value.
    Write,
}

#[derive(Clone, Debug)]
struct Case {
    /// The guarded place.
    guarded: String,
    /// The changed place, which is the guarded one or inside of it.
    changed: String,
    edit: Edit,
    effect: Effect,
}

fn edit() -> impl Strategy<Value = Edit> {
    type Member = (&'static str, fn() -> Value);
    const MEMBERS: &[Member] = &[
        ("maxLength", || json!(9)),
        ("nullable", || json!(true)),
        ("minimum", || json!(3)),
        ("enum", || json!(["a"])),
        ("required", || json!(["a"])),
        ("additionalProperties", || json!(false)),
        ("format", || json!("uuid")),
        ("default", || json!("a")),
        ("readOnly", || json!(true)),
        ("not", || json!({"type": "string"})),
        ("oneOf", || json!([{"type": "string"}, {"type": "integer"}])),
        ("$ref", || json!("#/components/schemas/Cash")),
        ("security", || json!([])),
        ("servers", || json!([{"url": "https://other.example"}])),
        ("links", || json!({"a": {"operationId": "getBook"}})),
        ("tags", || json!(["a"])),
        ("operationId", || json!("other")),
        ("deprecated", || json!(true)),
        ("x-new", || json!(1)),
        ("unheard-of", || json!("value")),
    ];
    let two = || (any::<Index>(), any::<Index>());
    prop_oneof![
        4 => Just(Edit::Other),
        3 => Just(Edit::Gone),
        3 => any_value().prop_map(Edit::Value),
        4 => select(MEMBERS).prop_map(|(key, value)| Edit::Member(key, value())),
        1 => two().prop_map(|(a, b)| Edit::Swap(a, b)),
        1 => two().prop_map(|(a, b)| Edit::Double(a, b)),
        1 => Just(Edit::Keys),
        1 => Just(Edit::Order),
        1 => Just(Edit::Words),
    ]
}

fn case() -> impl Strategy<Value = Case> {
    let effect = select(&[Effect::Annotate, Effect::Remove, Effect::Write][..]);
    let above = prop_oneof![3 => Just(0usize), 3 => 1usize..3, 1 => 3usize..9];
    (any::<Index>(), above, edit(), effect).prop_map(|(place, above, edit, effect)| {
        let all = places(&DOCUMENT);
        let changed = place.get::<String>(&all).clone();
        let tokens: Vec<String> = pointer::tokens(&changed).collect();
        let guarded = at(&tokens[..tokens.len().saturating_sub(above).max(1)]);
        Case {
            guarded,
            changed,
            edit,
            effect,
        }
    })
}

/// Returns the document after a change. `None` if the change does not fit.
fn edited(document: &Value, changed: &str, edit: &Edit) -> Option<Value> {
    let mut new = document.clone();
    let here = new.pointer_mut(changed)?;
    match (edit, here) {
        (Edit::Other, here) => *here = other(here),
        (Edit::Value(value), here) => *here = value.clone(),
        (Edit::Member(key, value), Value::Object(map)) if !map.contains_key(*key) => {
            map.insert((*key).to_owned(), value.clone());
        }
        (Edit::Swap(a, b), Value::Array(list)) if !list.is_empty() => {
            let (a, b) = (a.index(list.len()), b.index(list.len()));
            list.swap(a, b);
        }
        (Edit::Double(a, b), Value::Array(list)) if !list.is_empty() => {
            let (a, b) = (a.index(list.len()), b.index(list.len()));
            list[a] = list[b].clone();
        }
        (Edit::Keys, Value::Object(map)) => {
            *map = std::mem::take(map).into_iter().rev().collect();
        }
        (Edit::Order, Value::Array(list)) => list.reverse(),
        (Edit::Words, Value::String(text)) => text.push_str(", in other words"),
        (Edit::Gone, _) => {
            pointer::remove(&mut new, changed)?;
        }
        _ => return None,
    }
    Some(new)
}

/// Returns whether an edit is one that changes nothing, from the edit and its place alone.
fn changes_nothing(case: &Case) -> bool {
    let tokens: Vec<String> = pointer::tokens(&case.changed).collect();
    let is_key = |index: usize| {
        let parent = index.checked_sub(1).and_then(|index| tokens.get(index));
        parent.is_none_or(|parent| !NAMES.contains(&parent.as_str()))
    };
    // Words inside of the guarded value, not those that are guarded by themselves.
    let depth = pointer::tokens(&case.guarded).count();
    let is_words =
        (depth..tokens.len()).any(|index| WORDS.contains(&tokens[index].as_str()) && is_key(index));
    let is_set = tokens
        .last()
        .is_some_and(|key| UNORDERED.contains(&key.as_str()) && is_key(tokens.len() - 1));
    match &case.edit {
        Edit::Keys => true,
        Edit::Order | Edit::Swap(..) => is_set || is_words,
        // Null in the keyword of 3.0, where null is allowed already.
        Edit::Member("nullable", _) => is_words || allows_null(&case.changed),
        // A schema that is itself.
        Edit::Member("$ref", _) => is_words || case.changed == "/components/schemas/Cash",
        // The same alternatives by both keywords.
        Edit::Member("oneOf", value) => {
            is_words || DOCUMENT.pointer(&format!("{}/anyOf", case.changed)) == Some(value)
        }
        // One type, in a list of 3.1.
        Edit::Value(Value::Array(list)) if list.len() == 1 => {
            let is_type = tokens.last().is_some_and(|key| key == "type");
            is_words || is_type && DOCUMENT.pointer(&case.changed) == list.first()
        }
        Edit::Value(value) if *value == json!({}) => is_words || is_object_of_words(&case.changed),
        _ => is_words,
    }
}

/// Returns whether a value has members for people, and no other ones.
fn is_object_of_words(at: &str) -> bool {
    let has_names = NAMES.iter().any(|name| at.ends_with(&format!("/{name}")));
    let map = DOCUMENT.pointer(at).and_then(Value::as_object);
    !has_names && map.is_some_and(|map| map.keys().all(|key| WORDS.contains(&key.as_str())))
}

/// Returns whether a schema says nothing of its types, or that null is one of them, or is beside null as an alternative.
fn allows_null(at: &str) -> bool {
    let list = at.rsplit_once('/').map_or("", |(list, _)| list);
    let siblings = DOCUMENT.pointer(list).and_then(Value::as_array);
    if siblings.is_some_and(|all| all.contains(&json!({"type": "null"}))) {
        return true;
    }
    let types = DOCUMENT.pointer(at).and_then(|schema| schema.get("type"));
    match types {
        Some(Value::Array(types)) => types.contains(&"null".into()),
        Some(_) => false,
        None => true,
    }
}

/// Wraps a value in nested objects.
fn nested(tokens: &[String], value: Value) -> Value {
    let inside_out = tokens.iter().rev();
    inside_out.fold(value, |value, token| {
        Value::Object(Map::from_iter([(token.clone(), value)]))
    })
}

/// Returns the query for a location.
fn query(document: &Value, tokens: &[String]) -> String {
    let mut here = Some(document);
    let steps = tokens.iter().map(|token| {
        let step = match here {
            Some(Value::Array(_)) => format!("[{token}]"),
            _ => format!("['{}']", token.replace('\\', "\\\\").replace('\'', "\\'")),
        };
        here = here.and_then(|value| match value {
            Value::Object(map) => map.get(token),
            Value::Array(list) => list.get(token.parse::<usize>().ok()?),
            _ => None,
        });
        step
    });
    steps.fold("$".to_owned(), |query, step| query + &step)
}

fn at(tokens: &[String]) -> String {
    let mut at = String::new();
    tokens
        .iter()
        .for_each(|token| pointer::push(&mut at, token));
    at
}

/// Returns an override that guards a place. `None` if none can be written: a guard contains lists as a whole.
fn guarding(document: &Value, case: &Case) -> Option<Override> {
    let tokens: Vec<String> = pointer::tokens(&case.guarded).collect();
    let guarded = document.pointer(&case.guarded)?;
    let is_list = |n: usize| {
        document
            .pointer(&at(&tokens[..n]))
            .is_some_and(Value::is_array)
    };
    let (target, key) = match case.effect {
        Effect::Remove => tokens.split_at(tokens.len()),
        _ => {
            // One or two keys below the target.
            let home = tokens.len().checked_sub(1)?;
            let home = match case.guarded.len() % 2 {
                0 if home > 1 && !is_list(home) && !is_list(home - 1) => home - 1,
                _ => home,
            };
            tokens.split_at(home)
        }
    };
    let there = document.pointer(&at(target))?;
    let guard = nested(key, guarded.clone());
    let effect = match case.effect {
        Effect::Remove => json!({"remove": true}),
        Effect::Annotate if there.is_object() => {
            json!({"update": {"x-rust-type-name": "Mine"}})
        }
        Effect::Write if there.is_object() && !guarded.is_array() && !guarded.is_object() => {
            json!({"update": nested(key, json!("wanted"))})
        }
        _ => return None,
    };
    let mut action = json!({"target": query(document, target), "x-expect": guard});
    action.as_object_mut()?.extend(effect.as_object()?.clone());
    let lines = serde_yaml::to_string(&json!([action])).unwrap();
    let source = Source::parse("overrides/assumed/one.yaml", file(&lines)).unwrap();
    Override::parse(Family::Assumed, source).ok()
}

/// Returns a description of a change, and the verdict of an override that guards it; `None` without a change or an override.
fn followed(case: &Case) -> Option<(String, Verdict)> {
    let old = &*DOCUMENT;
    let new = edited(old, &case.changed, &case.edit)?;
    if !matches!(case.edit, Edit::Keys) && new == *old {
        return None;
    }
    let one = guarding(old, case)?;
    let text = one.source.text.clone();
    let set = OverrideSet {
        overrides: vec![one],
        ..OverrideSet::default()
    };
    let source = |value: &Value| Source::parse("openapi.json", value.to_string()).unwrap();
    let (before, after) = (source(old), source(&new));
    if judge(&before, &set).all[0].verdict != Verdict::Applied {
        return None;
    }
    let told = format!(
        "#{}: {} is {}\n{text}",
        case.changed,
        old.pointer(&case.changed).unwrap_or(&Value::Null),
        new.pointer(&case.changed).unwrap_or(&Value::Null),
    );
    // Without a moved override, none of its actions is left.
    let verdict = match rebase(&before, &after, &set, true) {
        Ok(rebase) => {
            let judged = judge(&after, &rebase.set);
            let mut all = judged.all.iter();
            let own = all.find(|one| one.applied.by.id == "one");
            match own.map_or(Verdict::Retired, |one| one.verdict) {
                // An update stops at a decision for a person.
                Verdict::Applied if !rebase.decisions.is_empty() => Verdict::Outdated,
                verdict => verdict,
            }
        }
        Err(stop) => panic!("{stop}\n{told}"),
    };
    Some((told, verdict))
}

/// Returns whether the guarded place, which an override removes, is gone. A parameter is known by its name.
fn is_done(case: &Case) -> bool {
    let Some(new) = edited(&DOCUMENT, &case.changed, &case.edit) else {
        return false;
    };
    let name = |one: &Value| Some((one.get("in")?.clone(), one.get("name")?.clone()));
    let is_there = match case.guarded.rsplit_once('/') {
        Some((list, _)) if list.ends_with("/parameters") => {
            let own = DOCUMENT.pointer(&case.guarded).and_then(name);
            let list = new.pointer(list).and_then(Value::as_array);
            list.is_some_and(|list| list.iter().any(|one| name(one) == own))
        }
        _ => new.pointer(&case.guarded).is_some(),
    };
    case.effect == Effect::Remove && !is_there
}

proptest! {
    // The same cases every time, and by `soak` many more of them. Nothing is written beside the tests.
    #![proptest_config(ProptestConfig {
        rng_seed: RngSeed::Fixed(1),
        ..random(128)
    })]

    #[test]
    fn an_override_follows_no_change_of_what_it_guards(case in case()) {
        if let Some((told, verdict)) = followed(&case) {
            let needs_a_person = matches!(verdict, Verdict::Outdated | Verdict::Orphaned);
            if changes_nothing(&case) {
                let is_kept = matches!(case.edit, Edit::Keys);
                prop_assert!(!is_kept || verdict == Verdict::Applied, "{}: {}", verdict, told);
            } else {
                let is_gone = verdict == Verdict::Retired && is_done(&case);
                prop_assert!(needs_a_person || is_gone, "{}: {}", verdict, told);
            }
        }
    }
}

#[test]
fn a_list_with_an_element_twice_is_another_list() {
    let text = "  - target: $.tags\n    x-expect: [a, a]\n    remove: true\n";
    let set = alone(text);
    for (tags, verdict) in [("[a, a]", Verdict::Applied), ("[a, b]", Verdict::Outdated)] {
        let document = Source::parse("openapi.yaml", format!("tags: {tags}")).unwrap();
        assert_eq!(judge(&document, &set).all[0].verdict, verdict, "{tags}");
    }
}

/// Checks that an override stops at an edit.
fn stops_at(guarded: &str, changed: &str, edit: Edit, effect: Effect) {
    let case = Case {
        guarded: guarded.to_owned(),
        changed: changed.to_owned(),
        edit,
        effect,
    };
    let (told, verdict) = followed(&case).unwrap();
    assert_eq!(verdict, Verdict::Outdated, "{told}");
}

/// The schema of further elements applies to the removed ones, and each element is described by its position.
#[test]
fn a_guarded_list_that_lost_or_swapped_elements_is_another_list() {
    let list = "/components/schemas/Book/properties/pair/prefixItems";
    let elements = shop().pointer(list).unwrap().as_array().unwrap().clone();
    let last = format!("{list}/{}", elements.len() - 1);
    let turned: Value = elements.into_iter().rev().collect();
    stops_at(list, &last, Edit::Gone, Effect::Remove);
    for value in [Value::Null, json!({}), turned] {
        stops_at(list, list, Edit::Value(value), Effect::Remove);
    }
}

/// Some tools read such a flag, and others do not.
#[test]
fn a_guarded_schema_that_says_null_unclearly_is_another_one() {
    let form = "/components/schemas/Shelf/properties/form/oneOf/1";
    let rule = "/components/schemas/Book/properties/rule/if";
    let flag = |value| Edit::Member("nullable", value);
    stops_at(form, form, flag(json!(true)), Effect::Remove);
    stops_at(rule, rule, flag(Value::Null), Effect::Annotate);
}

/// An operation without them has those of the document.
#[test]
fn a_guarded_member_that_is_inherited_now_is_another_one() {
    let operation = "/paths/~1books/post";
    let security = "/paths/~1books/post/security";
    stops_at(operation, security, Edit::Gone, Effect::Remove);
}

/// What the part said is a change of another keyword at the schema that has the list.
#[test]
fn a_guarded_composition_that_lost_a_part_is_another_one() {
    let list = "/components/schemas/Book/properties/parent/allOf";
    stops_at(list, &format!("{list}/0"), Edit::Gone, Effect::Annotate);
}

/// A property that is gone is described by what is said of all others.
#[test]
fn a_guarded_property_by_reference_that_is_gone_is_a_change() {
    let all = "/components/schemas/Book/properties";
    stops_at(all, &format!("{all}/id"), Edit::Gone, Effect::Remove);
}

#[test]
fn a_guarded_reference_to_something_else_is_another_one() {
    let reference = "/components/schemas/Book/properties/id/$ref";
    for target in [
        "#/paths",
        "#/components/schemas/Genre",
        "#/components/schemas/Cash",
    ] {
        let edit = Edit::Value(target.into());
        stops_at(reference, reference, edit, Effect::Annotate);
    }
}

/// What is beside a reference means nothing: the place has no counterpart.
#[test]
fn a_guarded_parameter_that_is_a_reference_now_is_another_one() {
    let parameter = "/paths/~1books/get/parameters/0";
    let edit = Edit::Member("$ref", "#/components/schemas/Cash".into());
    stops_at(parameter, parameter, edit, Effect::Remove);
}

/// Only a schema has a dynamic reference: elsewhere it is a member of unknown meaning.
#[test]
fn a_guarded_reference_that_is_dynamic_now_is_another_one() {
    let place = "/paths/~1books~1{id}/get/responses/404";
    let edit = Edit::Value(json!({"$dynamicRef": "#/components/responses/Failure"}));
    stops_at(place, place, edit, Effect::Annotate);
}
