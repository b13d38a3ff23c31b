#!/usr/bin/env python3
"""Draws the front of a run as SVG: validation accuracy against operations, with the baselines beside it.

    mge fit digits --seed 7
    scripts/front-picture.py runs/digits-hybrid-7 > docs/images/front.svg

Needs Python alone. Reads front.json and baselines.json of the run folder. A network that another beats in
both cost and accuracy is left out, and so is a baseline of less than the lowest accuracy that is shown.
"""

import json
import math
import sys
from pathlib import Path

WIDTH, HEIGHT = 560, 340
LEFT, RIGHT, TOP, BOTTOM = 58, 18, 16, 52
BLUE, ORANGE, GREY = "#0072b2", "#d55e00", "#5f6b7a"
FONT = "'DejaVu Sans', 'Segoe UI', Helvetica, Arial, sans-serif"


def main():
    run = Path(sys.argv[1])
    points = []
    for point in json.loads((run / "front.json").read_text())["points"]:
        if not points or point["accuracy"] > points[-1][1]:
            points.append((point["operations"], point["accuracy"]))
    lowest = min(accuracy for _, accuracy in points)
    baselines = [
        (one["name"], one["operations"], one["validation_accuracy"])
        for one in json.loads((run / "baselines.json").read_text())
        if one["validation_accuracy"] >= lowest and one["operations"] >= points[0][0] / 2
    ]
    costs = [cost for cost, _ in points] + [cost for _, cost, _ in baselines]
    low, high = math.log(min(costs) / 1.15), math.log(max(costs) * 1.15)
    bottom = math.floor(lowest * 10) / 10

    def x(cost):
        return LEFT + (math.log(cost) - low) / (high - low) * (WIDTH - LEFT - RIGHT)

    def y(accuracy):
        return HEIGHT - BOTTOM - (accuracy - bottom) / (1 - bottom) * (HEIGHT - TOP - BOTTOM)

    def text(at_x, at_y, words, anchor="middle", color=GREY, more=""):
        return (
            f'<text x="{at_x:.1f}" y="{at_y:.1f}" text-anchor="{anchor}" fill="{color}"{more}>'
            f"{words}</text>"
        )

    parts = []
    accuracy = bottom
    while accuracy <= 1.0001:
        at = y(accuracy)
        parts.append(f'<path d="M{LEFT} {at:.1f}H{WIDTH - RIGHT}" stroke="#e3e7ec"/>')
        parts.append(text(LEFT - 8, at + 4, f"{accuracy:.1f}", "end"))
        accuracy += 0.1
    for cost in [10, 20, 50, 100, 200, 500, 1000, 2000, 5000]:
        if low <= math.log(cost) <= high:
            parts.append(text(x(cost), HEIGHT - BOTTOM + 18, f"{cost:,}"))
    parts.append(text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 12, "operations of one prediction"))
    middle = (TOP + HEIGHT - BOTTOM) / 2
    turned = f' transform="rotate(-90 16 {middle:.1f})"'
    parts.append(text(16, middle, "validation accuracy", more=turned))
    line = "L".join(f"{x(cost):.1f} {y(accuracy):.1f}" for cost, accuracy in points)
    parts.append(f'<path d="M{line}" fill="none" stroke="{BLUE}" stroke-width="2"/>')
    for cost, accuracy in points:
        title = f"<title>{cost} operations: {accuracy:.4f}</title>"
        parts.append(
            f'<circle cx="{x(cost):.1f}" cy="{y(accuracy):.1f}" r="4" fill="{BLUE}">{title}</circle>'
        )
    cost, accuracy = points[1]
    parts.append(text(x(cost) + 12, y(accuracy) + 12, "networks of one run", "start", BLUE))
    for index, (name, cost, accuracy) in enumerate(baselines):
        at_x, at_y = x(cost), y(accuracy)
        square = f'x="{at_x - 4:.1f}" y="{at_y - 4:.1f}" width="8" height="8"'
        title = f"<title>{name}, {cost} operations: {accuracy:.4f}</title>"
        parts.append(f'<rect {square} fill="{ORANGE}">{title}</rect>')
        below = at_y + 36 + 22 * (len(baselines) - index)
        parts.append(f'<path d="M{at_x:.1f} {at_y + 6:.1f}V{below - 11:.1f}" stroke="{ORANGE}"/>')
        parts.append(text(at_x, below, name, "middle" if at_x < WIDTH - 90 else "end", ORANGE))
    body = "\n".join(parts)
    print(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" '
        f'height="{HEIGHT}" font-family="{FONT}" font-size="12">\n'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>\n{body}\n</svg>'
    )


if __name__ == "__main__":
    main()
