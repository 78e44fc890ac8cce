// SPDX-License-Identifier: Apache-2.0
// Loads the WebAssembly module and wraps its functions (web/module/module.cpp). Also runs in Node.js, where an
// export is verified.
"use strict";

function bytesOfBase64(text) {
  const binary = atob(text.replace(/\s+/g, ""));
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; ++i) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

async function gunzip(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// The policy, its environment and one game. Functions throw an Error with the module's reason.
class Engine {
  // `module`: bytes of the module, compressed with gzip.
  static async load(module, config, tensors) {
    const engine = new Engine();
    const compiled = await WebAssembly.compile(await gunzip(module));
    const instance = await WebAssembly.instantiate(compiled, engine.imports(compiled));
    engine.f = instance.exports;
    engine.f._initialize();
    engine.description = engine.withBytes([config, tensors], (a, b) => engine.json(engine.f.sb_load(...a, ...b)));
    engine.inputWords = engine.f.sb_input_words();
    engine.outputWords = engine.f.sb_output_words();
    return engine;
  }

  constructor() {
    this.messages = "";  // what the module printed, such as a failed check
    this.taken = null;
  }

  // The module needs almost nothing of its system: it prints the reason of a failure, and asks for the time.
  imports(compiled) {
    const view = () => new DataView(this.f.memory.buffer);
    const known = {
      fd_write: (file, parts, count, written) => {
        let total = 0;
        for (let i = 0; i < count; ++i) {
          const from = view().getUint32(parts + 8 * i, true), size = view().getUint32(parts + 8 * i + 4, true);
          this.messages += new TextDecoder().decode(new Uint8Array(this.f.memory.buffer, from, size));
          total += size;
        }
        view().setUint32(written, total, true);
        return 0;
      },
      clock_time_get: (clock, precision, to) => {
        view().setBigUint64(to, BigInt(Math.round(performance.now() * 1e6)), true);
        return 0;
      },
      emscripten_notify_memory_growth: () => {},
      proc_exit: () => { throw new Error("the module stopped: " + this.messages); },
    };
    const imports = {};
    for (const {module, name} of WebAssembly.Module.imports(compiled)) {
      imports[module] ??= {};
      imports[module][name] = known[name] ?? (() => 52);  // ENOSYS
    }
    return imports;
  }

  floats(pointer, count) { return new Float32Array(this.f.memory.buffer, pointer, count); }

  text() {
    return new TextDecoder().decode(new Uint8Array(this.f.memory.buffer, this.f.sb_text(), this.f.sb_text_bytes()));
  }
  ok(done) {
    if (!done) throw new Error(this.text());
  }
  json(done) {
    this.ok(done);
    return JSON.parse(this.text());
  }

  // Copies arrays into the module's memory while `use` runs, which gets a [pointer, bytes] pair for each.
  withBytes(arrays, use) {
    const places = arrays.map(array => [this.f.sb_alloc(array.byteLength), array.byteLength]);
    try {
      arrays.forEach((array, i) => new Uint8Array(this.f.memory.buffer).set(
          new Uint8Array(array.buffer, array.byteOffset, array.byteLength), places[i][0]));
      return use(...places);
    } finally {
      for (const [pointer] of places) this.f.sb_free(pointer);
    }
  }

  // Compares this module with the trained network's golden vectors and the recorded environment.
  check(golden, trace) {
    return this.withBytes([golden, trace], (a, b) => this.json(this.f.sb_check(...a, ...b)));
  }

  // Runs rows of inputs; `episode`: they are the steps of one episode.
  decide(rows, episode, input) {
    const output = this.f.sb_alloc(4 * rows * this.outputWords);
    try {
      this.withBytes([input], ([from]) => this.ok(this.f.sb_decide(rows, episode ? 1 : 0, from, output)));
      return this.floats(output, rows * this.outputWords).slice();
    } finally {
      this.f.sb_free(output);
    }
  }

  start(seed) {
    this.ok(this.f.sb_start(seed));
    const d = this.description;
    this.seats = this.f.sb_seats();
    this.taken ??= this.f.sb_alloc(this.seats);
    this.actions ??= this.f.sb_alloc(4 * this.seats * d.action_words);
  }

  // What the policy thinks of the current observation, one object per seat.
  think(sampled) {
    this.ok(this.f.sb_think(sampled ? 1 : 0));
    const d = this.description, thoughts = [];
    const part = (pointer, words, seat) => this.floats(pointer + 4 * words * seat, words).slice();
    for (let seat = 0; seat < this.seats; ++seat)
      thoughts.push({
        policy: part(this.f.sb_policy(), d.policy_words, seat),
        value: d.value_words > 0 ? this.floats(this.f.sb_value(), this.seats * d.value_words)[seat * d.value_words]
                                 : null,
        choice: part(this.f.sb_choice(), d.action_words, seat),
        mask: d.has_mask ? part(this.f.sb_mask(), d.mask_bytes, seat) : null,
      });
    return thoughts;
  }

  // Plays a step; `taken[seat]` is null or the action of a person. Returns rewards and episodes that ended.
  step(taken) {
    const words = this.description.action_words;
    const flags = new Uint8Array(this.f.memory.buffer, this.taken, this.seats);
    const actions = this.floats(this.actions, this.seats * words);
    for (let seat = 0; seat < this.seats; ++seat) {
      flags[seat] = taken[seat] ? 1 : 0;
      if (taken[seat]) actions.set(taken[seat], seat * words);
    }
    this.ok(this.f.sb_step(this.taken, this.actions));
    const rewards = [], ended = [];
    for (let seat = 0; seat < this.seats; ++seat) rewards.push(this.f.sb_reward(seat));
    for (let i = 0; i < this.f.sb_ended(); ++i)
      ended.push({seat: this.f.sb_end_seat(i), result: this.f.sb_end_return(i), length: this.f.sb_end_length(i)});
    return {rewards, ended, waits: this.f.sb_waits() !== 0};
  }

  // The picture of the current state, or (`last`) of the last state of the episode that has just ended.
  scene(last) {
    const which = last ? 1 : 0, from = this.f.sb_scene(which);
    const v = new Float32Array(this.f.memory.buffer, from, (this.f.memory.buffer.byteLength - from) >> 2);
    let at = 0;
    const colour = () => { const c = v.subarray(at, at + 4); at += 4; return c; };
    const scene = {left: v[at++], bottom: v[at++], right: v[at++], top: v[at++], background: colour(), shapes: []};
    for (let left = v[at++]; left > 0; --left) {
      const shape = {kind: v[at++], fill: colour(), stroke: colour(), strokeWidth: v[at++], x: v[at++], y: v[at++],
                     w: v[at++], h: v[at++], angle: v[at++], radius: v[at++]};
      const count = v[at++];
      shape.extra = v.subarray(at, at + count);
      at += count;
      scene.shapes.push(shape);
    }
    const width = this.f.sb_frame_width(which), height = this.f.sb_frame_height(which);
    if (width > 0)
      scene.frame = {width, height, rgb: new Uint8Array(this.f.memory.buffer, this.f.sb_frame(which), 3 * width * height)};
    return scene;
  }
}
