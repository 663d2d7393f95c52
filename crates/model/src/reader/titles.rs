//! Names of operations and arguments: unique, and the same for the same document.

use std::collections::{BTreeMap, BTreeSet};

use super::notes::Notes;
use crate::{Model, Operation, names};

/// Methods of each builder that no setter may hide. The options of a call are methods of a trait, and take no name.
const BUILDER: [&str; 4] = ["new", "request", "send", "send_as"];
/// Those of a builder that pages, waits or streams.
const PAGED: [&str; 4] = ["clone", "items", "items_as", "pages"];
const WAITING: [&str; 2] = ["clone", "wait"];
const STREAMED: [&str; 1] = ["send_stream"];
/// The argument of a body.
const BODY: &str = "body";
/// Methods of the client that no operation may hide.
pub(super) const CLIENT: [&str; 10] = [
    "account",
    "budget",
    "builder",
    "builder_from_env",
    "from",
    "from_env",
    "prices",
    "raw",
    "scoped",
    "with_account",
];
/// Crates and types whose names a module of a builder would hide.
const MODULE: [&str; 26] = [
    "alloc",
    "bool",
    "char",
    "core",
    "f32",
    "f64",
    "i128",
    "i16",
    "i32",
    "i64",
    "i8",
    "isize",
    "generated_cli",
    "generated_client",
    "new",
    "operations",
    "serde",
    "serde_json",
    "std",
    "str",
    "u128",
    "u16",
    "u32",
    "u64",
    "u8",
    "usize",
];
/// Types and traits that the modules of builders and handles name without a path, which a type there would hide.
pub(super) const PRELUDE: [&str; 6] = ["Into", "IntoIterator", "Option", "Result", "String", "Vec"];
/// Bytes of the longest name of an operation. In snake case it may be twice as long, and it is the name of a file, which may have 255.
const LONGEST: usize = 120;

/// The names of operations that are taken.
#[derive(Default)]
pub(super) struct Titles {
    methods: BTreeSet<String>,
    types: BTreeSet<String>,
    /// The next number of each name that was wanted more than once.
    numbers: BTreeMap<String, usize>,
}

/// The names of one operation.
pub(super) struct Title {
    /// The method of the client, and the module of the builder.
    pub(super) method: String,
    /// The type of the builder.
    pub(super) builder: String,
    /// True if another operation has the names that it would have had.
    pub(super) is_renamed: bool,
}

impl Titles {
    /// The names of an operation that is called this in the document.
    pub(super) fn take(&mut self, name: &str) -> Title {
        let (name, is_cut) = bounded(name);
        let own = names::snake(name);
        let reserved = CLIENT.contains(&own.as_str()) || MODULE.contains(&own.as_str());
        let builder = names::pascal(name);
        let is_hiding = PRELUDE.contains(&builder.as_str());
        let mut title = Title {
            method: if reserved { format!("{own}_") } else { own },
            builder: if is_hiding {
                format!("{builder}Call")
            } else {
                builder
            },
            is_renamed: reserved || is_hiding || is_cut,
        };
        let number = self.numbers.get(name).copied();
        let mut number = number.unwrap_or(2);
        while self.methods.contains(&title.method) || self.is_taken(&title.builder) {
            let numbered = format!("{name}_{number}");
            title = Title {
                method: names::snake(&numbered),
                builder: names::pascal(&numbered),
                is_renamed: true,
            };
            number += 1;
            self.numbers.insert(name.to_owned(), number);
        }
        self.methods.insert(title.method.clone());
        self.claim(&title.builder);
        title
    }

    /// Takes another name for a builder; returns whether it is a name of a type that no other operation has.
    pub(super) fn rename(&mut self, builder: &str) -> bool {
        let is_free = names::pascal(builder) == builder
            && !PRELUDE.contains(&builder)
            && !self.is_taken(builder);
        if is_free {
            self.claim(builder);
        }
        is_free
    }

    fn claim(&mut self, builder: &str) {
        self.types.extend(types(builder));
    }

    fn is_taken(&self, builder: &str) -> bool {
        types(builder).iter().any(|name| self.types.contains(name))
    }
}

/// Truncates a name that is too long for a file; returns whether it did.
fn bounded(name: &str) -> (&str, bool) {
    let end = openapi_document::readable::boundary(name, LONGEST);
    (name.get(..end).unwrap_or(name), end < name.len())
}

