//! A player made of a .wasm file: the only crate that names wasmtime
