#!/usr/bin/env python3
"""Digits on small devices: whole programs of this project, of emlearn and of m2cgen. Each model has
1,617 training and 180 test rows of the same data; programs are compiled with the same flags, start
code and linker script.

    cargo build --release -p mge-cli
    benches/peers/small.py [--model MODEL]

Needs avr-gcc and arm-none-eabi-gcc (`cargo xtask tools` installs them). Makes a virtual environment
beside this file and installs the peers into it from the Python registry. Every program reads one
row from the serial line into a buffer and answers with the class. Flash is code and constants; RAM
is variables, the buffer included, the stack not. Accuracies are those of the integers for this
project's integer forms, of the Python model for the peers.
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
BINARY = Path(os.environ.get("MGE_BINARY", ROOT / "target" / "release" / "mge")).resolve()
# Makes a model of 271 connections.
FIT = "--method mge --grammar authors --generations 2050 --min-genes 25 --max-genes 35 --seed 7 --quiet".split()
VENV = HERE / ".venv"
PEERS = ["scikit-learn", "emlearn", "m2cgen", "numpy"]

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
extern uint32_t stack_top[], data_from[], data_start[], data_end[], bss_start[], bss_end[];
static void start(void) {
    for (uint32_t *to = data_start, *from = data_from; to != data_end;) *to++ = *from++;
    for (uint32_t *to = bss_start; to != bss_end;) *to++ = 0;
    for (;;) {
        for (int i = 0; i < 64; ++i) {
            while (!RXDRDY) {}
            RXDRDY = 0;
            x[i] = RXD;
        }
        TXD = classify();
    }
}
__attribute__((section(".vectors"), used)) static const void *const vectors[] = {stack_top, (void *)start};
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
    """Bytes of flash and of RAM."""
    said = subprocess.run([tool, elf], check=True, capture_output=True, text=True).stdout
    text, data, bss = map(int, said.splitlines()[1].split()[:3])
    return text + data, data + bss


def shown(flash, ram):
    return f"{flash:,} / {ram:,}"


def export(model, number, folder):
    """Writes this project's C; what the program said."""
    command = [BINARY, "export", model, "--to", "c", "--name", "digits", "-o", folder, "--number", number,
               "--max-accuracy-drop", "1"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def flags(makefile, name):
    """The flags that this project's Makefile compiles with."""
    line = next(line for line in makefile.splitlines() if line.startswith(f"{name}_FLAGS ="))
    return line.split("=", 1)[1].split()


class Peers:
    """Compiles what peers generate as this project's own programs are compiled."""

    def __init__(self, exported, includes):
        makefile = (exported / "Makefile").read_text()
        script = exported / "cortex-m.ld"
        self.devices = (
            ("avr-gcc", flags(makefile, "AVR"), AVR_MAIN, "int main"),
            ("arm-none-eabi-gcc",
             ["-mcpu=cortex-m0", *flags(makefile, "ARM"), "--specs=nosys.specs", "-T", script],
             M0_MAIN, "static void start"),
        )
        self.includes = includes

    def sizes(self, code, kind, classify):
        """On both devices, or why there is none."""
        return [self.size(device, code, kind, classify) for device in self.devices]

    def size(self, device, code, kind, classify):
        gcc, options, main, entry = device
        head, tail = (main % {"type": kind}).split(entry, 1)
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "main.c").write_text(f"{code}{head}{classify}\n{entry}{tail}")
            command = [gcc, *options, *self.includes, "-o", "program.elf", "main.c", "-lm"]
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
            if done.returncode == 0:
                return shown(*size(gcc.replace("gcc", "size"), Path(folder, "program.elf")))
        said = done.stderr
        if "is not within region" in said or "will not fit" in said or "overflowed" in said:
            return "too large for it"
        sys.exit(said)


def ours(model):
    rows = []
    for number in ("int8", "int16", "f32"):
        with tempfile.TemporaryDirectory() as folder:
            said = export(model, number, folder)
            subprocess.run(["make", "-s", "avr", "cortex-m0"], cwd=folder, check=True, capture_output=True)
            avr = size("avr-size", Path(folder, "digits.avr.elf"))
            m0 = size("arm-none-eabi-size", Path(folder, "digits.m0.elf"))
        lines = {line.split()[0]: line for line in said.splitlines()}
        if "accuracy" in lines:
            accuracy = lines["accuracy"].split(" in floats, ")[1].split()[0]
        else:
            command = [BINARY, "evaluate", model, "digits", "--part", "test"]
            told = subprocess.run(command, check=True, capture_output=True, text=True).stdout
            accuracy = next(line.split()[1] for line in told.splitlines() if line.startswith("accuracy"))
        rows.append((f"mge, {number} table", accuracy, shown(*avr), shown(*m0)))
    return rows


def peers(exported):
    import emlearn
    import m2cgen
    import numpy
    from sklearn.datasets import load_digits
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import train_test_split
    from sklearn.neural_network import MLPClassifier
    from sklearn.tree import DecisionTreeClassifier

    # emlearn makes an error of every underflow, also in training.
    numpy.seterr(all="ignore")
    x, y = load_digits(return_X_y=True)
    x_train, x_test, y_train, y_test = train_test_split(x, y, train_size=1617, random_state=1)
    compiler = Peers(exported, [f"-I{emlearn.includedir}"])
    rows = []

    def add(name, model, code, kind, classify):
        accuracy = f"{model.score(x_test, y_test):.4f}"
        rows.append((name, accuracy, *compiler.sizes(code, kind, classify)))

    tree = DecisionTreeClassifier(max_depth=8, random_state=1).fit(x_train, y_train)
    code = emlearn.convert(tree, method="inline", dtype="int16_t").save(name="digits", format="c")
    add("emlearn tree, depth 8, int16", tree, code, "int16_t",
        "static int classify(void) { return digits_predict(x, 64); }")
    mlp = MLPClassifier((8,), max_iter=2000, random_state=1).fit(x_train, y_train)
    code = emlearn.convert(mlp, method="inline").save(name="digits")
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
    exported = Path(folder.name) / "c"
    export(model, "int8", exported)
    model = model.resolve()
    # emlearn leaves a folder where it runs.
    os.chdir(folder.name)
    for row in [*ours(model), *peers(exported)]:
        print("| " + " | ".join(row) + " |")


if __name__ == "__main__":
    main()