/// The types of an operation: its builder, and its success responses by status code.
fn types(builder: &str) -> [String; 2] {
    [builder.to_owned(), format!("{builder}Output")]
}

/// Returns the name of an operation without an id: `GET /pets/{id}/toys` is `get_pets_by_id_toys`.
pub(super) fn from_path(method: &str, path: &str) -> String {
    let segments = path
        .split('/')
        .map(|segment| match segment.split_once('{') {
            Some((before, rest)) => format!("{before} by {rest}"),
            None => segment.to_owned(),
        });
    let segments: Vec<String> = segments.collect();
    format!("{method} {}", segments.join(" "))
}

/// Gives each argument of each operation a unique name. One that is taken gets its location as a suffix, and a number if need be.
pub(super) fn arguments(notes: &mut Notes<'_>, model: &mut Model) {
    for operation in &mut model.operations {
        let mut taken = taken(operation);
        for parameter in &mut operation.parameters {
            let location = parameter.location.name();
            let name = free(&parameter.rust_name, location, &mut taken);
            if name != parameter.rust_name {
                renamed(notes, &parameter.name, &name, &parameter.pointer);
                parameter.rust_name = name;
            }
        }
        operation.body_name = free(BODY, "request", &mut taken);
        if let Some(body) = operation.bodies.first()
            && operation.body_name != BODY
        {
            renamed(notes, "the body", &operation.body_name, &body.pointer);
        }
    }
}

/// The methods that the builder of an operation has before its setters.
fn taken(operation: &Operation) -> BTreeSet<String> {
    let names: [(bool, &[&str]); 4] = [
        (true, &BUILDER),
        (operation.pagination.is_some(), &PAGED),
        (operation.waiter.is_some(), &WAITING),
        (operation.streamed.is_some(), &STREAMED),
    ];
    let names = names.into_iter().filter(|(has, _)| *has);
    names
        .flat_map(|(_, names)| names)
        .map(|name| (*name).to_owned())
        .collect()
}

fn renamed(notes: &mut Notes<'_>, original: &str, name: &str, at: &str) {
    notes.warn(
        "argument-name",
        at,
        format!("`{original}` becomes the argument `{name}`, because its own name is taken"),
        "give it another name with `x-rust-name` in an override",
    );
}

fn free(wanted: &str, place: &str, taken: &mut BTreeSet<String>) -> String {
    let mut name = wanted.to_owned();
    let mut number = 1;
    while !taken.insert(name.clone()) {
        let base = wanted.trim_end_matches('_');
        name = match number {
            1 => format!("{base}_{place}"),
            number => format!("{base}_{place}_{number}"),
        };
        number += 1;
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_operation_without_an_id_is_called_by_method_and_path() {
        for (method, path, name) in [
            ("get", "/pets/{petId}/toys", "get_pets_by_pet_id_toys"),
            ("get", "/", "get"),
            ("post", "/a/x{b}.{c}:go", "post_a_x_by_b_c_go"),
        ] {
            assert_eq!(names::snake(&from_path(method, path)), name);
        }
    }

    #[test]
    fn a_name_that_no_file_could_have_is_cut() {
        let mut titles = Titles::default();
        let long = "aé".repeat(4_000);
        let title = titles.take(&long);
        assert!(title.is_renamed && title.method.len() <= 2 * LONGEST);
        let other = titles.take(&format!("{long}s"));
        assert_eq!(other.method, format!("{}_2", title.method));
    }

    #[test]
    fn names_that_are_taken_get_a_number() {
        let mut titles = Titles::default();
        for (wanted, method, builder, is_renamed) in [
            ("listPets", "list_pets", "ListPets", false),
            ("list-pets", "list_pets_2", "ListPets2", true),
            ("listPets", "list_pets_3", "ListPets3", true),
            ("raw", "raw_", "Raw", true),
            (
                "listPetsOutput",
                "list_pets_output_2",
                "ListPetsOutput2",
                true,
            ),
        ] {
            let title = titles.take(wanted);
            assert_eq!(title.method, method);
            assert_eq!(title.builder, builder);
            assert_eq!(title.is_renamed, is_renamed, "{wanted}");
        }
    }
}
