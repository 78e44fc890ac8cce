# SPDX-License-Identifier: Apache-2.0
"""Environments in worker processes, from the command line: training, evaluation, resume, mistakes and kills.

Needs a Python with NumPy: SEEDBED_PYTHON.
"""
import json
import os
import pathlib
import signal
import sys
import time
import unittest

from program_case import Lines, ProgramCase
from measure import limit

CORRIDOR = pathlib.Path(__file__).resolve().parents[1] / "python" / "envs" / "corridor.py"
ENV = f"gym:{CORRIDOR}:Corridor"
SETTINGS = [
    "--engine", "reference", "--run.inference", "inline", "--algo.rollout_length", "16",
    "--actor.num_envs", "8", "--network.hidden", "16", "--eval.episodes", "4", "--eval.final_episodes", "4"
]


def children(pid):
    """The worker processes of a process."""
    found = []
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            parent = int((folder / "stat").read_text().rsplit(")", 1)[1].split()[1])
            command = (folder / "cmdline").read_bytes()
        except (FileNotFoundError, ProcessLookupError):
            continue
        if parent == pid and b"seedbed_worker" in command:
            found.append(int(folder.name))
    return found


class Workers(ProgramCase):
    def train(self, *arguments, code=0):
        return self.seedbed("train", ENV, *SETTINGS, *arguments, code=code)

    def test_finite_bounds_are_learned_at_the_defaults(self):
        # Ten steps per episode; the middle of the bounds returns -4, random actions about -5.8.
        # Without SEEDBED_LONG only the bounds that are farthest from -1 and 1.
        usual = ((-1, 1), (3, 5)) if os.environ.get("SEEDBED_LONG") else ()
        for low, high in (*usual, (100, 200), (-0.01, 0.01)):
            run = self.seedbed("train", f"gym:{CORRIDOR}:Furnace", "--preset", "none", "--algo", "ppo",
                               "--steps", "24000", "--algo.learning_rate", "0.003", f"--env.low={low}",
                               f"--env.high={high}", "--quiet").stdout.strip()
            score = self.document("eval", run, "--episodes", "1")["mean"]
            self.assertGreater(score, -1.5, (low, high))

    def test_one_seed_gives_one_result(self):
        self.train("--steps", "800", "--seed", "3")
        self.train("--steps", "800", "--seed", "3")
        self.train("--steps", "800", "--seed", "4")
        hashes = [self.document("show", str(run))["checkpoints"][-1]["params_sha256"] for run in (1, 2, 3)]
        self.assertEqual(hashes[0], hashes[1])
        self.assertNotEqual(hashes[0], hashes[2])

    def test_a_run_is_evaluated_resumed_and_watched(self):
        self.train("--steps", "500")
        self.assertEqual(self.document("eval", "1", "--episodes", "4")["n"], 4)
        self.seedbed("resume", "1", "--steps", "1000")
        shown = self.document("show", "1")
        self.assertGreaterEqual(shown["steps"], 1000)
        self.assertEqual(shown["env"], ENV)

    def test_a_relative_path_is_kept_as_an_absolute_one(self):
        folder = pathlib.Path(self.folder.name)
        (folder / "lib" / "pack").mkdir(parents=True)
        (folder / "lib" / "pack" / "__init__.py").touch()
        for name in ("mine.py", "lib/pack/mine.py"):
            (folder / name).write_text(CORRIDOR.read_text())
        self.env["PYTHONPATH"] = "lib"
        here = os.getcwd()
        os.chdir(folder)
        try:
            for place in ("./mine.py", "mine", "pack.mine"):
                self.seedbed("train", f"gym:{place}:Corridor", *SETTINGS, "--steps", "500")
        finally:
            os.chdir(here)
        for run, file in enumerate(("mine.py", "mine.py", "lib/pack/mine.py"), 1):
            self.assertEqual(self.document("show", str(run))["env"],
                             f"gym:{folder.resolve()}/{file}:Corridor")
        self.seedbed("resume", "3", "--steps", "1000")

    def test_a_limit_of_the_environment_itself_is_reported(self):
        said = self.seedbed("env", "check", ENV, "--env.length", "1000",
                            "--env.wrap.time_limit", "100").stdout
        self.assertIn("had 20 steps: the environment has its own limit", said)

    def test_environments_that_do_not_repeat_or_import_other_modules_say_so(self):
        folder = pathlib.Path(self.folder.name).resolve()
        (folder / "corridor.py").write_text(CORRIDOR.read_text())
        (folder / "mine.py").write_text(
            "from corridor import Corridor\n"
            "class Free(Corridor):\n"
            "    def reset(self, *, options=None):\n"
            "        return super().reset()\n")
        env = f"gym:{folder}/mine.py:Free"
        said = self.seedbed("train", env, *SETTINGS, "--steps", "500").stderr
        self.assertEqual(said.count("runs and evaluations differ"), 1, said)
        notices = self.document("eval", "1", "--episodes", "4")["notices"]
        self.assertEqual(len(notices), 1)
        self.assertIn(f"'{env}' does not repeat its episodes", notices[0])
        said = self.seedbed("resume", "1", "--steps", "1000").stderr
        self.assertNotIn("has changed", said)
        with (folder / "corridor.py").open("a") as file:
            file.write("# changed\n")
        said = self.seedbed("resume", "1", "--steps", "1500").stderr
        self.assertIn(f"'{folder}/mine.py' or a module that it imports has changed", said)
        said = self.train("--steps", "500").stderr
        self.assertNotIn("evaluations differ", said)

    def test_async_runs_use_workers_too(self):
        self.train("--steps", "1000", "--schedule", "async")
        self.assertEqual(self.document("show", "1")["status"], "finished")

    def test_mistakes_name_cause_and_remedy(self):
        said = self.seedbed("train", "gym:./none.py:Corridor", "--steps", "100", code=3).stderr
        self.assertIn("there is no file './none.py'", said)
        said = self.seedbed("train", f"gym:{CORRIDOR}:Coridor", "--steps", "100", code=3).stderr
        self.assertIn("Coridor", said)
        said = self.seedbed("train", f"gym:{CORRIDOR}", "--steps", "100", code=3).stderr
        self.assertIn("name the class", said)
        said = self.seedbed("train", "gmy:CartPole-v1", "--steps", "100", code=3).stderr
        self.assertIn("gym:", said)
        said = self.seedbed("train", ENV, "--steps", "100", "--env.lenght", "7", code=3).stderr
        self.assertIn("Corridor has no argument 'lenght'; did you mean 'length'? It has length, ", said)
        self.assertNotIn("Traceback", said)
        said = self.seedbed("train", "mine.py", "--steps", "100", code=3).stderr
        self.assertIn("did you mean 'gym:./mine.py:CLASS'?", said)
        said = self.seedbed("env", "check", "mine.py:Corridor", code=3).stderr
        self.assertIn("did you mean 'gym:./mine.py:Corridor'?", said)
        for command in (["train", ENV, "--steps", "100"], ["env", "check", ENV]):
            said = self.seedbed(*command, "--env.id", "5", code=3).stderr
            self.assertIn("a constructor argument named 'id' cannot be set", said)
        self.env["SEEDBED_PYTHON"] = "/nowhere/python"
        said = self.seedbed("train", ENV, "--steps", "100", code=1).stderr
        self.assertIn("SEEDBED_PYTHON is '/nowhere/python': starting", said)
        del self.env["SEEDBED_PYTHON"]
        self.env["PATH"] = "/nowhere"
        said = self.seedbed("train", ENV, "--steps", "100", code=1).stderr
        self.assertIn("starting 'python3' failed: No such file or directory; install Python 3 with NumPy", said)

    def test_the_rules_of_an_environment_are_checked(self):
        report = self.document("env", "check", ENV)
        self.assertTrue(report["ok"], report)
        self.assertGreater(report["decisions_per_s"], 0)
        found = {finding["check"]: finding["result"] for finding in report["findings"]}
        self.assertEqual(found["determinism"], "ok", report)

    def test_pictures_are_drawn_with_arguments_and_under_a_name(self):
        out = pathlib.Path(self.folder.name) / "pictures"
        draw = ["env", "gallery", "--out", str(out), "--env", ENV]
        written, = self.document(*draw, "--name", "short", "--env.length", "4")
        self.assertEqual(written["file"], str(out / "short.png"))
        self.document(*draw, "--name", "long", "--env.length", "12")
        self.assertNotEqual((out / "short.png").read_bytes(), (out / "long.png").read_bytes())
        written, = self.document(*draw)
        self.assertEqual(pathlib.Path(written["file"]).parent, out, "the path in the id creates no folders")
        said = self.seedbed(*draw, "--env", "cartpole", "--name", "both", code=2).stderr
        self.assertIn("--name", said)

    def test_fields_tell_where_further_settings_are_allowed(self):
        self.assertEqual(self.document("config", ENV, "--fields")["open"], ["env"])
        self.assertEqual(self.document("config", "cartpole", "--fields")["open"], [])

    def test_doctor_lists_the_restrictions_of_workers(self):
        report = self.document("doctor", "--workers")
        self.assertIsNone(report["error"])
        restrictions = {each["id"]: each for each in report["restrictions"]}
        self.assertLess({"network", "read-only", "signals", "calls", "total memory", "games"},
                        set(restrictions))
        for each in restrictions.values():
            self.assertNotEqual(each["active"], bool(each["reason"]), each)
            self.assertNotIn("did not report", each["reason"])
        self.assertTrue(restrictions["privileges"]["active"], "available on all kernels")
        lines = self.seedbed("doctor", "--workers").stdout.splitlines()
        self.assertEqual(len(lines), len(restrictions))
        columns = {
            line.index(("" if each["active"] else "NOT ACTIVE: ") + each["sentence"])
            for line, each in zip(lines, report["restrictions"])
        }
        self.assertEqual(len(columns), 1, "the sentences are aligned")
        self.assertEqual(self.document("doctor")["workers"], report)
        self.env["SEEDBED_PYTHON"] = "/nowhere/python"
        report = self.document("doctor", "--workers", code=1)
        self.assertIn("/nowhere/python", report["error"])
        self.assertEqual(report["restrictions"], [])

    def test_a_killed_worker_does_not_end_the_run(self):
        child = self.start("train", ENV, *SETTINGS, "--minutes", "10")
        child.stdout.readline()  # this line contains the number of the run
        self.wait_for("the first steps", lambda: self.steps() > 0 and len(children(child.pid)) >= 2)
        victims = children(child.pid)
        os.kill(victims[0], signal.SIGKILL)
        self.wait_for("a new worker", lambda: set(children(child.pid)) - set(victims))
        steps = self.steps()
        self.wait_for("more steps", lambda: self.steps() > steps + 1000)
        self.seedbed("set", "1", f"run.steps={self.steps() + 100}")
        _, said = child.communicate(timeout=120)
        self.assertEqual(child.returncode, 0, said)
        self.assertIn("killed by signal 9", said)
        self.assertEqual(self.document("show", "1")["status"], "finished")

    def test_a_file_that_is_edited_during_training_does_not_end_the_run(self):
        file = pathlib.Path(self.folder.name) / "mine.py"
        original = CORRIDOR.read_text()
        file.write_text(original)
        child = self.start("train", f"gym:{file}:Corridor", *SETTINGS, "--eval.every_steps", "1000",
                           "--minutes", "10")
        child.stdout.readline()  # this line contains the number of the run

        def problem(text):
            events = self.document("show", "1")["events"]
            return any(event["kind"] == "evaluation" and text in event["text"] for event in events)

        self.wait_for("an evaluation", lambda: self.steps() > 1500)
        file.write_text(original + "\nthis is a mistake\n")
        self.wait_for("a failed evaluation", lambda: problem("SyntaxError"))
        wider = original.replace("(2,)", "(3,)").replace("[self.place, self.time]", "[0, self.place, 7]")
        file.write_text(wider)
        self.wait_for("an evaluation with other spaces", lambda: problem("that the network was made for"))
        self.assertEqual(self.status(), "running")
        child.send_signal(signal.SIGINT)
        _, said = child.communicate(timeout=60)
        self.assertEqual(child.returncode, 130, said)

    def test_an_interrupt_ends_the_pause_before_a_restart(self):
        file = pathlib.Path(self.folder.name) / "mine.py"
        file.write_text(CORRIDOR.read_text() + """

class Dying(Corridor):
    def step(self, action):
        import os
        os._exit(3)
""")
        child = self.start("train", f"gym:{file}:Dying", *SETTINGS, "--actor.groups", "1", "--minutes", "10")
        seen = set()

        def pauses():
            now = children(child.pid)
            seen.update(now)
            return len(seen) >= 8 and not now  # one of the processes only described the environment

        self.wait_for("a long pause", pauses)
        child.send_signal(signal.SIGINT)
        _, said = child.communicate(timeout=60)
        self.assertEqual(child.returncode, 130, said)
        self.assertNotIn("does not return", said)

    def file_of(self, name, text):
        """An environment in its own file; `text` is the body of a class derived from Corridor."""
        file = pathlib.Path(self.folder.name) / "mine.py"
        body = "".join("    " + line + "\n" for line in text.splitlines())
        file.write_text(CORRIDOR.read_text() + f"\n\nclass {name}(Corridor):\n" + body)
        return f"gym:{file}:{name}"

    def test_a_timeout_is_reported_at_once_and_an_interrupt_of_a_hanging_run_is_one(self):
        env = self.file_of("Hangs", "def step(self, action):\n    import time\n    time.sleep(600)")
        child = self.start("train", env, *SETTINGS, "--env.worker.step_s", "1", "--actor.groups", "1",
                           "--minutes", "10")
        Lines(child.stderr).until("the report of a timeout", lambda line: all(
            text in line for text in ("did not return within 1 s", "starting its process again (1 of 9)")),
                                  seconds=limit(20))
        time.sleep(0.5)  # by then the new process hangs as well
        self.assertLess(self.seconds_to_stop(child, signal.SIGINT), limit(2))
        self.assertEqual(child.wait(timeout=60), 130)
        self.assertEqual(self.status(), "interrupted")
        self.assertEqual(len(self.document("show", "1")["checkpoints"]), 1)

    def test_a_traceback_that_repeats_is_printed_once(self):
        env = self.file_of("Fails", "def step(self, action):\n    if self.time == 5:\n"
                           "        raise ValueError('bad')\n    return super().step(action)")
        said = self.seedbed("train", env, *SETTINGS, "--steps", "1000", "--eval.every_steps", "1000000",
                            "--eval.final_episodes", "0").stderr
        self.assertEqual(said.count("Traceback"), 1, said)
        self.assertRegex(said, r"failed: ValueError: bad \(\d+ more messages like this\)")

    def test_a_check_reports_what_it_found_before_a_failure(self):
        env = self.file_of("Fails", "def step(self, action):\n    raise ValueError('bad')")
        report = self.document("env", "check", env, code=1)
        found = [(finding["check"], finding["result"]) for finding in report["findings"]]
        self.assertIn(("spaces", "ok"), found)
        self.assertIn(("failure", "problem"), found)
        self.assertEqual(str(report["findings"]).count("Traceback"), 1, report)
        self.assertNotIn("no episode ended", str(report["findings"]))

    def checked(self, env):
        """The findings of a check by their names, and the messages of the program."""
        run = self.seedbed("env", "check", env, "--json")
        return {found["check"]: found for found in json.loads(run.stdout)["findings"]}, run.stderr

    def test_a_check_names_what_is_wrong_with_pictures(self):
        for picture, expected in (("'text'", "render returned str 'text'; return an array of np.uint8"),
                                  ("None", "render returned NoneType None"),
                                  ("np.zeros((4, 5, 3))", "render returned float64 [4, 5, 3]"),
                                  ("np.zeros((4, 5), np.uint8)", "render returned uint8 [4, 5]")):
            found, _ = self.checked(self.file_of("Drawn", f"def render(self):\n    return {picture}"))
            self.assertEqual(found["pictures"]["result"], "note")
            self.assertIn(expected, found["pictures"]["text"])
        good = "def render(self):\n    return np.zeros((4, 5, 3), np.uint8)"
        self.assertEqual(self.checked(self.file_of("Drawn", good))[0]["pictures"]["text"],
                         "yes (5 x 4 pixels)")

    def test_a_check_compares_masks_and_names_those_without_a_choice(self):
        self.assertIn("no (every choice", self.checked(ENV)[0]["masks"]["text"])
        random = "def action_masks(self):\n    import os\n    return [1, os.urandom(1)[0] & 1]"
        found, _ = self.checked(self.file_of("Masked", random))
        self.assertIn("yes (on average, ", found["masks"]["text"])
        self.assertIn("different observations, rewards or masks", found["determinism"]["text"])
        _, said = self.checked(self.file_of("Masked", "def action_masks(self):\n    return [0, 0]"))
        self.assertIn("an action mask allows no choice", said)

    def test_an_evaluation_warns_once_of_episodes_that_do_not_end(self):
        env = self.file_of("Endless", "def step(self, action):\n    result = super().step(action)\n"
                           "    return result[0], result[1], False, False, {}")
        said = self.train_on(env)
        self.assertEqual(said.count("did not end within 30 decisions (eval.max_steps)"), 1, said)

    def train_on(self, env):
        return self.seedbed("train", env, *SETTINGS, "--steps", "600", "--env.wrap.time_limit", "0",
                            "--eval.max_steps", "30", "--eval.every_steps", "200").stderr

    def test_an_environment_shows_what_it_states(self):
        shown = self.document("env", "show", ENV)
        self.assertIsNone(shown["reward_range"])
        arguments = {argument["name"]: argument["default"] for argument in shown["arguments"]}
        self.assertEqual(arguments["length"], 8)
        lines = self.seedbed("env", "show", ENV).stdout.splitlines()
        for line in (["reward", "not", "stated"], ["horizon", "not", "stated"],
                     ["length", "8", "Argument", "of", "the", "constructor:", "int."]):
            self.assertIn(line, [each.split() for each in lines])

    def test_a_missing_file_is_named(self):
        env = self.file_of("Moved", "pass")
        self.seedbed("train", env, *SETTINGS, "--steps", "500")
        file = pathlib.Path(self.folder.name).resolve() / "mine.py"
        file.rename(file.with_name("other.py"))
        missing = f"there is no file '{file}'; put it there"
        for command in (["resume", "1", "--steps", "1000"], ["eval", "1"], ["play", "1"],
                        ["play", "1", "--headless", "--episodes", "1"]):
            said = self.seedbed(*command, code=3).stderr
            self.assertIn(missing, said, command)
        out = pathlib.Path(self.folder.name) / "exported"
        said = self.seedbed("export", "1", "--to", "safetensors", "--executor", "reference", "--out",
                            str(out)).stderr
        self.assertIn(missing, said)

    def test_several_agents_learn_with_a_central_critic(self):
        # Agents of the race leave it one after another; two processes have one environment each.
        game = f"gym:{CORRIDOR.parent / 'games.py'}:Race"
        central = ["--env.wrap.central_critic", "true", "--actor.num_envs", "2", "--steps", "600"]
        for processes in ("1", "2"):
            self.seedbed("train", game, *SETTINGS, *central, "--env.worker.processes", processes)
        hashes = [self.document("show", run)["checkpoints"][-1]["params_sha256"] for run in ("1", "2")]
        self.assertEqual(hashes[0], hashes[1])
        self.document("eval", "1", "--episodes", "2")
        out = pathlib.Path(self.folder.name) / "exported"
        self.seedbed("export", "1", "--to", "onnx,safetensors", "--executor", "reference", "--out", str(out))
        self.assertEqual([], [file.name for file in out.iterdir() if b"others_" in file.read_bytes()])
        self.seedbed("verify", str(out), "--executor", "reference")
        self.assertIn("needs several agents", self.train("--env.wrap.central_critic", "true", code=3).stderr)

    def test_an_export_does_not_contain_the_folder_of_the_environment(self):
        self.seedbed("train", self.file_of("Private", "pass"), *SETTINGS, "--steps", "500")
        out = pathlib.Path(self.folder.name) / "exported"
        self.seedbed("export", "1", "--to", "onnx,c,safetensors", "--executor", "reference", "--out",
                     str(out))
        folder = str(pathlib.Path(self.folder.name).resolve()).encode()
        files = [file for file in out.rglob("*") if file.is_file()]
        self.assertEqual([], [file.name for file in files if folder in file.read_bytes()])
        policy = json.loads((out / "config.json").read_text())
        self.assertIn("./mine.py:", json.dumps(policy))
        self.seedbed("verify", str(out), "--executor", "reference")

    def test_the_default_limit_of_memory_names_what_shares_it(self):
        fields = self.document("config", ENV, "--fields")["fields"]
        help, = [field["help"] for field in fields if field["key"] == "env.worker.memory_mb"]
        self.assertIn("several groups and evaluations", help)

    def test_an_interrupt_ends_all_processes(self):
        child = self.start("train", ENV, *SETTINGS, "--minutes", "10")
        self.wait_for("workers", lambda: len(children(child.pid)) >= 2)
        victims = children(child.pid)
        begin = time.monotonic()
        child.send_signal(signal.SIGINT)
        child.communicate(timeout=60)
        self.assertEqual(child.returncode, 130)
        self.assertLess(time.monotonic() - begin, limit(10))
        # Idle workers detect that their connection was closed.
        self.wait_for("the end of the workers",
                      lambda: not any(pathlib.Path(f"/proc/{victim}").exists() for victim in victims))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]], verbosity=2)
