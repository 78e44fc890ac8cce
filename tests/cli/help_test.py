# SPDX-License-Identifier: Apache-2.0
"""Help, completion, manual page and reference pages."""
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import unittest

from command_case import CommandCase, PROGRAM, QUICK


class Help(CommandCase):

    def test_help_starts_with_examples(self):
        self.assertIn("Exit codes", self.seedbed("--help").stdout)
        overview = self.seedbed().stdout
        commands = re.findall(r"^  ([a-z]+(?: [a-z]+)?)  +\S", overview[overview.index("Commands"):], re.M)
        self.assertIn("train", commands)
        for command in commands:
            self.assertTrue(self.seedbed(*command.split(), "--help").stdout.startswith("Examples"), command)
        # Choices come from the same description as the validation of values.
        help_of_train = self.seedbed("train", "--help").stdout
        for choice in ("auto", "native", "torch", "reference", "check:NAME", "sync", "async", "inline",
                       "central", "ppo", "vtrace"):
            self.assertRegex(help_of_train, rf"\b{choice}\b")
        self.assertRegex(self.seedbed("eval", "--help").stdout, r"--engine.*\bnative\b")
        self.assertNotIn("headless", self.seedbed("replay", "--help").stdout)
        self.assertIn("with --headless: 0", self.seedbed("play", "--help").stdout)

    def test_completion_of_commands_settings_environments_and_runs(self):
        def candidates(*words):
            return self.seedbed("complete", "--", *words).stdout.split()

        def lines(*words):
            return self.seedbed("complete", "--", *words).stdout.splitlines()

        self.assertIn("train", candidates(""))
        self.assertNotIn("complete", candidates(""))
        self.assertEqual(sorted(candidates("env", "")), ["check", "gallery", "list", "show"])
        self.assertEqual(candidates("train", "acro"), ["acrobot"])
        self.assertEqual(candidates("train", "cartpole", "--algo.clip_"), ["--algo.clip_schedule"])
        self.assertIn("--episodes", candidates("eval", "--e"))
        self.assertEqual(candidates("eval", ""), [])
        self.seedbed("train", "cartpole", "--name", "mine", *QUICK)
        self.assertEqual(candidates("eval", ""), ["1", "mine"])
        self.assertEqual(candidates("train", "cartpole", "--preset", "cartp")[0][:8], "cartpole")
        for shell in ("bash", "zsh", "fish"):
            script = self.seedbed("completion", shell).stdout
            self.assertRegex(script, r"seedbed complete -- .* 2>/dev/null")
            if shutil.which(shell):
                self.assertEqual(
                    subprocess.run([shell, "-n"], input=script, capture_output=True, text=True).stderr, "")
        self.seedbed("edit", "1", "--name", "my run", "--tag", "paper")
        self.assertEqual(lines("show", "my"), ["my run"])
        steps = [str(c["step"]) for c in self.document("show", "1")["checkpoints"] if not c["removed"]]
        self.assertEqual(candidates("eval", "1:"),
                         ["1:" + step for step in steps[:-1]] + ["1:best", "1:" + steps[-1]])
        self.assertEqual(candidates("resume", "1:b"), ["1:best"])
        self.assertEqual(candidates("show", "1:"), [])
        self.assertEqual(candidates("export", "1", "--to", ""), ["c", "onnx", "safetensors", "web"])
        self.assertEqual(candidates("play", "1", "--replay", "w"), ["worst"])
        self.assertEqual(candidates("train", "cartpole", "--schedule", "a"), ["async"])
        self.assertIn("native", candidates("eval", "1", "--engine", ""))
        self.assertEqual(candidates("train", "cartpole", "--algo.lr_schedule", "l"), ["linear"])
        self.assertEqual(candidates("set", "1", "--run.keep_awake", ""), ["true", "false"])
        self.assertEqual(candidates("metrics", "1", "loss/"), ["loss/policy", "loss/value"])
        self.assertEqual(candidates("list", "--tag", ""), ["paper"])
        exported = str(pathlib.Path(self.folder.name) / "out")
        self.seedbed("export", "1", "--to", "safetensors", "--out", exported, "--episodes", "20",
                     "--eval-episodes", "0")
        self.seedbed("import", exported, "--name", "friend")
        self.assertEqual(candidates("eval", "fr"), ["friend"])
        self.assertEqual(candidates("show", "fr"), [])

    def test_bash_completes_words_with_colons_and_blanks(self):
        self.seedbed("train", "cartpole", "--name", "my run", *QUICK)

        def replies(*words):
            quoted = " ".join(shlex.quote(word) for word in words)
            answer = subprocess.run([
                "bash", "-c",
                f"PATH={shlex.quote(str(PROGRAM.parent))}:$PATH; source <(seedbed completion bash); "
                f"COMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1}; _seedbed; "
                "printf '%s\\n' \"${COMPREPLY[@]}\""
            ], capture_output=True, text=True, env=self.env)
            self.assertEqual(answer.stderr, "")
            return answer.stdout.splitlines()

        self.assertEqual(replies("seedbed", "eval", "my"), ["my\\ run"])
        self.assertEqual(replies("seedbed", "eval", '"my'), ["my run"])
        self.assertEqual(replies("seedbed", "eval", "my\\ r"), ["my\\ run"])
        # "1:b" in the form in which bash splits it.
        self.assertEqual(replies("seedbed", "eval", "1", ":", "b"), ["best"])
        self.assertIn("best", replies("seedbed", "eval", "1", ":"))
        self.assertEqual(replies("seedbed", "metrics", "my\\ run", "speed/frames"), ["speed/frames_per_s"])

    def test_the_manual_page_contains_every_command(self):
        page = self.seedbed("man").stdout
        for command in ("train", "eval", "compare", "env list"):
            self.assertIn(f".B seedbed {command}", page)

    def test_the_reference_pages_describe_everything_that_is_registered(self):

        def page(name):
            return self.seedbed("reference", name).stdout

        names = self.seedbed("reference").stdout.split()
        index = page("README")
        for name in names[1:]:
            self.assertIn(f"({name}.md)", index)
        commands = page("commands")
        overview = self.seedbed().stdout
        overview = overview[overview.index("\nCommands"):]
        for command in re.findall(r"^  ([a-z]+(?: [a-z]+)?)  +\S", overview, re.M):
            self.assertIn(f"## seedbed {command}\n", commands)
        environments = page("environments")
        for environment in self.document("env", "list"):
            self.assertIn(f"| `{environment['id']}` | ", environments)
        for algorithm in self.document("algos"):
            self.assertIn(f"## `{algorithm['id']}`\n", page("algorithms"))
        self.assertIn("| `algo.gamma` |", page("settings"))
        self.assertText(self.seedbed("reference", "comands", code=2), "did you mean 'commands'?")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[2:], verbosity=2)
