//! `mge open`: the report of a run in the browser.

use crate::{model_data, print};
use anyhow::anyhow;
use clap::Args;
use mge::RunFolder;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// How long a command may take to fail.
const POLLS: u32 = 40;
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Open the report of a run in the browser
///
/// Without a display, or without a program that opens pages, it prints the path of the page.
#[derive(Args)]
#[command(after_help = "Example:
  mge open runs/wdbc-hybrid-1")]
pub struct OpenArgs {
    /// Run folder, or a file in it
    run: PathBuf,
}

impl OpenArgs {
    /// Runs the subcommand.
    pub fn run(self) -> anyhow::Result<()> {
        let folder = model_data::run_folder(&self.run)?;
        let (run, _) = RunFolder::read(&folder)?;
        let page = run.report_file();
        if !page.is_file() {
            let folder = folder.display();
            return Err(match run.model_file().is_file() {
                true => anyhow!("{folder} has no report.html; `mge report {folder}` writes it"),
                false => anyhow!(
                    "the run in {folder} is not finished, so it has no report yet; \
                     `mge fit --resume {folder}` finishes it"
                ),
            });
        }
        let page = std::path::absolute(&page)?;
        let is_open = opener().is_some_and(|command| starts(command, &page));
        if is_open {
            print::note(format_args!("opened {}", page.display()));
            return Ok(());
        }
        print::out(&format!("{}\n", page.display()))
    }
}

/// The command that opens a page, if there is a display to open it on.
fn opener() -> Option<Command> {
    if cfg!(target_os = "macos") {
        return Some(Command::new("open"));
    }
    if cfg!(windows) {
        let mut command = Command::new("cmd");
        // The first argument in quotes would be the title of a window.
        command.args(["/C", "start", ""]);
        return Some(command);
    }
    has_display().then(|| Command::new("xdg-open"))
}

/// Whether pages can be shown here.
pub fn has_display() -> bool {
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    cfg!(any(windows, target_os = "macos")) || is_set("DISPLAY") || is_set("WAYLAND_DISPLAY")
}

/// Whether the command opens the page. It either hands the page over and ends, or it is the browser
/// itself and goes on.
fn starts(mut command: Command, page: &Path) -> bool {
    command.arg(page).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let Ok(mut child) = command.spawn() else { return false };
    for _ in 0..POLLS {
        if let Ok(Some(status)) = child.try_wait() {
            return status.success();
        }
        std::thread::sleep(POLL_INTERVAL);
    }
    true
}
