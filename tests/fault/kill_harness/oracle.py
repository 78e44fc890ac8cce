# SPDX-License-Identifier: Apache-2.0
"""Reads a run's rows from the database with Python's own SQLite: the oracle of the kill harness."""
import sqlite3

LABELS = ("metric points", "episodes", "evaluations", "checkpoint rows", "events", "steps")
TOTALS = """select
  (select coalesce(sum(b.points), 0) from metric_blocks b join metric_series s on s.id = b.series_id
     where s.run_id = :run)
  + (select count(*) from metric_tail t join metric_series s on s.id = t.series_id where s.run_id = :run),
  (select count(*) from episode_rows where run_id = :run),
  (select count(*) from evaluation_rows where run_id = :run),
  (select count(*) from checkpoint_rows where run_id = :run),
  (select count(*) from event_rows where run_id = :run),
  max((select coalesce(max(b.last_step), 0) from metric_blocks b join metric_series s on s.id = b.series_id
         where s.run_id = :run),
      (select coalesce(max(t.step), 0) from metric_tail t join metric_series s on s.id = t.series_id
         where s.run_id = :run))"""


class Oracle:
    """A read-only connection. Closed before the next process starts, so that each process recovers the
    database itself."""

    def __init__(self, data):
        self.database = sqlite3.connect(f"file:{data}/seedbed.db?mode=ro", uri=True, timeout=30)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.database.close()

    def totals(self, run):
        """Committed rows of the run, including superseded ones, and its newest step, in the order of
        LABELS."""
        return self.database.execute(TOTALS, {"run": run}).fetchone()

    def runs(self):
        return [run for (run,) in self.database.execute("select id from runs order by id")]

    def status(self, run):
        return self.database.execute("select status from runs where id = ?", (run,)).fetchone()[0]

    def integrity(self):
        return self.database.execute("pragma integrity_check").fetchone()[0]

    def rows(self, run):
        """The episodes and evaluations that the views show."""
        episodes = """select step, episode_return, length, agent_slot from episodes
            where run_id = ? order by number"""
        evaluations = """select step, params_version, mean, n from evaluations
            where run_id = ? order by step, n"""
        return {"episodes": self.database.execute(episodes, (run,)).fetchall(),
                "evaluations": self.database.execute(evaluations, (run,)).fetchall()}

    def silent_restarts(self, run):
        """Resumed segments with episodes but without an event that reports restarted environments. For runs
        whose environments cannot be saved."""
        return [
            number for (number, ) in self.database.execute(
                """select s.number from segments s where s.run_id = :run
            and exists (select 1 from event_rows e where e.run_id = :run and e.segment = s.number
                        and e.kind = 'resumed')
            and exists (select 1 from episode_rows p where p.run_id = :run and p.segment = s.number)
            and not exists (select 1 from event_rows e where e.run_id = :run and e.segment = s.number
                            and e.kind = 'environments_restarted')""", {"run": run})
        ]


def faults_of_rows(live):
    """Checks rows without a reference run: duplicates and sums that cannot be right."""
    faults = []
    for name, points in live["curves"].items():
        steps = [step for step, _ in points]
        if not name.startswith(("episode/", "eval/")) and any(b <= a for a, b in zip(steps, steps[1:])):
            faults.append(f"metric {name} contains a step twice")
    # The final evaluation has more episodes and may have the same step as the previous evaluation.
    made = [(step, n) for step, _, _, n in live["evaluations"]]
    if len(made) != len(set(made)):
        faults.append("an evaluation occurs twice")
    # Every decision belongs to one episode at most: after a kill, repeated steps replace the superseded ones
    # and are not counted twice.
    in_episodes = 0
    for step, _, length, _ in live["episodes"]:
        in_episodes += length
        if in_episodes > step:
            faults.append(f"episodes up to step {step} are {in_episodes:.0f} steps long")
            break
    by_slot = {}
    for step, _, length, slot in live["episodes"]:
        by_slot.setdefault(slot, []).append((step, length))
    # Episodes of one agent are consecutive: each ends after the previous one.
    for slot, episodes in by_slot.items():
        if any(b[0] < a[0] for a, b in zip(episodes, episodes[1:])):
            faults.append(f"episodes of agent {slot} do not end in the order of their rows")
    return faults
