//! A random change under a random guard: the override never follows as if the guarded meaning were unchanged.

use openapi_diff::{Part, Place};
use openapi_document::keywords::is_words;
use openapi_document::pointer;
use openapi_document::source::Source;
use openapi_overrides::{Family, Override, OverrideSet, Verdict, judge};
use openapi_rebase::rebase;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::RngSeed;
use serde_json::{Map, Value, json};

use super::file;
use crate::diff::random::{any_value, other, places};
use crate::diff::{compare, lines, shop};

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
}

/// Effect of an override on the value that it guards.
#[derive(Clone, Copy, Debug)]
enum Effect {
    /// Adds a member beside it.
    Annotate,
    Remove,
    /// Writes another value.
    Write,
}

#[derive(Clone, Debug)]
struct Case {
    place: String,
    edit: Edit,
    effect: Effect,
    /// Number of steps from the change up to the target, and number of those within the guard before the whole value.
    above: (usize, usize),
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
        ("x-new", || json!(1)),
        ("unheard-of", || json!("value")),
    ];
    let two = || (any::<Index>(), any::<Index>());
    prop_oneof![
        3 => Just(Edit::Other),
        2 => Just(Edit::Gone),
        2 => any_value().prop_map(Edit::Value),
        3 => select(MEMBERS).prop_map(|(key, value)| Edit::Member(key, value())),
        1 => two().prop_map(|(a, b)| Edit::Swap(a, b)),
        1 => two().prop_map(|(a, b)| Edit::Double(a, b)),
    ]
}

fn case() -> impl Strategy<Value = Case> {
    let effect = select(&[Effect::Annotate, Effect::Remove, Effect::Write][..]);
    (any::<Index>(), edit(), effect, (0usize..4, 0usize..4)).prop_map(
        |(place, edit, effect, above)| Case {
            place: place.get::<String>(&places(shop())).clone(),
            edit,
            effect,
            above,
        },
    )
}

