//! What differs between the flavours of Lua, and nothing else: the rest of the crate knows none.
//!
//! Each flavour gives the same functions: [`open`] a VM, [`compile`] a text, [`libraries`] as the prelude expects them, [`close`] the
//! sandbox, [`freeze`] and [`seal`] tables, [`count`] instructions, vectors, bodies and whole numbers as values, whether
//! a text is complete ([`Reader`]), what a text must not hold ([`refused`]), and steps of the collector.

#[cfg(all(panic = "abort", any(feature = "luau", feature = "luajit")))]
compile_error!(
    "errors of this Lua go through Rust frames, and under `panic = \"abort\"` each of them would end the process: \
     build with `panic = \"unwind\"`, or choose the feature `lua54` in place of `luau` or `luajit`"
);

#[cfg(feature = "luau")]
mod luau;
#[cfg(feature = "luau")]
pub(super) use luau::*;

#[cfg(all(not(feature = "luau"), any(feature = "lua54", feature = "luajit")))]
mod pattern;
#[cfg(all(not(feature = "luau"), any(feature = "lua54", feature = "luajit")))]
mod puc;
#[cfg(all(not(feature = "luau"), any(feature = "lua54", feature = "luajit")))]
pub(super) use puc::*;

/// The name of the flavour, as its feature is called.
pub const FLAVOUR: &str = if cfg!(feature = "luau") {
    "luau"
} else if cfg!(feature = "lua54") {
    "lua54"
} else {
    "luajit"
};

/// A key that no script can make and that is no body: what is kept under it is out of its sight.
fn hidden(number: usize) -> mlua::Value {
    mlua::Value::LightUserData(mlua::LightUserData(std::ptr::without_provenance_mut((1 << 60) + number)))
}

/// The key under which a table is marked as a node.
pub(super) fn mark_key() -> mlua::Value {
    hidden(0)
}
