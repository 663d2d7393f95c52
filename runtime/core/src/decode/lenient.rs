//! The switch between a strict decode and one that sets bad records aside.
//!
//! A failed decode is run again with the switch on; [`Records`](crate::Records) and the fields beside them check it while they are
//! deserialized. `Deserialize` has no parameter for it. The alternatives are slower: a second, lenient copy of every generated type, or
//! lenient decoding of every response, at twice the work for good ones. A decode is synchronous and stays on its thread, so a thread-local reaches arrays at any depth and
//! nothing else.
//!
//! Lenient decoding reads elements as raw JSON, which serde's buffering (`untagged`, `flatten`, internal tags) does not support. Generated
//! types flatten only unnamed members, which hold no records; named fields are read unbuffered beside them. Compositions are buffered:
//! inside one, a type with such fields decodes strictly or not at all.

use std::cell::Cell;

/// The modes of a decode.
#[derive(Clone, Copy)]
struct Modes {
    is_lenient: bool,
    is_whole: bool,
    is_strict: bool,
    is_unread: bool,
    is_assuming: bool,
}

thread_local! {
    static MODES: Cell<Modes> = const { Cell::new(Modes {
        is_lenient: false, is_whole: false, is_strict: false, is_unread: false, is_assuming: false,
    }) };
    static OTHER_FORM: Cell<bool> = const { Cell::new(false) };
}

/// Restores in `drop`: the caller's `Deserialize` implementation may panic while its thread continues.
struct Restore(Modes);

impl Drop for Restore {
    fn drop(&mut self) {
        MODES.set(self.0);
    }
}

fn with<R>(set: fn(&mut Modes), decode: impl FnOnce() -> R) -> R {
    let before = MODES.get();
    let _restore = Restore(before);
    let mut modes = before;
    set(&mut modes);
    MODES.set(modes);
    decode()
}

/// Runs a decode with the switch on.
pub(crate) fn leniently<R>(decode: impl FnOnce() -> R) -> R {
    with(|modes| modes.is_lenient = true, decode)
}

/// Returns whether the current decode is inside of [`leniently`].
pub(crate) fn is_lenient() -> bool {
    MODES.get().is_lenient
}

/// Runs a decode with the switch off again; if it fails, it is run again with the switch on.
pub(crate) fn without_lenience<R>(decode: impl FnOnce() -> R) -> R {
    with(|modes| modes.is_lenient = false, decode)
}

/// Runs a decode that sets no field or element aside: a value that does not decode completely is kept in another form.
pub(crate) fn without_setting_aside<R>(decode: impl FnOnce() -> R) -> R {
    with(|modes| modes.is_whole = true, decode)
}

/// Returns whether the current decode is inside of [`leniently`] and outside of [`without_setting_aside`].
pub(crate) fn is_setting_aside() -> bool {
    let modes = MODES.get();
    modes.is_lenient && !modes.is_whole
}

/// Runs a decode that fails with its first bad record, so that another way to read the string is tried.
pub(crate) fn strictly<R>(decode: impl FnOnce() -> R) -> R {
    with(|modes| modes.is_strict = true, decode)
}

/// Returns whether the current decode is inside of [`strictly`].
pub(crate) fn is_strict() -> bool {
    MODES.get().is_strict
}

/// Runs a decode in which [`Records`](crate::Records) decode no element: all are set aside as raw JSON without a message. The caller
/// decodes them as another type.
pub(crate) fn unread<R>(decode: impl FnOnce() -> R) -> R {
    with(|modes| modes.is_unread = true, decode)
}

/// Returns whether the current decode is inside of [`unread`].
pub(crate) fn is_unread() -> bool {
    MODES.get().is_unread
}

/// Runs a decode in which values of assumed form are read directly, without looking at the JSON first. Also returns whether a value had
/// another form: then the decode has failed and must be run again.
pub(crate) fn assuming<R>(decode: impl FnOnce() -> R) -> (R, bool) {
    let before = OTHER_FORM.replace(false);
    let read = with(|modes| modes.is_assuming = true, decode);
    (read, OTHER_FORM.replace(before))
}

/// Returns whether the current decode is directly inside of [`assuming`], with no other mode in between.
pub(crate) fn is_assuming() -> bool {
    let modes = MODES.get();
    modes.is_assuming && !modes.is_lenient && !modes.is_strict
}

/// Notes, inside of [`assuming`], that a value may have another form.
pub(crate) fn has_other_form<E>(error: E) -> E {
    OTHER_FORM.set(true);
    error
}

#[cfg(test)]
mod tests {
    use std::panic::catch_unwind;

    use super::*;

    #[test]
    fn the_switch_is_off_again_after_a_decode_even_one_that_panics() {
        assert!(!is_lenient());
        assert!(leniently(is_lenient));
        assert!(!is_lenient());
        assert!(catch_unwind(|| leniently(|| panic!("on purpose"))).is_err());
        assert!(!is_lenient());
        assert!(catch_unwind(|| unread(|| panic!("on purpose"))).is_err());
        assert!(!is_unread());
    }
}
