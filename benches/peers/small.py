#!/usr/bin/env python3
"""Digits on small devices: whole programs of this project, of emlearn and of m2cgen, for the same
1,617 training and 180 test rows, compiled with the same flags.

    cargo build --release -p mge-cli
    benches/peers/small.py [--model MODEL]

Needs avr-gcc and arm-none-eabi-gcc (`cargo xtask tools` installs them). Makes a virtual environment
beside this file and installs the peers into it from the Python registry. Every program reads one
row from the serial line into a buffer and answers with the class. Flash is code and constants; RAM
is variables, the buffer included, the stack not.
"""
import argparse
import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
BINARY = Path(os.environ.get("MGE_BINARY", ROOT / "target" / "release" / "mge"))
# Makes a model of 271 connections.
FIT = "--grammar authors --generations 2050 --least-genes 25 --most-genes 35 --seed 7 --quiet".split()
VENV = HERE / ".venv"
PEERS = ["scikit-learn", "emlearn", "m2cgen", "numpy"]
AVR = "-mmcu=atmega328p -Os -flto -mrelax -ffunction-sections -fdata-sections -Wl,--gc-sections".split()
M0 = "-mcpu=cortex-m0 -mthumb -Os -flto -ffunction-sections -fdata-sections -Wl,--gc-sections".split()

AVR_MAIN = """
#include <avr/io.h>
#include <stdint.h>
static %(type)s x[64];
int main(void) {
    UBRR0 = 103;
    UCSR0B = 1 << RXEN0 | 1 << TXEN0;
    for (;;) {
        for (uint8_t i = 0; i < 64; ++i) {
            while (!(UCSR0A & 1 << RXC0)) {}
            x[i] = UDR0;
        }
        UDR0 = classify();
    }
}
"""
M0_MAIN = """
#include <stdint.h>
#define RXDRDY (*(volatile uint32_t *)0x40002108)
#define RXD (*(volatile uint32_t *)0x40002518)
#define TXD (*(volatile uint32_t *)0x4000251C)
static %(type)s x[64];
int main(void) {
    for (;;) {
        for (int i = 0; i < 64; ++i) {
            while (!RXDRDY) {}
            RXDRDY = 0;
            x[i] = RXD;
        }
        TXD = classify();
    }
}
"""


def inside_venv():
    """Runs this file again with the peers installed."""
    executable = VENV / "bin" / "python"
    if Path(sys.prefix).resolve() == VENV.resolve():
        return
    if not executable.exists():
        venv.create(VENV, with_pip=True)
    subprocess.run([executable, "-m", "pip", "install", "--quiet", *PEERS], check=True)
    sys.exit(subprocess.run([executable, __file__, *sys.argv[1:]]).returncode)


def size(tool, elf):
    text, data, bss = map(int, subprocess.run([tool, elf], check=True, capture_output=True, text=True)
                          .stdout.splitlines()[1].split()[:3])
    return f"{text + data:,} / {data + bss:,}"


def compiled(folder, gcc, flags, includes):
    """Size of main.c as a whole program, or why there is none."""
    command = [gcc, *flags, *includes, "-o", "program.elf", "main.c", "-lm"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        reasons = [line for line in done.stderr.splitlines() if "overflow" in line or "not fit" in line]
        return "does not link" if reasons else f"fails: {done.stderr.splitlines()[-1][:60]}"
    return size(gcc.replace("gcc", "size"), folder / "program.elf")


def whole_program(code, kind, classify, includes=()):
    """Sizes on both devices of a program around generated code."""
    sizes = []
    for main, gcc, flags in ((AVR_MAIN, "avr-gcc", AVR),
                             (M0_MAIN, "arm-none-eabi-gcc", [*M0, "--specs=nosys.specs"])):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            body = main % {"type": kind}
            head, tail = body.split("int main", 1)
            (folder / "main.c").write_text(code + head + classify + "\nint main" + tail)
            sizes.append(compiled(folder, gcc, flags, includes))
    return sizes


def ours(model):
    rows = []
    for number in ("int8", "int16", "f32"):
        with tempfile.TemporaryDirectory() as folder:
            said = subprocess.run([BINARY, "export", model, "--to", "c", "-o", folder, "--number", number,
                                   "--max-loss", "1"], check=True, capture_output=True, text=True).stdout
            subprocess.run(["make", "-s", "avr", "cortex-m0"], cwd=folder, check=True, capture_output=True)
            found = list(Path(folder).glob("*.elf"))
            avr = next(elf for elf in found if ".avr." in elf.name)
            m0 = next(elf for elf in found if ".m0." in elf.name)
            after = next((line.split(" before, ")[1].split()[0] for line in said.splitlines()
                          if line.startswith("accuracy")), None)
            if after is None:
                told = subprocess.run([BINARY, "evaluate", model, "digits", "--part", "test"], check=True,
                                      capture_output=True, text=True).stdout
                after = next(line.split()[1] for line in told.splitlines() if line.startswith("accuracy"))
            rows.append((f"mge, {number} table", after, size("avr-size", avr), size("arm-none-eabi-size", m0)))
    return rows


def peers():
    import emlearn
    import m2cgen
    from sklearn.datasets import load_digits
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import train_test_split
    from sklearn.neural_network import MLPClassifier
    from sklearn.tree import DecisionTreeClassifier

    x, y = load_digits(return_X_y=True)
    x_train, x_test, y_train, y_test = train_test_split(x, y, train_size=1617, random_state=1)
    includes = [f"-I{emlearn.includedir}"]
    rows = []

    def add(name, model, code, kind, classify):
        accuracy = f"{model.score(x_test, y_test):.4f}"
        rows.append((name, accuracy, *whole_program(code, kind, classify, includes)))

    tree = DecisionTreeClassifier(max_depth=8, random_state=1).fit(x_train, y_train)
    code = emlearn.convert(tree, method="inline", dtype="int16_t").save(name="digits", format="c")
    add("emlearn tree, depth 8, int16", tree, code, "int16_t",
        "static int classify(void) { return digits_predict(x, 64); }")
    mlp = MLPClassifier((8,), max_iter=2000, random_state=1).fit(x_train, y_train)
    code = emlearn.convert(mlp, method="inline").save(name="digits", format="c")
    add("emlearn MLP 64-8-10, float", mlp, code, "float",
        "static int classify(void) { return digits_predict(x, 64); }")
    line = LogisticRegression(max_iter=5000).fit(x_train, y_train)
    add("m2cgen logistic regression, double", line, m2cgen.export_to_c(line), "double",
        "static int classify(void) { double p[10]; int best = 0; score(x, p);\n"
        "for (int i = 1; i < 10; ++i) if (p[i] > p[best]) best = i; return best; }")
    return rows


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--model", type=Path, help="a model of digits [default: one of 271 connections]")
    model = options.parse_args().model
    inside_venv()
    folder = tempfile.TemporaryDirectory()
    if model is None:
        run = f"{folder.name}/run"
        subprocess.run([BINARY, "fit", "digits", *FIT, "--out", run], check=True, capture_output=True)
        model = Path(run) / "model.json"
    print("| Digits, whole program, -Os | accuracy | ATmega328P flash / RAM | Cortex-M0 flash / RAM |")
    print("| --- | --- | --- | --- |")
    for row in [*ours(model), *peers()]:
        print("| " + " | ".join(row) + " |")


if __name__ == "__main__":
    main()
