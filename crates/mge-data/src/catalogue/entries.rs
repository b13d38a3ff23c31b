//! The entries themselves.

use super::{DatasetSource, Entry, Protocol};

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

/// All data sets of the catalogue, in the order of the paper's table.
pub fn entries() -> &'static [Entry] {
    &ENTRIES
}

static ENTRIES: [Entry; 10] = [
    Entry {
        name: "flame",
        title: "Two clusters in the plane",
        rows: 240,
        features: 2,
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
    use crate::{CatalogueError, DataError, LoadOptions, catalogue, load};

    #[test]
    fn every_embedded_data_set_has_its_declared_shape() {
        for entry in catalogue::entries().iter().filter(|entry| entry.is_embedded()) {
            let loaded = load(entry.name, &LoadOptions::default()).unwrap();
            let task = loaded.class_target().unwrap();
            assert_eq!(loaded.table.rows(), entry.rows, "{}", entry.name);
            assert_eq!(loaded.table.columns().len(), entry.features + 1, "{}", entry.name);
            assert_eq!(task.classes().len(), entry.classes, "{}", entry.name);
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
