//! The table "Style Examples" of OpenAPI 3.1.1, row by row.

use serde_json::json;

use super::*;

use Place::{Cookie, Header, Path, Query};

fn color() -> [Tree; 4] {
    let member = |name: &str, value: u8| (name.to_owned(), Tree::of(&value).unwrap());
    [
        Tree::of("").unwrap(),
        Tree::of("blue").unwrap(),
        Tree::of(&["blue", "black", "brown"]).unwrap(),
        Tree::Object(vec![member("R", 100), member("G", 200), member("B", 150)]),
    ]
}

/// Returns the four columns of a row: empty, string, array, object.
fn row(place: Place, style: Style, explode: bool) -> String {
    let style = ParameterStyle::new(place, style).explode(explode);
    let columns = color().map(|value| match style.expand("color", &value) {
        Ok(text) => text.unwrap(),
        Err(_) => "n/a".to_owned(),
    });
    columns.join(" ")
}

#[rustfmt::skip]
const ROWS: [(Place, Style, bool, &str); 13] = [
    (Path, Style::Matrix, false, ";color ;color=blue ;color=blue,black,brown ;color=R,100,G,200,B,150"),
    (Path, Style::Matrix, true, ";color ;color=blue ;color=blue;color=black;color=brown ;R=100;G=200;B=150"),
    (Path, Style::Label, false, ". .blue .blue,black,brown .R,100,G,200,B,150"),
    (Path, Style::Label, true, ". .blue .blue.black.brown .R=100.G=200.B=150"),
    (Path, Style::Simple, false, " blue blue,black,brown R,100,G,200,B,150"),
    (Path, Style::Simple, true, " blue blue,black,brown R=100,G=200,B=150"),
    (Header, Style::Simple, false, " blue blue,black,brown R,100,G,200,B,150"),
    (Header, Style::Simple, true, " blue blue,black,brown R=100,G=200,B=150"),
    (Query, Style::Form, false, "color= color=blue color=blue,black,brown color=R,100,G,200,B,150"),
    (Query, Style::Form, true, "color= color=blue color=blue&color=black&color=brown R=100&G=200&B=150"),
    (Query, Style::SpaceDelimited, false, "color= color=blue color=blue%20black%20brown color=R%20100%20G%20200%20B%20150"),
    (Query, Style::PipeDelimited, false, "color= color=blue color=blue%7Cblack%7Cbrown color=R%7C100%7CG%7C200%7CB%7C150"),
    (Query, Style::DeepObject, true, "color= color=blue n/a color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150"),
];

#[test]
fn the_style_examples_of_the_specification_are_sent() {
    for (place, style, explode, expected) in ROWS {
        assert_eq!(row(place, style, explode), expected, "{style:?} {explode}");
    }
}

#[test]
fn an_undefined_style_is_sent_in_the_nearest_defined_one() {
    // `explode` is undefined for both: repeated, as `form` does.
    for style in [Style::SpaceDelimited, Style::PipeDelimited] {
        let repeated = "color=blue&color=black&color=brown";
        assert_eq!(row(Query, style, true).split(' ').nth(2), Some(repeated));
    }
    // There is one form of a deep object.
    assert_eq!(
        row(Query, Style::DeepObject, false),
        row(Query, Style::DeepObject, true)
    );
}

#[test]
fn cookies_are_separate_pairs() {
    let separate = row(Cookie, Style::Form, true);
    assert!(separate.contains(" color=blue; color=black; color=brown "));
    let joined = row(Cookie, Style::Form, false);
    assert!(joined.contains(" color=blue,black,brown "));
    let encoded = |style| {
        let style = ParameterStyle::new(Cookie, style);
        style
            .expand("token", &Tree::of("a/b=").unwrap())
            .unwrap()
            .unwrap()
    };
    assert_eq!(encoded(Style::Form), "token=a%2Fb%3D");
    assert_eq!(encoded(Style::Cookie), "token=a/b=");
    let another = Tree::of("a; admin=1").unwrap();
    let sent = ParameterStyle::new(Cookie, Style::Cookie).expand("token", &another);
    assert_eq!(
        sent,
        Err("contains a character that is invalid in a cookie".to_owned())
    );
}

