#!/usr/bin/env python3
"""Writes docs/tutorial/motor.csv, the made-up table of the tutorial: `scripts/make-tutorial-data.py`.

Six readings of a small motor and its state. Some cells are missing, as in real tables.
"""

import random
from pathlib import Path


def row(draw):
    state = draw.choices(["ok", "worn", "loose"], [5, 3, 2])[0]
    speed = draw.randint(300, 900)
    load = draw.choice(["none", "light", "heavy"])
    torque = {"none": 0.2, "light": 0.6, "heavy": 1.0}[load]
    current = 120 + 300 * torque + 0.15 * speed + draw.gauss(0, 20)
    vibration = 40 + 0.08 * speed + draw.gauss(0, 9)
    noise = 60 + 0.05 * speed + draw.gauss(0, 10)
    temperature = 25 + 0.03 * current + draw.gauss(0, 2)
    if state == "worn":
        # A worn brush draws too little current, or sparks and draws too much.
        current += draw.choice([-1, 1]) * draw.gauss(90, 15)
        temperature += 3
        noise += 8
    if state == "loose":
        # A loose mount resonates near one speed and is quiet far from it.
        resonance = 1 / (1 + ((speed - 600) / 90) ** 2)
        vibration += 70 * resonance
        noise += 25 * (1 - resonance)
    cells = [speed, round(current), round(vibration), round(noise), f"{temperature:.1f}", load]
    for index in (3, 4):
        if draw.random() < 0.03:
            cells[index] = ""
    return [str(cell) for cell in cells] + [state]


def main():
    draw = random.Random(2022)
    lines = ["speed,current,vibration,noise,temperature,load,state"]
    lines += [",".join(row(draw)) for _ in range(900)]
    path = Path(__file__).parent.parent / "docs/tutorial/motor.csv"
    path.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
