//! `warband init`: a folder of scripts that runs, and that an editor completes and checks at once.
//!
//! What an editor knows is written from the same DEFs as `warband types`; the rest is beside this file, as it is laid.

mod laying;
mod settings;

use super::arguments::InitOptions;
use super::{Outcome, Result, print, types};
use laying::Laid;
use std::fmt::Write;

/// A file to lay: where below the folder, what it is, and its text.
struct Item {
    path: &'static str,
    what: &'static str,
    text: String,
}

pub fn init(options: &InitOptions) -> Result<Outcome> {
    let items = items()?;
    let laid = laying::lay(&options.folder, &items, options.force)?;
    print(&told(&options.folder.display().to_string(), &items, &laid))?;
    Ok(Outcome::Good)
}

fn items() -> Result<Vec<Item>> {
    let item = |path, what, text: &str| Item { path, what, text: text.to_owned() };
    let (luau, luals) = (types::luau(), types::luals());
    let globals = settings::globals(&luals);
    Ok(vec![
        item("guard.lua", "a behaviour: start here", include_str!("files/guard.lua")),
        item("chase.lua", "a module that it requires", include_str!("files/chase.lua")),
        item("scenario.toml", "a world in which it runs", include_str!("files/scenario.toml")),
        item("README.md", "what to do next", include_str!("files/README.md")),
        item(".vscode/settings.json", "for VS Code", &settings::vscode(&globals)?),
        item(".luarc.json", "for LuaLS and EmmyLua", &settings::luarc(&globals)?),
        item(".luaurc", "for luau-lsp", include_str!("files/luaurc.json")),
        item("types/warband.d.luau", "all that scripts can use, for luau-lsp", &luau),
        item("types/warband.docs.json", "its documentation", &types::docs(&luau)?),
        item("types/warband.d.lua", "the same for LuaLS and EmmyLua", &luals),
        item("selene.toml", "for the linter selene", include_str!("files/selene.toml")),
        item("warband.yml", "what selene knows of warband", &settings::selene(&globals)),
        item("stylua.toml", "for the formatter StyLua", include_str!("files/stylua.toml")),
    ])
}

/// What was laid, and the next command.
fn told(folder: &str, items: &[Item], laid: &[Laid]) -> String {
    let count = laid.iter().filter(|laid| **laid != Laid::Same).count();
    let mut text = match count {
        0 => format!("{folder}: all {} files are there already; nothing was changed\n", items.len()),
        1 => format!("{folder}: 1 file\n"),
        _ => format!("{folder}: {count} files\n"),
    };
    for (item, laid) in items.iter().zip(laid) {
        let word = match laid {
            Laid::Same => continue,
            Laid::New => "",
            Laid::Replaced => " (replaced)",
        };
        let _ = writeln!(text, "  {:<24} {}{word}", item.path, item.what);
    }
    let _ = writeln!(text, "\nNext:\n  cd {}\n  warband run scenario.toml", quoted(folder));
    text
}

/// As a shell takes it.
fn quoted(folder: &str) -> String {
    if folder.contains([' ', '\'', '"', '$', '&', ';', '(', ')']) {
        return format!("'{}'", folder.replace('\'', "'\\''"));
    }
    folder.to_owned()
}
