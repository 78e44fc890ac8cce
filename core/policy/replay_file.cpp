// SPDX-License-Identifier: Apache-2.0
// Files are untrusted: every value is checked before it is used.
//
// File (little-endian): 8 bytes "SBREPLAY", u32 version (1 or 2), u32 length of the header, the header as
// JSON, the actions of all tracks (f32 [decisions, agents, action words] each), in version 2 the marks of
// each track whose member "persons" is true (u8 [decisions, agents], 1: chosen by a person), and the SHA-256
// (32 bytes) of everything before it. The header has the members of Replay; each episode has the SHA-256 of
// its rows: for each decision, the observations of all agents as the environment wrote them, the actions, and
// the rewards (f32).
#include "core/policy/replay_file.hpp"

#include <cmath>
#include <cstring>
#include <limits>

#include "core/base/sha256.hpp"
#include "core/base/strict_json.hpp"

namespace seedbed {
namespace {

constexpr std::string_view kMagic = "SBREPLAY";
// Version 2 marks the decisions of persons; files without such decisions have version 1.
constexpr std::uint32_t kVersion = 2;
constexpr std::size_t kPrefix = 16, kHash = 32;
// An episode occupies 123 to 170 bytes of the header and has 5 JSON values.
constexpr std::size_t kEpisodeValues = 5, kMinEpisodeBytes = 123, kMaxEpisodeBytes = 170;
// Limits for all other members of the header.
constexpr std::size_t kOtherBytes = std::size_t{1} << 20, kOtherValues = std::size_t{1} << 16;
constexpr std::size_t kMaxHeader = kOtherBytes + kMaxReplayEpisodes * kMaxEpisodeBytes;
constexpr std::uint64_t kMaxFile = std::uint64_t{1} << 30;
constexpr int kMaxTracks = 1024, kMaxAgents = 1024, kMaxWords = 4096;

Json headerOf(const Replay& replay) {
    Json tracks = Json::array();
    for (const ReplayTrack& track : replay.tracks) {
        Json episodes = Json::array();
        for (const ReplayEpisode& episode : track.episodes)
            episodes.push_back({{"decisions", episode.decisions},
                                {"return", episode.episode_return},
                                {"terminated", episode.terminated},
                                {"sha256", episode.sha256}});
        tracks.push_back({{"lane", track.lane}, {"episodes", episodes}});
        if (!track.persons.empty()) tracks.back()["persons"] = true;
    }
    return {{"env", replay.env},
            {"env_params", replay.env_params},
            {"upstream", replay.upstream},
            {"seed", replay.seed},
            {"purpose", static_cast<std::uint32_t>(replay.purpose)},
            {"agents", replay.agents},
            {"action_words", replay.action_words},
            {"track", replay.track},
            {"episode", replay.episode},
            {"source", replay.source},
            {"tracks", tracks}};
}

// Reads the members of a header and checks their types and ranges; stores the first error.
class Members {
public:
    explicit Members(const Json& json) : json_(json) {}

    std::string text(const char* key) {
        const Json* value = find(key);
        if (value != nullptr && value->is_string()) return value->get<std::string>();
        wrong(key, "a text");
        return {};
    }
    std::uint64_t count(const char* key, std::uint64_t max = std::numeric_limits<std::uint64_t>::max()) {
        const Json* value = find(key);
        if (value != nullptr && value->is_number_integer() &&
            (value->is_number_unsigned() || value->get<std::int64_t>() >= 0) &&
            value->get<std::uint64_t>() <= max)
            return value->get<std::uint64_t>();
        wrong(key, "a number from 0 to " + std::to_string(max));
        return 0;
    }
    double number(const char* key) {
        const Json* value = find(key);
        if (value != nullptr && value->is_number()) return value->get<double>();
        wrong(key, "a number");
        return 0;
    }
    bool flag(const char* key) {
        const Json* value = find(key);
        if (value != nullptr && value->is_boolean()) return value->get<bool>();
        wrong(key, "true or false");
        return false;
    }
    const Json& member(const char* key, bool array) {
        static const Json none = Json::object();
        const Json* value = find(key);
        if (value != nullptr && (array ? value->is_array() : value->is_object())) return *value;
        return wrong(key, array ? "a list" : "an object"), none;
    }
    const std::string& problem() const { return problem_; }

private:
    const Json* find(const char* key) const {
        if (!json_.is_object()) return nullptr;
        const auto found = json_.find(key);
        return found == json_.end() ? nullptr : &*found;
    }
    void wrong(const char* key, const std::string& what) {
        if (problem_.empty()) problem_ = "its header's '" + std::string(key) + "' is not " + what;
    }

