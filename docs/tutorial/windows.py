#!/usr/bin/env python3
"""Windows of an accelerometer, made up: 64 samples of three axes at 100 Hz, in thousandths of g.

    python3 windows.py > windows.csv        one row of features for each of 600 windows
    python3 windows.py --header 12          the samples of 12 further windows, as a C header

Everything is computed in whole numbers, in the way of features.h, so that it is the same everywhere.
"""
import sys

SAMPLES = 64
AXES = "xyz"
KINDS = ["still", "walk", "stairs", "shake"]


class Random:
    """A generator of whole numbers (the one of Lehmer), the same on every machine."""

    def __init__(self, seed):
        self.state = seed

    def below(self, limit):
        self.state = self.state * 48271 % 2147483647
        return self.state * limit // 2147483647

    def between(self, low, high):
        return low + self.below(high - low + 1)


def triangle(phase):
    """A wave between -1000 and 1000 with a period of 1000."""
    phase %= 1000
    return 4 * phase - 1000 if phase < 500 else 3000 - 4 * phase


def window(kind, random):
    """The samples of three axes. The board is never held quite level."""
    tilt = [random.between(-120, 120), random.between(-120, 120), random.between(930, 1010)]
    # Amplitude of each axis, and steps of the phase for each sample.
    if kind == "still":
        sizes, step = [random.between(2, 10) for _ in AXES], random.between(1, 40)
    elif kind == "walk":
        strength = random.between(150, 330)
        sizes, step = [strength // 3, strength // 4, strength], random.between(16, 22)
    elif kind == "stairs":
        strength = random.between(220, 420)
        sizes, step = [strength // 2, strength // 4, strength], random.between(10, 15)
        tilt[0] += random.between(60, 200)
    else:
        strength = random.between(300, 900)
        sizes, step = [strength, strength * 2 // 3, strength // 4], random.between(40, 80)
    start = [random.below(1000) for _ in AXES]
    noise = random.between(8, 40)
    samples = []
    for axis in range(len(AXES)):
        samples.append([
            tilt[axis]
            + sizes[axis] * triangle(start[axis] + step * at) // 1000
            + random.between(-noise, noise)
            for at in range(SAMPLES)
        ])
    return samples


def root(number):
    """The whole part of a square root."""
    found = 0
    for bit in range(15, -1, -1):
        if (found | 1 << bit) ** 2 <= number:
            found |= 1 << bit
    return found


def features(samples):
    """Mean, root mean square about the mean, and crossings of the mean, of each axis."""
    row = []
    for axis in samples:
        mean = sum(axis) >> 6
        squares = sum((a - mean) ** 2 for a in axis) >> 6
        above = [a > mean for a in axis]
        crossings = sum(a != b for a, b in zip(above, above[1:]))
        row += [mean, root(squares), crossings]
    return row


def windows(seed, count):
    random = Random(seed)
    for _ in range(count):
        kind = KINDS[random.below(len(KINDS))]
        yield kind, window(kind, random)


def main():
    if sys.argv[1:2] == ["--header"]:
        count = int(sys.argv[2])
        print("/* Made by windows.py: samples of windows that are not in windows.csv. */")
        print(f"#define WINDOWS {count}")
        made = list(windows(2026, count))
        print("static const char *const kinds[] = {" + ", ".join(f'"{k}"' for k, _ in made) + "};")
        print(f"static const int16_t recorded[{count}][{len(AXES)}][{SAMPLES}] SAMPLES_MEMORY = {{")
        for _, axes in made:
            print("  {" + ",\n   ".join("{" + ", ".join(map(str, axis)) + "}" for axis in axes) + "},")
        print("};")
        return
    print(",".join(f"{axis}_{name}" for axis in AXES for name in ("mean", "rms", "crossings")) + ",kind")
    for kind, samples in windows(1, 600):
        print(",".join(map(str, features(samples))) + "," + kind)


if __name__ == "__main__":
    main()
