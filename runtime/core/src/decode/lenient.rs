//! The switch between a strict decode and one that sets bad records aside.
//!
//! A decode that failed is run again with the switch on; [`Records`](crate::Records) and the fields beside them look at it when they are
//! deserialized. `Deserialize`
//! has no parameter to pass such a wish in. The alternatives take more: a second, lenient copy of every generated type; or lenient decoding
//! always, twice the work for responses that are fine. A decode is synchronous and stays on its thread, so a thread-local reaches the
//! arrays at any depth and nothing else.
//!
//! Lenient decoding reads elements as raw JSON, which serde's buffering (`untagged`, `flatten`, internal tags) would not allow. Generated
//! types flatten only the members that a schema does not name, and these hold no records; fields with a name are read unbuffered beside
//! them. A composition is buffered: in one, a type with such fields decodes strictly or not at all.

use std::cell::Cell;
use std::thread::LocalKey;

thread_local! {
    static LENIENT: Cell<bool> = const { Cell::new(false) };
    static WHOLE: Cell<bool> = const { Cell::new(false) };
    static STRICT: Cell<bool> = const { Cell::new(false) };
    static UNREAD: Cell<bool> = const { Cell::new(false) };
    static ASSUMING: Cell<bool> = const { Cell::new(false) };
    static OTHER_FORM: Cell<bool> = const { Cell::new(false) };
}

/// Runs a decode with the switch on.
pub(crate) fn leniently<R>(decode: impl FnOnce() -> R) -> R {
    let _restore = Restore(&LENIENT, LENIENT.replace(true));
    decode()
}

/// Whether the decode that asks is inside of [`leniently`].
pub(crate) fn is_lenient() -> bool {
    LENIENT.get()
}

/// Runs a decode with the switch off again: what fails in it is run once more with it.
pub(crate) fn plainly<R>(decode: impl FnOnce() -> R) -> R {
    let _restore = Restore(&LENIENT, LENIENT.replace(false));
    decode()
}

/// Runs a decode in which no field or element is set aside: what does not decode as a whole is kept in another form.
pub(crate) fn wholly<R>(decode: impl FnOnce() -> R) -> R {
    let _restore = Restore(&WHOLE, WHOLE.replace(true));
    decode()
}

/// Whether the decode that asks is inside of [`leniently`], and not of [`wholly`].
pub(crate) fn is_setting_aside() -> bool {
    is_lenient() && !WHOLE.get()
}

/// Runs a decode that fails with the first record that does: another way to read the text is tried then.
pub(crate) fn strictly<R>(decode: impl FnOnce() -> R) -> R {
    let _restore = Restore(&STRICT, STRICT.replace(true));
    decode()
}

/// Whether the decode that asks is inside of [`strictly`].
pub(crate) fn is_strict() -> bool {
    STRICT.get()
}

/// Runs a decode in which [`Records`](crate::Records) read no element: all are set aside, each with its text and without a message. The
/// caller reads them as another type.
pub(crate) fn unread<R>(decode: impl FnOnce() -> R) -> R {
    let _restore = Restore(&UNREAD, UNREAD.replace(true));
    decode()
}

/// Whether the decode that asks is inside of [`unread`].
pub(crate) fn is_unread() -> bool {
    UNREAD.get()
}

/// Runs a decode in which values of assumed form are read as that, without a look at the JSON first. With its result comes whether one of
/// them had another form: the decode has failed for it, and has to be run again.
pub(crate) fn assuming<R>(decode: impl FnOnce() -> R) -> (R, bool) {
    let _restore = Restore(&ASSUMING, ASSUMING.replace(true));
    let _other_form = Restore(&OTHER_FORM, OTHER_FORM.replace(false));
    let read = decode();
    (read, OTHER_FORM.get())
}

/// Whether the decode that asks is inside of [`assuming`], and nothing in it is read in another mode.
pub(crate) fn is_assuming() -> bool {
    ASSUMING.get() && !is_lenient() && !is_strict()
}

/// Notes, inside of [`assuming`], that a value may have another form.
pub(crate) fn has_other_form<E>(error: E) -> E {
    OTHER_FORM.set(true);
    error
}

/// Restores in `drop`: a `Deserialize` implementation of the caller's may panic, and its thread live on.
struct Restore(&'static LocalKey<Cell<bool>>, bool);

impl Drop for Restore {
    fn drop(&mut self) {
        self.0.set(self.1);
    }
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