    const Json& json_;
    std::string problem_;
};

bool isHash(const std::string& text) {
    return text.size() == 64 && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

// Returns an error message, or "".
std::string readTrack(const Json& json, std::uint64_t most_decisions, ReplayTrack& track,
                      std::uint64_t& decisions, bool& has_persons) {
    Members members(json);
    track.lane = static_cast<std::uint32_t>(members.count("lane", std::numeric_limits<std::int32_t>::max()));
    has_persons = json.is_object() && json.value("persons", Json()) == true;
    for (const Json& entry : members.member("episodes", true)) {
        Members of_episode(entry);
        ReplayEpisode episode;
        episode.decisions = of_episode.count("decisions", most_decisions);
        episode.episode_return = of_episode.number("return");
        episode.terminated = of_episode.flag("terminated");
        episode.sha256 = of_episode.text("sha256");
        if (!of_episode.problem().empty()) return of_episode.problem();
        if (episode.decisions == 0) return "it has an episode without decisions";
        if (!isHash(episode.sha256)) return "it has an episode with an invalid sha256";
        decisions += episode.decisions;
        if (decisions > most_decisions) return "its episodes have more decisions than it has actions";
        track.episodes.push_back(std::move(episode));
    }
    return members.problem();
}

// `bytes`: size of the actions and marks after the header.
std::string readHeader(const Json& json, std::size_t bytes, bool may_have_persons, Replay& replay) {
    const std::size_t floats = bytes / sizeof(float);
    Members members(json);
    replay.env = members.text("env");
    replay.env_params = members.member("env_params", false);
    replay.upstream = members.text("upstream");
    replay.seed = members.count("seed");
    replay.purpose = static_cast<RngPurpose>(members.count("purpose", 1000));
    replay.agents = static_cast<int>(members.count("agents", kMaxAgents));
    replay.action_words = static_cast<int>(members.count("action_words", kMaxWords));
    const auto track = members.count("track", kMaxTracks);
    const auto episode = members.count("episode", std::numeric_limits<std::int32_t>::max());
    replay.source = members.member("source", false);
    const Json& tracks = members.member("tracks", true);
    if (!members.problem().empty()) return members.problem();
    if (replay.agents == 0 || replay.action_words == 0) return "it has no agents or no actions";
    if (tracks.size() > static_cast<std::size_t>(kMaxTracks)) return "it has too many tracks";
    const std::size_t words =
        static_cast<std::size_t>(replay.agents) * static_cast<std::size_t>(replay.action_words);
    std::uint64_t total = 0, marks = 0;
    for (const Json& entry : tracks) {
        std::uint64_t decisions = 0;
        bool has_persons = false;
        ReplayTrack& read = replay.tracks.emplace_back();
        if (std::string problem = readTrack(entry, floats / words, read, decisions, has_persons);
            !problem.empty())
            return problem;
        if (has_persons && may_have_persons) {
            read.persons.resize(decisions * static_cast<std::size_t>(replay.agents));
            marks += read.persons.size();
        }
        total += decisions;
        if (total * words > floats) return "it ends before its last action";
    }
    if (replay.episodeCount() > kMaxReplayEpisodes)
        return "it has more than " + std::to_string(kMaxReplayEpisodes) + " episodes";
    const std::size_t expected = total * words * sizeof(float) + marks;
    if (expected > bytes) return "it ends before its last mark of a person's decision";
    if (expected < bytes) return "it has more actions than its episodes have decisions";
    if (track >= replay.tracks.size() || episode >= replay.tracks[track].episodes.size())
        return "it has no episode to show";
    replay.track = static_cast<int>(track);
    replay.episode = static_cast<int>(episode);
    return "";
}

}  // namespace

std::size_t Replay::episodeCount() const {
    std::size_t count = 0;
    for (const ReplayTrack& each : tracks) count += each.episodes.size();
    return count;
}

std::string Replay::sha256() const {
    Sha256 hash;
    for (const ReplayTrack& each : tracks)
        for (const ReplayEpisode& played : each.episodes) hash.update(played.sha256);
    return hash.hex();
}

std::vector<std::uint8_t> encodeReplay(const Replay& replay) {
    const std::string header = headerOf(replay).dump(-1, ' ', false, Json::error_handler_t::replace);
    std::vector<std::uint8_t> bytes(kMagic.begin(), kMagic.end());
    const auto add = [&](const void* from, std::size_t count) {
        const auto* begin = static_cast<const std::uint8_t*>(from);
        bytes.insert(bytes.end(), begin, begin + count);
    };
    const auto header_bytes = static_cast<std::uint32_t>(header.size());
    const bool has_persons =
        std::ranges::any_of(replay.tracks, [](const ReplayTrack& track) { return !track.persons.empty(); });
    const std::uint32_t version = has_persons ? kVersion : 1;
    add(&version, sizeof version);
    add(&header_bytes, sizeof header_bytes);
    add(header.data(), header.size());
    for (const ReplayTrack& track : replay.tracks)
        add(track.actions.data(), track.actions.size() * sizeof(float));
    for (const ReplayTrack& track : replay.tracks) add(track.persons.data(), track.persons.size());
    const std::string hash = sha256Hex(std::as_bytes(std::span(bytes)));
    for (std::size_t i = 0; i < kHash; ++i)
        bytes.push_back(static_cast<std::uint8_t>(std::stoi(hash.substr(2 * i, 2), nullptr, 16)));
    return bytes;
}

namespace {

// Fills the actions and marks of each track from `numbers`, whose size the header has confirmed. Returns an
// error message, or "".
std::string readActions(std::span<const std::uint8_t> numbers, Replay& replay) {
    const std::uint8_t* at = numbers.data();
    for (ReplayTrack& track : replay.tracks) {
        std::uint64_t decisions = 0;
        for (const ReplayEpisode& episode : track.episodes) decisions += episode.decisions;
        track.actions.resize(decisions * static_cast<std::size_t>(replay.agents) *
                             static_cast<std::size_t>(replay.action_words));
        const std::size_t size = track.actions.size() * sizeof(float);
        if (size > 0) std::memcpy(track.actions.data(), at, size);
        at += size;
        if (!std::ranges::all_of(track.actions, [](float value) { return std::isfinite(value); }))
            return "it has an action that is not a number";
    }
    for (ReplayTrack& track : replay.tracks) {
        std::copy_n(at, track.persons.size(), track.persons.begin());
        at += track.persons.size();
        if (!std::ranges::all_of(track.persons, [](std::uint8_t mark) { return mark <= 1; }))
            return "it has an invalid mark of a person's decision";
    }
    return "";
}

}  // namespace

Result<Replay> decodeReplay(std::span<const std::uint8_t> bytes, std::string_view what) {
    const auto bad = [&](const std::string& why) {
        return fail(ErrorCode::config, "'" + std::string(what) + "' cannot be played: " + why);
    };
    if (bytes.size() < kMagic.size() || std::memcmp(bytes.data(), kMagic.data(), kMagic.size()) != 0)
        return bad("it is not a replay");
    if (bytes.size() < kPrefix + kHash) return bad("it ends too early");
    std::uint32_t version = 0;
    std::uint32_t header_bytes = 0;
    std::memcpy(&version, bytes.data() + 8, 4);
    std::memcpy(&header_bytes, bytes.data() + 12, 4);
    if (version == 0 || version > kVersion)
        return bad("it was written by a newer version of Seedbed (format " + std::to_string(version) + ")");
    if (header_bytes > kMaxHeader) return bad("its header is too long");
    if (header_bytes > bytes.size() - kPrefix - kHash) return bad("it ends too early");
    const auto body = bytes.first(bytes.size() - kHash);
    const std::string hash = sha256Hex(std::as_bytes(body));
    for (std::size_t i = 0; i < kHash; ++i)
        if (bytes[body.size() + i] !=
            static_cast<std::uint8_t>(std::stoi(hash.substr(2 * i, 2), nullptr, 16)))
            return bad("its contents have changed since it was written (SHA-256); copy or record it again");
    const std::size_t max_values = kOtherValues + header_bytes / kMinEpisodeBytes * kEpisodeValues;
    const Json json =
        parseStrictJson(std::string_view(reinterpret_cast<const char*>(bytes.data()) + kPrefix, header_bytes),
                        32, max_values);
    if (!json.is_object()) return bad("its header is not a JSON object");
    const auto numbers = body.subspan(kPrefix + header_bytes);
    if (version == 1 && numbers.size() % sizeof(float) != 0) return bad("it ends in the middle of an action");
    Replay replay;
    if (const std::string problem = readHeader(json, numbers.size(), version > 1, replay); !problem.empty())
        return bad(problem);
    if (const std::string problem = readActions(numbers, replay); !problem.empty()) return bad(problem);
    return replay;
}

std::string replayFileName(std::string_view kind) { return "replay_" + std::string(kind) + ".bin"; }
bool isReplayFileName(std::string_view name) { return name.starts_with("replay_") && name.ends_with(".bin"); }

Result<> saveReplay(FileSystem& files, const Path& path, const Replay& replay) {
    const auto bytes = encodeReplay(replay);
    return writeFileAtomically(files, path, std::as_bytes(std::span(bytes)));
}

Result<Replay> loadReplay(FileSystem& files, const Path& path) {
    SEEDBED_ASSIGN(const std::string text, readFile(files, path, kMaxFile));
    return decodeReplay(std::span(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()),
                        path.string());
}

}  // namespace seedbed
