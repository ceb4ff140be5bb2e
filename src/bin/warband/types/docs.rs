//! The documentation of the definitions for luau-lsp: their comments, under the names by which it asks for them. What is
//! indented in a comment becomes an item of a list.

use super::Result;
use serde_json::{Map, Value, json};

/// Reads the definitions, so that nothing is said of what they do not declare.
pub fn write(luau: &str) -> Result<String> {
    let (mut docs, mut comment, mut owner) = (Map::new(), Vec::new(), String::new());
    for line in luau.lines() {
        let code = line.trim_start();
        if let Some(words) = code.strip_prefix("--") {
            comment.push(match words.strip_prefix("   ") {
                Some(item) => format!("- {item}"),
                None => words.trim_start().to_owned(),
            });
            continue;
        }
        let symbol = match (code.strip_prefix("declare "), line == code) {
            (Some(declared), _) => {
                let (within, symbol) = declared_as(declared);
                owner = within;
                Some(symbol)
            }
            (None, false) => Some(format!("{owner}.{}", name_of(code))),
            (None, true) => None,
        };
        if let Some(symbol) = symbol.filter(|_| !comment.is_empty()) {
            docs.insert(format!("@warband/{symbol}"), json!({ "documentation": comment.join("\n") }));
        }
        comment.clear();
    }
    serde_json::to_string_pretty(&Value::Object(docs))
        .map(|text| text + "\n")
        .map_err(|error| error.to_string())
}

/// What the members of a declaration belong to, and its own name.
fn declared_as(declared: &str) -> (String, String) {
    match declared.strip_prefix("extern type ") {
        Some(ty) => {
            let symbol = format!("globaltype/{}", name_of(ty));
            (symbol.clone(), symbol)
        }
        None => {
            let symbol = format!("global/{}", name_of(declared));
            (symbol.clone(), symbol)
        }
    }
}

fn name_of(code: &str) -> &str {
    let code = code.strip_prefix("function ").unwrap_or(code);
    code.split(|letter: char| !letter.is_alphanumeric() && letter != '_').next().unwrap_or_default()
}
