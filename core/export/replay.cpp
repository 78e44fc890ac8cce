// SPDX-License-Identifier: Apache-2.0
#include "core/export/replay.hpp"

#include "core/env/picture_files.hpp"
#include "core/export/play.hpp"

namespace seedbed {

namespace {

constexpr int kMaxFrames = 120;
constexpr int kMaxSteps = 2000;
constexpr int kSide = 160;  // pixels
constexpr int kFrameMs = 40;

}  // namespace

Result<std::vector<ExportFile>> makeReplay(const PolicyModel& model, Executor& trainer, std::uint64_t seed) {
    SEEDBED_ASSIGN(Play play, Play::create(model, 1, seed));
    PlayMemory memory(model, play.rows());
    ModelResult result;
    std::vector<Scene> scenes;
    std::vector<EpisodeEnd> ended;
    // Keeps every `stride`-th scene. If there are too many, drops every second scene and doubles the stride.
    int stride = 1;
    for (int step = 0; step < kMaxSteps && ended.empty(); ++step) {
        if (step % stride == 0) scenes.push_back(play.scene());
        if (scenes.size() > kMaxFrames) {
            for (std::size_t i = 1; 2 * i < scenes.size(); ++i) scenes[i] = scenes[2 * i];
            scenes.resize((scenes.size() + 1) / 2);
            stride *= 2;
        }
        ModelBatch look = play.observe();
        memory.give(play, look);
        SEEDBED_TRY(trainer.run(look, result));
        memory.take(result);
        SEEDBED_TRY(play.step(result.action, result.feedback, ended));
    }
    const PictureSize size = fittingSize(scenes.front(), kSide, kSide);
    std::vector<Picture> frames;
    for (const Scene& scene : scenes) frames.push_back(render(scene, size.width, size.height));
    SEEDBED_ASSIGN(auto gif, encodeGif(frames, kFrameMs));
    SEEDBED_ASSIGN(auto png, encodePng(frames[frames.size() / 2]));
    return std::vector<ExportFile>{{kReplayNames[0], std::move(gif)}, {kReplayNames[1], std::move(png)}};
}

}  // namespace seedbed
