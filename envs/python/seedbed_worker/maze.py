# SPDX-License-Identifier: Apache-2.0
"""First-person mazes with the interface of DeepMind Lab's Python module (its docs/users/python_api.md), as
tasks (maze:collect_apples, maze:find_goal) and as a stand-in for tests: copied to site-packages as
deepmind_lab.py, this file implements dmlab:LEVEL. Therefore it imports only NumPy.

A cell is one unit long. Walls are found by ray casting: the crossings of all rays with all grid lines are
computed at once.
"""

import math
import os
import random
import tempfile
import zlib

import numpy as np

FRAMES_PER_SECOND = 60
SPEED = 3.2 / FRAMES_PER_SECOND  # cells per frame; equals 320 units per second in cells of 100 units
TURN = math.radians(0.11)  # angle per frame and unit of the look actions
MAX_PITCH = math.radians(40)
RADIUS = 0.25  # radius of the player, who reaches objects at twice this distance
VIEW = 0.9  # half of the width of the view at distance 1: about 84 degrees
APPLES = 10
PREFIX = "contributed/dmlab30/"
WALLS = np.array([[164, 84, 68], [70, 116, 168], [88, 142, 84], [172, 150, 82]], np.float32)
SKY, FLOOR = (np.array(colour, np.float32) for colour in ([120, 160, 210], [92, 84, 76]))
RED, GREEN = (np.array(colour, np.float32) for colour in ([214, 40, 44], [60, 224, 92]))
ACTIONS = [
    ("LOOK_LEFT_RIGHT_PIXELS_PER_FRAME", -512, 512),
    ("LOOK_DOWN_UP_PIXELS_PER_FRAME", -512, 512),
    ("STRAFE_LEFT_RIGHT", -1, 1),
    ("MOVE_BACK_FORWARD", -1, 1),
    ("FIRE", 0, 1),
    ("JUMP", 0, 1),
    ("CROUCH", 0, 1),
]
# Level -> side of the map in cells, share of the inner walls that are removed, seconds, instruction.
LEVELS = {
    "collect_apples": (11, 0.6, 60, "collect the red apples"),
    "find_goal": (11, 0.15, 90, "find the green goal"),
    "find_goal_large": (17, 0.1, 150, "find the green goal"),
}


def level_of(name):
    """The name in LEVELS for a name from DMLab-30 or this file; None if there is no such level."""
    if name in LEVELS:
        return name
    if not name.startswith(PREFIX):
        return None
    if "goal" in name or "maze" in name:
        return "find_goal_large" if name.endswith("_large") else "find_goal"
    return "collect_apples"


