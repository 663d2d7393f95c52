//! `man`: a manual page for each command.

use std::path::Path;

use anyhow::Result;
use clap::Command;

use crate::install;

/// Writes the pages, `openapi-crate.1` and one for each command.
///
/// # Errors
///
/// A folder that cannot be written to.
pub fn man(mut command: Command, folder: &Path) -> Result<()> {
    command.build();
    let mut pages = install::Changes::new();
    rendered(&command, "openapi-crate", &mut pages)?;
    Ok(install::change(folder, &pages)?)
}

fn rendered(command: &Command, name: &str, pages: &mut install::Changes) -> Result<()> {
    let mut page = Vec::new();
    clap_mangen::Man::new(command.clone())
        .title(name)
        .render(&mut page)?;
    let text = String::from_utf8_lossy(&page).into_owned();
    pages.push((format!("{name}.1"), Some(text)));
    let below = command
        .get_subcommands()
        .filter(|one| one.get_name() != "help");
    for one in below {
        rendered(one, &format!("{name}-{}", one.get_name()), pages)?;
    }
    Ok(())
}
