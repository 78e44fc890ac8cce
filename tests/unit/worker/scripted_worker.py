# SPDX-License-Identifier: Apache-2.0
"""A worker without any package, for tests: scripted_worker.py MODE [EXCHANGE]

Its observation is the number of steps in the episode; an episode terminates after 5 steps; rewards are 1.
MODE selects what goes wrong at exchange EXCHANGE. With "seeded" nothing goes wrong, and rewards depend on the
seeds of episodes; "injects 0 FILE" is the same with faults at random exchanges, and counts them in FILE.
"""
import json
import mmap
import os
import random
import select
import signal
import socket
import struct
import sys
import time

MODE, AT = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else -1
SEEDED = MODE in ("seeded", "injects")
INJECTED = ["exits", "killed", "hangs", "wrong_flags", "first_without_end", "miscounts", "overwrites",
            "env_fails", "nan", "nan_reward"]
GOOD_EXCHANGES = 1000  # between two faults; the host then resets its count of failures
TERMINATED, FIRST, FAILED = 1, 4, 16
SPEC = {
    "title": "Scripted", "sentence": "", "upstream": "", "agents": 1, "horizon": 0, "frames_per_step": 1,
    "reward_low": 0, "reward_high": 1, "can_save": False, "repeats": True, "parameters": [],
    "spaces": {
        "obs": [{"name": "obs", "kind": "vector", "dtype": "f32", "shape": [1], "low": 0, "high": 10,
                 "cardinality": 0, "stack": 1, "labels": []}],
        "actions": [{"name": "action", "kind": "discrete", "n": 2, "low": [], "high": [], "labels": []}],
        "has_mask": False,
    },
}


def forever():
    while True:
        time.sleep(1)


control = socket.socket(fileno=3)
received = b""


def receive():
    global received
    descriptors = []
    while b"\n" not in received:
        data, more, _, _ = socket.recv_fds(control, 65536, 4)
        descriptors += more
        if not data:
            sys.exit(0)
        received += data
    line, _, received = received.partition(b"\n")
    return json.loads(line), descriptors


def send(message):
    control.sendall(json.dumps(message).encode() + b"\n")


request, _ = receive()
count = request["count"]
if MODE == "dies_at_start":
    print("no licence found", file=sys.stderr, flush=True)
    sys.exit(3)
if MODE == "starts_slowly_again":
    if os.path.exists(sys.argv[3]):
        time.sleep(3)
    open(sys.argv[3], "w").close()
if MODE == "hangs_at_start":
    forever()
if MODE == "refuses":
    send({"ok": False, "kind": "import", "error": "No module named 'gymnasium'", "traceback": "\x1b[31m"})
    forever()
if MODE == "garbage_at_start":
    control.sendall(b"\xff\x00 nothing\n")
    forever()
if MODE == "endless_line":
    control.sendall(b"x" * (4 << 20))
    forever()
if MODE == "wrong_spec":
    SPEC["agents"] = 10**9
if MODE in ("saves", "refuses_states"):
    SPEC["can_save"] = True
if MODE == "other_spec_later" and os.path.exists(sys.argv[3]):
    SPEC["spaces"]["actions"][0]["n"] = 3
if MODE == "names_a_file":
    SPEC["files"] = [{"path": sys.argv[3], "sha256": "a" * 64}]
if MODE == "other_file_later":
    SPEC["files"] = [{"path": "/my_maps.py", "sha256": ("b" if os.path.exists(sys.argv[3]) else "a") * 64}]
send({"ok": True, "spec": SPEC, "versions": {"python": "3"}})
message, descriptors = receive()
layout = message["layout"]
memory = mmap.mmap(descriptors[0], layout["bytes"])
send({"ok": True})
steps, seeds = [0] * count, [0] * count
exchanges = 0
faults = sys.argv[3] if MODE == "injects" else ""


def write_f32(array, index, value):
    struct.pack_into("<f", memory, array + 4 * index, value)


def send_picture():
    """A picture of 2 x 2 black pixels, in the file that the arguments name, or in memory."""
    descriptor = os.open(sys.argv[3], os.O_RDONLY) if sys.argv[3] else os.memfd_create("picture")
    if not sys.argv[3]:
        os.write(descriptor, bytes(12))
    reply = {"ok": True, "height": 2, "width": 2, "descriptors": 1}
    socket.send_fds(control, [json.dumps(reply).encode() + b"\n"], [descriptor])