/// Returns the document after a change, and the changed location. `None` if the change does not fit.
fn edited(document: &Value, at: &str, edit: &Edit) -> Option<(Value, String)> {
    let mut new = document.clone();
    let mut changed = at.to_owned();
    let here = new.pointer_mut(at)?;
    match (edit, here) {
        (Edit::Other, here) => *here = other(here),
        (Edit::Value(value), here) => *here = value.clone(),
        // A keyword beside a reference in an alternative is found at the schema above. A guard of the alternatives does not notice it today.
        (Edit::Member(..), Value::Object(map)) if map.contains_key("$ref") => return None,
        (Edit::Member(key, value), Value::Object(map)) if !map.contains_key(*key) => {
            map.insert((*key).to_owned(), value.clone());
            pointer::push(&mut changed, key);
        }
        (Edit::Swap(a, b), Value::Array(list)) if !list.is_empty() => {
            let (a, b) = (a.index(list.len()), b.index(list.len()));
            list.swap(a, b);
        }
        (Edit::Double(a, b), Value::Array(list)) if !list.is_empty() => {
            let (a, b) = (a.index(list.len()), b.index(list.len()));
            list[a] = list[b].clone();
        }
        (Edit::Gone, _) => {
            pointer::remove(&mut new, at)?;
        }
        _ => return None,
    }
    Some((new, changed))
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

/// Returns whether a value has all members of another one. Additional members are not guarded.
fn has_all(value: &Value, members: &Value) -> bool {
    match (value, members) {
        (Value::Object(value), Value::Object(members)) => members
            .iter()
            .filter(|(key, member)| is_meant(key, member))
            .all(|(key, member)| value.get(key).is_some_and(|own| has_all(own, member))),
        (value, members) => value == members,
    }
}

/// Returns whether a member is more than documentation.
fn is_meant(key: &str, value: &Value) -> bool {
    !is_words(key) || value.is_object()
}

/// Returns an override that guards a change. `None` if no such override can be written.
fn guarding(document: &Value, new: &Value, changed: &str, case: &Case) -> Option<Override> {
    let tokens: Vec<String> = pointer::tokens(changed).collect();
    let home = match case.effect {
        Effect::Remove => tokens.len().checked_sub(case.above.0).filter(|n| *n > 0)?,
        _ => tokens.len().checked_sub(case.above.0 + 1)?,
    };
    // A guard of all paths or components covers only the level directly below its target.
    if home < 3 && case.above.0 > 0 {
        return None;
    }
    let (target, below) = tokens.split_at(home);
    let there = document.pointer(&at(target))?;
    // A guard contains lists as a whole.
    let is_list = |n: &usize| {
        let place = at(&tokens[..home + n]);
        document.pointer(&place).is_some_and(Value::is_array)
    };
    let is_new = document.pointer(changed).is_none();
    let most = match is_new {
        true => below.len(),
        false => below.len().min(case.above.1 + 1),
    };
    let key = below.get(..(1..most).find(is_list).unwrap_or(most))?;
    let guarded = document.pointer(&at(&tokens[..home + key.len()]));
    let guarded = guarded.cloned().unwrap_or_default();
    let now = new.pointer(&at(target));
    let (guard, effect) = match case.effect {
        Effect::Remove if now.is_some_and(|now| has_all(now, there)) => return None,
        _ if now
            .and_then(|now| now.pointer(&at(key)))
            .is_some_and(|now| has_all(now, &guarded)) =>
        {
            return None;
        }
        Effect::Remove => (there.clone(), json!({"remove": true})),
        // A guard of a list of parameters covers those that the update names.
        _ if below.iter().any(|token| token == "parameters") => return None,
        Effect::Annotate if there.is_object() => (
            nested(key, guarded),
            json!({"update": {"x-rust-type-name": "Mine"}}),
        ),
        Effect::Write if there.is_object() && !guarded.is_array() && !guarded.is_object() => (
            nested(key, guarded),
            json!({"update": nested(key, json!("wanted"))}),
        ),
        _ => return None,
    };
    let mut action = json!({"target": query(document, target), "x-expect": guard});
    action.as_object_mut()?.extend(effect.as_object()?.clone());
    let lines = serde_yaml::to_string(&json!([action])).unwrap();
    let source = Source::parse("overrides/assumed/one.yaml", file(&lines)).unwrap();
    Override::parse(Family::Assumed, source).ok()
}

/// Returns the meaning of a change, and the verdict of an override that guards it; `None` without a meaning or an override.
fn followed(case: &Case) -> Option<(String, Verdict)> {
    let old = shop();
    let (new, changed) = edited(old, &case.place, &case.edit)?;
    let one = guarding(old, &new, &changed, case)?;
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
    let mut changes = compare(old, &new).changes;
    changes.retain(|change| !change.rule.keeps_meaning() && change.rule.part != Part::Spelling);
    // If references are composed, the diff reports some changes at their targets.
    let is_there = |place: &Option<Place>| {
        let place = place.as_ref().map(|place| place.pointer.as_str());
        place.is_some_and(|at| pointer::is_within(at, &changed) || pointer::is_within(&changed, at))
    };
    changes.retain(|change| is_there(&change.old) || is_there(&change.new));
    // A reference that cannot be resolved stops the generator itself.
    if changes
        .iter()
        .all(|change| change.rule.id == "reference.broken")
    {
        return None;
    }
    let told = format!(
        "#{changed}: {} is {}\n{:#?}\n{text}",
        old.pointer(&changed).unwrap_or(&Value::Null),
        new.pointer(&changed).unwrap_or(&Value::Null),
        lines(&changes)
    );
    let verdict = match rebase(&before, &after, &set, false) {
        Ok(rebase) => {
            let judged = judge(&after, &rebase.set);
            judged
                .all
                .first()
                .map_or(Verdict::Retired, |one| one.verdict)
        }
        Err(stop) => panic!("{stop}\n{told}"),
    };
    Some((told, verdict))
}

proptest! {
    // The same cases every time, and by `soak` many more of them. Nothing is written beside the tests.
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        cases: 96,
        rng_seed: RngSeed::Fixed(1),
        ..ProptestConfig::default()
    })]

    #[test]
    fn an_override_follows_no_change_of_what_it_guards(case in case()) {
        if let Some((told, verdict)) = followed(&case) {
            let is_done = matches!(case.effect, Effect::Remove) && verdict == Verdict::Retired;
            let needs_a_person = matches!(verdict, Verdict::Outdated | Verdict::Orphaned);
            prop_assert!(needs_a_person || is_done, "{}: {}", verdict, told);
        }
    }
}

