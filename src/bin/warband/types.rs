//! `warband types`: what scripts can use, for the language server of an editor.

use super::arguments::TypesOptions;
use super::{Outcome, Result, print};

pub fn types(options: &TypesOptions) -> Result<Outcome> {
    let _ = options;
    print("");
    Ok(Outcome::Good)
}
