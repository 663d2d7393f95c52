use std::cell::Cell;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize, Serializer};
use serde_json::json;

use super::*;
use crate::decode::allowance::Allowance;
use crate::decode::decode::decode;
use crate::decode::reader::State;
use crate::document::Shaped;
use crate::wire::{deserializes, object, value};

#[derive(Debug, PartialEq)]
struct Circle {
    kind: String,
    radius: i64,
}
object!(Circle {
    kind: required "kind",
    radius: required "radius",
});

#[derive(Debug, PartialEq)]
struct Group {
    kind: Option<String>,
    name: Option<String>,
    parts: Vec<Shape>,
}
object!(Group {
    kind: defaulted "kind",
    name: defaulted "name",
    parts: entries "parts",
});

#[derive(Debug, PartialEq)]
enum Shape {
    Circle(Box<Circle>),
    Group(Box<Group>),
    Text(String),
    Integer(i64),
    List(Vec<Shape>),
    Unrecognized(Value),
}

const fn object<'u>(
    tags: &'u [&'u str],
    required: &'u [&'u str],
    known: &'u [&'u str],
    constants: &'u [(&'u str, Literal<'u>)],
    members: &'u [(&'u str, Form<'u>)],
) -> Form<'u> {
    Form::Object {
        tags,
        required,
        known,
        constants,
        members,
    }
}

const fn alternative<'u, T>(
    form: Form<'u>,
    read: fn(&mut Reader<'_>) -> Result<T, Failure>,
) -> Alternative<'u, T> {
    Alternative { form, read }
}

const CIRCLE: Form<'static> = object(&["circle"], &["radius"], &["kind", "radius"], &[], &[]);
const GROUP: Form<'static> = object(&["group"], &[], &["kind", "name", "parts"], &[], &[]);

impl Shape {
    const ALTERNATIVES: &'static [Alternative<'static, Self>] = &[
        alternative(CIRCLE, |reader| value(reader).map(Self::Circle)),
        alternative(GROUP, |reader| value(reader).map(Self::Group)),
        alternative(Form::Text, |reader| value(reader).map(Self::Text)),
        alternative(Form::Number, |reader| value(reader).map(Self::Integer)),
        alternative(Form::List, |reader| value(reader).map(Self::List)),
    ];
}

impl Shaped for Shape {
    const SHAPE: &'static crate::document::Shape = &crate::document::Shape::Any;
}

impl Read for Shape {
    fn read(reader: &mut Reader<'_>) -> Result<Self, Failure> {
        let union = OneOf {
            tag: Some("kind"),
            otherwise: Otherwise::Unrecognized,
            alternatives: Self::ALTERNATIVES,
            unrecognized: Self::Unrecognized,
        };
        one_of(reader, &union)
    }
}
deserializes!(Shape);

impl Serialize for Shape {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Circle(value) => value.serialize(serializer),
            Self::Group(value) => value.serialize(serializer),
            Self::Text(value) => value.serialize(serializer),
            Self::Integer(value) => value.serialize(serializer),
            Self::List(value) => value.serialize(serializer),
            Self::Unrecognized(value) => value.serialize(serializer),
        }
    }
}

fn variant(shape: &Shape) -> &'static str {
    match shape {
        Shape::Circle(_) => "circle",
        Shape::Group(_) => "group",
        Shape::Text(_) => "text",
        Shape::Integer(_) => "integer",
        Shape::List(_) => "list",
        Shape::Unrecognized(_) => "unrecognized",
    }
}

