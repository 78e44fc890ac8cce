// SPDX-License-Identifier: Apache-2.0
// What keys, buttons and touches mean in an environment: derived from the labels of its actions.
"use strict";

const kMeanings = [
  {keys: ["ArrowLeft", "a"], words: ["left", "west"]},
  {keys: ["ArrowRight", "d"], words: ["right", "east"]},
  {keys: ["ArrowUp", "w"], words: ["up", "north", "forward"]},
  {keys: ["ArrowDown", "s"], words: ["down", "south"]},
  {keys: ["f", "Enter"], words: ["fire", "toggle", "switch"]},
  {keys: ["e"], words: ["pick"]},
  {keys: ["q"], words: ["drop"]},
];
const kIdleWords = ["no-op", "noop", "stay", "wait", "coast", "nothing", "idle", "no torque"];

// Cells of boards that are played by touching them; the arguments are world coordinates.
const kBoards = {
  connect_four: (x, y) => Math.floor(x),
  tic_tac_toe: (x, y) => 3 * (2 - Math.floor(y)) + Math.floor(x),
};

class Controls {
  constructor(description) {
    this.leaves = description.actions;
    this.words = description.action_words;
    this.board = kBoards[description.env];
    // The first discrete part is played by keys; boxes by the arrow keys.
    this.choice = this.leaves.findIndex(leaf => leaf.discrete);
    this.held = [];       // keys that are pressed, the latest one last
    this.pressed = null;    // a choice made by a button, a touch or a short press of a key
    this.holding = false;   // whether the button of `pressed` is still held
    this.used = false;      // whether a step used the choice while its button was held
    this.keys = {};
    this.idle = -1;
    if (this.choice >= 0) this.mapChoices(this.leaves[this.choice]);
  }

  mapChoices(leaf) {
    const labels = Array.from({length: leaf.n}, (_, i) => (leaf.labels[i] ?? "").toLowerCase());
    this.idle = labels.findIndex(label => kIdleWords.some(word => label.includes(word)));
    labels.forEach((label, i) => {
      if (i < 9 && leaf.n <= 10 && !(this.board && i === this.idle)) this.keys[String(i + 1)] = i;
    });
    const moves = labels.map((label, i) => i).filter(i => i !== this.idle);
    for (const meaning of kMeanings) {
      const found = moves.find(i => meaning.words.some(word => labels[i].split(/[^a-z]+/).includes(word)));
      if (found !== undefined && !this.board) for (const key of meaning.keys) this.keys[key] = found;
    }
    // Two or three choices without directions in their names: the first is left, the last is right.
    if (!("ArrowLeft" in this.keys) && !("ArrowRight" in this.keys) && moves.length === 2 && !this.board)
      for (const [at, keys] of [[0, kMeanings[0].keys], [1, kMeanings[1].keys]])
        for (const key of keys) this.keys[key] = moves[at];
  }

  // Keys of choice `i`, for the labels of buttons.
  keyName(i) {
    const names = {ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓"};
    const keys = Object.keys(this.keys).filter(key => this.keys[key] === i);
    return keys.map(key => names[key] ?? key).filter(key => !/^[asdw]$/.test(key)).join(" ");
  }

  hasBoxes() { return this.leaves.some(leaf => !leaf.discrete); }

  knows(key) {
    return key in this.keys || (this.hasBoxes() && /^Arrow(Left|Right|Up|Down)$/.test(key));
  }
  down(key) {
    this.held = this.held.filter(other => other !== key).concat(key);
  }
  up(key) { this.held = this.held.filter(other => other !== key); }
  release() {
    this.held = [];
    this.pressed = null;
  }

  // A touch at a place on the stage: a cell of a board, or an arrow key by its direction from the middle.
  touch(world, view, begins) {
    if (this.board) {
      const cell = this.board(world.x, world.y);
      this.pressed = cell >= 0 && cell < this.leaves[this.choice].n ? cell : null;
      return;
    }
    const dx = (world.x - (view.left + view.right) / 2) / (view.right - view.left);
    const dy = (world.y - (view.bottom + view.top) / 2) / (view.top - view.bottom);
    const key = Math.abs(dx) >= Math.abs(dy) || !("ArrowUp" in this.keys) ? (dx < 0 ? "ArrowLeft" : "ArrowRight")
                                                                         : (dy > 0 ? "ArrowUp" : "ArrowDown");
    this.held = [key];
    // A short touch may begin and end between two steps.
    if (begins && key in this.keys) this.pressed = this.keys[key];
  }

  // Whether time may pass while the person does nothing: there is an action for it, or actions are numbers.
  canIdle() { return this.idle >= 0 || this.choice < 0; }

  // The person's action as words, or null if the game must wait for one. `mask` may be null. A press that was
  // used is forgotten, unless it is held.
  action(mask, turns) {
    const action = new Float32Array(this.words);
    let at = 0, offset = 0, complete = true;
    this.leaves.forEach((leaf, number) => {
      if (!leaf.discrete) {
        for (let i = 0; i < leaf.low.length; ++i) action[at++] = this.boxValue(leaf, i);
        return;
      }
      const allowed = i => mask === null || mask[offset + i] > 0;
      const choices = Array.from({length: leaf.n}, (_, i) => i).filter(allowed);
      let choice = number === this.choice ? this.chosen(allowed) : 0;
      if (choice === null && choices.length === 1) choice = choices[0];
      if (choice === null && !turns && this.idle >= 0 && allowed(this.idle)) choice = this.idle;
      if (choice === null) complete = false;
      else action[at] = choice;
      ++at;
      offset += leaf.n;
    });
    return complete ? action : null;
  }

  chosen(allowed) {
    if (this.pressed !== null && allowed(this.pressed)) {
      const choice = this.pressed;
      if (this.holding) this.used = true;
      else this.pressed = null;
      return choice;
    }
    for (let i = this.held.length - 1; i >= 0; --i) {
      const choice = this.keys[this.held[i]];
      if (choice !== undefined && allowed(choice)) return choice;
    }
    return null;
  }

  boxValue(leaf, i) {
    const [less, more] = i === 0 ? ["ArrowLeft", "ArrowRight"] : ["ArrowDown", "ArrowUp"];
    const bound = x => Math.max(-1e3, Math.min(1e3, x ?? 0));
    const low = bound(leaf.low[i]), high = bound(leaf.high[i]);
    if (i > 1) return (low + high) / 2;
    const side = (this.held.includes(more) ? 1 : 0) - (this.held.includes(less) ? 1 : 0);
    return (low + high) / 2 + side * (high - low) / 2;
  }
}
