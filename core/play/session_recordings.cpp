// SPDX-License-Identifier: Apache-2.0
#include "core/play/session_recordings.hpp"

#include <cmath>
#include <utility>

namespace seedbed {

SessionRecordings::~SessionRecordings() {
    thread_.requestStop();
    thread_.join();
}

void SessionRecordings::replay(const Path& file, const RecordedGames& games,
                               std::vector<ReplayTrack> tracks) {
    const Replay replay = recordedReplay(games, std::move(tracks));
    RealFileSystem files(FileAccess::umask);
    Json event{{"event", "record_failed"}, {"file", file.string()}};
    if (replay.tracks.empty()) event["text"] = "no episode has finished yet";
    else if (const auto saved = saveReplay(files, file, replay); !saved) event["text"] = saved.error().text();
    else event = {{"event", "recorded"}, {"file", file.string()}, {"episodes", replay.episodeCount()}};
    send_(std::move(event));
}

// Copies the rows; the thread draws and writes them.
void SessionRecordings::film(const PlayerRequest& request, const PlayerHistory& history, const Spaces& spaces,
                             int cell, int agent) {
    if (writing_)
        return send_({{"event", "record_failed"},
                      {"file", request.file.string()},
                      {"text", "another recording is being written; try again when it is done"}});
    const std::uint64_t to = request.to.value_or(history.shown().row);
    const auto rows = static_cast<std::uint64_t>(std::ceil(request.number * request.film.rate));
    const std::uint64_t from = request.from.value_or(to >= rows ? to - rows + 1 : 0);
    std::vector<std::vector<std::byte>> stored;
    for (const StoredRow* row : history.between(from, to)) stored.push_back(row->cells);
    const auto wanted = static_cast<std::size_t>(request.cell.value_or(cell));
    thread_.join();
    writing_ = true;
    const auto write = [this, stored = std::move(stored), request, spaces, wanted, agent, from,
                        to](const std::stop_token& stop) -> Result<> {
        RealFileSystem files(FileAccess::umask);
        std::vector<FilmFrame> frames;
        for (const std::vector<std::byte>& bytes : stored) {
            auto cells = decodeCells(bytes);
            if (cells && wanted < cells->size())
                frames.push_back({std::move((*cells)[wanted].scene), (*cells)[wanted].nowOf(agent)});
        }
        const auto written = writeFilm(files, request.file, frames, spaces, request.film, stop);
        Json event{{"event", written ? "recorded" : "record_failed"},
                   {"file", request.file.string()},
                   {"from", from},
                   {"to", to},
                   {"frames", frames.size()}};
        if (!written) event["text"] = written.error().text();
        writing_ = false;
        send_(std::move(event));
        return {};
    };
    thread_ = NamedThread("film", write, {});
}

}  // namespace seedbed
