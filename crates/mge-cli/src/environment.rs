//! The environment variables that the program reads. The help and `mge doctor` list them.

/// A variable.
pub struct Variable {
    /// Its name.
    pub name: &'static str,
    /// What it does, for the help.
    pub meaning: &'static str,
}

/// All of them.
pub const VARIABLES: [Variable; 6] = [
    Variable { name: "MGE_DATA_DIR", meaning: "folder with the files of flame and mnist" },
    Variable {
        name: "MGE_SIMD",
        meaning: "vector instructions, for speed only: sse2, avx2, avx512, neon or portable",
    },
    Variable {
        name: "XDG_CACHE_HOME",
        meaning: "caches; mge/data in it comes after MGE_DATA_DIR [default: ~/.cache]",
    },
    Variable { name: "NO_COLOR", meaning: "no colours, if it is not empty" },
    Variable { name: "CLICOLOR", meaning: "0: no colours" },
    Variable {
        name: "CLICOLOR_FORCE",
        meaning: "not 0: colours also where the output is no terminal",
    },
];

/// The variables as the end of `mge --help`.
pub fn help() -> String {
    let width = VARIABLES.iter().map(|one| one.name.len()).max().unwrap_or(0);
    let lines = VARIABLES.iter().map(|one| format!("\n  {:<width$}  {}", one.name, one.meaning));
    format!("Environment variables:{}", lines.collect::<String>())
}
