//! The arguments of one function, before and after.

use openapi_diff::{Bump, Difference};

use super::Surface;
use super::item::{Argument, Item, Kind, of_items};

/// Arguments are given by position; their names are not a caller's business, unless two change places. `surface` is the new one.
pub(super) fn arguments(old: &Item, new: &Item, surface: &Surface) -> Vec<Difference> {
    let difference = |bump, was: Option<&Argument>, is: Option<&Argument>, sentence| Difference {
        old: was.map(|argument| argument.pointer.clone()),
        new: is.map(|argument| argument.pointer.clone()),
        ..of_items(new, bump, Some(old), Some(new), sentence)
    };
    let path = &old.path;
    let has = |item: &Item, name: &str| item.arguments.iter().any(|argument| argument.name == name);
    if old.arguments.len() == new.arguments.len() {
        let pairs = old.arguments.iter().zip(&new.arguments);
        return pairs
            .filter_map(|(was, is)| {
                let moved = was.name != is.name && has(new, &was.name);
                let (bump, sentence) = position(path, was, is, moved, surface)?;
                Some(difference(bump, Some(was), Some(is), sentence))
            })
            .collect();
    }
    let gone = old.arguments.iter().filter(|was| !has(new, &was.name));
    let more = new.arguments.iter().filter(|is| !has(old, &is.name));
    let gone = gone.map(|was| {
        let sentence = format!("`{path}` no longer takes `{}`", was.name);
        difference(Bump::Major, Some(was), None, sentence)
    });
    let more = more.map(|is| {
        let sentence = format!("`{path}` also requires `{}`", is.name);
        difference(Bump::Major, None, Some(is), sentence)
    });
    gone.chain(more).collect()
}

/// Compares the arguments at one position.
fn position(
    path: &str,
    was: &Argument,
    is: &Argument,
    moved: bool,
    surface: &Surface,
) -> Option<(Bump, String)> {
    let (before, after) = (&was.ty, &is.ty);
    if moved {
        let sentence = format!("`{path}` takes its arguments in another order");
        return Some((Bump::Major, sentence));
    }
    if before != after {
        let sentence = format!(
            "`{path}` takes `{}` as `{after}` and took `{before}`",
            is.name
        );
        // Whatever was given is still taken.
        let target = after.strip_prefix("impl Into<");
        let target = target.and_then(|target| target.strip_suffix('>'));
        let is_wider = target.is_some_and(|target| {
            let conversion = format!("impl From<{before}> for {target}");
            target == before || surface.get(&conversion, Kind::Trait).is_some()
        });
        return Some((if is_wider { Bump::Minor } else { Bump::Major }, sentence));
    }
    (was.name != is.name).then(|| {
        let sentence = format!(
            "`{path}` has an argument `{}`, formerly `{}`",
            is.name, was.name
        );
        (Bump::Patch, sentence)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taking(ty: &str) -> Item {
        Item {
            arguments: vec![Argument {
                name: "value".to_owned(),
                ty: ty.to_owned(),
                pointer: String::new(),
            }],
            ..Item::new(
                Kind::Function,
                "operations::ListBooks",
                "limit",
                String::new(),
            )
        }
    }

    /// No document does this by itself: it takes another generator.
    #[test]
    fn a_setter_that_takes_more_is_minor_and_one_that_takes_less_is_major() {
        let (narrow, wide) = (taking("String"), taking("impl Into<String>"));
        let bumps = |old, new| -> Vec<Bump> {
            let found = arguments(old, new, &Surface::from_iter([])).into_iter();
            found.map(|difference| difference.bump).collect()
        };
        assert_eq!(bumps(&narrow, &wide), [Bump::Minor]);
        assert_eq!(bumps(&wide, &narrow), [Bump::Major]);
    }
}
