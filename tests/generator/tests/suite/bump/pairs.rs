//! Pairs for every kind of change: a document, its change, and the expected bump.

use std::sync::LazyLock;

use client_generator::surface::Bump;
use openapi_document::pointer;
use openapi_document::source::Source;
use serde_json::Value;

/// One change of a document.
pub(crate) struct Pair {
    pub(crate) name: String,
    /// `None` if callers see no difference.
    pub(crate) bump: Option<Bump>,
    pub(crate) documents: [Source; 2],
}

pub(crate) static PAIRS: LazyLock<Vec<Pair>> = LazyLock::new(|| {
    let file: Value = serde_yaml::from_str(include_str!("pairs.yaml")).unwrap();
    let pairs = file["pairs"].as_array().unwrap().iter();
    pairs.map(Pair::read).collect()
});

impl Pair {
    fn read(pair: &Value) -> Self {
        let name = pair["name"].as_str().unwrap();
        let base = match pair.get("base") {
            None => include_str!("read.yaml"),
            Some(_) => include_str!("write.yaml"),
        };
        let mut document: Value = serde_yaml::from_str(base).unwrap();
        edit(&mut document, pair.get("before"));
        let old = document.clone();
        edit(&mut document, pair.get("change"));
        assert_ne!(old.to_string(), document.to_string(), "{name}");
        let bumps = [
            None,
            Some(Bump::Patch),
            Some(Bump::Minor),
            Some(Bump::Major),
        ];
        let bump = bumps.into_iter().find(|bump| {
            let bump = bump.map(|bump| bump.to_string());
            pair["bump"].as_str() == bump.as_deref()
        });
        Self {
            name: name.to_owned(),
            bump: bump.unwrap_or_else(|| panic!("the bump of {name}")),
            documents: [old, document]
                .map(|one| Source::parse("openapi.json", one.to_string()).unwrap()),
        }
    }
}

fn edit(document: &mut Value, edits: Option<&Value>) {
    for one in edits.and_then(Value::as_array).into_iter().flatten() {
        let at = |key: &str| one.get(key).and_then(Value::as_str);
        if let Some(at) = at("set") {
            let (parent, key) = at.rsplit_once('/').unwrap();
            let (key, value) = (pointer::unescape(key), one["to"].clone());
            match document.pointer_mut(parent) {
                Some(Value::Object(map)) => drop(map.insert(key, value)),
                Some(Value::Array(list)) if key == "-" => list.push(value),
                Some(Value::Array(list)) => list[key.parse::<usize>().unwrap()] = value,
                _ => panic!("{at}"),
            }
        } else if let Some(at) = at("remove") {
            drop(pointer::remove(document, at).expect(at));
        } else {
            let (parent, key) = pointer::split_last(at("move").unwrap()).unwrap();
            let map = document.pointer_mut(parent).unwrap();
            let map = map.as_object_mut().unwrap();
            assert!(map.contains_key(&key), "{one}");
            for (name, value) in std::mem::take(map) {
                let is_it = name == key;
                let name = if is_it {
                    at("to").unwrap().to_owned()
                } else {
                    name
                };
                map.insert(name, value);
            }
        }
    }
}
