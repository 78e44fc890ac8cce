// SPDX-License-Identifier: Apache-2.0
#include "core/export/executors/node.hpp"

#include "core/base/os/paths.hpp"
#include "core/export/executors/programs.hpp"
#include "core/export/executors/row_pipe.hpp"
#include "core/export/web/page.hpp"

namespace seedbed {

namespace {

// Loads the page's blocks as a browser does, and answers the requests of FloatPipe.
constexpr const char* kHarness = R"js(
const fs = require("fs");
function write(buffer) {
  for (let at = 0; at < buffer.length;) at += fs.writeSync(1, buffer, at);
}
function read(bytes) {
  const buffer = Buffer.alloc(bytes);
  for (let at = 0; at < bytes;) {
    const count = fs.readSync(0, buffer, at, bytes - at, null);
    if (count === 0) process.exit(0);
    at += count;
  }
  return new Uint8Array(buffer);
}
async function main() {
  const page = fs.readFileSync(process.argv[1], "utf8");
  const block = id => page.match(new RegExp(`id="${id}">([^]*?)</script>`))[1];
  const {Engine, bytesOfBase64} = new Function(block("code-engine") + "; return {Engine, bytesOfBase64};")();
  const data = id => bytesOfBase64(block("data-" + id));
  const engine = await Engine.load(data("module"), data("config"), data("tensors"));
  const report = engine.check(data("golden"), data("trace"));
  if (!report.passed) {
    const differs = report.environment ? "the environment: " + report.environment : report.golden.failure;
    write(Buffer.from("error differs: " + differs + "\n"));
    return;
  }
  write(Buffer.from("ok Node.js " + process.versions.node + "\n"));
  for (;;) {
    const rows = new DataView(read(4).buffer).getInt32(0, true), count = Math.abs(rows);
    const input = read(4 * count * engine.inputWords);
    try {
      const output = engine.decide(count, rows < 0, input);
      write(Buffer.concat([Buffer.alloc(4), Buffer.from(output.buffer)]));
    } catch (error) {
      const text = Buffer.from(error.message), size = Buffer.alloc(4);
      size.writeInt32LE(text.length);
      write(Buffer.concat([size, text]));
    }
  }
}
main().catch(error => write(Buffer.from("error " + error.message.replace(/\s+/g, " ") + "\n")));
)js";

Result<std::string> findNode() {
    std::vector<std::string> candidates{"node", "nodejs"};
    if (const auto node = processEnvironment()("SEEDBED_NODE")) candidates = {*node};
    for (const std::string& candidate : candidates)
        if (isRunnable(candidate)) return absoluteProgram(candidate);
    return fail(
        "Node.js was not found; install it (Debian: apt install nodejs) or name it in the variable "
        "SEEDBED_NODE");
}

}  // namespace

Result<std::unique_ptr<Executor>> openNode(const ExecutorRequest& request) {
    SEEDBED_ASSIGN(const std::string node, findNode());
    SEEDBED_ASSIGN(ScratchFolder folder, ScratchFolder::create());
    SEEDBED_TRY(folder.add(request.files, {kPageName}));
    auto pipe = FloatPipe::start({node, "-e", kHarness, kPageName}, folder.path().string(), request.stop);
    if (!pipe) {
        Error error = std::move(pipe).error();
        const std::string differs = "differs: ";
        if (error.message.starts_with(differs))
            return fail(ErrorCode::parity, "the page does not match the trained policy: " +
                                               error.message.substr(differs.size()));
        return tl::unexpected<Error>(std::move(error));
    }
    std::string version = pipe->version();
    return std::unique_ptr<Executor>(std::make_unique<RowPipe>(request.model, request.model.value_words > 0,
                                                               "node", std::move(version), std::move(folder),
                                                               std::move(*pipe)));
}

}  // namespace seedbed
