use std::collections::BTreeMap;

use super::*;

#[derive(Serialize)]
struct Colour {
    #[serde(rename = "R")]
    red: u8,
    #[serde(rename = "G")]
    green: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
    name: Option<&'static str>,
    kind: Kind,
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Plain,
    Mixed(u8),
    Pair(u8, char),
    Struct { part: bool },
}

fn json(value: &impl Serialize) -> String {
    Tree::of(value).unwrap().json()
}

#[test]
fn a_tree_has_the_json_of_its_value_in_the_order_of_the_type() {
    let colour = Colour {
        red: 100,
        green: 0.5,
        alpha: None,
        name: None,
        kind: Kind::Plain,
    };
    assert_eq!(
        json(&colour),
        r#"{"R":100,"G":0.5,"name":null,"kind":"plain"}"#
    );
    for value in [
        Kind::Mixed(1),
        Kind::Pair(1, 'c'),
        Kind::Struct { part: true },
    ] {
        assert_eq!(json(&value), serde_json::to_string(&value).unwrap());
    }
    let map = BTreeMap::from([(2, ["a\"b", "é\n"])]);
    assert_eq!(json(&map), serde_json::to_string(&map).unwrap());
}

#[test]
fn values_of_serde_json_become_trees() {
    let raw: Box<RawValue> = serde_json::from_str(r#"{"a": [1, "2"]}"#).unwrap();
    assert_eq!(json(&raw), r#"{"a":[1,"2"]}"#);
    assert_eq!(
        json(&serde_json::json!([1.5, null, "x"])),
        r#"[1.5,null,"x"]"#
    );
}

#[test]
fn values_without_a_form_are_refused() {
    let refusal = Tree::of(&BTreeMap::from([([1], 2)])).unwrap_err();
    assert_eq!(refusal, "cannot be written: key must be a string");
    for number in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        for nested in [
            Tree::of(&number),
            Tree::of(&BTreeMap::from([("a", vec![(None::<u8>, Some(number))])])),
            Tree::of(&Result::<(), _>::Err(number)),
        ] {
            let refusal = format!("cannot be written: {number} is not a number");
            assert_eq!(nested, Err(refusal));
        }
    }
    assert_eq!(json(&(1.5, None::<f64>)), "[1.5,null]");
}

#[test]
fn numbers_have_neither_an_exponent_nor_an_empty_fraction() {
    for (number, text) in [
        (1.0, "1"),
        (-2.50, "-2.5"),
        (1e21, "1000000000000000000000"),
        (1e-7, "0.0000001"),
        (0.1, "0.1"),
        (-0.0, "-0"),
    ] {
        assert_eq!(json(&number), text);
    }
    assert_eq!(json(&0.1_f32), "0.1");
    assert_eq!(json(&1e30_f32), format!("{}", 1e30_f32));
    assert_eq!(json(&u64::MAX), u64::MAX.to_string());
    assert_eq!(json(&i128::MIN), i128::MIN.to_string());
    // Larger than any float: it is not infinite.
    let large = RawValue::from_string("1e400".to_owned()).unwrap();
    assert_eq!(json(&large), "1e400");
}
