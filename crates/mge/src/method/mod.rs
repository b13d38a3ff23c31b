//! The search methods: one folder each, and one line in the table below.
//!
//! A method is a [`SearchMethod`]: its name and summary, how its settings are resolved, and how its
//! search is built for a task. The rest of the program reads what it needs from [`MethodInfo`]. By
//! name it knows methods only in flags of the command line and in tables of old setting names.
//!
//! A program adds a method of its own by [`register`], before any settings are read. The method
//! then has a name for `--method`, a table in settings files, models, test accuracy, exports and
//! experiments, as the built-in ones have. `examples/own_method.rs` shows one from start to end.

mod bound_search;
mod config;
mod grammar_config;
mod registry;
mod search_method;
mod training_task;
mod whole_genome;

pub use bound_search::{BoundSearch, LoopControl, PreparedMethod, SearchResult};
pub use config::MethodConfig;
pub use grammar_config::GrammarConfig;
pub use registry::{Method, RegisterError, register};
pub(crate) use registry::{list, methods_of_table};
pub use search_method::{CommonSetting, MethodFacts, MethodInfo, SearchMethod};
pub use training_task::TrainingTask;

/// Declares the folders and the table of the built-in methods. The first method that reads a
/// common setting is the one that messages propose.
macro_rules! built_in {
    ($($folder:ident),* $(,)?) => {
        $(mod $folder;)*
        static BUILT_IN: &[&dyn config::AnyMethod] = &[$(&$folder::METHOD),*];
    };
}

// To add a method: a folder beside this file that has a `METHOD`, and its name here.
built_in! {
    mge,
    ge,
    sge,
    dsge,
    neat,
    ova_neat,
    hybrid,
}
