// SPDX-License-Identifier: Apache-2.0
// One function per type both writes and reads it.
#include "core/control/player_frame.hpp"

#include <cstring>

#include "core/base/archive.hpp"

namespace seedbed {
namespace {

constexpr std::uint32_t kFrameVersion = 2;
constexpr std::uint32_t kMaxCells = 64, kMaxAgents = 64, kMaxTrace = 4096;

// Number of elements of at least `least` bytes each; a wrong number is detected before memory is allocated.
template <class T>
void count(Archive& archive, std::vector<T>& values, std::size_t least, std::size_t most, bool& ok) {
    auto size = static_cast<std::uint32_t>(values.size());
    archive(size);
    ok = ok && !archive.failed() && size <= most && size * least <= archive.bytes().size();
    if (archive.isLoading()) values.resize(ok ? size : 0);
}

template <class E>
void choice(Archive& archive, E& value, E last, bool& ok) {
    archive(value);
    ok = ok && static_cast<std::uint8_t>(value) <= static_cast<std::uint8_t>(last);
}

void flag(Archive& archive, bool& value) {
    std::uint8_t byte = value ? 1 : 0;
    archive(byte);
    value = byte != 0;
}

void archiveShape(Archive& archive, Shape& s, bool& ok) {
    choice(archive, s.kind, Shape::Kind::text, ok);
    archive(s.fill)(s.stroke)(s.stroke_width)(s.x)(s.y)(s.w)(s.h)(s.angle)(s.radius)(s.points)(s.text);
}

void archiveScene(Archive& archive, Scene& scene, bool& ok) {
    archive(scene.left)(scene.bottom)(scene.right)(scene.top)(scene.background);
    count(archive, scene.shapes, 53, 1 << 20, ok);
    for (Shape& shape : scene.shapes) archiveShape(archive, shape, ok);
    std::int32_t width = scene.frame_width, height = scene.frame_height;
    archive(width)(height)(scene.frame);
    const bool fits =
        width >= 0 && height >= 0 && width <= 1 << 14 && height <= 1 << 14 &&
        scene.frame.size() == static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 3;
    ok = ok && (fits || !archive.isLoading());
    scene.frame_width = width;
    scene.frame_height = height;
}

void archiveRecord(Archive& archive, PlayerRecord& r, bool& ok) {
    archive(r.row)(r.episode)(r.step);
    flag(archive, r.decided);
    choice(archive, r.end, EpisodeMark::truncated, ok);
    archive(r.value)(r.reward)(r.return_so_far)(r.action)(r.policy)(r.shown);
}

void archiveHead(Archive& archive, PlayerFrame& f, bool& ok) {
    std::uint32_t version = kFrameVersion;
    archive(version)(f.generation)(f.row)(f.newest_row)(f.oldest_row)(f.weights_version)(f.weights_steps);
    ok = ok && version == kFrameVersion;
    for (bool* value : {&f.greedy, &f.paused, &f.finished, &f.followed}) flag(archive, *value);
    archive(f.speed)(f.focus)(f.focus_agent);
    count(archive, f.trace, 58, kMaxTrace, ok);
    for (PlayerRecord& record : f.trace) archiveRecord(archive, record, ok);
}

void archiveCells(Archive& archive, std::vector<PlayerCell>& cells, bool& ok) {
    count(archive, cells, 100, kMaxCells, ok);
    for (PlayerCell& cell : cells) {
        archiveScene(archive, cell.scene, ok);
        archiveRecord(archive, cell.now, ok);
        choice(archive, cell.last_end, EpisodeMark::truncated, ok);
        archive(cell.last_return)(cell.episodes);
        count(archive, cell.others, 58, kMaxAgents, ok);
        for (PlayerAgent& agent : cell.others) {
            archiveRecord(archive, agent.now, ok);
            archive(agent.last_return);
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
    PlayerFrame copy = frame;
    bool ok = true;
    archiveHead(archive, copy, ok);
    return bytesOf(archive);
}

std::vector<std::byte> encodeCells(const std::vector<PlayerCell>& cells) {
    Archive archive = Archive::saving();
    std::vector<PlayerCell> copy = cells;
    bool ok = true;
    archiveCells(archive, copy, ok);
    return bytesOf(archive);
}

Result<PlayerFrame> decodeFrame(std::span<const std::byte> bytes) {
    const auto* begin = reinterpret_cast<const std::uint8_t*>(bytes.data());
    Archive archive = Archive::loading(std::vector<std::uint8_t>(begin, begin + bytes.size()));
    PlayerFrame frame;
    bool ok = true;
    archiveHead(archive, frame, ok);
    if (ok && !archive.failed()) archiveCells(archive, frame.cells, ok);
    if (!ok || archive.failed() || !archive.finish()) return fail("the player sent an invalid frame");
    if (frame.focus < 0 || static_cast<std::size_t>(frame.focus) >= frame.cells.size())
        return fail("the player's focus is not a cell");
    if (frame.focus_agent < 0 ||
        frame.focus_agent >= frame.cells[static_cast<std::size_t>(frame.focus)].agents())
        return fail("the player's focus is not an agent");
    return frame;
}

}  // namespace seedbed
