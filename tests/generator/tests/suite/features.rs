//! The features of an emitted crate.

use crate::groups::SHOP;
use crate::support::tool::tree_of as tree;

#[test]
fn no_group_has_the_name_of_another_feature_or_a_dependency() {
    let whole = tree(SHOP);
    let (_, rest) = (whole.get("Cargo.toml").unwrap().split_once("[features]\n")).unwrap();
    let is_name = |line: &&str| line.starts_with(char::is_alphabetic) && !line.ends_with(" = []");
    let names: Vec<&str> = (rest.lines().filter(is_name))
        .map(|line| line.split([' ', '.']).next().unwrap())
        .collect();
    assert!(
        names.contains(&"rustls") && names.contains(&"serde_json"),
        "{names:?}"
    );
    let paths: String = (names.iter().enumerate())
        .map(|(at, name)| format!("  /p{at}: {{get: {{tags: [{name}], responses: {{'204': {{description: Done}}}}}}}}\n"))
        .collect();
    let (head, _) = SHOP.split_once("security:\n").unwrap();
    let split = tree(&format!("{head}paths:\n{paths}"));
    let manifest = split.get("Cargo.toml").unwrap();
    let groups: Vec<_> = (manifest.lines())
        .filter_map(|line| line.strip_suffix(" = []"))
        .collect();
    assert_eq!(groups.len(), names.len(), "{manifest}");
    for name in &names {
        let feature = name.replace('_', "-");
        assert!(!groups.contains(&feature.as_str()), "{name}: {manifest}");
    }
    // The README lists the features of the manifest.
    let readme = whole.get("README.md").unwrap();
    for line in rest
        .lines()
        .filter(|line| line.contains("[\"generated-client/"))
    {
        let name = line.split(' ').next().unwrap();
        assert!(readme.contains(&format!("`{name}`")), "{name}: {readme}");
    }
}
