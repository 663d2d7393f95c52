//! The layers of each crate, and the tests that hold them.

use super::graph::{Graph, Layers};
use super::imports;
use super::modules::Files;
use super::purity::rust_files;
use crate::support::repository;

/// A package of the workspace that people write.
struct Package {
    folder: &'static str,
    /// The root files of its crates.
    roots: &'static [&'static str],
    /// The layers within a folder of it. Files are placed in every table whose folder they are in.
    layers: &'static [(&'static str, &'static Layers)],
}

const PACKAGES: &[Package] = &[
    Package {
        folder: "xtask",
        roots: &["src/lib.rs", "src/main.rs"],
        layers: &[("src", XTASK)],
    },
    Package {
        folder: "crates/document",
        roots: &["src/lib.rs"],
        layers: &[("src", DOCUMENT), ("src/source", SOURCE)],
    },
    Package {
        folder: "crates/schemas",
        roots: &["src/lib.rs"],
        layers: &[("src", DIALECT)],
    },
    Package {
        folder: "crates/model",
        roots: &["src/lib.rs"],
        layers: &[
            ("src", MODEL),
            ("src/reader", READER),
            ("src/reader/schemas", NORMAL_FORM),
            ("src/vocabulary", VOCABULARY),
        ],
    },
    Package {
        folder: "crates/overlay",
        roots: &["src/lib.rs"],
        layers: &[],
    },
    Package {
        folder: "crates/diff",
        roots: &["src/lib.rs", "src/main.rs"],
        layers: &[("src", DIFF), ("src/schemas", SCHEMAS)],
    },
    Package {
        folder: "crates/overrides",
        roots: &["src/lib.rs"],
        layers: &[("src", OVERRIDES)],
    },
    Package {
        folder: "crates/rebase",
        roots: &["src/lib.rs"],
        layers: &[("src", REBASE), ("src/preserve", PRESERVE)],
    },
    Package {
        folder: "crates/generator",
        roots: &["src/lib.rs"],
        layers: &[
            ("src", GENERATOR),
            ("src/operations", OPERATIONS),
            ("src/types", TYPES),
            ("src/types/passes", PASSES),
        ],
    },
    Package {
        folder: "runtime",
        roots: &["src/lib.rs"],
        layers: &[("src", RUNTIME)],
    },
    Package {
        folder: "tests/bench",
        roots: &["src/main.rs"],
        layers: &[],
    },
    Package {
        folder: "tests/conformance",
        roots: &["src/lib.rs", "tests/main.rs"],
        layers: &[],
    },
    Package {
        folder: "tests/generator",
        roots: &["src/lib.rs", "tests/suite/main.rs"],
        layers: &[],
    },
    Package {
        folder: "tests/sandbox",
        roots: &[
            "src/lib.rs",
            "src/bin/company-intel-sandbox/main.rs",
            "examples/tour.rs",
        ],
        layers: &[("src", SANDBOX)],
    },
];

const RUNTIME: &Layers = &[
    &["cli", "testing"],
    &["paging", "waiting"],
    &["client"],
    &["stream"],
    &["call"],
    &["request"],
    &["credentials"],
    &["transport"],
    &["error"],
    &["response"],
    &["drift"],
    &["values"],
    &["decode"],
    &["document"],
    &["account"],
    &["money"],
    &["secret"],
];

const XTASK: &Layers = &[
    &["main"],
    &["arguments"],
    &["commands"],
    &["install", "layout"],
];

const DOCUMENT: &Layers = &[
    &["exit", "given"],
    &["source"],
    &["finding"],
    &["git", "pointer", "readable"],
];

const GENERATOR: &Layers = &[
    &["surface"],
    &["generate"],
    &["task"],
    &["emit"],
    &["operations"],
    &["types"],
    &["lint"],
];

const DIALECT: &Layers = &[
    &["normal"],
    &[
        "operations",
        "parts",
        "parameter",
        "paths",
        "schema",
        "missing",
    ],
    &["walker"],
    &[
        "aliases", "bounds", "enums", "keywords", "types", "targets", "version",
    ],
    &["left_out", "resolve"],
];

const SOURCE: &Layers = &[
    &["document", "restyle"],
    &["files"],
    &["input"],
    &["locate", "parse"],
    &["locate_json", "patch", "references", "value"],
];

const DIFF: &Layers = &[
    &["main"],
    &["command"],
    &["report"],
    &["matched"],
    &["compare"],
    &["named"],
    &["http"],
    &["schemas"],
    &["verdicts"],
    &["callers"],
];

const SCHEMAS: &Layers = &[
    &["schema"],
    &["choices", "nested"],
    &["values"],
    &["enter"],
    &["annotations"],
    &["comparison"],
    &["flat"],
    &["side"],
];

