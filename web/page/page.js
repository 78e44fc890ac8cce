// SPDX-License-Identifier: Apache-2.0
// The page: loads the policy, compares it with the trained network, and plays.
"use strict";

const $ = id => document.getElementById(id);
const options = new URLSearchParams(location.hash.slice(1));  // theme, seed, paused, you: see docs/share.md
const kPauseAfterEpisode = 900;  // ms

function dataOf(id) { return bytesOfBase64($(`data-${id}`).textContent); }

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
}
setTheme(options.get("theme") ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"));
$("theme").onclick = () => setTheme(document.documentElement.dataset.theme === "dark" ? "light" : "dark");

class Page {
  constructor(engine) {
    this.engine = engine;
    this.d = engine.description;
    this.stage = new Stage($("stage"));
    this.controls = new Controls(this.d);
    this.seed = Number(options.get("seed") ?? 1);
    this.paused = options.has("paused");
    this.you = -1;          // the seat that a person plays, or -1
    this.holdUntil = 0;     // the last picture of an episode is shown until then
    this.due = 0;           // steps that are due, with a fraction
    this.frames = [];       // times of the latest frames, for the test of the speed
    this.drawn = true;
    engine.start(this.seed);
    this.turns = engine.seats > 1 && this.d.has_mask;
    this.views = Array.from({length: engine.seats}, (_, seat) =>
      new SeatView(this.d, seat, engine.seats, this.controls, (choice, held) => this.press(choice, held)));
    this.showSentence();
    this.connect();
    this.setSpeed(this.usualSpeed());
    this.begin(this.seed);
    this.take(options.has("you") ? Math.min(engine.seats, Math.max(1, Number(options.get("you")) || 1)) - 1 : -1);
  }

  // Decisions per second that suit the game.
  usualSpeed() {
    if (this.turns) return 1.5;
    if (/^minigrid|maze|^repeat|^memory/.test(this.d.env)) return 5;
    return /^minatar|^catch|^deep_sea|^bit/.test(this.d.env) ? 12 : 30;
  }

  showSentence() {
    $("sentence").textContent = this.d.sentence;
    const facts = [["Algorithm", this.d.algo], ["Trained for", `${this.d.steps.toLocaleString("en")} steps`],
                   ["Parameters", this.d.parameters.toLocaleString("en")]];
    const result = this.d.evaluation;
    if (result && Number.isFinite(result.mean))
      facts.push(["Evaluation", `${formatted(result.mean)} (mean of ${result.n} episodes)`]);
    facts.push(["Environment", this.d.env], ["Made by", `Seedbed ${this.d.version}`]);
    $("about").replaceChildren(...facts.filter(([, text]) => text).flatMap(
        ([name, text]) => [element("dt", {textContent: name}), element("dd", {textContent: text})]));
    $("thoughts").replaceChildren(...this.views.map(view => view.root));
    $("sampling").hidden = this.d.scores;
  }

  connect() {
    $("pause").onclick = () => this.setPaused(!this.paused);
    $("one").onclick = () => this.one();
    $("restart").onclick = () => this.begin(Number($("seed").value));
    $("seed").onchange = () => this.begin(Number($("seed").value));
    $("speed").oninput = () => this.setSpeed(60 ** (Number($("speed").value) / 50 - 1) * 4);
    $("sampled").onchange = () => this.think();
    $("seed").value = this.seed;
    const seats = ["Watch", ...(this.engine.seats === 1 ? ["Take over"]
        : Array.from({length: this.engine.seats}, (_, seat) => `Play as player ${seat + 1}`))];
    $("seats").replaceChildren(...seats.map((text, i) => element("button", {
      textContent: text, onclick: () => this.take(i - 1)})));
    addEventListener("keydown", event => this.onKey(event));
    addEventListener("keyup", event => this.controls.up(event.key.length === 1 ? event.key.toLowerCase() : event.key));
    addEventListener("blur", () => this.controls.release());
    addEventListener("resize", () => { this.drawn = false; });
    $("theme").addEventListener("click", () => { this.drawn = false; });
    const canvas = $("stage");
    canvas.addEventListener("pointerdown", event => {
      if (this.you < 0) return;
      canvas.setPointerCapture(event.pointerId);
      this.controls.touch(this.stage.worldOf(event), this.stage.view, true);
    });
    canvas.addEventListener("pointermove", event => {
      if (this.you >= 0 && event.buttons > 0 && !this.controls.board)
        this.controls.touch(this.stage.worldOf(event), this.stage.view, false);
    });
    for (const end of ["pointerup", "pointercancel"])
      canvas.addEventListener(end, () => { this.controls.held = []; });
  }

  onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.tagName === "INPUT") return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const onButton = event.target.tagName === "BUTTON" && (key === " " || key === "Enter");
    if (onButton) return;
    if (this.you >= 0 && this.controls.knows(key)) {
      this.controls.down(key);
      // A short press may begin and end between two steps.
      if (!event.repeat && key in this.controls.keys) this.controls.pressed = this.controls.keys[key];
    } else if (key === " ") this.setPaused(!this.paused);
    else if (key === ".") this.one();
    else if (key === "r") this.begin(Number($("seed").value));
    else return;
    event.preventDefault();
  }

  press(choice, held) {
    const controls = this.controls, used = controls.used;
    controls.holding = held;
    if (choice === null) {
      if (used || (controls.canIdle() && !this.turns)) controls.pressed = null;
      return;
    }
    controls.used = false;
    if (held || !used) controls.pressed = choice;  // a click follows every press; it counts once
  }

  setPaused(paused) {
    this.paused = paused;
    this.due = 0;
    $("pause").textContent = paused ? "Play" : "Pause";
    this.showNotice();
  }
  setSpeed(rate) {
    this.rate = rate;
    $("speed").value = 50 * (1 + Math.log(rate / 4) / Math.log(60));
    $("rate").textContent = `${rate < 10 ? rate.toFixed(1) : Math.round(rate)} steps/s`;
  }

  take(seat) {
    this.you = seat;
    this.controls.release();
    this.views.forEach((view, i) => view.setTaken(i === seat));
    [...$("seats").children].forEach((button, i) => button.setAttribute("aria-pressed", String(i - 1 === seat)));
    const touch = this.controls.board ? "touch the board" : "touch the picture on the side where you want to go";
    $("keys").textContent = seat < 0 ? "Space pauses, . plays one step, r restarts."
        : this.controls.hasBoxes() ? "You play: use the arrow keys, or " + touch + "."
        : `You play: use the keys next to the actions, press an action, or ${touch}.` +
          (this.controls.canIdle() || this.turns ? "" : " Time passes only while you press something.");
    this.show();
    if (seat >= 0) $("stage").focus({preventScroll: true});
  }

  // Restarts everything with a seed.
  begin(seed) {
    this.seed = Number.isSafeInteger(seed) && seed >= 0 ? seed : 1;
    $("seed").value = this.seed;
    this.engine.start(this.seed);
    this.episode = 1;
    this.resetEpisode();
    $("episodes").hidden = true;
    $("episodes").tBodies[0].replaceChildren();
    this.views.forEach(view => { view.values = []; });
    this.holdUntil = 0;
    this.ending = null;
    this.waits = false;
    this.think();
    this.setPaused(this.paused);
  }
  resetEpisode() {
    this.steps = 0;
    this.returns = Array(this.engine.seats).fill(0);
  }

  think() {
    this.thoughts = this.engine.think($("sampled").checked);
    this.drawn = false;
    this.show();
  }

  show() {
    this.views.forEach((view, seat) => view.show(this.thoughts[seat]));
    // Players that take turns think one after the other.
    const mover = this.turns ? this.thoughts.findIndex((thought, seat) => this.hasChoice(seat)) : -1;
    if (mover >= 0) this.views.forEach((view, seat) => { view.root.hidden = seat !== mover; });
    this.showFacts();
    this.showNotice();
  }

  showFacts() {
    const facts = [["Episode", String(this.episode)], ["Step", String(this.steps)]];
    this.returns.forEach((value, seat) => facts.push([
      this.engine.seats === 1 ? "Return so far" : `Return of player ${seat + 1}${seat === this.you ? " (you)" : ""}`,
      formatted(value)]));
    $("facts").replaceChildren(...facts.flatMap(
        ([name, text]) => [element("dt", {textContent: name}), element("dd", {textContent: text})]));
  }

  showNotice() {
    let text = "";
    if (this.ending) text = this.ending;
    else if (this.paused) text = "Paused";
    else if (this.you >= 0 && this.turns && this.hasChoice(this.you)) text = "Your move";
    $("notice").textContent = text;
    $("notice").hidden = text === "";
  }
  // Whether it is this seat's turn.
  hasChoice(seat) {
    const mask = this.thoughts[seat].mask;
    return mask !== null && mask.filter(x => x > 0).length > 1;
  }

  one() {
    this.setPaused(true);
    this.finishEpisode();
    this.step();
  }

  // Plays one step; false if it waits for the person.
  step() {
    const taken = Array(this.engine.seats).fill(null);
    if (this.you >= 0 && !this.waits) {
      taken[this.you] = this.controls.action(this.thoughts[this.you].mask, this.turns);
      if (taken[this.you] === null) return false;
    }
    const {rewards, ended, waits} = this.engine.step(taken);
    if (!this.waits) {
      ++this.steps;
      rewards.forEach((reward, seat) => { this.returns[seat] += reward; });
    }
    this.waits = waits;
    if (ended.length > 0) this.endEpisode(ended);
    else this.think();
    return true;
  }

  endEpisode(ended) {
    const results = ended.map(end => end.result);
    const own = this.you >= 0 ? this.you : 0;
    if (this.engine.seats === 2 && results.length === 2) {
      const result = ended.find(end => end.seat === own).result;
      this.ending = result === 0 ? "A draw" : this.you < 0 ? `Player ${result > 0 ? 1 : 2} wins`
                                            : result > 0 ? "You win" : "The policy wins";
    } else this.ending = `Episode over: return ${formatted(results[0])} after ${ended[0].length} steps`;
    const rows = $("episodes").tBodies[0];
    rows.prepend(element("tr", {}, ...[this.episode, results.map(formatted).join(" : "), ended[0].length].map(
        text => element("td", {textContent: text}))));
    while (rows.children.length > 8) rows.lastChild.remove();
    $("episodes").hidden = false;
    this.holdUntil = performance.now() + (this.turns || this.you >= 0 ? 2 : 1) * kPauseAfterEpisode;
    this.controls.pressed = null;
    this.stage.draw(this.engine.scene(true));
    this.showFacts();
    this.showNotice();
  }
  // Leaves the picture of the episode that ended.
  finishEpisode() {
    if (!this.ending) return;
    this.ending = null;
    ++this.episode;
    this.resetEpisode();
    this.views.forEach(view => { view.values = []; });
    this.think();
    if (this.waits) this.step();
  }

  // Called for every frame of the screen.
  frame(now) {
    try {
      this.advance(now);
      this.measure(now);
      requestAnimationFrame(time => this.frame(time));
    } catch (error) {
      showFailure(error);
    }
  }
  advance(now) {
    const passed = Math.min(0.25, (now - (this.latest ?? now)) / 1000);
    this.latest = now;
    if (this.ending && !this.paused && now >= this.holdUntil) this.finishEpisode();
    if (!this.paused && !this.ending) {
      this.due += passed * this.rate;
      for (; this.due >= 1 && !this.ending; --this.due) {
        if (!this.step()) {
          this.due = Math.min(this.due, 1);  // the person's action counts as soon as it comes
          break;
        }
      }
    }
    if (!this.ending && !this.drawn) {
      this.stage.draw(this.engine.scene(false));
      this.drawn = true;
    } else if (!this.drawn) {
      this.stage.draw(this.engine.scene(true));
      this.drawn = true;
    }
  }

  // Publishes the time of the first frame and the frames per second, which the tests read.
  measure(now) {
    const root = document.documentElement;
    if (!root.dataset.firstFrameMs) root.dataset.firstFrameMs = Math.round(performance.now());
    this.frames.push(now);
    if (this.frames.length < 61) return;
    root.dataset.framesPerSecond = (60000 / (now - this.frames[0])).toFixed(1);
    this.frames = [now];
  }
}

