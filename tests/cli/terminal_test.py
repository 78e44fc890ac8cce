# SPDX-License-Identifier: Apache-2.0
"""Signals, interrupts and the progress line on a terminal."""
import fcntl
import os
import pathlib
import pty
import signal
import struct
import subprocess
import sys
import termios
import time
import unittest

from command_case import CommandCase, PROGRAM


class Terminal(CommandCase):

    def test_interrupts_stop_cleanly(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            process = self.start("train", "cartpole", "--steps", "1e12", stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE)
            run = process.stdout.readline().strip()
            self.wait_for_steps(run, 1)
            process.send_signal(number)
            self.assertEqual(process.wait(timeout=60), 130)
            self.assertIn("interrupted run", process.stderr.read())
            process.stdout.close()
            process.stderr.close()
            shown = self.document("show", run)
            self.assertEqual(shown["status"], "interrupted")
            self.assertEqual(shown["steps"], shown["checkpoints"][-1]["step"], "the last steps are saved")
            self.seedbed("eval", run, "--episodes", "2")

    def test_an_interrupt_during_the_final_evaluation_stops_the_run(self):
        process = self.start("train", "cartpole", "--steps", "2000", "--eval.final_episodes", "100000",
                             "--fail-below", "1", stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        run = process.stdout.readline().strip()
        self.wait_for_steps(run, 2000)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=60), 130)
        process.stdout.close()
        self.assertEqual(self.document("show", run)["status"], "interrupted")

    def test_a_second_interrupt_stops_immediately(self):
        process = self.start("train", "cartpole", "--steps", "1e12", "--actor.num_envs", "512",
                             "--algo.rollout_length", "2048", "--algo.epochs", "500", stdout=subprocess.PIPE,
                             stderr=subprocess.DEVNULL)
        process.stdout.readline()

        def cpu_seconds():
            fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()
            return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

        begin = cpu_seconds()
        # The first update is now running; it takes minutes.
        self.wait_for("the first update", lambda: cpu_seconds() > begin + 0.5)
        process.send_signal(signal.SIGINT)
        time.sleep(0.3)
        self.assertIsNone(process.poll(), "the update is still running")
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=60), 130)
        process.stdout.close()

    def test_minutes_limit_training(self):
        self.seedbed("train", "cartpole", "--steps", "0", "--minutes", "0.02", "--eval.final_episodes", "0")
        self.assertGreater(self.document("show", "1")["steps"], 0)

    def test_results_that_cannot_be_written_are_an_error(self):
        with open("/dev/full", "w") as full:
            run = subprocess.run([PROGRAM, "env", "list"], stdout=full, stderr=subprocess.PIPE, text=True,
                                 env=self.env)
        self.assertEqual(run.returncode, 1)
        self.assertIn("cannot write the results", run.stderr)

    def test_a_killed_run_is_recognised_immediately(self):
        process = self.start("train", "cartpole", "--steps", "1e12", "--checkpoint.every_s", "0.5",
                             stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        run = process.stdout.readline().strip()
        self.wait_for("a checkpoint", lambda: self.document("show", run)["checkpoints"])
        self.assertEqual(self.document("show", run)["status"], "running")
        process.kill()
        process.wait()
        process.stdout.close()
        self.assertEqual(self.document("show", run)["status"], "interrupted")
        self.seedbed("eval", run, "--episodes", "2")

    def test_progress_is_one_refreshed_line_on_a_terminal(self):
        text = self.text_on_a_terminal(["--steps", "60000"])
        self.assertIn(b"\r\x1b[K", text)
        for word in (b"steps", b"/s", b"return", b"left", b"next checkpoint", b"training: ", b"evaluating: ",
                     b"saving: "):
            self.assertIn(word, text)
        self.assertNotIn(b" 0/s", text)

    def test_a_long_progress_line_leaves_out_whole_parts(self):
        for columns in (60, 40, 12):
            steps = 60000 if columns == 60 else 20000  # narrow lines have only the first parts
            text = self.text_on_a_terminal(["--steps", str(steps)], columns)
            lines = [line.split(b"\r\n")[0].decode() for line in text.split(b"\r\x1b[K")[1:]]
            self.assertTrue(lines)
            for line in lines:
                self.assertLess(len(line), max(columns, 26), line)
                self.assertRegex(
                    line,
                    rf"^(\w+: )?[\d,]+ of {steps:,} steps(, [\d,]+/s)?(, return [\d.]+)?"
                    r"(, evaluation [\d.]+)?"
                    r"(, [\d.]+ s)?"
                    r"(, [\d. s]+(to [\d.]+ s )?left)?(, next checkpoint in [\d.]+ s)?$")

    def test_the_message_of_an_interrupt_starts_a_new_line(self):
        text = self.text_on_a_terminal(["--steps", "1e12"], 120, interrupt_after=b"training: ", code=130)
        self.assertIn(b"\r\nstopping and saving the run; press Ctrl-C again to stop immediately\r\n", text)

    def text_on_a_terminal(self, options, columns=0, interrupt_after=None, code=0):
        try:
            parent, child = pty.openpty()
        except OSError as error:
            self.skipTest(f"no pseudo-terminals here: {error}")
        if columns:
            fcntl.ioctl(child, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        process = self.start("train", "cartpole", *options, stdout=subprocess.DEVNULL, stderr=child)
        os.close(child)
        text = b""
        try:
            while block := os.read(parent, 4096):
                text += block
                if interrupt_after and interrupt_after in text:
                    process.send_signal(signal.SIGINT)
                    interrupt_after = None
        except OSError:  # the terminal closes with the program
            pass
        os.close(parent)
        self.assertEqual(process.wait(timeout=60), code)
        return text


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[2:], verbosity=2)