const MODEL: &Layers = &[&["reader"], &["vocabulary"], &["names"]];

const READER: &Layers = &[
    &["read"],
    &["groups", "links", "paging", "prices", "waiting"],
    &["envelope"],
    &[
        "auth",
        "parameters",
        "reach",
        "responses",
        "servers",
        "webhooks",
    ],
    &["bodies"],
    &["operations"],
    &["extension", "schemas", "styles", "titles"],
];

const NORMAL_FORM: &Layers = &[
    &["place"],
    &["object"],
    &["choice", "form", "tags"],
    &["forms"],
    &["gather"],
    &["named"],
    &["settle"],
    &["hoister", "same"],
    &["kind", "naming", "type_name"],
];

const VOCABULARY: &Layers = &[
    &["kinds", "presence", "ways"],
    &["model"],
    &["operation"],
    &["variants"],
    &[
        "access",
        "body",
        "extensions",
        "groups",
        "formats",
        "pages",
        "schema",
        "waits",
        "webhooks",
    ],
];

const OPERATIONS: &Layers = &[
    &["files"],
    &["builder", "client", "commands", "samples"],
    &["given"],
    &[
        "docs", "examples", "output", "paging", "prices", "request", "shapes", "waiting",
    ],
    &["input"],
    &["bodies", "checks"],
    &["access", "charge", "servers", "value"],
    &["styles", "whole"],
    &["paths"],
];

const TYPES: &Layers = &[
    &["make"],
    &["passes"],
    &["engine"],
    &["rust_type"],
    &["context", "docs", "runtime"],
];

const PASSES: &Layers = &[
    &["mod"],
    &["reading", "sealed"],
    &[
        "around",
        "conversions",
        "documentation",
        "envelopes",
        "records",
        "tuples",
        "unions",
    ],
    &["enums", "fields", "identifiers", "plain_paths", "prune"],
    &["items"],
];

const SANDBOX: &Layers = &[
    &["bin", "tests"],
    &["sandbox"],
    &["hosts", "page"],
    &["routes"],
    &["fitting"],
    &["made_up"],
    &["data"],
    &["bill", "calls", "faults"],
    &["arguments"],
    &["refusal"],
    &["schema"],
    &["document"],
    &["prices"],
    &["operation", "vocabulary"],
];

const REBASE: &Layers = &[
    &["order", "run", "screen"],
    &["actions", "questions"],
    &["fitted", "guards", "superfluous"],
    &["outcome"],
    &["causes", "places", "preserve"],
    &["agreement", "meaning", "respell", "values"],
    &["correspondence"],
    &["election", "moved", "nulls", "query", "text"],
    &["chain"],
];

const PRESERVE: &Layers = &[
    &["table"],
    &["names", "never_null", "parameters", "security", "sentences"],
    &["schemas"],
    &["actions", "preserver"],
];

const OVERRIDES: &Layers = &[
    &["required", "shown"],
    &["lint", "reconcile"],
    &["judge"],
    &["edit"],
    &["load"],
    &["evidence", "fits", "kept", "questions", "vocabulary"],
];

fn graph(package: &Package) -> Graph {
    let folder = repository().join(package.folder);
    let mut files = Files::new();
    for path in rust_files(&folder) {
        let name = path.strip_prefix(&folder).unwrap().to_str().unwrap();
        files.insert(name.to_owned(), std::fs::read_to_string(&path).unwrap());
    }
    let mut graph = Graph::default();
    for root in package.roots {
        imports::read(&files, root, &mut graph);
    }
    graph
}

#[test]
fn a_file_imports_only_from_its_own_folder_and_lower_layers() {
    for package in PACKAGES.iter().filter(|package| !package.layers.is_empty()) {
        let graph = graph(package);
        for (folder, layers) in package.layers {
            let wrong = graph.misplaced(folder, layers);
            assert!(wrong.is_empty(), "{}/{folder}: {wrong:#?}", package.folder);
        }
    }
}

#[test]
fn no_files_import_each_other_in_a_circle() {
    for package in PACKAGES {
        let circles = graph(package).circles();
        assert!(circles.is_empty(), "{}: {circles:#?}", package.folder);
    }
}

#[test]
fn every_file_below_src_is_read() {
    for package in PACKAGES {
        let graph = graph(package);
        let read: Vec<&str> = graph.files().collect();
        let folder = repository().join(package.folder);
        for path in rust_files(&folder.join("src")) {
            let name = path.strip_prefix(&folder).unwrap().to_str().unwrap();
            assert!(
                read.contains(&name),
                "no module leads to {}",
                path.display()
            );
        }
    }
}
