# SPDX-License-Identifier: Apache-2.0
"""Kills processes that play the matches of a league, add members to it, or copy it.

Every match that was reported is stored, none is stored twice or changed, no member is lost, and all results
equal those of a league that was never interrupted.
"""
import json
import shutil
import signal
import sqlite3
import subprocess
import threading

from others import Kills

SCRIPTED = ("alpha_beta:1", "alpha_beta:2", "random")
LEAGUE = ("club", "--env", "connect_four", "--opening", "2")
PLAY = ("league", "play", "club", "--games", "4", "--threads", "1")
LEARNER = ["connect_four", "--preset", "none", "--engine", "native", "--run.inference", "inline",
           "--algo.rollout_length", "16", "--actor.num_envs", "8", "--network.hidden", "16", "--steps", "256",
           "--eval.episodes", "2", "--eval.final_episodes", "2"]
LONGEST = 0.6  # seconds until a kill
MOST_MEMBERS = 6
SEED = 3  # column of the seed in a match's row after its key


class Leagues(Kills):
    """`seedbed league play`, `league add`, and `db export` and `db import` of the league. Uses its own data
    folders, so that an uninterrupted league has the same numbers and therefore the same seeds."""

    NAME = "leagues"
    ALONE = True

    def __init__(self, harness):
        super().__init__(harness)
        self.folder = harness.folder / "leagues"
        self.data, self.run, self.copies = self.folder / "data", "", 0

    def command(self, *arguments, data=None):
        return (*arguments, "--data", str(data or self.data))

    def begin(self):
        self.run = self.seedbed(*self.command("train", *LEARNER, "--quiet")).strip()
        self.seedbed(*self.command("league", "create", *LEAGUE))
        self.seedbed(*self.command("league", "add", "club", *SCRIPTED))

    def rows(self, data=None):
        """Matches by pair and number, and members by id."""
        self.publish(*self.command(data=data))
        file = f"file:{data or self.data}/seedbed.db?mode=ro"
        with sqlite3.connect(file, uri=True, timeout=30) as database:
            matches = database.execute(
                "select a, b, number, wins, draws, losses, seed, time from league_matches").fetchall()
            members = database.execute(
                "select id, name, player, params_sha256, active from league_members").fetchall()
        return {row[:3]: row[3:] for row in matches}, {row[0]: row[1:] for row in members}

    def killed_output(self, *arguments):
        """Kills the command at a random moment; returns the complete lines that it had printed."""
        process = self.start(*arguments, output=subprocess.PIPE)
        text = bytearray()
        reader = threading.Thread(target=lambda: text.extend(process.stdout.read()))
        reader.start()
        self.kill_after(process, LONGEST)
        reader.join()
        process.stdout.close()
        if process.returncode not in (0, -signal.SIGKILL):
            self.violated(f"{arguments} exited with {process.returncode}")
        return text.decode(errors="replace").split("\n")[:-1]

    def killed_play(self):
        before, members = self.rows()
        printed = self.killed_output(*self.command(*PLAY, "--rounds", "1000"))
        lines = [line for line in printed if " wins" in line]
        after, members_after = self.rows()
        self.harness.counts["acknowledged_matches"] += len(lines)
        changed = [key for key, row in before.items() if after.get(key) != row]
        if changed:
            self.violated(f"{len(changed)} matches were lost or changed: {changed[:5]}")
        new = len(after) - len(before)
        if new not in (len(lines), len(lines) + 1):
            self.violated(f"{len(lines)} matches were reported, {new} were stored")
        if members_after != members:
            self.violated("members were lost or changed")
        seeds = [(key[:2], row[SEED]) for key, row in after.items()]
        if len(set(seeds)) < len(seeds):
            self.violated("a match was stored twice")
        for pair in {key[:2] for key in after}:
            numbers = sorted(key[2] for key in after if key[:2] == pair)
            if numbers != list(range(len(numbers))):
                self.violated(f"the matches of {pair} have the numbers {numbers[:5]} ... {numbers[-5:]}")

    def killed_add(self):
        """The member is stored with its policy, or not at all; adding it again completes it."""
        _, before = self.rows()
        name = f"learner {min(len(before), MOST_MEMBERS - 1)}"  # later ones are added again
        wanted = len({row[0] for row in before.values()} | {name})
        add = self.command("league", "add", "club", self.run, "--as", name)
        self.kill_after(self.start(*add), 0.1)
        _, after = self.rows()
        if any(after.get(key) != row for key, row in before.items()) or len(after) > len(before) + 1:
            self.violated("a killed 'league add' changed other members")
        for _, player, sha256, _ in after.values():
            if sha256 and not (self.data / player / "manifest.json").exists():
                self.violated(f"a member without its policy: {player}")
        self.seedbed(*add)
        if len(self.rows()[1]) != wanted:
            self.violated("a member was added twice or not at all")

    def killed_copy(self):
        """A copy contains every match that was stored before, once, also if its import was killed."""
        self.copies += 1
        copy, other = self.folder / f"copy{self.copies}", self.folder / "other"
        self.kill_after(self.start(*self.command("db", "export", str(copy), "--quiet")), 0.2)
        if not copy.exists():
            self.seedbed(*self.command("db", "export", str(copy), "--quiet"))
        self.kill_after(self.start(*self.command("db", "import", str(copy), "--quiet", data=other)), 0.1)
        self.seedbed(*self.command("db", "import", str(copy), "--quiet", data=other))
        for part, wanted, got in zip(("matches", "members"), self.rows(), self.rows(other)):
            if len(got) != len(wanted):
                self.violated(f"the copy has {len(got)} {part} instead of {len(wanted)}")
        table = json.loads(self.seedbed(*self.command("league", "show", "club", "--json", data=other)))
        mine = json.loads(self.seedbed(*self.command("league", "show", "club", "--json")))
        games = [sorted((row["name"], str(row["games"])) for row in one["ladder"]) for one in (mine, table)]
        if games[0] != games[1]:
            self.violated("the games of the copied league differ")
        shutil.rmtree(copy)

    def round(self):
        if not self.run:
            self.begin()
        for _ in range(6):
            self.killed_play()
        self.killed_add()
        self.killed_copy()
        with sqlite3.connect(f"file:{self.data}/seedbed.db?mode=ro", uri=True, timeout=30) as database:
            state = database.execute("pragma integrity_check").fetchone()[0]
        if state != "ok":
            self.violated(f"integrity_check: {state}")

    def finish(self):
        """Compares all matches of the scripted players with those of a league without kills."""
        if not self.run:
            return
        matches = {key: row[:SEED + 1] for key, row in self.rows()[0].items() if key[1] <= len(SCRIPTED)}
        alone = self.folder / "alone"
        self.seedbed(*self.command("league", "create", *LEAGUE, data=alone))
        self.seedbed(*self.command("league", "add", "club", *SCRIPTED, data=alone))
        rounds = str(1 + max((key[2] for key in matches), default=0))
        self.seedbed(*self.command(*PLAY, "--rounds", rounds, "--quiet", data=alone))
        wanted = {key: row[:SEED + 1] for key, row in self.rows(alone)[0].items()}
        wrong = [key for key, row in matches.items() if wanted.get(key) != row]
        if wrong:
            self.violated(f"{len(wrong)} results differ from those of a league without kills: {wrong[:5]}")
