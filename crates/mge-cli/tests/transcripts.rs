//! Command-line transcripts: what users type and what they see.
//! `TRYCMD=overwrite cargo test -p mge-cli --test transcripts` writes them anew.

#[test]
fn transcripts() {
    let cases = trycmd::TestCases::new();
    // What the machine's own data folder holds must not matter.
    cases.env("MGE_DATA_DIR", "no-such-folder").env("XDG_CACHE_HOME", "no-such-cache");
    cases.env("COLUMNS", "100").case("tests/transcripts/*.trycmd");
}