function showCheck(report) {
  const check = $("check");
  const golden = report.golden;
  const parts = [];
  if (golden && golden.passed)
    parts.push(`The largest difference to the trained network is ${Number(golden.max_relative_difference).toExponential(1)}` +
               " of an output's size (1e-5 allowed).");
  if (golden && !golden.passed) parts.push(`This page differs from the trained network: ${golden.failure}.`);
  if (!golden) parts.push("The test inputs are too large for this page; they were compared when it was made.");
  parts.push(report.environment ? `The environment differs from the original: ${report.environment}.`
                                : `${report.environment_steps} steps of the environment are equal to the original.`);
  check.textContent = (report.passed ? "✓ " : "✗ ") + parts.join(" ");
  check.classList.toggle("bad", !report.passed);
  if (!golden) return;
  $("differences").hidden = false;
  $("differences").querySelector("tbody").replaceChildren(...golden.golden.map(
      row => element("tr", {}, ...[row.output, row.rows, Number(row.max_abs_difference).toExponential(1)].map(
          text => element("td", {textContent: text})))));
}

function showFailure(error) {
  document.documentElement.dataset.state = "failed";
  $("check").textContent = `✗ The page stopped: ${error.message}`;
  $("check").classList.add("bad");
  $("notice").hidden = false;
  $("notice").textContent = "The page stopped; see About";
}

async function main() {
  const root = document.documentElement;
  try {
    const engine = await Engine.load(dataOf("module"), dataOf("config"), dataOf("tensors"));
    const page = new Page(engine);
    requestAnimationFrame(now => page.frame(now));
    // After the first frame, because it takes longer than drawing.
    setTimeout(() => {
      try {
        const report = engine.check(dataOf("golden"), dataOf("trace"));
        showCheck(report);
        root.dataset.state = report.passed ? "ready" : "differs";
      } catch (error) {
        showFailure(error);
      }
    }, 50);
  } catch (error) {
    showFailure(error);
  }
}
main();
