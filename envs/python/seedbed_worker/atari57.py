# SPDX-License-Identifier: Apache-2.0
"""Scores of random play and of humans in the 57 Atari games of the usual benchmark, for human-normalised
scores: whole games that begin with up to 30 no-ops and last at most 108,000 frames (Mnih et al. 2015, Wang et
al. 2016; the numbers of DQN Zoo)."""

# Game -> score of random play, score of a human.
SCORES = {
    "alien": (227.8, 7127.7),
    "amidar": (5.8, 1719.5),
    "assault": (222.4, 742),
    "asterix": (210, 8503.3),
    "asteroids": (719.1, 47388.7),
    "atlantis": (12850, 29028.1),
    "bank_heist": (14.2, 753.1),
    "battle_zone": (2360, 37187.5),
    "beam_rider": (363.9, 16926.5),
    "berzerk": (123.7, 2630.4),
    "bowling": (23.1, 160.7),
    "boxing": (0.1, 12.1),
    "breakout": (1.7, 30.5),
    "centipede": (2090.9, 12017),
    "chopper_command": (811, 7387.8),
    "crazy_climber": (10780.5, 35829.4),
    "defender": (2874.5, 18688.9),
    "demon_attack": (152.1, 1971),
    "double_dunk": (-18.6, -16.4),
    "enduro": (0, 860.5),
    "fishing_derby": (-91.7, -38.7),
    "freeway": (0, 29.6),
    "frostbite": (65.2, 4334.7),
    "gopher": (257.6, 2412.5),
    "gravitar": (173, 3351.4),
    "hero": (1027, 30826.4),
    "ice_hockey": (-11.2, 0.9),
    "jamesbond": (29, 302.8),
    "kangaroo": (52, 3035),
    "krull": (1598, 2665.5),
    "kung_fu_master": (258.5, 22736.3),
    "montezuma_revenge": (0, 4753.3),
    "ms_pacman": (307.3, 6951.6),
    "name_this_game": (2292.3, 8049),
    "phoenix": (761.4, 7242.6),
    "pitfall": (-229.4, 6463.7),
    "pong": (-20.7, 14.6),
    "private_eye": (24.9, 69571.3),
    "qbert": (163.9, 13455),
    "riverraid": (1338.5, 17118),
    "road_runner": (11.5, 7845),
    "robotank": (2.2, 11.9),
    "seaquest": (68.4, 42054.7),
    "skiing": (-17098.1, -4336.9),
    "solaris": (1236.3, 12326.7),
    "space_invaders": (148, 1668.7),
    "star_gunner": (664, 10250),
    "surround": (-10, 6.5),
    "tennis": (-23.8, -8.3),
    "time_pilot": (3568, 5229.2),
    "tutankham": (11.4, 167.6),
    "up_n_down": (533.4, 11693.2),
    "venture": (0, 1187.5),
    "video_pinball": (16256.9, 17667.9),
    "wizard_of_wor": (563.5, 4756.5),
    "yars_revenge": (3092.9, 54576.9),
    "zaxxon": (32.5, 9173.3),
}


def tasks(game):
    """The member `tasks` of a specification: empty for other games."""
    if game not in SCORES:
        return []
    random, human = SCORES[game]
    return [{"name": game, "random_score": random, "human_score": human}]
