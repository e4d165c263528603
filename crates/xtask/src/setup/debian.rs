//! Packages on Debian and its relatives, installed without questions.
//!
//! Not here: any other system. There, `setup` says what to install and stops.

use std::fs;
use std::io::{self, IsTerminal};

use xshell::cmd;

use crate::failure::{Failure, Outcome};
use crate::project::Project;

/// Whether this system installs packages with `apt-get`.
pub(crate) fn is_debian() -> bool {
    fs::exists("/etc/debian_version").unwrap_or(false)
}

/// Whether this system is Ubuntu, whose browser packages have other names.
pub(crate) fn is_ubuntu() -> bool {
    fs::read_to_string("/etc/os-release").is_ok_and(|text| text.lines().any(|l| l == "ID=ubuntu"))
}

/// Installs packages; where apt does not know them yet, it refreshes its lists and tries again.
///
/// # Errors
///
/// apt failed twice, or root is needed and neither root nor `sudo` is at hand.
pub(crate) fn install(project: &Project, packages: &[&str]) -> Outcome {
    println!("Installing {} with apt-get …", packages.join(", "));
    let mut arguments = vec!["apt-get", "install", "-y", "-q"];
    arguments.extend(packages);
    if as_root(project, &arguments).is_ok() {
        return Ok(());
    }
    println!("Refreshing apt's package lists …");
    as_root(project, &["apt-get", "update", "-q"])?;
    as_root(project, &arguments).map_err(|_| {
        Failure::new(format!(
            "apt-get could not install {0}: run `sudo apt-get install {0}`",
            packages.join(" ")
        ))
    })
}

/// Runs a command as root: directly when we are, else through `sudo`.
///
/// # Errors
///
/// The command failed or could not be started as root.
pub(crate) fn as_root(project: &Project, command: &[&str]) -> Outcome {
    let shell = &project.shell;
    let is_root = cmd!(shell, "id -u").quiet().read().is_ok_and(|user| user.trim() == "0");
    let run = if is_root {
        cmd!(shell, "env DEBIAN_FRONTEND=noninteractive {command...}")
    } else if io::stdin().is_terminal() {
        cmd!(shell, "sudo env DEBIAN_FRONTEND=noninteractive {command...}")
    } else {
        cmd!(shell, "sudo -n env DEBIAN_FRONTEND=noninteractive {command...}")
    };
    run.quiet().run()?;
    Ok(())
}
