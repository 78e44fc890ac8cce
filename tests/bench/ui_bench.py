#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures the window on Xvfb: cold start until it is mapped and responds, time from a click on Train to the
first motion, how long its thread is blocked while a run trains on all cores and 10,000 runs are in the table,
how often curves gain points in that time, and memory with 1,000 runs. Writes tests/bench/results/ui.json;
bench_ui_charts measures tables and charts at 100 % and 200 % for ui_charts.json, bench_ui_canvas the pictures of
the live canvas per second for ui_canvas.json.
"""

import argparse
import ctypes
import json
import os
import platform
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

PARSER = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
PARSER.add_argument("build", type=Path)
PARSER.add_argument("--only", choices=["cold", "window", "charts", "canvas"])
OPTIONS = PARSER.parse_args()
BUILD = OPTIONS.build.resolve()
RESULT = Path(__file__).resolve().parent / "results/ui.json"
CHARTS = RESULT.with_name("ui_charts.json")
CANVAS = RESULT.with_name("ui_canvas.json")
STARTS = 7


def start_screen():
    read, write = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd",
         str(write), "-screen", "0", "1400x950x24", "-nolisten", "tcp", "-noreset"],
        pass_fds=[write],
        stderr=subprocess.DEVNULL)
    os.close(write)
    with os.fdopen(read) as pipe:
        return server, ":" + pipe.readline().strip()


def cold_start(display):
    """Seconds from program start until the window is mapped and its event loop answers a second start."""
    with tempfile.TemporaryDirectory() as home:
        environment = dict(os.environ,
                           DISPLAY=display,
                           QT_QPA_PLATFORM="xcb",
                           DBUS_SESSION_BUS_ADDRESS="unix:path=/nonexistent")
        for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME",
                     "XDG_RUNTIME_DIR"):
            environment[name] = str(Path(home) / name)
            os.mkdir(environment[name], 0o700)
        begin = time.monotonic()
        window = subprocess.Popen([BUILD / "bin/seedbed-gui"], env=environment, stderr=subprocess.DEVNULL)
        while subprocess.run(["xdotool", "search", "--onlyvisible", "--name", "^Seedbed"],
                             env=environment,
                             stdout=subprocess.PIPE,
                             stderr=subprocess.DEVNULL).stdout.strip() == b"":
            if time.monotonic() - begin > 30:
                raise RuntimeError("no window after 30 s")
            time.sleep(0.005)
        mapped = time.monotonic() - begin
        answered = subprocess.run([BUILD / "bin/seedbed-gui"], env=environment,
                                  stderr=subprocess.DEVNULL).returncode
        usable = time.monotonic() - begin
        window.terminate()
        window.wait()
        assert answered == 0
        return mapped, usable


def measure_charts():
    program = BUILD / "bin/bench_ui_charts"
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([program, "--prepare", folder], check=True)
        scales = {
            scale: json.loads(
                subprocess.run([program, folder, scale],
                               check=True,
                               stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL).stdout) for scale in ("1", "2")
        }
    figures = {
        "program": "bench_ui_charts", "chart_pixels": "1200 x 600, at 200 % 2400 x 1200",
        "machine": {"cores": os.cpu_count(), "machine": platform.machine(), "platform": "offscreen"},
        "note": "from the event (or the request) until the paint event with the new picture is over; "
                "includes reduction by a worker",
        "aims_ms": {
            "filter_10000_runs": 50, "redraw_20_grouped_curves": 16, "zoom_10_curves_of_1M_points": 50,
            "bootstrap_10_seeds_200_points": 100, "gui_thread_with_10000_runs": 50
        }, "at_100_percent": rounded(scales["1"]),
        "at_200_percent": {k: v for k, v in rounded(scales["2"]).items() if "curves" in k}
    }
    CHARTS.write_text(json.dumps(figures, indent=1) + "\n")
    print(json.dumps(figures, indent=1))


def processor():
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()


def measure_canvas():
    figures = {
        "program": "bench_ui_canvas", "canvas_pixels": "1200 x 700 on Xvfb",
        "machine": {"processor": processor(), "cores": os.cpu_count(),
                    "load_before": round(os.getloadavg()[0], 2)},
        "note": "vulkan: Mesa's lavapipe, which draws on the processor",
        "aims_per_second": {"16": 30, "64": 15}, "agents": {}
    }
    server, display = start_screen()
    try:
        for agents in ("16", "64"):
            for content in ("shapes", "pictures"):
                for canvas in ("painter", "vulkan"):
                    environment = dict(os.environ, DISPLAY=display, QT_QPA_PLATFORM="xcb",
                                       SEEDBED_CANVAS=canvas, DBUS_SESSION_BUS_ADDRESS="unix:path=/nonexistent")
                    line = subprocess.run([BUILD / "bin/bench_ui_canvas", agents, content], check=True,
                                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                          env=environment).stdout
                    measured = json.loads(line)
                    assert measured.pop("canvas") == canvas
                    figures["agents"].setdefault(agents, {})[f"{content}_{canvas}"] = measured
    finally:
        server.terminate()
    figures["machine"]["load_after"] = round(os.getloadavg()[0], 2)
    CANVAS.write_text(json.dumps(figures, indent=1) + "\n")
    print(json.dumps(figures, indent=1))


def rounded(value):
    if isinstance(value, dict):
        return {k: rounded(v) for k, v in value.items()}
    return round(value, 2) if isinstance(value, float) else value


def adopt_orphans():
    """Makes background runs descendants of this process, so that they exit and are counted with it."""
    ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER


def main():
    adopt_orphans()
    only = OPTIONS.only
    figures = json.loads(RESULT.read_text()) if RESULT.exists() else {}
    figures["machine"] = {
        "processor": processor(), "cores": os.cpu_count(), "load_before": round(os.getloadavg()[0], 2)
    }
    if only in (None, "cold"):
        server, display = start_screen()
        try:
            starts = [cold_start(display) for _ in range(STARTS)]
        finally:
            server.terminate()
        figures["cold_start_s"] = {
            "mapped_median": round(statistics.median(s[0] for s in starts),
                                   3), "usable_median": round(statistics.median(s[1] for s in starts), 3),
            "usable_worst": round(max(s[1] for s in starts), 3), "starts": STARTS,
            "note": "usable: mapped, and another start of the program was answered; includes its time"
        }
    if only in (None, "window"):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "figures.json"
            program = BUILD / "bin/test_ui_window"
            listed = subprocess.run([program, "--gtest_list_tests", "--gtest_filter=Figures.*"],
                                    check=True,
                                    stdout=subprocess.PIPE,
                                    text=True,
                                    stderr=subprocess.DEVNULL).stdout
            # One process per test, so that the memory of a single window is measured.
            for test in [line.strip() for line in listed.splitlines() if line.startswith("  ")]:
                subprocess.run([program, f"--gtest_filter=Figures.{test}"],
                               check=True,
                               stdout=subprocess.DEVNULL,
                               env=dict(os.environ, SEEDBED_UI_FIGURES=str(path)))
            figures["window"] = rounded(json.loads(path.read_text()))
    if only == "charts":
        return measure_charts()
    if only == "canvas":
        return measure_canvas()
    figures["aims"] = {
        "cold_start_s": 1, "click_to_first_moving_episode_s": 0.5, "thread_held_ms": 33,
        "memory_mb_with_1000_runs": 250, "live_pictures_between_ms": 200
    }
    RESULT.write_text(json.dumps(figures, indent=1) + "\n")
    print(json.dumps(figures, indent=1))
    if only is None:
        measure_charts()
        measure_canvas()


if __name__ == "__main__":
    main()
