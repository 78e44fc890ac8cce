// SPDX-License-Identifier: Apache-2.0
// Puts the module, the style and the scripts into the template of web pages:
// node assemble.mjs FOLDER MODULE OUTPUT
import {readFileSync, writeFileSync} from "node:fs";
import {gzipSync} from "node:zlib";

const [folder, module, output] = process.argv.slice(2);
const read = name => readFileSync(`${folder}/${name}`, "utf8").trim();
const code = text => text.replace(/^\/\/ SPDX-License-Identifier.*\n/gm, "");
const parts = {
  STYLE: read("style.css"),
  ENGINE: code(read("engine.js")),
  CODE: ["scene.js", "controls.js", "thoughts.js", "page.js"].map(name => code(read(name))).join("\n"),
  MODULE: gzipSync(readFileSync(module), {level: 9}).toString("base64"),
};
const page = read("page.html").replace(/@(STYLE|ENGINE|CODE|MODULE)@/g, (all, name) => parts[name]);
writeFileSync(output, page + "\n");
