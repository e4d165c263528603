//! Python's packages for the client tests, in an environment of their own among the tools.
//!
//! Invariant: the environment's folder is named after the checksum of its requirements, and the stamp in it is
//! written last; so checkouts that want other versions don't disturb each other, and half an environment is made anew.

use std::fs;
use std::path::PathBuf;

use flate2::Crc;
use xshell::cmd;

use super::debian;
use crate::clients;
use crate::failure::{Failure, Outcome};
use crate::project::{Project, read};

/// Makes sure that the packages of `requirements.txt` are installed; the Python that knows them.
///
/// # Errors
///
/// Python with `venv` is missing and can't be installed here, or a package can't be.
pub(crate) fn ensure(project: &Project) -> Outcome<PathBuf> {
    let requirements = project.root.join(clients::FOLDER).join("python/requirements.txt");
    let mut checksum = Crc::new();
    checksum.update(read(&requirements)?.as_bytes());
    let folder = project.tool_folder("python-clients", &format!("{:08x}", checksum.sum()));
    let python = folder.join("bin/python");
    let stamp = folder.join("installed");
    // The environment's Python is a link, which an update of the system may break.
    if stamp.is_file() && cmd!(project.shell, "{python} --version").quiet().read().is_ok() {
        return Ok(python);
    }
    if !has_venv(project) && debian::is_debian() {
        debian::install(project, &["python3-venv"])?;
    }
    if !has_venv(project) {
        return Err(Failure::new(
            "Python 3.10 or newer with its module `venv` is needed for the client tests: install \
             it, or leave them out with `--skip clients`",
        ));
    }
    println!("Installing Python packages for the client tests (about a minute, once) …");
    cmd!(project.shell, "python3 -m venv --clear {folder}").quiet().run()?;
    cmd!(project.shell, "{python} -m pip install --quiet --requirement {requirements}")
        .env("PIP_DISABLE_PIP_VERSION_CHECK", "1")
        .quiet()
        .run()
        .map_err(|_| {
            Failure::new(format!("pip could not install {}: see above", requirements.display()))
        })?;
    fs::write(&stamp, "").map_err(|error| Failure::file("write", &stamp, &error))?;
    Ok(python)
}

fn has_venv(project: &Project) -> bool {
    let probe = cmd!(project.shell, "python3 -c 'import venv, ensurepip'");
    probe.quiet().ignore_stdout().ignore_stderr().run().is_ok()
}
