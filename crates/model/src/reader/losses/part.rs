//! Operations that a client supports in part: those that lead to a place with a loss.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use openapi_document::finding::Finding;
use openapi_document::pointer;
use openapi_document::resolver::{Resolver, reference, resolve};
use openapi_document::source::Source;
use openapi_schemas::item_of;
use serde_json::Value;

use crate::{Loss, Model};

/// Returns the pointers of the operations in part. `document` is the unchanged document of the findings.
pub fn in_part<'m>(document: &Source, model: &'m Model, findings: &[Finding]) -> BTreeSet<&'m str> {
    let mut lost: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for one in findings {
        if Loss::of(one.rule).is_none_or(|loss| loss.in_part) {
            lost.entry(&one.file).or_default().insert(&one.pointer);
        }
    }
    if lost.is_empty() {
        return BTreeSet::new();
    }
    let mut graph = Graph {
        document,
        resolver: Resolver::new(&document.value),
        lost,
        leads_from: HashMap::new(),
        reached: Vec::new(),
        is_lost: BTreeSet::new(),
    };
    for operation in &model.operations {
        let at = operation.pointer.as_str();
        graph.add(at);
        let Some((item, method)) = item_of(at).and_then(|item| at.split_at_checked(item.len()))
        else {
            continue;
        };
        // A path item may be a component.
        let item = resolve(&document.value, item).map_or(item.to_owned(), |(item, _)| item);
        for below in ["/parameters", "/servers", method] {
            graph.lead(at, format!("{item}{below}"));
        }
    }
    let all = graph.with_losses();
    let pointers = model.operations.iter().map(|one| one.pointer.as_str());
    pointers.filter(|pointer| all.contains(*pointer)).collect()
}

/// The places that references lead to, from the operations on.
struct Graph<'g> {
    document: &'g Source,
    resolver: Resolver<'g>,
    /// Places with a loss, by file.
    lost: BTreeMap<&'g str, BTreeSet<&'g str>>,
    /// The places that lead to a place.
    leads_from: HashMap<String, Vec<String>>,
    reached: Vec<String>,
    is_lost: BTreeSet<String>,
}

impl Graph<'_> {
    fn add(&mut self, at: &str) {
        if !self.leads_from.contains_key(at) {
            self.leads_from.insert(at.to_owned(), Vec::new());
            self.reached.push(at.to_owned());
        }
    }

    fn lead(&mut self, from: &str, to: String) {
        self.add(&to);
        if let Some(known) = self.leads_from.get_mut(&to) {
            known.push(from.to_owned());
        }
    }

    /// All places that are lost in part, or lead to one that is.
    fn with_losses(mut self) -> BTreeSet<String> {
        while let Some(at) = self.reached.pop() {
            self.read(&at);
        }
        let mut all = std::mem::take(&mut self.is_lost);
        let mut waiting: Vec<String> = all.iter().cloned().collect();
        while let Some(at) = waiting.pop() {
            for from in self.leads_from.remove(&at).into_iter().flatten() {
                if all.insert(from.clone()) {
                    waiting.push(from);
                }
            }
        }
        all
    }

    /// Reads the losses of one place, and its references.
    fn read(&mut self, at: &str) {
        let (file, inner) = self.document.written(at);
        let lost = self.lost.get(file);
        if lost.is_some_and(|lost| pointer::any_within(lost, &inner)) {
            self.is_lost.insert(at.to_owned());
        }
        let Some(value) = self.document.value.pointer(at) else {
            return;
        };
        let mut targets = BTreeSet::new();
        let mut waiting = vec![value];
        while let Some(value) = waiting.pop() {
            match value {
                Value::Object(map) => {
                    let target = reference(value).and_then(|one| self.resolver.target(one));
                    targets.extend(target.map(|target| target.pointer));
                    waiting.extend(map.values());
                }
                Value::Array(items) => waiting.extend(items),
                _ => {}
            }
        }
        for target in targets {
            self.lead(at, target);
        }
    }
}