def answer_request():
    request, _ = receive()
    env = request["env"]
    if request["op"] == "picture":
        return send_picture()
    if MODE == "refuses_states":
        send({"ok": False, "kind": "unsupported", "error": "no states today"})
    elif request["op"] == "save":
        send({"ok": True, "state": str(steps[env])})
    else:
        steps[env] = int(request["state"])
        send({"ok": True})


def draw_fault():
    """The next fault and its exchange, different for each number of faults so far."""
    with open(faults, "a+") as file:
        file.seek(0)
        drawn = random.Random(len(file.read()))
        file.write("x")
    return drawn.choice(INJECTED), exchanges + GOOD_EXCHANGES + drawn.randrange(500)


if faults:
    MODE, AT = draw_fault()

while True:
    ready, _, _ = select.select([4, control], [], [])
    if control in ready:
        answer_request()
        continue
    os.read(4, 64)
    requested = struct.unpack_from("<Q", memory, layout["requested"])[0]
    now = exchanges == AT
    exchanges += 1
    if now and MODE in ("exits", "starts_slowly_again"):
        os._exit(7)
    if now and MODE == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    if now and MODE == "leaves_a_child":
        child = os.fork()
        if child == 0:
            forever()
        with open(sys.argv[3], "w") as file:
            file.write(str(child))
        os._exit(1)
    if now and MODE == "all_fail":
        for env in range(count):
            send({"event": "error", "env": env, "kind": "step", "error": "E", "traceback": "x" * 5000})
    if now and MODE == "hangs":
        forever()
    if now and MODE == "counts_early":  # the host may observe the writes in this order on AArch64
        struct.pack_into("<Q", memory, layout["answered"], requested)
        time.sleep(0.2)
    if now and MODE in ("other_spec_later", "other_file_later"):
        open(sys.argv[3], "w").close()
        os._exit(1)
    if now and MODE == "prints":
        for _ in range(256):
            sys.stderr.write("x" * 65535 + "\n")
        sys.stderr.flush()
    if now and MODE == "overwrites":
        garbage = os.urandom(layout["bytes"] - 64)
        memory[64:] = garbage
        os.write(5, b"\1")
        forever()
    if now and MODE == "blocks_the_host":
        for descriptor in (4, 5):
            os.set_blocking(descriptor, True)
            try:
                os.write(descriptor, b"x")
            except OSError:
                pass
    if now and MODE == "rings":
        for _ in range(1000):
            os.write(5, b"\1" * 8)
    if exchanges == AT + 2 and MODE == "env_is_made_slowly":
        time.sleep(3)
    for env in range(count):
        what = memory[layout["what"] + env]
        flags = 0
        if what == 1:
            steps[env] += 1
            if steps[env] == 5:
                flags, steps[env] = TERMINATED | FIRST, 0
        if what == 2:
            flags, steps[env] = FIRST, 0
        if what == 2 or flags & TERMINATED:
            seeds[env] = struct.unpack_from("<I", memory, layout["seeds"] + 4 * env)[0]
        if now and env == 0:
            if MODE == "wrong_flags":
                flags = 0x80
            if MODE == "first_without_end":
                flags = FIRST
            if MODE in ("env_fails", "env_is_made_slowly"):
                flags = FAILED
                send({"event": "error", "env": 0, "kind": "step", "error": "ValueError: wrong map"})
        if now and MODE == "all_fail":
            flags = FAILED
        if MODE == "always_fails" and exchanges > 1 and env == 0:
            flags = FAILED
        if what:
            memory[layout["flags"] + env] = flags
            wrong = MODE if now and env == 0 else ""
            reward = seeds[env] / 2**32 if SEEDED else 1.0
            write_f32(layout["rewards"], env, float("nan") if wrong == "nan_reward" else reward)
            write_f32(layout["leaves"][0], env, float("inf") if wrong == "nan" else steps[env])
        else:
            memory[layout["flags"] + env] = 0
    struct.pack_into("<Q", memory, layout["answered"], requested + (2 if now and MODE == "miscounts" else 0))
    os.write(5, b"\1")
    if now and faults and MODE in ("env_fails", "nan", "nan_reward"):
        MODE, AT = draw_fault()