def maze(side, openness, draw):
    """A maze with loops in which all cells are connected, as lines of text; '*' is a wall."""
    wall = [[True] * side for _ in range(side)]
    path = [(1, 1)]
    wall[1][1] = False
    while path:
        x, y = path[-1]
        steps = [(2, 0), (-2, 0), (0, 2), (0, -2)]
        draw.shuffle(steps)
        for dx, dy in steps:
            if 0 < x + dx < side and 0 < y + dy < side and wall[y + dy][x + dx]:
                wall[y + dy // 2][x + dx // 2] = wall[y + dy][x + dx] = False
                path.append((x + dx, y + dy))
                break
        else:
            path.pop()
    for y in range(1, side - 1):
        for x in range(1, side - 1):
            if draw.random() < openness:
                wall[y][x] = False
    return ["".join("*" if cell else " " for cell in row) for row in wall]


class Screen:
    """Draws the view of a player as u8 [height, width, 3]."""

    def __init__(self, width, height):
        self.width, self.height = width, height
        self.across = (np.arange(width) + 0.5) * (2 * VIEW / width) - VIEW  # x of each column at distance 1
        self.scale = width / (2 * VIEW)  # pixels per cell at distance 1
        self.rows = np.arange(height, dtype=np.float32)[:, None]
        # Sky and floor for each row relative to the horizon, from 2 heights above to 2 below.
        offset = np.arange(-2 * height, 2 * height, dtype=np.float32)[:, None] / height
        near = np.minimum(np.abs(offset) * 1.6, 1)
        ground = np.where(offset < 0, SKY * (0.75 + 0.25 * near), FLOOR * (0.35 + 0.65 * near))
        self.ground = ground.astype(np.uint8)[:, None]

    def draw(self, walls, colours, place, things):
        """walls: bool [side, side]; place: x, y, direction, pitch; things: (x, y, colour, radius)."""
        x, y, direction, pitch = place
        forward, right = (math.cos(direction), math.sin(direction)), (
            -math.sin(direction),
            math.cos(direction),
        )
        depth, shade = self.cast(walls, colours, x, y, forward, right)
        horizon = int(self.height / 2 + math.tan(pitch) * self.scale)
        begin = 2 * self.height - horizon
        image = np.broadcast_to(self.ground[begin : begin + self.height], (self.height, self.width, 3)).copy()
        half = 0.5 * self.scale / depth
        inside = np.abs(self.rows - horizon + 0.5) <= half
        np.copyto(image, shade, where=inside[..., None])
        seen = []
        for tx, ty, colour, radius in things:
            ahead = (tx - x) * forward[0] + (ty - y) * forward[1]
            if ahead > 0.15:
                seen.append((ahead, (tx - x) * right[0] + (ty - y) * right[1], colour, radius))
        for thing in sorted(seen, key=lambda item: -item[0]):
            self.draw_ball(image, depth, horizon, *thing)
        return image

    def cast(self, walls, colours, x, y, forward, right):
        """(depth [width], colour u8 [width, 3]) of the first wall behind each column."""
        dx = forward[0] + right[0] * self.across
        dy = forward[1] + right[1] * self.across
        depth_x, along_x, cell_x = crossings(walls, x, y, dx, dy)
        depth_y, along_y, cell_y = crossings(walls.T, y, x, dy, dx)
        first = depth_x < depth_y
        depth = np.where(first, depth_x, depth_y)
        along = np.where(first, along_x, along_y)
        cell = np.where(first[:, None], cell_x[:, ::-1], cell_y)  # row, column
        colour = colours[cell[:, 0], cell[:, 1]]
        bricks = np.where((along * 4).astype(np.int32) & 1, 1, 0.86)  # vertical stripes show the motion
        light = bricks * np.where(first, 1, 0.78) / (1 + 0.1 * depth)
        return depth, (colour * light[:, None]).astype(np.uint8)

    def draw_ball(self, image, depth, horizon, ahead, side, colour, radius):
        size = radius * self.scale / ahead
        middle = self.width / 2 + side * self.scale / ahead
        height = horizon + 0.25 * self.scale / ahead  # a quarter of a cell below the eyes
        left, above = max(0, math.ceil(middle - size)), max(0, math.ceil(height - size))
        end, below = min(self.width, int(middle + size) + 1), min(self.height, int(height + size) + 1)
        if left >= end or above >= below:
            return
        across = (np.arange(left, end) + 0.5 - middle) / size
        down = (np.arange(above, below) + 0.5 - height) / size
        bulge = 1 - across * across - down[:, None] ** 2
        visible = (bulge > 0) & (depth[left:end] > ahead)
        light = (0.55 + 0.45 * np.maximum(bulge, 0)) / (1 + 0.06 * ahead)
        ball = (light[..., None] * colour).astype(np.uint8)
        np.copyto(image[above:below, left:end], ball, where=visible[..., None])


def crossings(walls, x, y, dx, dy):
    """For rays from (x, y): distance to the first wall that begins at a grid line of constant x, the position
    along the wall, and its cell [rays, 2] as (x, y). walls: [y, x]."""
    side = walls.shape[0]
    lines = np.arange(side + 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        distance = (lines[:, None] - x) / dx  # [lines, rays]
        other = y + distance * dy
        column = np.where(dx > 0, lines[:, None], lines[:, None] - 1)
        row = np.floor(other)
        valid = (distance > 0) & (row >= 0) & (row < side) & (column >= 0) & (column < side)
    row = np.where(valid, row, 0).astype(np.intp)
    column = np.where(valid, column, 0)
    valid &= walls[row, column]
    distance = np.where(valid, distance, np.inf)
    nearest = distance.argmin(0)
    rays = np.arange(len(dx))
    depth = np.minimum(distance[nearest, rays], 100.0)
    along = np.nan_to_num(other[nearest, rays])
    return (
        np.maximum(depth, 1e-3),
        along - np.floor(along),
        np.stack([column[nearest, rays], row[nearest, rays]], axis=1),
    )


class Lab:
    """deepmind_lab.Lab. Options of `config` that only concern DeepMind Lab are ignored."""

    def __init__(self, level, observations, config=None, renderer="software", level_cache=None):
        if not isinstance(observations, list):
            raise TypeError(f"observations must be list, not {type(observations).__name__}")
        config = {} if config is None else config
        if not isinstance(config, dict) or not all(type(value) is str for value in config.values()):
            raise TypeError("config must be dict of str")
        self.kind = level_of(level)
        if self.kind is None:
            raise RuntimeError(f"Invalid levelName flag '{level}'")
        if renderer not in ("software", "hardware"):
            raise RuntimeError("Failed to set renderer")
        self.level, self.cache, self.names = level, level_cache, observations
        self.side, self.openness, seconds, self.instruction = LEVELS[self.kind]
        self.screen = Screen(int(config.get("width", 320)), int(config.get("height", 240)))
        self.frames = int(float(config.get("episodeLengthSeconds", seconds)) * FRAMES_PER_SECOND)
        self.mixer = int(config.get("mixerSeed", 0))
        self.readers = {
            "RGB_INTERLEAVED": self.picture,
            "RGB": lambda: self.picture().transpose(2, 0, 1).copy(),
            "INSTR": lambda: self.instruction,
            "VEL.TRANS": lambda: np.array([*self.velocity, 0.0]),
            "DEBUG.POS.TRANS": lambda: np.array([100 * self.x, 100 * self.y, 50.0]),
            "DEBUG.POS.ROT": lambda: np.degrees([self.pitch, self.direction, 0.0]),
        }
        for name in observations:
            if name not in self.readers:
                raise ValueError(f"Unknown observation '{name}'.")
        self.status, self.steps, self.episode = "created", 0, 0

    # The interface of DeepMind Lab

    def reset(self, episode=-1, seed=None):
        if self.status == "closed":
            raise RuntimeError("The environment is closed.")
        if seed is not None and not isinstance(seed, int):
            raise ValueError(f"'seed' must be int or None, was '{type(seed).__name__}'.")
        self.episode = episode if episode >= 0 else self.episode
        seed = random.randrange(1 << 31) if seed is None else seed
        self.draw = random.Random(
            f"{seed} {self.episode} {self.mixer}" if episode >= 0 else f"{seed} {self.mixer}"
        )
        self.load_map()
        self.x, self.y = self.free_cell()
        self.direction, self.pitch, self.velocity = self.draw.random() * 2 * math.pi, 0.0, (0.0, 0.0)
        self.goal = None if self.kind == "collect_apples" else self.free_cell(far=True)
        self.apples = self.new_apples() if self.goal is None else []
        self.status, self.steps = "running", 0
        self.episode += 1
        return True

    def step(self, action, num_steps=1):
        if self.status != "running":
            raise RuntimeError("Environment in wrong status to advance.")
        if not isinstance(action, np.ndarray) or action.shape != (len(ACTIONS),):
            raise ValueError(f"action must have shape ({len(ACTIONS)})")
        if action.dtype != np.intc:
            raise ValueError("action must have dtype np.intc")
        look, tilt, strafe, move = action[:4].tolist()
        reward = 0.0
        for _ in range(num_steps):
            self.direction = (self.direction + look * TURN) % (2 * math.pi)
            self.pitch = min(max(self.pitch - tilt * TURN, -MAX_PITCH), MAX_PITCH)
            self.move(strafe, move)
            reward += self.take()
            self.steps += 1
            if self.steps >= self.frames:
                self.status = "ended"
                break
        return reward

    def observations(self):
        if self.status != "running":
            raise RuntimeError("Environment in wrong status for observations.")
        return {name: self.readers[name]() for name in self.names}

    def is_running(self):
        return self.status == "running"

    def num_steps(self):
        return self.steps

    def fps(self):
        return FRAMES_PER_SECOND

    def events(self):
        return []

    def action_spec(self):
        return [{"name": name, "min": low, "max": high} for name, low, high in ACTIONS]

    def observation_spec(self):
        size = (self.screen.height, self.screen.width)
        shapes = {"RGB_INTERLEAVED": (*size, 3), "RGB": (3, *size), "INSTR": ()}
        dtypes = {"RGB_INTERLEAVED": np.uint8, "RGB": np.uint8, "INSTR": str}
        return [
            {"name": name, "dtype": dtypes.get(name, np.float64), "shape": shapes.get(name, (3,))}
            for name in self.readers
        ]

    def close(self):
        was_open, self.status = self.status != "closed", "closed"
        return was_open

    # The world

    def load_map(self):
        """Creates the map of the episode. As in DeepMind Lab, the level cache copies files."""
        seed = self.draw.randrange(1 << 30)
        key = f"maze {self.level} {seed}"
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "map.pk3")
            if self.cache is not None and self.cache.fetch(key, path):
                with open(path, encoding="ascii") as file:
                    lines = file.read().splitlines()
            else:
                lines = maze(self.side, self.openness, random.Random(seed))
                if self.cache is not None:
                    with open(path, "w", encoding="ascii") as file:
                        file.write("\n".join(lines))
                    self.cache.write(key, path)
        self.walls = np.array([[cell == "*" for cell in line] for line in lines])
        self.solid = self.walls.tolist()
        first = zlib.crc32(self.level.encode())
        self.colours = WALLS[(np.indices(self.walls.shape).sum(0) // 4 + first) % len(WALLS)]

    def free_cell(self, far=False):
        """The centre of a random cell without a wall. far: the cell is not near the player."""
        while True:
            row, column = (self.draw.randrange(1, self.side - 1) for _ in range(2))
            x, y = column + 0.5, row + 0.5
            if not self.solid[row][column] and not (
                far and abs(x - self.x) + abs(y - self.y) < self.side / 3
            ):
                return x, y

    def new_apples(self):
        return [self.free_cell(far=True) for _ in range(APPLES)]

    def move(self, strafe, move):
        cos, sin = math.cos(self.direction), math.sin(self.direction)
        length = SPEED / max(1.0, math.hypot(strafe, move))
        dx, dy = length * (move * cos - strafe * sin), length * (move * sin + strafe * cos)
        before = self.x, self.y
        if not self.blocked(self.x + dx, self.y):
            self.x += dx
        if not self.blocked(self.x, self.y + dy):
            self.y += dy
        self.velocity = (
            100 * FRAMES_PER_SECOND * (self.x - before[0]),
            100 * FRAMES_PER_SECOND * (self.y - before[1]),
        )

    def blocked(self, x, y):
        left, right, top, bottom = int(x - RADIUS), int(x + RADIUS), int(y - RADIUS), int(y + RADIUS)
        solid = self.solid
        return solid[top][left] or solid[top][right] or solid[bottom][left] or solid[bottom][right]

    def reaches(self, x, y):
        return (x - self.x) ** 2 + (y - self.y) ** 2 < (2 * RADIUS) ** 2

    def take(self):
        """The reward for the objects that the player reaches: 1 for an apple, 10 for the goal."""
        if self.goal is not None:
            if not self.reaches(*self.goal):
                return 0.0
            self.x, self.y = self.free_cell()
            while self.reaches(*self.goal):
                self.x, self.y = self.free_cell()
            return 10.0
        left = [apple for apple in self.apples if not self.reaches(*apple)]
        taken = len(self.apples) - len(left)
        self.apples = left or self.new_apples()
        return float(taken)

    def picture(self):
        things = [(x, y, RED, 0.14) for x, y in self.apples]
        if self.goal is not None:
            things.append((*self.goal, GREEN, 0.3))
        return self.screen.draw(
            self.walls, self.colours, (self.x, self.y, self.direction, self.pitch), things
        )


def set_runfiles_path(path):
    """The folder of DeepMind Lab's files; a maze needs none."""


def runfiles_path():
    return os.path.dirname(os.path.abspath(__file__))
