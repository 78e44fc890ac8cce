// SPDX-License-Identifier: Apache-2.0
// For each type, one function both writes and reads.
#include "core/control/player_frame.hpp"

#include <cstring>
#include <limits>

#include "core/base/archive.hpp"

namespace seedbed {
namespace {

constexpr std::uint32_t kFrameVersion = 3;
constexpr std::uint32_t kMaxCells = 128, kMaxAgents = 64, kMaxTrace = 4096;

// Number of elements of at least `least` bytes each; a wrong number is detected before memory is allocated.
template <class T>
void count(Archive& archive, std::vector<T>& values, std::size_t least, std::size_t most, bool& ok) {
    auto size = static_cast<std::uint32_t>(values.size());
    archive.any(size);
    ok = ok && !archive.failed() && size <= most && size * least <= archive.bytes().size();
    if (archive.isLoading()) values.resize(ok ? size : 0);
}

// Any byte value is allowed.
void colour(Archive& archive, Colour& value) { archive.unchecked(&value, sizeof value); }

template <class T>
void list(Archive& archive, std::vector<T>& values) {
    archive.list("list", values, std::numeric_limits<std::uint32_t>::max());
}

void archiveShape(Archive& archive, Shape& s) {
    archive.field("shape", s.kind, range(Shape::Kind{}, Shape::Kind::text));
    colour(archive, s.fill);
    colour(archive, s.stroke);
    archive.anyReal(s.stroke_width, s.x, s.y, s.w, s.h, s.angle, s.radius);
    list(archive, s.points);
    archive.any(s.text);
}

void archiveScene(Archive& archive, Scene& scene, bool& ok) {
    archive.anyReal(scene.left, scene.bottom, scene.right, scene.top);
    colour(archive, scene.background);
    count(archive, scene.shapes, 53, 1 << 20, ok);
    for (Shape& shape : scene.shapes) archiveShape(archive, shape);
    std::int32_t width = scene.frame_width, height = scene.frame_height;
    archive.field("width", width, range(0, 1 << 14)).field("height", height, range(0, 1 << 14));
    list(archive, scene.frame);
    const bool fits =
        scene.frame.size() == static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 3;
    if (!archive.isLoading()) return;
    ok = ok && fits;
    scene.frame_width = width;
    scene.frame_height = height;
}

void archiveRecord(Archive& archive, PlayerRecord& r) {
    archive.any(r.row, r.episode).field("step", r.step, range(0, std::numeric_limits<std::int32_t>::max()));
    archive.flag("decided", r.decided).field("end", r.end, range(EpisodeMark{}, EpisodeMark::truncated));
    archive.field("source", r.source, range(DecisionSource{}, DecisionSource::person));
    archive.anyReal(r.value, r.entropy, r.reward, r.return_so_far);
    for (std::vector<float>* values : {&r.action, &r.policy, &r.shown}) list(archive, *values);
}

void archiveHead(Archive& archive, PlayerFrame& f, bool& ok) {
    std::uint32_t version = kFrameVersion;
    archive.field("version", version, range(kFrameVersion, kFrameVersion)).any(f.generation);
    archive.any(f.row, f.newest_row, f.oldest_row, f.weights_version);
    using Steps = std::numeric_limits<std::int64_t>;
    archive.field("steps", f.weights_steps, range(Steps::min(), Steps::max()));
    for (bool* value : {&f.greedy, &f.paused, &f.finished, &f.followed}) archive.flag("flag", *value);
    archive.anyReal(f.speed).field("focus", f.focus, range(0, static_cast<int>(kMaxCells)));
    archive.field("agent in focus", f.focus_agent, range(0, static_cast<int>(kMaxAgents)));
    count(archive, f.trace, 63, kMaxTrace, ok);
    for (PlayerRecord& record : f.trace) archiveRecord(archive, record);
}

void archiveCells(Archive& archive, std::vector<PlayerCell>& cells, bool& ok) {
    count(archive, cells, 105, kMaxCells, ok);
    for (PlayerCell& cell : cells) {
        archiveScene(archive, cell.scene, ok);
        archiveRecord(archive, cell.now);
        archive.field("end", cell.last_end, range(EpisodeMark{}, EpisodeMark::truncated));
        archive.anyReal(cell.last_return).any(cell.episodes);
        count(archive, cell.others, 63, kMaxAgents, ok);
        for (PlayerAgent& agent : cell.others) {
            archiveRecord(archive, agent.now);
            archive.anyReal(agent.last_return);
        }
    }
}

std::vector<std::byte> bytesOf(const Archive& archive) {
    const auto bytes = std::as_bytes(std::span(archive.bytes()));
    return {bytes.begin(), bytes.end()};
}

}  // namespace

std::vector<std::byte> encodeHead(const PlayerFrame& frame) {
    Archive archive = Archive::saving();
    bool ok = true;
    archiveHead(archive, const_cast<PlayerFrame&>(frame), ok);  // saving only reads
    return bytesOf(archive);
}

std::vector<std::byte> encodeCells(const std::vector<PlayerCell>& cells) {
    Archive archive = Archive::saving();
    bool ok = true;
    archiveCells(archive, const_cast<std::vector<PlayerCell>&>(cells), ok);  // saving only reads
    return bytesOf(archive);
}

Result<std::vector<PlayerCell>> decodeCells(std::span<const std::byte> bytes) {
    const auto* begin = reinterpret_cast<const std::uint8_t*>(bytes.data());
    Archive archive = Archive::loading(std::vector<std::uint8_t>(begin, begin + bytes.size()));
    std::vector<PlayerCell> cells;
    bool ok = true;
    archiveCells(archive, cells, ok);
    if (!ok || !archive.finish()) return fail("these are not the cells of a frame");
    return cells;
}

Result<PlayerFrame> decodeFrame(std::span<const std::byte> bytes) {
    const auto* begin = reinterpret_cast<const std::uint8_t*>(bytes.data());
    Archive archive = Archive::loading(std::vector<std::uint8_t>(begin, begin + bytes.size()));
    PlayerFrame frame;
    bool ok = true;
    archiveHead(archive, frame, ok);
    if (ok && !archive.failed()) archiveCells(archive, frame.cells, ok);
    if (!ok || !archive.finish()) return fail("the player sent an invalid frame");
    if (static_cast<std::size_t>(frame.focus) >= frame.cells.size())
        return fail("the player's focus is not a cell");
    if (frame.focus_agent >= frame.cells[static_cast<std::size_t>(frame.focus)].agents())
        return fail("the player's focus is not an agent");
    return frame;
}

}  // namespace seedbed
