//! For build scripts: where the libc for WebAssembly is, in the crate `rquickjs-sys`.

use std::path::PathBuf;
use std::process::Command;

/// The folder of the crate, which Cargo has fetched but not compiled.
pub(crate) fn crate_folder() -> PathBuf {
    let cargo = std::env::var_os("CARGO").expect("Cargo says where it is");
    let output = Command::new(cargo).args(["metadata", "--format-version", "1", "--offline"]).output();
    let metadata = String::from_utf8(output.expect("Cargo runs").stdout).expect("Cargo writes JSON");
    let (before, _) = metadata
        .split_once("/Cargo.toml\",\"metadata\":null,\"publish\":null,\"authors\":[\"Mees Delzenne")
        .expect("rquickjs-sys is fetched");
    let (_, folder) = before.rsplit_once("\"manifest_path\":\"").expect("a package has a manifest");
    PathBuf::from(folder)
}