#[test]
fn form_and_tag_select_and_a_value_that_fits_none_is_kept() {
    for (json, expected) in [
        (r#"{"kind":"circle","radius":1}"#, "circle"),
        (r#"{"kind":"group","name":"a","parts":["x",1]}"#, "group"),
        // The tag decides, even if the members fit another alternative.
        (r#"{"kind":"group","name":null,"parts":[]}"#, "group"),
        (r#"{"kind":"square","radius":1}"#, "unrecognized"),
        (r#"{"kind":"circle","radius":"large"}"#, "unrecognized"),
        (r#"{"size":1}"#, "unrecognized"),
        (r#""a""#, "text"),
        ("7", "integer"),
        ("1.5", "unrecognized"),
        ("true", "unrecognized"),
        (r#"["a",[1]]"#, "list"),
    ] {
        let shape: Shape = serde_json::from_str(json).unwrap();
        assert_eq!(variant(&shape), expected, "{json}");
        let from_value: Shape =
            serde_json::from_value(serde_json::from_str(json).unwrap()).unwrap();
        assert_eq!(from_value, shape, "{json}");
        assert_eq!(serde_json::to_string(&shape).unwrap(), json);
    }
    for text in [r#"{"kind":"#, "null"] {
        assert!(serde_json::from_str::<Shape>(text).is_err(), "{text}");
    }
}

#[test]
fn the_most_complete_and_best_known_alternative_is_taken_without_a_tag() {
    for (json, expected) in [
        (r#"{"name": "a", "colour": 1}"#, "group"),
        (r#"{"parts": [], "name": "b"}"#, "group"),
        ("{}", "group"),
    ] {
        let shape: Shape = serde_json::from_str(json).unwrap();
        assert_eq!(variant(&shape), expected, "{json}");
    }
}

#[test]
fn a_number_of_another_spelling_is_read_by_the_tolerant_decode() {
    let shape: Shape = serde_json::from_str(r#"{"kind":"circle","radius":2.0}"#).unwrap();
    assert_eq!(
        shape,
        Shape::Circle(Box::new(Circle {
            kind: "circle".to_owned(),
            radius: 2
        }))
    );
}

#[test]
fn values_buffered_by_serde_are_read_too() {
    #[derive(Deserialize)]
    struct Owner {
        #[serde(flatten)]
        others: BTreeMap<String, Shape>,
    }
    let owner: Owner = serde_json::from_str(r#"{"a": "x", "b": {"kind": "square"}}"#).unwrap();
    assert_eq!(owner.others["a"], Shape::Text("x".to_owned()));
    assert_eq!(
        owner.others["b"],
        Shape::Unrecognized(json!({"kind": "square"}))
    );
}

#[test]
fn a_deeply_nested_value_is_kept_and_needs_little_stack() {
    let nested = |levels: usize| format!("{}1{}", "[".repeat(levels), "]".repeat(levels));
    let shape = decode::<Shape>(nested(100).as_bytes()).unwrap();
    assert_eq!(serde_json::to_string(&shape).unwrap(), nested(100));
    assert!(decode::<Shape>(nested(100_000).as_bytes()).is_err());
}

#[test]
fn late_failures_at_every_level_take_no_exponential_time() {
    #[derive(Debug)]
    struct Link {
        next: Option<Chain>,
        end: i64,
    }
    object!(Link {
        next: defaulted "next",
        end: required "end",
    });
    thread_local! {
        static READS: Cell<usize> = const { Cell::new(0) };
    }
    fn counted(reader: &mut Reader<'_>) -> Result<Box<Link>, Failure> {
        READS.set(READS.get() + 1);
        value(reader)
    }
    #[derive(Debug, Serialize)]
    #[serde(untagged)]
    enum Chain {
        One(Box<Link>),
        Other(Box<Link>),
        Unrecognized(Value),
    }
    impl Shaped for Chain {
        const SHAPE: &'static crate::document::Shape = &crate::document::Shape::Any;
    }
    impl Read for Chain {
        fn read(reader: &mut Reader<'_>) -> Result<Self, Failure> {
            let form = object(&[], &["end"], &["end", "next"], &[], &[]);
            let union = OneOf {
                tag: None,
                otherwise: Otherwise::Likeliest,
                alternatives: &[
                    alternative(form, |reader| counted(reader).map(Self::One)),
                    alternative(form, |reader| counted(reader).map(Self::Other)),
                ],
                unrecognized: Self::Unrecognized,
            };
            one_of(reader, &union)
        }
    }
    deserializes!(Chain);
    let levels = 30;
    let text = format!(
        "{}null{}",
        r#"{"next":"#.repeat(levels),
        r#","end":"x"}"#.repeat(levels)
    );
    let chain: Chain = serde_json::from_str(&text).unwrap();
    assert!(matches!(chain, Chain::Unrecognized(_)));
    // Two alternatives, each tried twice at 30 levels, would be read 4^30 times.
    assert!(READS.get() < 5_000, "{}", READS.get());
}

#[test]
fn a_failed_alternative_returns_its_allowance_and_exceeding_it_is_a_failure() {
    let element = size_of::<Shape>();
    let text = r#"{"kind":"group","name":1,"parts":["a","b"]}"#;
    let read = |bytes| Shape::read(&mut reader_of(text, Some(bytes)));
    // The strict attempt fails on the name, before the parts are read.
    assert_eq!(variant(&read(4 * element).unwrap()), "group");
    assert!(read(4 * element - 1).is_err());
}

/// A reader whose lists and maps may take so many bytes.
fn reader_of(text: &str, bytes: Option<usize>) -> Reader<'_> {
    Reader::new(text, State::new(Mode::Outside, Allowance(bytes)))
}

/// Alternatives by their number.
#[derive(Debug, PartialEq)]
enum Numbered {
    One,
    Two,
    Three,
    Unrecognized,
}

fn numbered(text: &str, tag: Option<&str>, forms: [Form<'_>; 3]) -> Numbered {
    numbered_or(Otherwise::Unrecognized, text, tag, forms)
}

fn numbered_or(
    otherwise: Otherwise,
    text: &str,
    tag: Option<&str>,
    forms: [Form<'_>; 3],
) -> Numbered {
    let [one, two, three] = forms;
    let union = OneOf {
        tag,
        otherwise,
        alternatives: &[
            alternative(one, |reader| reader.raw().map(|_| Numbered::One)),
            alternative(two, |reader| reader.raw().map(|_| Numbered::Two)),
            alternative(three, |reader| reader.raw().map(|_| Numbered::Three)),
        ],
        unrecognized: |_| Numbered::Unrecognized,
    };
    one_of(&mut reader_of(text, None), &union).unwrap()
}

fn grants<'u>(members: &'u [[(&'u str, Form<'u>); 1]; 3]) -> [Form<'u>; 3] {
    let grant = |members| object(&[], &["benefit"], &["benefit"], &[], members);
    members.each_ref().map(|members| grant(members))
}

#[test]
fn nested_objects_select_if_outer_members_do_not() {
    let of_type = |name| [("type", Literal::Text(name))];
    let (guild, repository) = (of_type("guild"), of_type("repository"));
    let guild = object(&[], &["guild"], &["type", "guild", "id"], &guild, &[]);
    let repository = object(&[], &["owner"], &["type", "owner", "id"], &repository, &[]);
    let note = object(&[], &[], &["id", "note"], &[], &[]);
    let members = [guild, repository, note].map(|form| [("benefit", form)]);
    #[rustfmt::skip]
    let table = [
        (r#"{"guild": "a"}"#, Numbered::One),
        (r#"{"owner": "a"}"#, Numbered::Two),
        // An alternative without gaps wins, even if another one knows more members.
        (r#"{"id": "a", "type": "guild"}"#, Numbered::Three),
        // Then the alternative that keeps more members wins.
        (r#"{"guild": "a", "note": "b", "id": "c"}"#, Numbered::One),
        (r#"{"note": "b"}"#, Numbered::Three),
        (r#"{"type": "repository", "guild": "a", "owner": "b"}"#, Numbered::Two),
        // The first of equal alternatives wins.
        (r#"{"guild": "a", "owner": "b"}"#, Numbered::One),
        ("null", Numbered::One),
    ];
    for (text, expected) in table {
        let text = format!(r#"{{"benefit": {text}}}"#);
        assert_eq!(numbered(&text, None, grants(&members)), expected, "{text}");
    }
    let other = numbered(r#"{"other": 1}"#, None, grants(&members));
    assert_eq!(other, Numbered::Unrecognized);
}

#[test]
fn a_tag_that_names_no_alternative_selects_none_by_itself() {
    for (text, expected) in [
        (r#"{"pet": "c", "lives": 9, "new": 1}"#, Numbered::One),
        (r#"{"pet": "c", "bark": 9}"#, Numbered::Two),
        (r#"{"pet": "c", "new": 1}"#, Numbered::Unrecognized),
        (r#"{"pet": "c"}"#, Numbered::One),
    ] {
        let forms = [
            Form::object(&[], &["pet"], &["pet", "lives"]),
            Form::object(&[], &["pet"], &["pet", "bark"]),
            Form::object(&[], &["pet"], &["pet", "wing"]),
        ];
        let read = numbered_or(Otherwise::Likeliest, text, Some("pet"), forms);
        assert_eq!(read, expected, "{text}");
    }
}

#[test]
fn a_tag_may_be_a_number_or_a_boolean() {
    for (tag, expected) in [
        ("1", Numbered::One),
        ("2", Numbered::Two),
        (r#""2""#, Numbered::Two),
        ("true", Numbered::Three),
        ("3", Numbered::Unrecognized),
    ] {
        let text = format!(r#"{{"tag": {tag}}}"#);
        let forms = [["1"], ["2"], ["true"]];
        let forms = forms
            .each_ref()
            .map(|tags| Form::object(tags, &["tag"], &["tag"]));
        assert_eq!(numbered(&text, Some("tag"), forms), expected, "{text}");
    }
}

#[test]
fn lists_select_by_their_first_object() {
    let asset = Form::object(&[], &["key"], &["key", "week"]);
    let team = Form::object(&[], &["name"], &["name", "week"]);
    let lists = || [Form::Elements(&asset), Form::Elements(&team), Form::List];
    for (text, expected) in [
        (r#"[{"key": "a"}, {"name": "b"}]"#, Numbered::One),
        (r#"[{"name": "a", "week": "b"}]"#, Numbered::Two),
        (r#"[{"other": 1}]"#, Numbered::Three),
        ("[1]", Numbered::One),
        ("[]", Numbered::One),
    ] {
        assert_eq!(numbered(text, None, lists()), expected, "{text}");
    }
}

#[test]
fn constants_select_among_the_alternatives_of_one_tag() {
    let known = ["source", "name"];
    let [created, deleted] = ["created", "deleted"].map(|name| [("name", Literal::Text(name))]);
    let forms = [
        object(&["system"], &["name"], &known, &created, &[]),
        object(&["system"], &["name"], &known, &deleted, &[]),
        object(&["user"], &["name"], &known, &[], &[]),
    ];
    #[rustfmt::skip]
    let table = [
        ("system", "created", Numbered::One),
        ("system", "deleted", Numbered::Two),
        ("user", "deleted", Numbered::Three),
        // The tag names two alternatives, and one of them is taken.
        ("system", "moved", Numbered::One),
        ("other", "deleted", Numbered::Unrecognized),
    ];
    for (source, name, expected) in table {
        let text = format!(r#"{{"source": "{source}", "name": "{name}"}}"#);
        assert_eq!(numbered(&text, Some("source"), forms), expected, "{text}");
    }
}

#[test]
fn a_whole_number_that_is_tried_first_keeps_its_digits() {
    #[derive(Debug)]
    enum Number {
        Integer(i64),
        Float(f64),
        Unrecognized(Value),
    }
    for text in [
        "7",
        "9007199254740993",
        "-1",
        "0.1",
        "7.0",
        "1e+300",
        "null2",
    ] {
        let union = OneOf {
            tag: None,
            otherwise: Otherwise::Likeliest,
            alternatives: &[
                alternative(Form::Number, |reader| value(reader).map(Number::Integer)),
                alternative(Form::Number, |reader| value(reader).map(Number::Float)),
            ],
            unrecognized: Number::Unrecognized,
        };
        let read = one_of(&mut reader_of(text, None), &union);
        let written = read.map(|read| match read {
            Number::Integer(value) => json!(value).to_string(),
            Number::Float(value) => json!(value).to_string(),
            Number::Unrecognized(value) => value.to_string(),
        });
        assert_eq!(written.ok().as_deref().unwrap_or("null2"), text);
    }
}

#[test]
fn an_object_with_an_unknown_tag_is_the_documented_default() {
    let read = |text: &str| {
        let union = OneOf {
            tag: Some("kind"),
            otherwise: Otherwise::Alternative(1),
            alternatives: Shape::ALTERNATIVES,
            unrecognized: Shape::Unrecognized,
        };
        one_of(&mut reader_of(text, None), &union).unwrap()
    };
    for (text, expected) in [
        (r#"{"kind": "circle", "radius": 1}"#, "circle"),
        (r#"{"kind": "other", "radius": 1}"#, "group"),
        (r#"{"radius": 1}"#, "group"),
        (r#"{"kind": 7}"#, "group"),
        (r#""a""#, "text"),
    ] {
        assert_eq!(variant(&read(text)), expected, "{text}");
    }
}
