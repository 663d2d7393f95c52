//! Snapshots named by their subject, all in one folder.

/// Compares `text` with the snapshot of this name.
pub(crate) fn assert_snapshot(name: &str, text: String) {
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.set_snapshot_path("../snapshots");
    settings.bind(|| insta::assert_snapshot!(name, text));
}
