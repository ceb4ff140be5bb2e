//! Files are laid all or none, and none is written over unasked.

use super::{Item, Result};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

/// What was done with a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Laid {
    /// It was there, with this text.
    Same,
    /// It was not there.
    New,
    /// It was there with another text.
    Replaced,
}

/// Lays the files; what differs is written over only with `force`.
pub fn lay(folder: &Path, items: &[Item], force: bool) -> Result<Vec<Laid>> {
    let laid = items.iter().map(|item| look(folder, item)).collect::<Result<Vec<_>>>()?;
    let of = |wanted: Laid| items.iter().zip(&laid).filter(move |(_, laid)| **laid == wanted);
    let differing: Vec<_> = of(Laid::Replaced).map(|(item, _)| item.path).collect();
    if !differing.is_empty() && !force {
        return Err(format!(
            "{}: nothing was written, for these differ from what would be laid: {} (--force writes over them)",
            folder.display(),
            differing.join(", ")
        ));
    }
    let to_write: Vec<_> = of(Laid::New).chain(of(Laid::Replaced)).map(|(item, _)| item).collect();
    write(folder, &to_write)?;
    Ok(laid)
}

/// How the file stands now; an error where none could be.
fn look(folder: &Path, item: &Item) -> Result<Laid> {
    let path = folder.join(item.path);
    let above = path.ancestors().skip(1).find(|above| above.exists());
    if let Some(above) = above.filter(|above| !above.is_dir()) {
        return Err(format!("{}: a folder is needed here, and this is a file", above.display()));
    }
    let links = path.ancestors().skip(1).take_while(|above| *above != folder);
    if let Some(link) = links.filter(|above| above.is_symlink()).last() {
        return Err(format!(
            "{}: leads elsewhere: lay the files there, or put a folder here",
            link.display()
        ));
    }
    if path.metadata().is_ok_and(|what| !what.is_file() && !what.is_dir()) {
        return Err(format!("{}: a file is needed here, and this is a pipe or a device", path.display()));
    }
    match std::fs::read(&path) {
        Ok(text) if text == item.text.as_bytes() => Ok(Laid::Same),
        Ok(_) => Ok(Laid::Replaced),
        // A link to nowhere is there too.
        Err(error) if error.kind() == ErrorKind::NotFound && !path.is_symlink() => Ok(Laid::New),
        Err(_) if path.is_dir() => {
            Err(format!("{}: a file is needed here, and this is a folder", path.display()))
        }
        Err(error) => Err(format!("{}: cannot be read: {error}", path.display())),
    }
}

/// Writes all beside their places first: only when that went well they are put there.
fn write(folder: &Path, items: &[&Item]) -> Result<()> {
    let mut beside = Vec::new();
    let written = items.iter().try_for_each(|item| {
        let path = folder.join(item.path);
        beside_of(&path, &item.text, &mut beside)
            .map_err(|error| format!("{}: cannot be written: {error} (nothing was laid)", path.display()))
    });
    let put = written.and_then(|()| {
        beside.iter().try_for_each(|(new, path)| {
            std::fs::rename(new, path)
                .map_err(|error| format!("{}: cannot be written: {error}", path.display()))
        })
    });
    if put.is_err() {
        // Those that were put in their places are no longer beside them.
        beside.iter().for_each(|(new, _)| drop(std::fs::remove_file(new)));
    }
    put
}

fn beside_of(path: &Path, text: &str, beside: &mut Vec<(PathBuf, PathBuf)>) -> std::io::Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.new", std::process::id()));
    let new = path.with_file_name(name);
    let mut file = std::fs::File::create_new(&new)?;
    beside.push((new, path.to_owned()));
    file.write_all(text.as_bytes())
}