#[test]
fn content_parameters_are_one_json_string() {
    let value = Tree::of(&serde_json::json!({"a": [1, "b"]})).unwrap();
    let sent = |place| {
        ParameterStyle::new(place, Style::Json)
            .expand("filter", &value)
            .unwrap()
            .unwrap()
    };
    assert_eq!(sent(Query), "filter=%7B%22a%22%3A%5B1%2C%22b%22%5D%7D");
    assert_eq!(sent(Header), r#"{"a":[1,"b"]}"#);
    assert_eq!(sent(Path), "%7B%22a%22%3A%5B1%2C%22b%22%5D%7D");
}

#[test]
fn a_query_keeps_only_the_reserved_characters_that_it_may_contain() {
    let style = ParameterStyle::new(Query, Style::Form);
    let value = Tree::of("a/b?c:d@e,f;g=h&i#j[k]+l%20m%").unwrap();
    let sent = style
        .allow_reserved(true)
        .expand("q", &value)
        .unwrap()
        .unwrap();
    assert_eq!(sent, "q=a/b?c:d@e,f;g=h%26i%23j%5Bk%5D%2Bl%20m%25");
}

#[test]
fn a_path_keeps_only_the_reserved_characters_that_it_may_contain() {
    let value = Tree::of("a/b?c&d+e#f%2Fg").unwrap();
    let style = ParameterStyle::new(Path, Style::Simple).allow_reserved(true);
    let sent = style.expand("q", &value).unwrap().unwrap();
    assert_eq!(sent, "a/b%3Fc&d+e%23f%2Fg");
}

#[test]
fn a_list_element_that_contains_the_delimiter_is_refused() {
    let expand = |style: ParameterStyle, value: &serde_json::Value| {
        style.expand("q", &Tree::of(value).unwrap())
    };
    let list = serde_json::json!(["a|b", "c d", "e,f", "%7c"]);
    let pairs = serde_json::json!({"a|b": "c d"});
    for (style, delimiter) in [
        (Style::PipeDelimited, "%7C"),
        (Style::SpaceDelimited, "%20"),
    ] {
        let style = ParameterStyle::new(Query, style);
        let problem = Err(format!(
            "has a value that contains the delimiter `{delimiter}`"
        ));
        assert_eq!(expand(style, &list), problem);
        assert_eq!(expand(style, &pairs), problem);
        // Each value has its own pair.
        assert!(expand(style.explode(true), &list).is_ok());
    }
    let form = ParameterStyle::new(Query, Style::Form);
    assert_eq!(
        expand(form, &list),
        Ok(Some("q=a%7Cb,c%20d,e%2Cf,%257c".to_owned()))
    );
    expand(form.allow_reserved(true), &list).unwrap_err();
    let pipes = ParameterStyle::new(Query, Style::PipeDelimited).allow_reserved(true);
    expand(pipes, &serde_json::json!(["%7c"])).unwrap_err();
    let header = ParameterStyle::new(Header, Style::Simple);
    let quoted = serde_json::json!(["\"a,b\"", "c"]);
    assert_eq!(expand(header, &quoted), Ok(Some("\"a,b\",c".to_owned())));
}

/// The table is incomplete; by RFC 6570, null, empty lists and empty objects are absent.
#[test]
fn absent_values_are_not_sent_in_any_style() {
    for (place, style, explode, _) in ROWS {
        let row = format!("{place:?} {style:?} {explode}");
        let expand = |value: serde_json::Value| {
            let style = ParameterStyle::new(place, style).explode(explode);
            style.expand("color", &Tree::of(&value).unwrap())
        };
        for nothing in [json!(null), json!([]), json!({}), json!({"R": null})] {
            assert_eq!(expand(nothing.clone()), Ok(None), "{row}: {nothing}");
        }
        let (object, hole) = (json!({"R": 1, "B": 2}), json!({"R": 1, "G": null, "B": 2}));
        assert!(expand(object.clone()).unwrap().is_some(), "{row}");
        assert_eq!(expand(hole), expand(object), "{row}");
        let is_deep = style == Style::DeepObject;
        assert_eq!(expand(json!([null])).is_err(), is_deep, "{row}");
        if !is_deep {
            assert_eq!(expand(json!([null])), Ok(None), "{row}");
            let (list, hole) = (json!(["a", "b"]), json!(["a", null, "b"]));
            assert_eq!(expand(hole), expand(list), "{row}");
        }
        // An empty string is present.
        assert!(expand(json!([""])).is_ok_and(|text| text.is_some()) != is_deep);
    }
}

#[test]
fn nested_values_need_deep_objects_or_json() {
    for (place, style, explode, _) in ROWS {
        let row = format!("{place:?} {style:?} {explode}");
        let expand = |value: serde_json::Value| {
            let style = ParameterStyle::new(place, style).explode(explode);
            style.expand("color", &Tree::of(&value).unwrap())
        };
        let is_repeated = style == Style::Form && explode;
        let list = if is_repeated {
            json!({"R": [[1]]})
        } else {
            json!({"R": [1]})
        };
        for nested in [json!([["a"]]), json!([{"R": 1}]), list] {
            let problem = expand(nested.clone()).unwrap_err();
            assert!(
                problem.contains("cannot represent"),
                "{row}: {nested}: {problem}"
            );
        }
        let deep = expand(json!({"R": {"G": 1}}));
        assert_eq!(deep.is_ok(), style == Style::DeepObject, "{row}");
    }
    let form = ParameterStyle::new(Query, Style::Form).explode(true);
    let pageable = Tree::of(&json!({"page": 0, "sort": ["a,asc", "b"]})).unwrap();
    assert_eq!(
        form.expand("pageable", &pageable),
        Ok(Some("page=0&sort=a%2Casc&sort=b".to_owned()))
    );
    let expand = |value: serde_json::Value| {
        let json = ParameterStyle::new(Query, Style::Json);
        json.expand("f", &Tree::of(&value).unwrap())
    };
    assert_eq!(expand(json!([])), Ok(Some("f=%5B%5D".to_owned())));
    assert_eq!(
        expand(json!({"a": [null]})),
        Ok(Some("f=%7B%22a%22%3A%5Bnull%5D%7D".to_owned()))
    );
    assert_eq!(expand(json!(null)), Ok(None));
    // Empty values inside of a deep object are absent.
    let deep = ParameterStyle::new(Query, Style::DeepObject);
    let value = Tree::of(&json!({"a": [], "b": {}, "c": 1})).unwrap();
    assert_eq!(deep.expand("f", &value), Ok(Some("f%5Bc%5D=1".to_owned())));
}

#[test]
fn deep_objects_nest_without_lists() {
    let nested = Tree::of(&serde_json::json!({"a": {"b": 1, "c": null}})).unwrap();
    let deep = ParameterStyle::new(Query, Style::DeepObject);
    assert_eq!(
        deep.expand("f", &nested),
        Ok(Some("f%5Ba%5D%5Bb%5D=1".to_owned()))
    );
    let list = Tree::of(&serde_json::json!({"a": [1]})).unwrap();
    assert_eq!(
        deep.expand("f", &list),
        Err("has a list in `a`, which the style `deepObject` cannot represent".to_owned())
    );
}
