# SPDX-License-Identifier: Apache-2.0
"""A curve as SVG, for notebooks."""

import html
import math

WIDTH, HEIGHT, LEFT, BOTTOM, TOP = 480, 200, 56, 34, 12
MOST_POINTS = 400


def svg(points, x_name, y_name):
    """points: (x, y) by increasing x; those that are not finite are left out."""
    points = [(x, y) for x, y in points if math.isfinite(y)]
    if not points:
        return f"<p>No episode has ended yet ({html.escape(y_name)}).</p>"
    points = points[:: math.ceil(len(points) / MOST_POINTS)] + points[-1:]
    right, low, high = points[-1][0], min(y for _, y in points), max(y for _, y in points)
    spread = high - low or 1.0

    def place(x, y):
        across = LEFT + (WIDTH - LEFT - 8) * x / (right or 1)
        return f"{across:.1f},{TOP + (HEIGHT - TOP - BOTTOM) * (1 - (y - low) / spread):.1f}"

    def label(x, y, text, anchor):
        return f'<text x="{x}" y="{y}" text-anchor="{anchor}">{html.escape(text)}</text>'

    line = " ".join(place(x, y) for x, y in points)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" font-family="sans-serif" '
        'font-size="11" fill="#888">',
        f'<polyline points="{line}" fill="none" stroke="#2a78d0" stroke-width="1.5"/>',
        label(LEFT - 6, TOP + 8, f"{high:.4g}", "end"),
        label(LEFT - 6, HEIGHT - BOTTOM, f"{low:.4g}", "end"),
        label(WIDTH - 8, HEIGHT - BOTTOM + 16, f"{right:,} {x_name}", "end"),
        label(LEFT, HEIGHT - BOTTOM + 16, y_name, "start"),
        "</svg>",
    ]
    return "".join(parts)
