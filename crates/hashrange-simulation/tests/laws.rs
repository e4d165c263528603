//! The laws of simulated time, on this machine; `hashrange-wasm` has them tried in a browser too.
//!
//! `cargo xtask simulate --law NAME --seed N` tries one law with one seed.
#![cfg(not(target_arch = "wasm32"))]

mod law;
mod script;
