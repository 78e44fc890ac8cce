// SPDX-License-Identifier: Apache-2.0
// Plays one episode and keeps at most some hundred frames of it.
#include "core/export/replay.hpp"

#include "core/env/picture_files.hpp"
#include "core/export/play.hpp"

namespace seedbed {

namespace {

constexpr int kMostFrames = 120, kMostSteps = 2000, kSide = 160;
constexpr int kFrameMs = 40;

}  // namespace

Result<std::vector<ExportFile>> makeReplay(const PolicyModel& model, Executor& trainer, std::uint64_t seed) {
    SEEDBED_ASSIGN(Play play, Play::create(model, 1, seed));
    PlayMemory memory(model, play.rows());
    ModelResult result;
    std::vector<Scene> scenes;
    std::vector<EpisodeEnd> ended;
    // Every `stride`-th scene is kept; a longer episode doubles it and drops every other one.
    int stride = 1;
    for (int step = 0; step < kMostSteps && ended.empty(); ++step) {
        if (step % stride == 0) scenes.push_back(play.scene());
        if (scenes.size() > kMostFrames) {
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