#[test]
fn a_list_with_an_element_twice_is_another_list() {
    let text = "  - target: $.tags\n    x-expect: [a, a]\n    remove: true\n";
    let source = Source::parse("overrides/assumed/one.yaml", file(text)).unwrap();
    let set = OverrideSet {
        overrides: vec![Override::parse(Family::Assumed, source).unwrap()],
        ..OverrideSet::default()
    };
    for (tags, verdict) in [("[a, a]", Verdict::Applied), ("[a, b]", Verdict::Outdated)] {
        let document = Source::parse("openapi.yaml", format!("tags: {tags}")).unwrap();
        assert_eq!(judge(&document, &set).all[0].verdict, verdict, "{tags}");
    }
}

/// The schema of further elements applies to the removed ones, and each element is described by its position.
#[test]
fn a_guarded_list_that_lost_or_swapped_elements_is_another_list() {
    let list = "/components/schemas/Book/properties/pair/prefixItems";
    let elements = shop().pointer(list).unwrap().as_array().unwrap().clone();
    let last = elements.len() - 1;
    let turned: Value = elements.into_iter().rev().collect();
    for (place, edit, above) in [
        (format!("{list}/{last}"), Edit::Gone, 1),
        (list.to_owned(), Edit::Value(Value::Null), 0),
        (list.to_owned(), Edit::Value(json!({})), 0),
        (list.to_owned(), Edit::Value(turned.clone()), 0),
        (list.to_owned(), Edit::Value(turned), 1),
    ] {
        let case = Case {
            place,
            edit,
            effect: Effect::Remove,
            above: (above, 0),
        };
        let (told, verdict) = followed(&case).unwrap();
        assert_eq!(verdict, Verdict::Outdated, "{told}");
    }
}

/// An operation without them has those of the document.
#[test]
fn a_guarded_member_that_is_inherited_now_is_another_one() {
    let case = Case {
        place: "/paths/~1books/post/security".to_owned(),
        edit: Edit::Gone,
        effect: Effect::Remove,
        above: (1, 0),
    };
    let (told, verdict) = followed(&case).unwrap();
    assert_eq!(verdict, Verdict::Outdated, "{told}");
}

/// What the part said is a change of another keyword at the schema that has the list.
#[test]
fn a_guarded_composition_that_lost_a_part_is_another_one() {
    let case = Case {
        place: "/components/schemas/Book/properties/parent/allOf/0".to_owned(),
        edit: Edit::Gone,
        effect: Effect::Annotate,
        above: (1, 0),
    };
    let (told, verdict) = followed(&case).unwrap();
    assert_eq!(verdict, Verdict::Outdated, "{told}");
}

/// A property that is gone is described by what is said of all others.
#[test]
fn a_guarded_property_by_reference_that_is_gone_is_a_change() {
    let case = Case {
        place: "/components/schemas/Book/properties/id".to_owned(),
        edit: Edit::Gone,
        effect: Effect::Remove,
        above: (1, 0),
    };
    let (told, verdict) = followed(&case).unwrap();
    assert_eq!(verdict, Verdict::Outdated, "{told}");
}
