//! The parts of each module as files.

use std::collections::{BTreeMap, HashMap, HashSet};

use openapi_model::Model;

use super::lists::{Entry, List};
use super::membership::Membership;
use super::parts::Parts;
use super::split::{File, file_name, split};
use super::{client, roots, waits};
use crate::emit::Code;
use crate::emit::sources;
use crate::emit::tree::FileTree;

const UNUSED: &str =
    "#[allow(dead_code, reason = \"the features decide which of them are needed\")]\n";

const TYPES: List<'_> = List {
    head: "//! The types of requests and responses, by name. A type that only one group uses needs its\n\
           //! feature.\n",
    visibility: "pub",
    shared: [UNUSED, ""],
};

const OPERATIONS: List<'_> = List {
    head: "//! One request builder per operation, with the feature of its group, created by the methods of [`Client`](crate::Client).\n",
    visibility: "pub",
    shared: ["", ""],
};

const SHAPES: List<'_> = List {
    head: "#[allow(unused_imports, reason = \"without any group nothing is compared\")]\n\
           pub(crate) use generated_client::document::Shape;\n",
    visibility: "pub(crate)",
    shared: [
        UNUSED,
        "#[allow(unused_imports, reason = \"the features decide which of them are needed\")]\n",
    ],
};

/// Puts the Rust of a crate that is split into its files.
pub(in crate::emit) fn insert(tree: &mut FileTree, code: &Code) {
    let model = &code.model;
    let (types, memberships) = types(code);
    let types = split(types, &memberships, &model.groups);
    files(tree, model, "types", &TYPES, types);

    let shapes = Parts::new(&code.shapes, &HashSet::new());
    let roots = roots::of_builders(code, &shapes, "shapes");
    let memberships = shapes.memberships(&roots);
    let shapes = split(shapes, &memberships, &model.groups);
    files(tree, model, "shapes", &SHAPES, shapes);

    let client = client::split(&code.client, model);
    tree.insert("src/client.rs", sources::rust(client.root));
    for (group, file) in client.groups {
        if let Some(name) = file_name(Membership::Group(group), &model.groups) {
            tree.insert(&format!("src/client/{name}.rs"), sources::rust(file));
        }
    }
    operations(tree, code);
}

/// The feature that a type needs, by the name of the type; a type that is always there is absent.
pub(crate) fn features_of_types(code: &Code) -> BTreeMap<String, String> {
    let groups = &code.model.groups;
    if groups.is_empty() {
        return BTreeMap::new();
    }
    let (_, memberships) = types(code);
    let features = memberships
        .into_iter()
        .filter_map(|(name, membership)| match membership {
            Membership::Shared => None,
            Membership::Group(group) => Some((name, groups.get(group)?.feature.clone())),
        });
    features.collect()
}

fn types(code: &Code) -> (Parts, HashMap<String, Membership>) {
    let conversions = code.model.conversions.iter();
    let links = conversions.flat_map(|one| {
        let from = [Some(one.owner.as_str()), one.value_type.as_deref()];
        let to = one.parameter_type.as_str();
        from.into_iter().flatten().map(move |from| (from, to))
    });
    let parts = Parts::new(&code.types, &links.collect());
    let mut roots = roots::of_builders(code, &parts, "types");
    roots.extend(roots::of_document(&code.model, &parts.names));
    let memberships = parts.memberships(&roots);
    (parts, memberships)
}

fn files(tree: &mut FileTree, model: &Model, module: &str, list: &List<'_>, files: Vec<File>) {
    if files.is_empty() && !model.has_types() && module == "types" {
        return;
    }
    let entries: Vec<Entry> = files
        .iter()
        .map(|file| Entry {
            membership: file.membership,
            exports: file.declares,
        })
        .collect();
    let text = list.text(&entries, &model.groups);
    tree.insert(&format!("src/{module}.rs"), text);
    for File {
        membership, file, ..
    } in files
    {
        if let Some(name) = file_name(membership, &model.groups) {
            tree.insert(&format!("src/{module}/{name}.rs"), sources::rust(file));
        }
    }
}

fn operations(tree: &mut FileTree, code: &Code) {
    let model = &code.model;
    let mut builders: BTreeMap<Membership, Vec<&str>> = BTreeMap::new();
    for (operation, builder) in model.operations.iter().zip(&code.operations) {
        let membership = roots::membership(model, operation);
        let Some(name) = file_name(membership, &model.groups) else {
            continue;
        };
        builders.entry(membership).or_default().push(&builder.name);
        let path = format!("src/operations/{name}/{}.rs", builder.name);
        let file = waits::gated(model, operation, &builder.file);
        tree.insert(&path, sources::rust(file.into_owned()));
    }
    let entries: Vec<Entry> = builders
        .keys()
        .map(|membership| Entry {
            membership: *membership,
            exports: true,
        })
        .collect();
    tree.insert(
        "src/operations.rs",
        OPERATIONS.text(&entries, &model.groups),
    );
    for (membership, names) in builders {
        let Some(name) = file_name(membership, &model.groups) else {
            continue;
        };
        let head = match membership {
            Membership::Shared => "//! The operations that need no feature.".to_owned(),
            Membership::Group(_) => format!("//! The operations of the group `{name}`."),
        };
        let text = sources::builders(&head, names);
        tree.insert(&format!("src/operations/{name}.rs"), text);
    }
}
