# SPDX-License-Identifier: Apache-2.0
"""Runs that train with several processes: the same bits as one process, stops, resumes, losses, bad input."""
import os
import pathlib
import random
import signal
import socket
import subprocess
import sys
import time
import unittest

from program_case import PROGRAM, ProgramCase
from measure import MEASURING

RANKED = [
    "cartpole", "--preset", "none", "--run.engine", "native", "--run.inference", "inline",
    "--run.threads", "1", "--algo.rollout_length", "32", "--network.hidden", "16,16",
    "--eval.episodes", "2", "--eval.final_episodes", "2", "--eval.every_steps", "1000000000",
    "--actor.num_envs", "8", "--learner.shards", "4"
]
ENDLESS = [*RANKED, "--steps", "100000000"]
TOKEN = "a secret of the test, long enough"
PATIENCE = 120  # seconds
# Of the cases below, those whose parts are all in another one; only with SEEDBED_LONG=1.
LIKE_OTHERS = {("ppo", "reference", "inline"), ("vtrace", "native", "inline")}


def ranks_of(process):
    """The process ids of the ranks that a process has started, by rank."""
    found = {}
    for line in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        try:
            arguments = line.read_bytes().split(b"\0")
            parent = int((line.parent / "stat").read_text().rsplit(")", 1)[1].split()[1])
        except OSError:
            continue
        if parent == process and b"--rank" in arguments:
            found[int(arguments[arguments.index(b"--rank") + 1])] = int(line.parent.name)
    return found


