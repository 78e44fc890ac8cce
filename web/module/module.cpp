// SPDX-License-Identifier: Apache-2.0
// The functions that the WebAssembly module exports to the page's JavaScript. They use one game, and
// sb_text() returns the latest text: JSON, or the reason why a function returned 0.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "web/module/game.hpp"

using namespace seedbed;

namespace {

std::unique_ptr<Game> game;
std::string text;
std::vector<float> packed;

int done(const Result<>& result) {
    if (result) return 1;
    text = result.error().text();
    return 0;
}

void pack(const Colour& colour) {
    for (const std::uint8_t part : {colour.r, colour.g, colour.b, colour.a})
        packed.push_back(static_cast<float>(part));
}

// Layout, all numbers: view (left, bottom, right, top), background, number of shapes, then per shape: kind,
// fill, stroke, stroke width, x, y, w, h, angle, radius, n, and n coordinates of a polygon or n characters.
void pack(const Scene& scene) {
    packed.assign({scene.left, scene.bottom, scene.right, scene.top});
    pack(scene.background);
    packed.push_back(static_cast<float>(scene.shapes.size()));
    for (const Shape& shape : scene.shapes) {
        packed.push_back(static_cast<float>(shape.kind));
        pack(shape.fill);
        pack(shape.stroke);
        packed.insert(packed.end(),
                      {shape.stroke_width, shape.x, shape.y, shape.w, shape.h, shape.angle, shape.radius});
        const bool is_text = shape.kind == Shape::Kind::text;
        packed.push_back(static_cast<float>(is_text ? shape.text.size() : shape.points.size()));
        if (is_text)
            for (const char letter : shape.text)
                packed.push_back(static_cast<float>(static_cast<unsigned char>(letter)));
        else packed.insert(packed.end(), shape.points.begin(), shape.points.end());
    }
}

}  // namespace

#define SEEDBED_PAGE extern "C" __attribute__((visibility("default"), used))

SEEDBED_PAGE void* sb_alloc(std::size_t bytes) { return std::malloc(std::max<std::size_t>(bytes, 1)); }
SEEDBED_PAGE void sb_free(void* memory) { std::free(memory); }
SEEDBED_PAGE const char* sb_text() { return text.c_str(); }
SEEDBED_PAGE std::size_t sb_text_bytes() { return text.size(); }

SEEDBED_PAGE int sb_load(const char* config, std::size_t config_bytes, const std::byte* tensors,
                         std::size_t tensor_bytes) {
    auto loaded = Game::load(std::string(config, config_bytes), {tensors, tensor_bytes});
    if (!loaded) {
        text = loaded.error().text();
        return 0;
    }
    game = std::move(*loaded);
    text = game->describe().dump();
    return 1;
}

SEEDBED_PAGE int sb_check(const std::uint8_t* golden, std::size_t golden_bytes, const char* trace,
                          std::size_t trace_bytes) {
    const auto report = game->check({golden, golden + golden_bytes}, std::string(trace, trace_bytes));
    text = report ? report->dump() : report.error().text();
    return report ? 1 : 0;
}

SEEDBED_PAGE std::size_t sb_input_words() { return game->inputWords(); }
SEEDBED_PAGE std::size_t sb_output_words() { return game->outputWords(); }
SEEDBED_PAGE int sb_decide(int rows, int own_memory, const float* input, float* output) {
    return done(game->decide(rows, own_memory != 0, input, output));
}

SEEDBED_PAGE int sb_start(double seed) { return done(game->start(static_cast<std::uint64_t>(seed))); }
SEEDBED_PAGE int sb_think(int sampled) { return done(game->decideNext(sampled != 0)); }
SEEDBED_PAGE int sb_step(const std::uint8_t* taken, const float* actions) {
    return done(game->step(taken, actions));
}
SEEDBED_PAGE int sb_seats() { return game->seats(); }
SEEDBED_PAGE const float* sb_policy() { return game->outputs().policy.data(); }
SEEDBED_PAGE const float* sb_value() { return game->outputs().value.data(); }
SEEDBED_PAGE const float* sb_choice() { return game->choice().data(); }
SEEDBED_PAGE const float* sb_mask() { return game->look().mask.data(); }
SEEDBED_PAGE float sb_reward(int seat) { return game->reward(seat); }
SEEDBED_PAGE int sb_waits() { return game->waits() ? 1 : 0; }
// The number of agents whose episode ended in the latest step.
SEEDBED_PAGE int sb_ended() { return static_cast<int>(game->ended().size()); }
SEEDBED_PAGE int sb_end_seat(int index) { return game->ended()[static_cast<std::size_t>(index)].column; }
SEEDBED_PAGE double sb_end_return(int index) {
    return game->ended()[static_cast<std::size_t>(index)].episode_return;
}
SEEDBED_PAGE int sb_end_length(int index) { return game->ended()[static_cast<std::size_t>(index)].length; }

SEEDBED_PAGE const float* sb_scene(int last) {
    pack(game->scene(last != 0));
    return packed.data();
}
SEEDBED_PAGE int sb_frame_width(int last) { return game->scene(last != 0).frame_width; }
SEEDBED_PAGE int sb_frame_height(int last) { return game->scene(last != 0).frame_height; }
SEEDBED_PAGE const std::uint8_t* sb_frame(int last) { return game->scene(last != 0).frame.data(); }
