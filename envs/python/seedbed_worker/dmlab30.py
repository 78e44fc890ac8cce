# SPDX-License-Identifier: Apache-2.0
"""The 30 tasks of DMLab-30, with the scores of human players and random agents (Espeholt et al. 2018, IMPALA,
appendix B; the same numbers as in SEED RL)."""

import numpy as np

FOLDER = "contributed/dmlab30/"
# Level for training, level for tests if different, score of humans, score of a random agent.
TASKS = (
    ("rooms_collect_good_objects_train", "rooms_collect_good_objects_test", 10, 0.073),
    ("rooms_exploit_deferred_effects_train", "rooms_exploit_deferred_effects_test", 85.65, 8.501),
    ("rooms_select_nonmatching_object", None, 65.9, 0.312),
    ("rooms_watermaze", None, 54, 4.065),
    ("rooms_keys_doors_puzzle", None, 53.8, 4.135),
    ("language_select_described_object", None, 389.5, -0.07),
    ("language_select_located_object", None, 280.7, 1.929),
    ("language_execute_random_task", None, 254.05, -5.913),
    ("language_answer_quantitative_question", None, 184.5, -0.33),
    ("lasertag_one_opponent_small", None, 12.65, -0.224),
    ("lasertag_three_opponents_small", None, 18.55, -0.214),
    ("lasertag_one_opponent_large", None, 18.6, -0.083),
    ("lasertag_three_opponents_large", None, 31.5, -0.102),
    ("natlab_fixed_large_map", None, 36.9, 2.173),
    ("natlab_varying_map_regrowth", None, 24.45, 2.989),
    ("natlab_varying_map_randomized", None, 42.35, 7.346),
    ("skymaze_irreversible_path_hard", None, 100, 0.1),
    ("skymaze_irreversible_path_varied", None, 100, 14.4),
    ("psychlab_arbitrary_visuomotor_mapping", None, 58.75, 0.163),
    ("psychlab_continuous_recognition", None, 58.3, 0.224),
    ("psychlab_sequential_comparison", None, 39.5, 0.129),
    ("psychlab_visual_search", None, 78.5, 0.085),
    ("explore_object_locations_small", None, 74.45, 3.575),
    ("explore_object_locations_large", None, 65.65, 4.673),
    ("explore_obstructed_goals_small", None, 206, 6.76),
    ("explore_obstructed_goals_large", None, 119.5, 2.61),
    ("explore_goal_locations_small", None, 267.5, 7.66),
    ("explore_goal_locations_large", None, 194.5, 3.14),
    ("explore_object_rewards_few", None, 77.7, 2.073),
    ("explore_object_rewards_many", None, 106.7, 2.438),
)
LEVELS = [task[0] for task in TASKS]
TEST_LEVELS = [task[1] or task[0] for task in TASKS]


def task_of(level):
    """The number of a level for training or tests; None if DMLab-30 does not contain it."""
    name = level.removeprefix(FOLDER)
    for number, names in enumerate(zip(LEVELS, TEST_LEVELS)):
        if name in names:
            return number
    return None


def tasks(levels):
    """The member `tasks` of a specification. levels: (name, number of the task or None)."""
    return [
        {"name": level.removeprefix(FOLDER), "random_score": TASKS[task][3], "human_score": TASKS[task][2]}
        for level, task in levels
        if task is not None
    ]


def human_normalised(task, mean_return):
    """A score in percent: 0 is that of a random agent, 100 that of a human."""
    _, _, human, random = TASKS[task]
    return 100 * (mean_return - random) / (human - random)


def capped_mean(mean_returns):
    """The score of DMLab-30 in percent: a task counts for at most 100. mean_returns: task to mean return."""
    return float(np.mean([min(100.0, human_normalised(*item)) for item in mean_returns.items()]))
