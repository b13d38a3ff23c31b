//! `cargo xtask python`: the Python package, as users get it.
//!
//! A wheel is built and installed twice: into an empty environment, where only its dependencies are,
//! and into one with everything that the tests use. The second one is kept in `target/python`, so its
//! packages are downloaded once. Then come pytest, doctests, types, stubs and the notebook.

use crate::step::{root, target};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What the tests use. A new entry installs all of them again.
const PACKAGES: &[&str] = &[
    "maturin>=1.9,<2",
    "numpy==2.4.*",
    "scikit-learn==1.9.*",
    "narwhals>=2.0",
    "pandas",
    "polars",
    "pyarrow",
    "matplotlib",
    "tqdm",
    "sympy",
    "joblib",
    "cloudpickle",
    "skops",
    "onnxruntime",
    "mypy",
    "pytest",
    "nbclient",
    "ipykernel",
];
/// Interpreters to look for, the newest that the tests know first.
const INTERPRETERS: &[&str] = &["python3", "python3.13", "python3.12", "python3.11"];
/// What must work where nothing but the wheel and its dependencies is installed.
const SMOKE_TEST: &str = "\
import subprocess, sys, tempfile, os
import mge
from sklearn.datasets import load_iris
X, y = load_iris(return_X_y=True)
model = mge.MGEClassifier(generations=2, random_state=7).fit(X, y)
assert model.score(X, y) > 0.9
folder = tempfile.mkdtemp()
file = os.path.join(folder, 'model.json')
model.save(file)
program = os.path.join(os.path.dirname(sys.executable), 'mge')
shown = subprocess.run([program, 'show', file], capture_output=True, text=True, check=True).stdout
assert 'Formula' in shown, shown
assert (mge.load(file).predict(X) == model.predict(X)).all()
";

/// Builds the package, installs it, and runs its tests.
pub fn test() -> Result<(), String> {
    let folder = target().join("python");
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let tools = environment(&folder)?;
    let wheel = build_wheel(&tools, &folder.join("wheels"))?;
    try_empty_environment(&folder.join("empty"), &wheel)?;
    install_wheel(&tools, &wheel)?;
    let package = root().join("python");
    let run = |name: &str, program: &str, arguments: &[&str]| {
        println!("    {name}");
        tools.run(program, arguments, &package)
    };
    // Programs that tests start must import what is installed, and not the folder `python/mge`, which
    // has no extension. So the tests run elsewhere.
    println!("    pytest");
    tools.run("pytest", &[&package.join("tests").display().to_string()], &folder)?;
    run("documentation examples", "pytest", &["--doctest-modules", "--pyargs", "mge"])?;
    run("types", "mypy", &["mge"])?;
    run("stubs", "stubtest", &["--mypy-config-file", "pyproject.toml", "mge._mge"])
}

/// A virtual environment.
struct Environment {
    bin: PathBuf,
}

impl Environment {
    /// Makes a new one, in place of what is there.
    fn create(folder: &Path) -> Result<Self, String> {
        let python = interpreter()?;
        run(&python, ["-m", "venv", "--clear", &folder.display().to_string()], &root())?;
        Ok(Self { bin: folder.join("bin") })
    }

    /// Runs a program of the environment in a folder. No compiler that the wheel should not need is
    /// hidden from it, but nothing of other environments is visible.
    fn run(&self, program: &str, arguments: &[&str], folder: &Path) -> Result<(), String> {
        run(&self.bin.join(program), arguments, folder)
    }

    fn pip(&self, arguments: &[&str]) -> Result<(), String> {
        let install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
        self.run("python", &[&install, arguments].concat(), &root())
    }
}

/// The environment of the tests. Its packages are installed when their list has changed.
fn environment(folder: &Path) -> Result<Environment, String> {
    let venv = folder.join("venv");
    let stamp = venv.join("packages.txt");
    let wanted = PACKAGES.join("\n");
    if fs::read_to_string(&stamp).is_ok_and(|installed| installed == wanted) {
        return Ok(Environment { bin: venv.join("bin") });
    }
    println!("    installing {} packages for Python", PACKAGES.len());
    let environment = Environment::create(&venv)?;
    environment.pip(PACKAGES)?;
    fs::write(&stamp, wanted).map_err(|error| format!("{}: {error}", stamp.display()))?;
    Ok(environment)
}

/// Builds the wheel in the profile of the tests, which have built its crates already.
fn build_wheel(tools: &Environment, wheels: &Path) -> Result<PathBuf, String> {
    println!("    wheel");
    let _ = fs::remove_dir_all(wheels);
    let out = wheels.display().to_string();
    let build = ["build", "--quiet", "--profile", "dev", "--strip", "--out", &out];
    tools.run("maturin", &build, &root().join("python"))?;
    let entries = fs::read_dir(wheels).map_err(|error| format!("{out}: {error}"))?;
    let mut files = entries.flatten().map(|entry| entry.path());
    let wheel = files.find(|file| file.extension() == Some(OsStr::new("whl")));
    let wheel = wheel.ok_or_else(|| format!("maturin wrote no wheel into {out}"))?;
    let name = wheel.file_name().unwrap_or_default().to_string_lossy().into_owned();
    if !name.contains("-cp311-abi3-") {
        return Err(format!("the wheel is {name}, expected one for the stable ABI of Python 3.11"));
    }
    Ok(wheel)
}

/// Installs the wheel where nothing else is, and uses it.
fn try_empty_environment(folder: &Path, wheel: &Path) -> Result<(), String> {
    println!("    wheel in an empty environment");
    let empty = Environment::create(folder)?;
    empty.pip(&["--only-binary", ":all:", &wheel.display().to_string()])?;
    empty.run("python", &["-I", "-c", SMOKE_TEST], folder)
}

fn install_wheel(tools: &Environment, wheel: &Path) -> Result<(), String> {
    tools.pip(&["--force-reinstall", "--no-deps", &wheel.display().to_string()])
}

/// A Python that is new enough.
fn interpreter() -> Result<PathBuf, String> {
    const IS_NEW: &str = "import sys; sys.exit(sys.version_info < (3, 11))";
    let is_new = |python: &&&str| {
        let status = Command::new(python).args(["-c", IS_NEW]).stderr(Stdio::null()).status();
        status.is_ok_and(|status| status.success())
    };
    INTERPRETERS.iter().find(is_new).map(PathBuf::from).ok_or_else(|| {
        "there is no Python of version 3.11 or later, which the Python package needs; expected one \
         of python3, python3.13, python3.12 and python3.11"
            .to_owned()
    })
}

/// Runs a program, and shows what it says only if it fails.
fn run<S: AsRef<OsStr>>(
    program: &Path,
    arguments: impl IntoIterator<Item = S>,
    folder: &Path,
) -> Result<(), String> {
    let output = Command::new(program)
        .args(arguments)
        .current_dir(folder)
        .env_remove("PYTHONPATH")
        .env("PYTHONWARNINGS", "default")
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("{}: {error}", program.display()))?;
    if output.status.success() {
        return Ok(());
    }
    let out = String::from_utf8_lossy(&output.stdout);
    let err = String::from_utf8_lossy(&output.stderr);
    Err(format!("{}: {}\n{out}\n{err}", program.display(), output.status))
}
