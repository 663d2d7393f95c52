//! The commands that commit and tag a release, to be read and run by a person.

/// The delimiter of the tag message.
const END: &str = "END_OF_TAG";

/// Returns the commands for a package, as `company-intel 0.2.0`, with the changelog's entry as the message of the tag. `places` are the
/// paths that a release may have changed.
pub(super) fn commands(
    prefix: &str,
    package: &(String, String),
    places: &[String],
    entry: &str,
) -> String {
    let (name, version) = package;
    let places = places.join(" ");
    format!(
        "git add -- {places}\n\
         git commit --message 'Release {name} {version}'\n\
         git tag --annotate {prefix}{version} --cleanup whitespace --file - <<'{END}'\n\
         {name} {version}\n\n{entry}\n{END}\n"
    )
}