class Ranks(ProgramCase):
    def params(self, run):
        return self.document("show", str(run))["params_sha256"]

    def notices(self, run):
        return str(self.document("show", str(run)))

    def wait_for_end(self, child, code):
        output, errors = child.communicate(timeout=PATIENCE)
        self.assertEqual(child.returncode, code, output + errors)
        return errors

    def wait_until_gone(self, processes):
        self.wait_for("the end of all ranks",
                      lambda: not any(pathlib.Path(f"/proc/{p}").exists() for p in processes), PATIENCE)

    def test_any_number_of_ranks_gives_the_same_bits(self):
        for algo, engine, inference in (("ppo", "native", "inline"), ("ppo", "reference", "inline"),
                                        ("vtrace", "native", "inline"), ("vtrace", "reference", "inline"),
                                        ("ppo", "native", "central"), ("vtrace", "native", "auto")):
            if not MEASURING and (algo, engine, inference) in LIKE_OTHERS:
                continue
            hashes = set()
            for ranks in (1, 2, 4):
                name = f"{algo}-{engine}-{inference}-{ranks}"
                self.seedbed("train", *RANKED, "--algo", algo, "--run.engine", engine, "--run.inference",
                             inference, "--steps", "2048", "--ranks", str(ranks), "--quiet", "--name", name)
                hashes.add((self.params(name), self.steps(name)))
            self.assertEqual(len(hashes), 1, f"{algo} {engine} {inference}: {hashes}")

    def test_a_stopped_run_continues_with_another_number_of_ranks(self):
        self.seedbed("train", *RANKED, "--steps", "8192", "--quiet", "--name", "whole")
        child = self.start("train", *RANKED, "--steps", "8192", "--ranks", "4", "--quiet")
        run = child.stdout.readline().strip()
        self.wait_for("steps", lambda: self.steps(run) > 0)
        child.send_signal(signal.SIGINT)
        child.communicate(timeout=PATIENCE)
        if child.returncode == 130:
            self.seedbed("resume", run, "--ranks", "2", "--quiet")
        self.assertEqual(self.params(run), self.params("whole"))

    def test_a_stop_of_one_rank_stops_all(self):
        child, run = self.train(*ENDLESS, "--ranks", "2")
        ranks = ranks_of(child.pid)
        self.assertEqual(sorted(ranks), [1])
        os.kill(ranks[1], signal.SIGTERM)
        self.wait_for_end(child, 130)
        self.assertEqual(self.status(run), "interrupted")
        self.wait_until_gone(ranks.values())
        self.seedbed("resume", str(run), "--steps", str(self.steps(run) + 1000), "--quiet")

    def test_a_long_update_is_abandoned_by_all(self):
        child = self.start("train", *ENDLESS, "--algo.epochs", "1000", "--algo.rollout_length", "2048",
                           "--ranks", "2", "--quiet")
        run = child.stdout.readline().strip()
        self.computes(child, 1)
        child.send_signal(signal.SIGINT)
        self.wait_for_end(child, 130)
        self.assertEqual(self.status(run), "interrupted")

    def test_survivors_continue_after_the_loss_of_a_rank(self):
        for total, killed, rest in ((2, [1], 1), (4, [2], 2), (4, [1, 3], 2)):
            child, run = self.train(*ENDLESS, "--ranks", str(total))
            ranks = ranks_of(child.pid)
            self.assertEqual(len(ranks), total - 1)
            for rank in killed:
                os.kill(ranks[rank], signal.SIGKILL)
            before = self.steps(run)
            self.wait_for("further training", lambda: self.steps(run) > before + 3000, PATIENCE)
            child.send_signal(signal.SIGINT)
            errors = self.wait_for_end(child, 130)
            self.assertIn("lost", errors)
            self.assertIn(f"training continues with {rest} rank", errors)
            self.wait_until_gone(ranks.values())
            # The state is whole: another number of ranks continues from it.
            goal = str(self.steps(run) + 2000)
            self.seedbed("resume", str(run), "--steps", goal, "--ranks", "4", "--quiet")
            self.assertEqual(self.status(run), "finished")

    def test_losses_at_random_moments(self):
        """SEEDBED_RANK_KILLS: number of kills; each of a random rank out of four."""
        kills = int(os.environ.get("SEEDBED_RANK_KILLS", "3"))
        chosen = random.Random(kills)
        self.seedbed("train", *RANKED, "--steps", "256", "--quiet")
        for _ in range(kills):
            before = self.steps(1)
            child = self.start("resume", "1", "--steps", "100000000", "--ranks", "4", "--quiet")
            self.wait_for("the start of all ranks", lambda: len(ranks_of(child.pid)) == 3, PATIENCE)
            self.wait_for("the first update", lambda: self.steps(1) > before, PATIENCE)
            time.sleep(chosen.random() * 0.3)
            os.kill(chosen.choice(list(ranks_of(child.pid).values())), signal.SIGKILL)
            before = self.steps(1)
            self.wait_for("further training", lambda: self.steps(1) > before + 1000, PATIENCE)
            child.send_signal(signal.SIGINT)
            self.assertIn("training continues with 2 ranks", self.wait_for_end(child, 130))

    def test_a_loss_during_the_last_evaluation_loses_nothing(self):
        child = self.start("train", *RANKED, "--steps", "2048", "--eval.final_episodes", "20000", "--ranks",
                           "4", "--quiet")
        run = child.stdout.readline().strip()
        self.wait_for("the last update", lambda: self.steps(run) >= 2048, PATIENCE)
        for rank in ranks_of(child.pid).values():
            os.kill(rank, signal.SIGKILL)
        self.wait_for_end(child, 0)
        self.assertEqual(self.status(run), "finished")
        self.seedbed("train", *RANKED, "--steps", "2048", "--quiet", "--name", "alone")
        self.assertEqual(self.params(run), self.params("alone"))

    def test_all_ranks_end_with_rank_0(self):
        child, run = self.train(*ENDLESS, "--ranks", "4")
        ranks = ranks_of(child.pid)
        child.kill()
        child.wait()
        self.wait_until_gone(ranks.values())
        self.seedbed("resume", str(run), "--steps", str(self.steps(run) + 2000), "--ranks", "2", "--quiet")

    def test_launchers_start_all_ranks_with_one_command(self):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        command = ["train", *RANKED, "--steps", "2048", "--ranks", "2", "--quiet", "--meet",
                   f"127.0.0.1:{port}"]
        secret = {"SEEDBED_RANKS_TOKEN": TOKEN}
        other = self.start(*command, "--rank", "1", env=secret)
        leader = self.start(*command, "--rank", "0", "--name", "launched", env=secret)
        self.wait_for_end(leader, 0)
        self.wait_for_end(other, 0)
        self.seedbed("train", *RANKED, "--steps", "2048", "--quiet", "--name", "alone")
        self.assertEqual(self.params("launched"), self.params("alone"))

    def test_a_rank_with_another_token_is_refused(self):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        command = ["train", *RANKED, "--steps", "2048", "--ranks", "2", "--quiet", "--meet",
                   f"127.0.0.1:{port}"]
        leader = self.start(*command, "--rank", "0", env={"SEEDBED_RANKS_TOKEN": TOKEN})
        wrong = self.start(*command, "--rank", "1", env={"SEEDBED_RANKS_TOKEN": TOKEN + "!"})
        self.assertIn("another token", self.wait_for_end(wrong, 1))
        # A stranger that sends something else does not disturb the run.
        with socket.create_connection(("127.0.0.1", port)) as stranger:
            stranger.sendall(b"GET / HTTP/1.1\r\n\r\n" + bytes(100))
        right = self.start(*command, "--rank", "1", env={"SEEDBED_RANKS_TOKEN": TOKEN})
        self.wait_for_end(leader, 0)
        self.wait_for_end(right, 0)

    def test_errors_before_anything_runs(self):
        for code, options, text in (
            (3, ["--ranks", "3"], "3 ranks are not possible"),
            (3, ["--ranks", "8"], "learner.shards to be at least 8"),
            (3, ["--learner.shards", "3"], "not a power of two"),
            (3, ["--learner.shards", "16"], "at least 16 environments"),
            (3, ["--actor.num_envs", "10"], "evenly; 12 is possible"),
            (3, ["--algo", "dqn"], "replay"), (3, ["--algo", "vmpo"], "minibatch"),
            (3, ["--run.schedule", "async"], "run.schedule=sync"),
            (2, ["--ranks", "2", "--rank", "1"], "--meet"),
            (2, ["--ranks", "2", "--rank", "1", "--meet", "nowhere"], "HOST:PORT"),
            (2, ["--ranks", "2", "--rank", "0", "--meet", "127.0.0.1:0"], "SEEDBED_RANKS_TOKEN")):
            run = subprocess.run([PROGRAM, "train", *RANKED, "--steps", "1000", *options],
                                 capture_output=True, text=True, env=self.env, timeout=PATIENCE)
            self.assertIn(text, run.stderr, options)
            self.assertEqual(run.returncode, code, f"{options}: {run.stderr}")
        self.assertIn(self.document("list"), ([], {"runs": []}))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]], verbosity=2)
