//! The entries themselves.

use std::sync::LazyLock;

use super::{DatasetSource, Entry, Protocol, functions};
use crate::detect_task::TargetKind;

const CC_BY: &str = "CC BY 4.0";
/// Seventy per cent for training, thirty times (the paper's small sets).
const SMALL: Protocol = Protocol::Fraction(0.7);
/// Ninety per cent for training, ten times (the paper's Digits and Letter).
const LARGE: Protocol = Protocol::Fraction(0.9);

macro_rules! embedded {
    ($file:literal) => {
        DatasetSource::Embedded(include_bytes!(concat!("../../data/", $file, ".csv.gz")))
    };
}

/// All data sets of the catalogue: those of the paper in the order of its table, then those with
/// numeric targets, then functions.
pub fn entries() -> &'static [Entry] {
    static ALL: LazyLock<Vec<Entry>> = LazyLock::new(|| {
        let functions = functions::FUNCTIONS.iter().map(function);
        CLASSES.into_iter().chain(VALUES).chain(functions).collect()
    });
    &ALL
}

fn function(function: &'static functions::Function) -> Entry {
    Entry {
        name: function.name,
        title: function.title,
        rows: function.rows,
        features: function.ranges.len(),
        kind: TargetKind::Values,
        classes: 0,
        citation: function.citation,
        licence: "drawn by this program",
        protocol: SMALL,
        target: functions::TARGET,
        source: DatasetSource::Function(function),
    }
}

/// An embedded table with numeric targets.
macro_rules! values {
    ($name:literal, $rows:literal x $features:literal, $title:literal, $target:literal, $licence:expr,
     $citation:literal) => {
        Entry {
            name: $name,
            title: $title,
            rows: $rows,
            features: $features,
            kind: TargetKind::Values,
            classes: 0,
            citation: $citation,
            licence: $licence,
            protocol: SMALL,
            target: $target,
            source: embedded!($name),
        }
    };
}

const VALUES: [Entry; 7] = [
    values!(
        "diabetes",
        442 x 10,
        "Progression of diabetes after one year",
        "progression",
        "BSD 3-Clause, as part of scikit-learn",
        "Efron, Hastie, Johnstone, Tibshirani: Least Angle Regression. Annals of Statistics 32(2) (2004)"
    ),
    values!(
        "airfoil",
        1503 x 5,
        "Airfoil Self-Noise: sound level of a wing in a wind tunnel",
        "sound_level",
        CC_BY,
        "Brooks, Pope, Marcolini (1989), UCI Machine Learning Repository"
    ),
    values!(
        "concrete",
        1030 x 8,
        "Concrete Compressive Strength",
        "strength",
        CC_BY,
        "Yeh (1998), UCI Machine Learning Repository"
    ),
    values!(
        "yacht",
        308 x 6,
        "Yacht Hydrodynamics: residuary resistance of a hull",
        "resistance",
        CC_BY,
        "Gerritsma, Onnink, Versluis (1981), UCI Machine Learning Repository"
    ),
    values!(
        "fish",
        908 x 6,
        "QSAR Fish Toxicity: concentration that kills half of the fish",
        "LC50",
        CC_BY,
        "Cassotti, Ballabio, Todeschini, Consonni (2015), UCI Machine Learning Repository"
    ),
    values!(
        "excitation",
        557 x 3,
        "Excitation current of a synchronous machine",
        "excitation_current",
        CC_BY,
        "Kahraman, Bayindir, Sagiroglu (2012), UCI Machine Learning Repository"
    ),
    values!(
        "slump",
        103 x 7,
        "Concrete Slump Test: three targets at once",
        "slump,flow,strength",
        CC_BY,
        "Yeh (2007), UCI Machine Learning Repository"
    ),
];

