"""Where labels of points stand so that none covers another, a mark, or the edge of the picture."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

_STEPS = 16  # directions that are tried
_CROSSED = 1.5
_RINGS = (1.0, 2.0, 3.5, 5.0, 7.0, 9.5, 12.5, 16.0)  # distances that are tried, in gaps


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle with its sides along the axes, in any one unit, the vertical one upwards."""

    left: float
    bottom: float
    right: float
    top: float

    def overlaps(self, other: "Box") -> bool:
        """Whether they share more than an edge.

        >>> Box(0, 0, 2, 1).overlaps(Box(1, 0, 3, 1)), Box(0, 0, 2, 1).overlaps(Box(2, 0, 3, 1))
        (True, False)
        """
        return (
            self.left < other.right and other.left < self.right and self.bottom < other.top and other.bottom < self.top
        )

    def holds(self, other: "Box") -> bool:
        """Whether the other lies in it, edges included."""
        return (
            self.left <= other.left and other.right <= self.right and self.bottom <= other.bottom
            and other.top <= self.top
        )  # fmt: skip


def placed(
    points: Sequence[tuple[float, float]],
    sizes: Sequence[tuple[float, float]],
    *,
    within: Box,
    marks: Sequence[Box],
    lines: Sequence[Box] = (),
    gap: float = 6.0,
) -> tuple[Box | None, ...]:
    """A place for the label of each point, one after the other in their order.

    Each label takes the free place around its point that is nearest, a line that it crosses counted as `_CROSSED` gaps
    more; of equal ones the place to the right and above before those to the left and below.

    Args:
        points: what is labelled.
        sizes: width and height of each label.
        within: where labels may stand.
        marks: what no label may cover.
        lines: what labels should not cover where they need not.
        gap: the least distance from a point.

    Returns:
        In order of the points; None for a label that finds no place.
    """
    made: list[Box | None] = []
    for (x, y), (width, height) in zip(points, sizes, strict=True):
        taken = [*marks, *(box for box in made if box is not None)]
        free = [
            (ring + _CROSSED * sum(box.overlaps(line) for line in lines), box)
            for ring in _RINGS
            for box in _around(x, y, width, height, ring * gap)
            if within.holds(box) and not any(box.overlaps(other) for other in taken)
        ]
        made.append(min(free, key=lambda one: one[0])[1] if free else None)
    return tuple(made)


def _around(x: float, y: float, width: float, height: float, distance: float) -> list[Box]:
    """Places of a label around a point, none nearer than the distance, from the upper right alternately to both sides.

    In each direction the label's nearest corner, or the middle of its nearest side, is where the direction points to.
    """
    boxes = []
    for step in range(_STEPS):
        turn = (step + 1) // 2 * (1 if step % 2 else -1)
        angle = math.pi / 4 + turn * 2 * math.pi / _STEPS
        across, up = math.cos(angle), math.sin(angle)
        side = max(abs(across), abs(up))  # 1 where the label stands wholly to that side
        left = x + across * distance - width * (1 - across / side) / 2
        bottom = y + up * distance - height * (1 - up / side) / 2
        boxes.append(Box(left, bottom, left + width, bottom + height))
    return boxes
