//! `mge report`: the page of a run, or one that compares several.

use crate::{device_figures, model_data, print};
use anyhow::Context;
use clap::Args;
use mge::{CurvePoint, Fitted, RunFolder, RunPlan};
use mge_io::write_atomically;
use mge_report::{ReportData, compare, name_of, report};
use std::path::{Path, PathBuf};

/// Write the report of a run, or a page that compares several runs
///
/// The page is one HTML file that loads nothing from elsewhere. `mge fit` writes the report of its
/// run. This command writes it again, or compares several runs on one page. Where a compiler and an
/// emulator for a device are installed, the report of a single run has measured flash, RAM and
/// cycles; else they are estimates.
#[derive(Args)]
#[command(after_help = "Examples:
  mge report runs/wdbc-hybrid-1
  mge report runs/wdbc-* -o compare.html")]
pub struct ReportArgs {
    /// Run folders, or their model files
    #[arg(required = true, value_name = "DIR")]
    runs: Vec<PathBuf>,
    /// Page to write [default: report.html in the folder of a single run, else compare.html]
    #[arg(short, long, alias = "output", value_name = "FILE")]
    out: Option<PathBuf>,
}

impl ReportArgs {
    /// Runs the subcommand.
    pub fn run(self) -> anyhow::Result<()> {
        let folders = self.runs.iter().map(|run| model_data::finished_run(run));
        let folders = folders.collect::<anyhow::Result<Vec<PathBuf>>>()?;
        let runs = folders.iter().map(|folder| ReportData::read(folder));
        let mut runs = runs.collect::<Result<Vec<ReportData>, _>>()?;
        if let [run] = runs.as_mut_slice() {
            run.devices = device_figures::of(&run.model, run.calibration.as_ref(), true);
        }
        let output = self.out.unwrap_or_else(|| match folders.as_slice() {
            [folder] => folder.join("report.html"),
            _ => PathBuf::from("compare.html"),
        });
        let page = match runs.as_slice() {
            [run] => report(run)?,
            runs => {
                let links: Vec<Option<String>> =
                    folders.iter().map(|folder| link(folder, &output)).collect();
                compare(runs, &links)?
            }
        };
        write(&output, &page)?;
        print::note(format_args!("wrote {}", output.display()));
        Ok(())
    }
}

/// Writes the report of a run that has just ended, and hands the fit back.
pub fn of_fit(
    fitted: Fitted,
    curves: Vec<CurvePoint>,
    mut plan: RunPlan,
    folder: &RunFolder,
) -> anyhow::Result<Fitted> {
    let Fitted { model, run: record, genotype, history, front, baselines, calibration } = fitted;
    plan.record = Some(record.clone());
    let devices = device_figures::of(&model, Some(&calibration), false);
    let run = ReportData {
        name: name_of(folder.path()),
        folder: folder.path().to_owned(),
        plan,
        model,
        history,
        curves,
        front,
        baselines,
        calibration: Some(calibration),
        devices,
    };
    let page = report(&run)?;
    write(&folder.report_file(), &page)?;
    let ReportData { model, history, front, baselines, calibration, .. } = run;
    let calibration = calibration.expect("it was put in above");
    Ok(Fitted { model, run: record, genotype, history, front, baselines, calibration })
}

/// Writes a page, whole or not at all.
pub fn write(path: &Path, page: &str) -> anyhow::Result<()> {
    write_atomically(path, page.as_bytes())
        .map_err(anyhow::Error::from)
        .with_context(|| format!("cannot write {}", path.display()))
}

/// The address of a run's own report as seen from a page, if it has one.
fn link(folder: &Path, page: &Path) -> Option<String> {
    let report = folder.join("report.html");
    if !report.exists() {
        return None;
    }
    // A path from the page's folder downwards works wherever both are moved to together.
    let report = std::path::absolute(report).ok()?;
    let page = std::path::absolute(page).ok()?;
    let (path, base) = match report.strip_prefix(page.parent()?) {
        Ok(below) => (below.to_owned(), ""),
        Err(_) => (report, "file://"),
    };
    let path = path.to_string_lossy().replace('\\', "/");
    Some(base.to_owned() + &percent(&path))
}

/// What may not stand in an address as it is.
fn percent(path: &str) -> String {
    let keep = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~/".contains(&byte);
    path.bytes()
        .map(|byte| if keep(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_harmless() {
        assert_eq!(percent("runs/a b\"<:é/report.html"), "runs/a%20b%22%3C%3A%C3%A9/report.html");
    }
}
