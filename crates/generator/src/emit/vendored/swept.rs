//! The runtime without the items that an emitted crate cannot reach. An item stays if anything that stays mentions its name, wherever it is
//! defined: two items of one name stay or go together, and what goes is missed by nobody.

use openapi_document::finding::DocumentError;

use super::dead::Dead;
use super::edits::Edits;
use super::manifest::defect;
use super::mentions::Names;
use super::units::{SourceFile, Unit, collect, defined_types};

/// Removes the items that nothing mentions, beginning with the names of the emitted code. Files without an item go.
pub(super) fn sweep(
    files: Vec<SourceFile>,
    mut named: Names,
) -> Result<Vec<SourceFile>, DocumentError> {
    let parsed = files.iter().map(|file| {
        let parsed = syn::parse_file(&file.text);
        parsed.map_err(|error| defect(format!("`{}` is no source file: {error}", file.path)))
    });
    let parsed: Vec<syn::File> = parsed.collect::<Result<_, _>>()?;
    let mut units = Vec::new();
    for (index, (file, parsed)) in files.iter().zip(&parsed).enumerate() {
        collect(&parsed.items, index, file.reach, &mut units);
    }
    let types = defined_types(&parsed);
    for unit in &mut units {
        unit.needs.retain(|name| types.contains(name));
    }
    mark(&mut units, &mut named);

    let dead = Dead::new(&files, &parsed, &units, &named);
    let mut kept = Vec::new();
    for (index, (file, parsed)) in files.iter().zip(&parsed).enumerate() {
        if dead.files.contains(&index) {
            continue;
        }
        let mut edits = Edits::new(&file.text);
        for unit in units
            .iter()
            .filter(|unit| unit.file == index && !unit.is_alive)
        {
            edits.remove(unit.part.clone());
        }
        dead.remove_declarations(&parsed.items, &file.folder, &mut edits);
        kept.push(SourceFile {
            path: file.path.clone(),
            folder: file.folder.clone(),
            text: edits.apply(),
            reach: file.reach,
        });
    }
    Ok(kept)
}

/// Marks what is reached, until nothing more is.
fn mark(units: &mut [Unit], named: &mut Names) {
    loop {
        let alive: Vec<bool> = units.iter().map(|unit| unit.is_alive).collect();
        let mut is_changed = false;
        for unit in units.iter_mut().filter(|unit| !unit.is_alive) {
            let has_parent = unit
                .parent
                .is_none_or(|parent| alive.get(parent) == Some(&true));
            let is_named =
                unit.names.is_empty() || unit.names.iter().any(|name| named.contains(name));
            if has_parent && (unit.is_root || is_named && unit.needs.is_subset(named)) {
                unit.is_alive = true;
                is_changed = true;
                named.append(&mut unit.mentions);
            }
        }
        if !is_changed {
            return;
        }
    }
}
