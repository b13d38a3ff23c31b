//! The names of tasks: what a user asks for, and what a run does.

use crate::FitError;
use mge_data::{Loaded, TargetKind};

mge_names::named_enum! {
    /// What a user asks to learn from the target.
    #[derive(Default)]
    pub enum TaskChoice: "task" {
        /// What the data looks like (`auto`), the default: numbers are a regression if many
        /// differ, and classes if they are few.
        #[default]
        Auto = "auto",
        /// Which class a row belongs to (`classify`).
        Classify = "classify" | "classification",
        /// How large a number is, or several (`regress`).
        Regress = "regress" | "regression",
    }
}

mge_names::named_enum! {
    /// What a run learns from the target.
    #[derive(Default)]
    pub enum TaskName: "task" {
        /// Which class a row belongs to.
        #[default]
        Classify = "classify",
        /// How large a number is, or several.
        Regress = "regress",
    }
}

impl TaskChoice {
    /// What a run on this data does.
    ///
    /// # Errors
    /// When the table has no target, or the choice is left to it and it cannot tell.
    pub fn resolve(self, data: &Loaded) -> Result<TaskName, FitError> {
        Ok(match self {
            Self::Classify => TaskName::Classify,
            Self::Regress => TaskName::Regress,
            Self::Auto => match data.detect_task()?.kind {
                TargetKind::Classes => TaskName::Classify,
                TargetKind::Values => TaskName::Regress,
            },
        })
    }
}
