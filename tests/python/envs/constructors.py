# SPDX-License-Identifier: Apache-2.0
"""Environments with unusual constructors and attributes."""

from corridor import Corridor


class Checks(Corridor):
    """Accepts only the arguments that it declares."""

    def __init__(self, **settings):
        unknown = settings.keys() - {"length", "limit"}
        if unknown:
            raise TypeError("unknown settings: " + ", ".join(unknown))
        super().__init__(**settings)


class Draws(Corridor):
    """Draws only in the mode rgb_array."""

    def __init__(self, **settings):
        super().__init__(**settings)
        assert self.render_mode == "rgb_array"


class Limited(Corridor):
    def __init__(self, max_episode_steps: int = 7):
        super().__init__(limit=max_episode_steps)
        self._max_episode_steps = max_episode_steps


class Frames(Corridor):
    """An attribute of the class counts frames, four per step."""

    def __init__(self):
        super().__init__(limit=20)
        self.max_steps = self.max_cycles = 5
