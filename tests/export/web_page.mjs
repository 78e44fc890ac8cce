// SPDX-License-Identifier: Apache-2.0
// Plays games with the code and data of a web page: node web_page.mjs PAGE STEPS
// Prints {check, returns, lengths, seconds, seats, repeats}.
import {readFileSync} from "node:fs";

const [path, steps] = process.argv.slice(2);
const page = readFileSync(path, "utf8");
const block = id => page.match(new RegExp(`id="${id}">([^]*?)</script>`))[1];
const {Engine, bytesOfBase64} = new Function(`${block("code-engine")}; return {Engine, bytesOfBase64};`)();
const data = id => bytesOfBase64(block(`data-${id}`));
const engine = await Engine.load(data("module"), data("config"), data("tensors"));
const check = engine.check(data("golden"), data("trace"));

function play(seed, sampled, count) {
  engine.start(seed);
  const returns = [], lengths = [], trace = [];
  for (let step = 0; step < count; ++step) {
    const thoughts = engine.think(sampled);
    const {rewards, ended} = engine.step(thoughts.map(() => null));
    trace.push(...rewards, ...thoughts.map(thought => thought.choice[0]));
    for (const end of ended) {
      returns.push(end.result);
      lengths.push(end.length);
    }
  }
  return {returns, lengths, trace: trace.join()};
}

const begin = performance.now();
const {returns, lengths} = play(1, false, Number(steps));
const seconds = (performance.now() - begin) / 1000;
const same = play(7, true, 300).trace, again = play(7, true, 300).trace, other = play(8, true, 300).trace;

// A person who plays every seat decides what happens, not the policy.
engine.start(3);
engine.think(false);
const allowed = engine.think(false).map(thought => thought.mask ? [...thought.mask].indexOf(1) : 0);
engine.step(allowed.map(choice => new Float32Array(engine.description.action_words).fill(choice)));
const scene = engine.scene(false), last = engine.scene(true);
console.log(JSON.stringify({
  check, returns, lengths, seconds, seats: engine.seats, repeats: same === again, seeds_differ: same !== other,
  shapes: scene.shapes.length, frame: scene.frame ? scene.frame.rgb.length : 0, last_shapes: last.shapes.length,
  description: engine.description,
}));
