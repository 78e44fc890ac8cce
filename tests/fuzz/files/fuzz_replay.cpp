// SPDX-License-Identifier: Apache-2.0
// Replay files, and the frames and inspections of a player: the first byte selects which, and for replays
// also whether the hash at the end is recomputed, so that mutations get past it. Accepted input must satisfy
// the guarantees of the parser.
#include <cstdlib>
#include <cstring>

#include "core/base/sha256.hpp"
#include "core/control/inspection.hpp"
#include "core/control/player_frame.hpp"
#include "core/policy/replay_file.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace seedbed;

namespace {

constexpr std::size_t kHash = 32;

void sign(std::vector<std::uint8_t>& bytes) {
    if (bytes.size() < kHash) return;
    const std::string hex = sha256Hex(std::as_bytes(std::span(bytes).first(bytes.size() - kHash)));
    for (std::size_t i = 0; i < kHash; ++i)
        bytes[bytes.size() - kHash + i] =
            static_cast<std::uint8_t>(std::stoi(hex.substr(2 * i, 2), nullptr, 16));
}

void replay(std::vector<std::uint8_t> bytes, bool right_hash) {
    if (right_hash) sign(bytes);
    const auto read = decodeReplay(bytes, "fuzz");
    noteOutcome(right_hash ? "replay-with-right-hash" : "replay", read);
    if (!read) return;
    std::size_t floats = 0;
    for (const ReplayTrack& track : read->tracks) {
        std::uint64_t decisions = 0;
        for (const ReplayEpisode& episode : track.episodes) decisions += episode.decisions;
        const auto words =
            static_cast<std::size_t>(read->agents) * static_cast<std::size_t>(read->action_words);
        if (decisions * words != track.actions.size()) std::abort();
        if (!track.persons.empty() &&
            track.persons.size() != decisions * static_cast<std::size_t>(read->agents))
            std::abort();
        floats += track.actions.size();
    }
    if (floats * sizeof(float) > bytes.size()) std::abort();
    (void)read->selected();
    const auto again = encodeReplay(*read);
    const auto same = decodeReplay(again, "fuzz");
    if (!same || encodeReplay(*same) != again) std::abort();
}

void frame(std::span<const std::uint8_t> bytes) {
    const auto read = decodeFrame(std::as_bytes(bytes));
    noteOutcome("frame", read);
    if (!read) return;
    for (const PlayerCell& cell : read->cells)
        if (cell.scene.frame.size() !=
            static_cast<std::size_t>(cell.scene.frame_width * cell.scene.frame_height) * 3)
            std::abort();
    if (static_cast<std::size_t>(read->focus) >= read->cells.size()) std::abort();
}

void inspection(std::span<const std::uint8_t> bytes) {
    const auto read = decodeInspection(std::as_bytes(bytes));
    noteOutcome("inspection", read);
    if (!read) return;
    for (const InspectedLeaf& leaf : read->leaves)
        if (!leaf.of_action.empty() && leaf.of_action.size() != leaf.seen.size()) std::abort();
    (void)toJson(*read).dump();
}

constexpr std::uint8_t kInspection = 0xFE;

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    if (data[0] == kInspection) inspection({data + 1, size - 1});
    else if (data[0] % 3 == 2) frame({data + 1, size - 1});
    else replay({data + 1, data + size}, data[0] % 3 == 1);
    return 0;
}

std::vector<std::vector<std::uint8_t>> seedbed::fuzzSeeds() {
    std::vector<std::vector<std::uint8_t>> seeds;
    const auto add = [&](std::uint8_t kind, const void* from, std::size_t count) {
        std::vector<std::uint8_t>& bytes = seeds.emplace_back(1, kind);
        const auto* begin = static_cast<const std::uint8_t*>(from);
        bytes.insert(bytes.end(), begin, begin + count);
    };
    Replay kept{.env = "cartpole",
                .env_params = {{"wrap", {{"sticky_actions", 0.25}}}},
                .upstream = "x",
                .seed = ~std::uint64_t{0}};
    kept.tracks.push_back(
        {3, {{2, 2.0, true, std::string(64, 'a')}, {1, 1.0, false, std::string(64, '0')}}, {0, 1, 0}});
    kept.tracks.push_back({4, {{1, -0.5, true, std::string(64, 'b')}}, {1}});
    const auto file = encodeReplay(kept);
    add(0, file.data(), file.size());
    add(1, file.data(), file.size());

    kept.tracks[0].persons = {0, 1, 1};
    const auto marked = encodeReplay(kept);
    add(1, marked.data(), marked.size());

    Inspection looked;
    looked.leaves.push_back({"obs", {1, 2, 2}, true, {1, 2, 3, 4}, {0, 0, 1, 0}, {}});
    looked.mask = {1, 0};
    looked.shown = {1, 0};
    looked.state_before = looked.state_after = {0.5F};
    const auto looked_bytes = encodeInspection(looked);
    add(kInspection, looked_bytes.data(), looked_bytes.size());

    PlayerFrame shown;
    shown.cells.resize(2);
    shown.cells[0].scene.circle(0, 0, 1, {1, 2, 3, 4});
    shown.cells[0].scene.polygon({0, 0, 1, 0, 1, 1}, {9, 9, 9, 255});
    shown.cells[0].scene.label(0, 0, 1, "text", {});
    shown.cells[1].scene.frame_width = 2;
    shown.cells[1].scene.frame_height = 1;
    shown.cells[1].scene.frame.assign(6, 7);
    shown.cells[1].now.action = {1};
    shown.cells[1].now.policy = {0.5F, -0.5F};
    shown.cells[1].now.shown = {0.7F, 0.3F};
    shown.trace = {shown.cells[1].now, shown.cells[0].now};
    auto bytes = encodeHead(shown);
    const auto cells = encodeCells(shown.cells);
    bytes.insert(bytes.end(), cells.begin(), cells.end());
    add(2, bytes.data(), bytes.size());
    return seeds;
}
