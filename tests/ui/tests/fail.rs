//! Each file in `fail/` is a promise to users: it is named after the promise, breaks it, and does not compile.
//!
//! There are no passing cases here, because a single one turns every check into a build: `pass.rs` has them.
//! After a change of the compiler or of public items, run with `TRYBUILD=overwrite` and read each `.stderr`.

#[test]
#[ignore = "the gate runs it: trybuild builds the dependencies a second time"]
fn misuse_does_not_compile() {
    trybuild::TestCases::new().compile_fail("fail/*.rs");
}
