//! Packages with the arena: an archive, and packages for `pip`, `npm` and `cargo`. A release and the test that installs
//! them both make them here, by the same steps, around different binaries.
//!
//! | in the folder | for |
//! |---|---|
//! | `arena-VERSION-TARGET.tar.gz` | unpacking, and `cargo binstall` |
//! | `life_arena-VERSION-py3-none-PLATFORM.whl` | `pip install` |
//! | `life-arena-VERSION.tgz`, `life-arena-linux-MACHINE-VERSION.tgz` | `npm install`, both together |
//! | `life-arena-verify-VERSION.tgz` | `npm install`: `arena-verify`, for Node alone |
//! | `crates/NAME-VERSION.crate` | a registry of crates |
//! | `life-arena-VERSION-source/`, and as `.tar.gz` | `cargo install --path`, `cargo publish --workspace`: what crates are made of |

mod archive;
pub(crate) mod binary;
mod crates;
pub(crate) mod install;
pub(crate) mod installed;
pub(crate) mod make;
mod npm;
pub(crate) mod product;
mod stand_in;
pub(crate) mod tools;
mod wheel;
