//! Command-line transcripts: what users type and what they see.
//!
//! `TRYCMD=overwrite cargo test -p mge-cli --features full --test transcripts` writes them anew.

const IS_FULL: bool = cfg!(all(
    feature = "manual",
    feature = "parquet",
    feature = "png",
    feature = "research",
    feature = "sqlite"
));

#[test]
fn transcripts() {
    let cases = trycmd::TestCases::new();
    // What the machine's own data folder holds must not matter.
    cases.env("MGE_DATA_DIR", "no-such-folder").env("XDG_CACHE_HOME", "no-such-cache");
    cases.env("COLUMNS", "100").case("tests/transcripts/*.trycmd");
    if IS_FULL {
        cases.case("tests/transcripts/full/*.trycmd");
    } else {
        cases.case("tests/transcripts/quick/*.trycmd");
        mge_test::report_skipped("transcripts of all commands", "the build is not --features full");
    }
}
