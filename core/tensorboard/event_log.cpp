// SPDX-License-Identifier: Apache-2.0
#include "core/tensorboard/event_log.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "core/base/text.hpp"
#include "core/tensorboard/events.hpp"
#include "core/tensorboard/records.hpp"

namespace seedbed::tensorboard {
namespace {

constexpr const char* kVersionPrefix = "brain.Event:";

// Collects the points of several files.
class Collector {
public:
    explicit Collector(const EventLimits& limits) : limits_(limits) {}

    // Adds the events of a file in order. error: without the file's name.
    Result<> addFile(std::span<const std::uint8_t> bytes) {
        const std::size_t size = bytes.size();
        for (std::int64_t number = 1;; ++number) {
            const std::size_t at = size - bytes.size();
            auto added = addRecord(bytes, number == 1);
            if (!added)
                return fail(ErrorCode::config, "record " + formatCount(number) + " at byte " +
                                                   formatCount(static_cast<std::int64_t>(at)) + ": " +
                                                   added.error().message);
            if (!*added) return {};
        }
    }

    std::vector<ScalarCurve> take() {
        // valid_before[e]: the smallest step of the restarts after the first e. Points from that step on are
        // obsolete.
        std::vector<std::int64_t> valid_before(restarts_.size() + 1,
                                               std::numeric_limits<std::int64_t>::max());
        for (std::size_t e = restarts_.size(); e-- > 0;)
            valid_before[e] = std::min(restarts_[e], valid_before[e + 1]);
        std::vector<ScalarCurve> curves;
        for (auto& [tag, points] : points_) {
            std::erase_if(points,
                          [&](const Point& point) { return point.step >= valid_before[point.epoch]; });
            std::stable_sort(points.begin(), points.end(),
                             [](const Point& a, const Point& b) { return a.step < b.step; });
            if (!points.empty()) curves.push_back(curveFrom(tag, points));
        }
        return curves;
    }

private:
    // Returns false at the end of the file.
    Result<bool> addRecord(std::span<const std::uint8_t>& bytes, bool first) {
        SEEDBED_ASSIGN(const auto record, takeRecord(bytes));
        if (!record) return false;
        SEEDBED_ASSIGN(const Event event, decodeEvent(*record));
        if (first && !event.file_version.starts_with(kVersionPrefix))
            return fail("the file does not begin with the version of an event file");
        if (event.restart) restarts_.push_back(event.step);
        for (const Scalar& scalar : event.scalars) SEEDBED_TRY(addPoint(event, scalar));
        return true;
    }

    struct Point {
        std::int64_t step;
        double time, value;
        std::size_t epoch;  // number of restarts before it
    };

    Result<> addPoint(const Event& event, const Scalar& scalar) {
        if (++count_ > limits_.points)
            return fail("there are more than " + formatCount(static_cast<std::int64_t>(limits_.points)) +
                        " points");
        auto at = points_.find(scalar.tag);
        if (at == points_.end()) {
            if (points_.size() >= limits_.curves)
                return fail("there are more than " + formatCount(static_cast<std::int64_t>(limits_.curves)) +
                            " curves");
            at = points_.emplace(scalar.tag, std::vector<Point>()).first;
        }
        at->second.push_back({event.step, event.time, scalar.value, restarts_.size()});
        return {};
    }

    // Releases the points.
    static ScalarCurve curveFrom(const std::string& tag, std::vector<Point>& points) {
        ScalarCurve curve;
        curve.tag = tag;
        for (const Point& point : std::exchange(points, {})) {
            curve.steps.push_back(point.step);
            curve.times.push_back(point.time);
            curve.values.push_back(point.value);
        }
        return curve;
    }

    const EventLimits limits_;
    std::map<std::string, std::vector<Point>> points_;
    std::vector<std::int64_t> restarts_;
    std::size_t count_ = 0;
};

Result<std::vector<Path>> eventFilesIn(FileSystem& files, const Path& folder, const EventLimits& limits) {
    SEEDBED_ASSIGN(const auto entries, files.list(folder));
    std::vector<Path> found;
    for (const FileInfo& entry : entries)
        if (entry.kind == FileInfo::Kind::file && !entry.is_link && isEventFile(entry.name))
            found.push_back(folder / entry.name);
    if (found.size() > limits.files)
        return fail(ErrorCode::config,
                    "'" + folder.string() + "' contains " +
                        formatCount(static_cast<std::int64_t>(found.size())) + " event files; at most " +
                        formatCount(static_cast<std::int64_t>(limits.files)) + " are read");
    return found;
}

Result<> addFolders(FileSystem& files, const Path& folder, int depth, const EventLimits& limits,
                    std::vector<Path>& found) {
    SEEDBED_ASSIGN(const auto entries, files.list(folder));
    bool has_events = false;
    for (const FileInfo& entry : entries)
        has_events |= entry.kind == FileInfo::Kind::file && !entry.is_link && isEventFile(entry.name);
    if (has_events) found.push_back(folder);
    if (depth == 0 || found.size() > limits.files) return {};
    for (const FileInfo& entry : entries)
        if (entry.kind == FileInfo::Kind::folder && !entry.is_link)
            SEEDBED_TRY(addFolders(files, folder / entry.name, depth - 1, limits, found));
    return {};
}

}  // namespace

bool isEventFile(const Path& name) { return name.filename().string().find("tfevents") != std::string::npos; }

Result<std::vector<Path>> findEventFolders(FileSystem& files, const Path& source, const EventLimits& limits) {
    SEEDBED_ASSIGN(const auto info, files.info(source));
    std::vector<Path> found;
    if (!info) return found;
    if (info->kind == FileInfo::Kind::file && isEventFile(source)) found.push_back(source);
    if (info->kind == FileInfo::Kind::folder)
        SEEDBED_TRY(addFolders(files, source, limits.depth, limits, found));
    return found;
}

Result<std::vector<ScalarCurve>> readCurves(FileSystem& files, const Path& source,
                                            const EventLimits& limits) {
    SEEDBED_ASSIGN(const auto info, files.info(source));
    std::vector<Path> paths{source};
    if (info && info->kind == FileInfo::Kind::folder) {
        SEEDBED_ASSIGN(paths, eventFilesIn(files, source, limits));
    }
    Collector collector(limits);
    for (const Path& path : paths) {
        SEEDBED_ASSIGN(const std::string text, readFile(files, path, limits.file_bytes));
        const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.data());
        if (auto added = collector.addFile({bytes, text.size()}); !added)
            return fail(ErrorCode::config,
                        "'" + path.string() + "' cannot be read, " + added.error().message);
    }
    return collector.take();
}

Result<std::vector<ScalarCurve>> curvesOf(std::span<const std::uint8_t> file, const EventLimits& limits) {
    Collector collector(limits);
    SEEDBED_TRY(collector.addFile(file));
    return collector.take();
}

}  // namespace seedbed::tensorboard