const CLASSES: [Entry; 10] = [
    Entry {
        name: "flame",
        title: "Two clusters in the plane",
        rows: 240,
        features: 2,
        kind: TargetKind::Classes,
        classes: 2,
        citation: "Fu, Medico: FLAME, a novel fuzzy clustering method for the analysis of DNA \
            microarray data. BMC Bioinformatics 8:3 (2007)",
        licence: "not stated",
        protocol: SMALL,
        target: "class",
        source: DatasetSource::Table("flame.csv"),
    },
    Entry {
        name: "wdbc",
        title: "Breast Cancer Wisconsin (Diagnostic)",
        rows: 569,
        features: 30,
        kind: TargetKind::Classes,
        classes: 2,
        citation: "Wolberg, Mangasarian, Street, Street (1993), UCI Machine Learning Repository",
        licence: CC_BY,
        protocol: SMALL,
        target: "class",
        source: embedded!("wdbc"),
    },
    Entry {
        name: "ionosphere",
        title: "Radar returns from the ionosphere",
        rows: 351,
        features: 34,
        kind: TargetKind::Classes,
        classes: 2,
        citation: "Sigillito, Wing, Hutton, Baker (1989), UCI Machine Learning Repository",
        licence: CC_BY,
        protocol: SMALL,
        target: "class",
        source: embedded!("ionosphere"),
    },
    Entry {
        name: "sonar",
        title: "Connectionist Bench (Sonar, Mines vs. Rocks)",
        rows: 208,
        features: 60,
        kind: TargetKind::Classes,
        classes: 2,
        citation: "Sejnowski, Gorman, UCI Machine Learning Repository",
        licence: CC_BY,
        protocol: SMALL,
        target: "class",
        source: embedded!("sonar"),
    },
    Entry {
        // Of several Heart data sets this one is meant (decision 16).
        name: "heart",
        title: "Statlog (Heart)",
        rows: 270,
        features: 13,
        kind: TargetKind::Classes,
        classes: 2,
        citation: "Statlog (Heart), UCI Machine Learning Repository",
        licence: CC_BY,
        protocol: SMALL,
        target: "class",
        source: embedded!("heart"),
    },
    Entry {
        // The version whose attributes are coded as numbers (decision 16).
        name: "credit",
        title: "Statlog (German Credit Data), coded as numbers",
        rows: 1000,
        features: 20,
        kind: TargetKind::Classes,
        classes: 2,
        citation: "Hofmann (1994), UCI Machine Learning Repository",
        licence: CC_BY,
        protocol: SMALL,
        target: "class",
        source: embedded!("credit"),
    },
    Entry {
        name: "wine",
        title: "Wine",
        rows: 178,
        features: 13,
        kind: TargetKind::Classes,
        classes: 3,
        citation: "Aeberhard, Forina (1992), UCI Machine Learning Repository",
        licence: CC_BY,
        protocol: SMALL,
        target: "class",
        source: embedded!("wine"),
    },
    Entry {
        name: "digits",
        title: "Optical Recognition of Handwritten Digits (its test part)",
        rows: 1797,
        features: 64,
        kind: TargetKind::Classes,
        classes: 10,
        citation: "Alpaydin, Kaynak (1998), UCI Machine Learning Repository",
        licence: CC_BY,
        protocol: LARGE,
        target: "class",
        source: embedded!("digits"),
    },
    Entry {
        name: "letter",
        title: "Letter Recognition",
        rows: 20000,
        features: 16,
        kind: TargetKind::Classes,
        classes: 26,
        citation: "Slate (1991), UCI Machine Learning Repository; Frey, Slate: Letter Recognition \
            Using Holland-Style Adaptive Classifiers. Machine Learning 6 (1991)",
        licence: CC_BY,
        protocol: LARGE,
        target: "class",
        source: embedded!("letter"),
    },
    Entry {
        name: "mnist",
        title: "MNIST handwritten digits",
        rows: 60000,
        features: 784,
        kind: TargetKind::Classes,
        classes: 10,
        citation: "LeCun, Bottou, Bengio, Haffner: Gradient-Based Learning Applied to Document \
            Recognition. Proceedings of the IEEE 86(11) (1998)",
        licence: "often said to be CC BY-SA 3.0",
        protocol: Protocol::Standard,
        target: "class",
        source: DatasetSource::Images {
            train: ["train-images-idx3-ubyte", "train-labels-idx1-ubyte"],
            test: ["t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte"],
        },
    },
];

#[cfg(test)]
mod tests {
    use crate::{CatalogueError, DataError, LoadOptions, TargetKind, catalogue, load};

    #[test]
    fn every_embedded_data_set_has_its_declared_shape() {
        for entry in catalogue::entries().iter().filter(|entry| entry.is_embedded()) {
            let loaded = load(entry.name, &LoadOptions::default()).unwrap();
            let (columns, targets) = (loaded.table.columns().len(), entry.targets().count());
            assert_eq!(loaded.table.rows(), entry.rows, "{}", entry.name);
            assert_eq!(columns, entry.features + targets, "{}", entry.name);
            assert_eq!(loaded.detect_task().unwrap().kind, entry.kind, "{}", entry.name);
            match entry.kind {
                TargetKind::Classes => {
                    assert_eq!(loaded.class_target().unwrap().classes().len(), entry.classes);
                }
                TargetKind::Values => {
                    assert!(!loaded.detect_task().unwrap().is_doubtful(), "{}", entry.name);
                    assert_eq!(loaded.value_target().unwrap().count(), targets);
                }
            }
            assert!(loaded.notes.is_empty(), "nothing is assumed about {}", entry.name);
        }
    }

    #[test]
    fn an_unknown_name_suggests_the_nearest() {
        let error = catalogue::find("wdcb").unwrap_err();
        assert!(
            matches!(&error, DataError::Catalogue(CatalogueError::UnknownName { nearest: Some(n), .. }) if n == "wdbc")
        );
        let error = load("irnosphere", &LoadOptions::default()).unwrap_err().to_string();
        assert!(error.contains("did you mean `ionosphere`?"), "{error}");
    }
}
