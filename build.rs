//! Says what to do about features that do not go together, before the libraries that they need fail in their own words.

#[cfg(all(feature = "lua", not(any(feature = "luau", feature = "lua54", feature = "luajit"))))]
compile_error!(
    "no flavour of Lua is chosen: turn on `luau`, `lua54` or `luajit` beside `lua` or `cli`, \
     as in `--no-default-features --features cli,lua54`"
);

#[cfg(any(
    all(feature = "luau", feature = "lua54"),
    all(feature = "luau", feature = "luajit"),
    all(feature = "lua54", feature = "luajit")
))]
compile_error!(
    "two flavours of Lua are on, and a program has room for one. `luau` is a default: to have another, write \
     `default-features = false, features = [\"lua54\", \"reload\"]`"
);

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
}
