// SPDX-License-Identifier: Apache-2.0
// Shows what the policy thinks: its value estimate and the distribution of its next action.
"use strict";

const kRemembered = 200;  // values in the curve

function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name in made && name !== "list") made[name] = value;
    else made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}

const formatted = x => !Number.isFinite(x) ? "–" : Math.abs(x) >= 1000 ? Math.round(x).toLocaleString("en")
                     : Number.isInteger(x) ? String(x) : x.toFixed(Math.abs(x) < 10 ? 2 : 1);
// Estimates keep their decimals, so that numbers that change do not jump.
const estimate = x => Math.abs(x) >= 1000 ? formatted(x) : x.toFixed(Math.abs(x) < 10 ? 2 : 1);

// One seat. `choose(choice or null)` is called when a person presses a bar; bars are buttons after setTaken().
class SeatView {
  constructor(description, seat, seats, controls, choose) {
    this.d = description;
    this.controls = controls;
    this.choose = choose;
    this.values = [];
    this.root = element("div", {className: "seat"});
    if (seats > 1) this.root.append(element("h3", {textContent: `Player ${seat + 1}`}));
    if (description.value_words > 0) this.addValue();
    this.leaves = description.actions.map(leaf => leaf.discrete ? this.addChoices(leaf) : this.addBoxes(leaf));
    this.setTaken(false);
  }

  addValue() {
    this.number = element("b");
    const name = element("span", {className: "muted", textContent: "Value estimate",
                                  title: "The discounted reward that the policy expects from here on"});
    this.root.append(element("div", {className: "value"}, name, this.number));
    const holder = element("div", {className: "value"});
    holder.innerHTML = '<svg viewBox="0 0 200 44" preserveAspectRatio="none" aria-hidden="true">' +
                       '<polyline class="spark"/></svg>';
    this.spark = holder.querySelector("polyline");
    this.root.append(holder);
  }

  addChoices(leaf) {
    const rows = [];
    const holder = element("div");
    this.root.append(holder);
    for (let i = 0; i < leaf.n; ++i)
      rows.push({bar: element("i"), text: element("em"), label: leaf.labels[i] ?? `${leaf.name} ${i}`, node: null});
    return {leaf, rows, holder};
  }

  addBoxes(leaf) {
    return {leaf, rows: leaf.low.map((low, i) => {
      const band = element("div", {className: "band"}), mark = element("div", {className: "mark"});
      const text = element("em"), label = leaf.labels[i] ?? `${leaf.name} ${i + 1}`;
      this.root.append(element("div", {className: "box"}, element("div", {className: "value"},
          element("span", {textContent: label}), text), element("div", {className: "track"}, band, mark)));
      return {band, mark, text};
    })};
  }

  // Bars become buttons while a person plays this seat.
  setTaken(taken) {
    this.leaves.forEach(({leaf, rows, holder}, number) => {
      if (!leaf.discrete) return;
      const buttons = taken && number === this.controls.choice;
      rows.forEach((row, i) => {
        const kbd = element("kbd", {textContent: buttons ? this.controls.keyName(i) : ""});
        row.node = element(buttons ? "button" : "div", {className: "choice"}, row.bar,
                           element("span", {textContent: row.label}), kbd, row.text);
        if (!buttons) return;
        row.node.addEventListener("pointerdown", () => this.choose(i, true));
        row.node.addEventListener("click", () => this.choose(i, false));
        for (const end of ["pointerup", "pointerleave", "pointercancel"])
          row.node.addEventListener(end, () => this.choose(null, false));
      });
      holder.replaceChildren(...rows.map(row => row.node));
    });
  }

  show(thought) {
    if (thought.value !== null) {
      this.number.textContent = estimate(thought.value);
      this.values.push(thought.value);
      if (this.values.length > kRemembered) this.values.shift();
      this.drawCurve();
    }
    let at = 0, mask = 0, word = 0;
    for (const {leaf, rows} of this.leaves) {
      if (leaf.discrete) {
        this.showChoices(leaf, rows, thought.policy.subarray(at, at + leaf.n),
                         thought.mask && thought.mask.subarray(mask, mask + leaf.n), thought.choice[word]);
        at += leaf.n;
        mask += leaf.n;
        ++word;
        continue;
      }
      rows.forEach((row, i) => this.showBox(leaf, row, i, thought.policy[at + i],
                                            thought.policy[at + rows.length + i], thought.choice[word++]));
      at += 2 * rows.length;
    }
  }

  drawCurve() {
    const low = Math.min(...this.values), high = Math.max(...this.values), range = high - low || 1;
    this.spark.setAttribute("points", this.values.map(
        (value, i) => `${(200 * i / (kRemembered - 1)).toFixed(1)},${(41 - 38 * (value - low) / range).toFixed(1)}`)
        .join(" "));
  }

  // Logits as probabilities; estimates of the return (`scores`) as they are, with bars between the extremes.
  showChoices(leaf, rows, logits, mask, choice) {
    const allowed = i => mask === null || mask[i] > 0;
    const open = [...logits].filter((x, i) => allowed(i));
    const high = Math.max(...open), low = Math.min(...open);
    const sum = open.reduce((total, x) => total + Math.exp(x - high), 0);
    rows.forEach((row, i) => {
      const share = this.d.scores ? (high > low ? (logits[i] - low) / (high - low) : 1) : Math.exp(logits[i] - high) / sum;
      row.node.classList.toggle("off", !allowed(i));
      row.node.classList.toggle("best", allowed(i) && i === choice);
      row.bar.style.transform = `scaleX(${allowed(i) ? Math.max(0, share) : 0})`;
      row.text.textContent = !allowed(i) ? "–" : this.d.scores ? estimate(logits[i]) : `${(100 * share).toFixed(share < 0.0995 ? 1 : 0)} %`;
    });
  }

  // The mean with one standard deviation to both sides, and the action.
  showBox(leaf, row, i, mean, logStd, action) {
    const finite = Math.abs(leaf.low[i] ?? Infinity) < 1e6 && Math.abs(leaf.high[i] ?? Infinity) < 1e6;
    const low = finite ? leaf.low[i] : Math.min(-1, 2 * action), high = finite ? leaf.high[i] : Math.max(1, 2 * action);
    const scaled = x => low + (high - low) * (x + 1) / 2;
    const value = x => this.d.squash ? scaled(Math.tanh(x)) : leaf.scaled && finite ? scaled(x) : x;
    const place = x => 100 * Math.max(0, Math.min(1, (x - low) / (high - low)));
    const std = Math.exp(logStd), from = place(value(mean - std)), to = place(value(mean + std));
    row.band.style.left = `${from}%`;
    row.band.style.width = `${Math.max(0, to - from)}%`;
    row.mark.style.left = `${place(action)}%`;
    row.text.textContent = estimate(action);
  }
}
