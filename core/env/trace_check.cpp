// SPDX-License-Identifier: Apache-2.0
// Replays golden traces: sets the state, applies the action, compares the results.
//
// A trace consists of JSON lines, gzipped or plain. Each line is a transition with its observation or a whole
// episode:
//   {"s": state, "a": action, "s2": state, "r": reward, "term": bool, ...} with one of
//       "o": [...]                   the first vector leaf of the first agent; of every agent if it contains
//       lists "obs_on": [[y, x, channel]]  the non-zero elements of the first image leaf "image":
//       [x][y][channel]     the first image leaf; "dir": the discrete leaf `direction`
//   {"k": .., "obs": [...], "act": [...], "rew": [...], "term": [...]}
//       "obs" is the first discrete leaf and has one more element than the others. The environment is set to
//       the state {"k", "obs", "t": 0} and must play the same episode.
//
// A list of rewards has one for each agent; a number is that of the first agent.
//
// States are set by setState() and compared with state(), which must contain every field of the original.
// Integers and booleans must be equal, rewards and observations (f32) within 1e-6, real state variables
// within 1e-9, or 1e-6 if the original stores float32 (s2 contains float32 numbers only). These tolerances
// are relative to the expected value or to 0.001, whichever is larger. Time limits are disabled, so "trunc"
// is not compared. If a step used random numbers, s2 must be a possible outcome: see
// LocalBatch::adoptOutcome().
#include "core/env/trace_check.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/env/env_registry.hpp"
#include "core/env/json_difference.hpp"
#include "core/env/trace_file.hpp"

namespace seedbed {
namespace {

constexpr double kStateTolerance = 1e-9;    // allows a different order of float64 operations and a different
                                            // sine function
constexpr double kFloat32Tolerance = 1e-6;  // allows a few units in the last place of float32
// With this many streams, an outcome of probability 1/1000 is missed with probability 2e-9.
constexpr int kStreams = 20000;
// After this many streams, adoptOutcome() is tried, which is much faster for environments that implement it.
constexpr int kStreamsBeforeAsking = 50;

using Difference = std::optional<JsonDifference>;

class Replay {
public:
    explicit Replay(LocalBatch& batch)
        : batch_(batch), rng_(1, RngPurpose::test), spaces_(batch.spec().spaces) {
        const auto agents = static_cast<std::size_t>(batch.spec().agents);
        actions_.resize(agents * static_cast<std::size_t>(spaces_.actionWords()));
        rewards_.resize(agents);
        mask_.resize(agents * static_cast<std::size_t>(spaces_.maskBytes()));
        for (const ObsLeaf& leaf : spaces_.obs) {
            // Rounded up to whole words, so that elements of every dtype are aligned.
            leaves_.emplace_back((leaf.bytes() * agents + 7) / 8);
            pointers_.push_back(reinterpret_cast<std::uint8_t*>(leaves_.back().data()));
        }
    }

    Result<Difference> line(const Json& line) {
        return line.contains("act") ? episode(line) : transition(line);
    }
    std::size_t transitions() const { return transitions_; }
    std::size_t drawn() const { return drawn_; }

private:
    // --- environment ---
    Result<> setState(const Json& state);
    Result<Json> state();
    Result<> adopt(const Json& before, const Json& after);
    Result<> setAction(const Json& action);
    Result<> step();

    // --- lines of a trace ---
    Result<Difference> transition(const Json& line);
    Result<Difference> episode(const Json& line);
    Result<Difference> matchState(const Json& line);
    Difference outcome(const Json& reward, const Json& terminated, const std::string& suffix) const;
    Result<Difference> observation(const Json& line);
    Result<Difference> vectorLeaf(const Json& expected, const std::string& path);
    Result<Difference> imageElements(const Json& on);
    Result<Difference> image(const Json& expected);
    Result<Difference> discreteLeaf(const Json& expected, const std::string& path, const std::string& name);
    Result<std::size_t> leafOf(ObsLeaf::Kind kind, DType dtype, const std::string& name = "") const;

    LocalBatch& batch_;
    Rng rng_;
    const Spaces& spaces_;
    std::vector<float> actions_, rewards_;
    std::vector<std::uint8_t> mask_;
    std::vector<std::vector<std::uint64_t>> leaves_;
    std::vector<std::uint8_t*> pointers_;
    std::uint8_t terminated_ = 0;
    bool drew_ = false;  // the last step drew random numbers
    std::size_t transitions_ = 0, drawn_ = 0;
};

// Environments may throw while reading the JSON of a trace; turns exceptions into errors.
template <class Function>
auto guarded(const std::string& what, Function&& function) -> decltype(function()) {
    try {
        return function();
    } catch (const Json::exception& error) {
        return fail(ErrorCode::parity, what + ": " + error.what());
    }
}

Result<const Json*> member(const Json& line, const char* name) {
    const auto found = line.find(name);
    if (found == line.end()) return fail(std::string("the line has no '") + name + "'");
    return &*found;
}

Result<> Replay::setState(const Json& state) {
    return guarded("the environment does not accept the state", [&]() -> Result<> {
        Result<> accepted = batch_.setState(0, state);
        if (!accepted)
            return fail(ErrorCode::parity,
                        "the environment does not accept the state: " + accepted.error().text());
        return {};
    });
}

Result<Json> Replay::state() {
    return guarded("the environment cannot report its state",
                   [&]() -> Result<Json> { return batch_.state(0); });
}

Result<> Replay::adopt(const Json& before, const Json& after) {
    return guarded("the successor cannot be compared",
                   [&] { return batch_.adoptOutcome(0, before, actions_.data(), after); });
}

Result<> Replay::setAction(const Json& action) {
    const Json words = action.is_array() ? action : Json::array({action});
    if (words.size() != actions_.size())
        return fail(ErrorCode::parity, "the action has " + std::to_string(words.size()) +
                                           " numbers instead of " + std::to_string(actions_.size()));
    std::size_t word = 0;
    while (word < words.size()) {
        for (const ActionLeaf& leaf : spaces_.actions) {
            for (int i = 0; i < leaf.words(); ++i, ++word) {
                if (!words[word].is_number()) return fail("the action " + action.dump() + " is not a number");
                const double value = words[word].get<double>();
                const bool choice = value >= 0 && value < leaf.n && value == std::floor(value);
                if (!std::isfinite(value) || (leaf.kind == ActionLeaf::Kind::discrete && !choice))
                    return fail(ErrorCode::parity, "the action " + action.dump() +
                                                       " is not one of the environment's " +
                                                       std::to_string(leaf.n) + " choices");
                actions_[word] = static_cast<float>(value);
            }
        }
    }
    return {};
}

Result<> Replay::step() {
    const std::uint8_t active = 1;
    std::uint8_t truncated = 0;
    const std::uint64_t position = rng_.position();
    SEEDBED_TRY(batch_.step(actions_.data(), &active, &rng_, rewards_.data(), &terminated_, &truncated));
    drew_ = rng_.position() != position;
    return {};
}

// After step(): sets the state to `after` if random numbers can produce it, and compares. Otherwise reports
// the difference found with the first sample.
Result<Difference> Replay::matchState(const Json& line) {
    const Json &before = line.at("s"), &after = line.at("s2");
    const double tolerance = isFloat32(after) ? kFloat32Tolerance : kStateTolerance;
    SEEDBED_ASSIGN(Json ours, state());
    const Difference first = firstDifference(after, ours, tolerance, "s2");
    if (!first || !drew_) return first;
    for (int stream = 0; stream < kStreams; ++stream) {
        SEEDBED_TRY(setState(before));
        SEEDBED_TRY(step());
        if (stream == kStreamsBeforeAsking && adopt(before, after)) {
            // The reward and the end of the episode must not depend on the replaced random numbers; if they
            // do, continue the search.
            SEEDBED_ASSIGN(ours, state());
            if (!firstDifference(after, ours, tolerance, "s2") && !outcome(line.at("r"), line.at("term"), ""))
                return std::nullopt;
            continue;
        }
        SEEDBED_ASSIGN(ours, state());
        if (!firstDifference(after, ours, tolerance, "s2")) return std::nullopt;
    }
    const Result<> adopted = adopt(before, after);
    if (!adopted) {
        Difference illegal = first;
        illegal->got += " (" + adopted.error().text() + ")";
        return illegal;
    }
    SEEDBED_ASSIGN(ours, state());
    return firstDifference(after, ours, tolerance, "s2");
}

Difference Replay::outcome(const Json& reward, const Json& terminated, const std::string& suffix) const {
    const auto matches = [](const Json& expected, double got) {
        // Recorded rewards may be written as real numbers; whole numbers must match exactly.
        if (!expected.is_number()) return false;
        const double number = expected.get<double>();
        return number == std::floor(number) ? got == number : sameNumber(expected, got, kFloat32Tolerance);
    };
    bool same = !reward.is_array() || reward.size() == rewards_.size();
    Json got = Json::array();
    for (std::size_t agent = 0; agent < (reward.is_array() ? rewards_.size() : 1); ++agent) {
        got.push_back(static_cast<double>(rewards_[agent]));
        same = same && matches(reward.is_array() ? reward[agent] : reward, got[agent].get<double>());
    }
    if (!same)
        return JsonDifference{(suffix.empty() ? "r" : "rew") + suffix, reward.dump(),
                              (reward.is_array() ? got : got[0]).dump()};
    if (terminated != Json(terminated_ != 0))
        return JsonDifference{"term" + suffix, terminated.dump(), terminated_ != 0 ? "true" : "false"};
    return std::nullopt;
}

Result<Difference> Replay::transition(const Json& line) {
    SEEDBED_ASSIGN(const Json* before, member(line, "s"));
    SEEDBED_ASSIGN(const Json* action, member(line, "a"));
    SEEDBED_ASSIGN([[maybe_unused]] const Json* after, member(line, "s2"));
    SEEDBED_ASSIGN(const Json* reward, member(line, "r"));
    SEEDBED_ASSIGN(const Json* terminated, member(line, "term"));
    SEEDBED_TRY(setState(*before));
    // Parts of the state that setState() ignores cannot affect a step.
    SEEDBED_ASSIGN(const Json kept, state());
    if (Difference difference = firstDifference(*before, kept, kStateTolerance, "s")) return difference;

    SEEDBED_TRY(setAction(*action));
    SEEDBED_TRY(step());
    const bool drew = drew_;
    SEEDBED_ASSIGN(Difference difference, matchState(line));
    if (difference) return difference;
    difference = outcome(*reward, *terminated, "");
    if (difference) return difference;
    batch_.observe(pointers_.data(), mask_.empty() ? nullptr : mask_.data());
    SEEDBED_ASSIGN(difference, observation(line));
    if (!difference) {
        ++transitions_;
        drawn_ += drew ? 1 : 0;
    }
    return difference;
}

Result<Difference> Replay::episode(const Json& line) {
    SEEDBED_ASSIGN(const Json* observations, member(line, "obs"));
    SEEDBED_ASSIGN(const Json* actions, member(line, "act"));
    SEEDBED_ASSIGN(const Json* rewards, member(line, "rew"));
    SEEDBED_ASSIGN(const Json* ends, member(line, "term"));
    const std::size_t length = actions->size();
    for (const Json* list : {observations, actions, rewards, ends})
        if (!list->is_array() || list->size() != length + (list == observations ? 1 : 0))
            return fail("the lengths of obs, act, rew and term do not match");

    Json state = line;
    for (const char* name : {"act", "rew", "term"}) state.erase(name);
    state["t"] = 0;
    SEEDBED_TRY(setState(state));
    for (std::size_t t = 0; t <= length; ++t) {
        const std::string suffix = "[" + std::to_string(t) + "]";
        batch_.observe(pointers_.data(), mask_.empty() ? nullptr : mask_.data());
        SEEDBED_ASSIGN(Difference difference, discreteLeaf((*observations)[t], "obs" + suffix, ""));
        if (difference || t == length) return difference;
        SEEDBED_TRY(setAction((*actions)[t]));
        SEEDBED_TRY(step());
        difference = outcome((*rewards)[t], (*ends)[t], suffix);
        if (difference) return difference;
        ++transitions_;
        drawn_ += drew_ ? 1 : 0;
    }
    return std::nullopt;
}

Result<std::size_t> Replay::leafOf(ObsLeaf::Kind kind, DType dtype, const std::string& name) const {
    for (std::size_t leaf = 0; leaf < spaces_.obs.size(); ++leaf) {
        const ObsLeaf& spec = spaces_.obs[leaf];
        if (spec.kind == kind && spec.dtype == dtype && (name.empty() || spec.name == name)) return leaf;
    }
    return fail(ErrorCode::parity, "the environment has no observation of the kind in the trace");
}

Result<Difference> Replay::observation(const Json& line) {
    Difference difference;
    if (line.contains("o")) {
        SEEDBED_ASSIGN(difference, vectorLeaf(line["o"], "o"));
    } else if (line.contains("obs_on")) {
        SEEDBED_ASSIGN(difference, imageElements(line["obs_on"]));
    } else if (line.contains("image")) {
        SEEDBED_ASSIGN(difference, image(line["image"]));
        if (!difference && line.contains("dir")) return discreteLeaf(line["dir"], "dir", "direction");
    } else {
        return fail("the line has no observation ('o', 'obs_on' or 'image')");
    }
    return difference;
}

Result<Difference> Replay::vectorLeaf(const Json& expected, const std::string& path) {
    SEEDBED_ASSIGN(const std::size_t leaf, leafOf(ObsLeaf::Kind::vector, DType::f32));
    const auto* values = reinterpret_cast<const float*>(pointers_[leaf]);
    const auto next = [&] {
        Json list = Json::array();
        for (std::size_t i = 0; i < spaces_.obs[leaf].elements(); ++i)
            list.push_back(static_cast<double>(*values++));
        return list;
    };
    if (expected.empty() || !expected[0].is_array())
        return firstDifference(expected, next(), kFloat32Tolerance, path);
    Json got = Json::array();
    while (got.size() < rewards_.size()) got.push_back(next());
    return firstDifference(expected, got, kFloat32Tolerance, path);
}

Result<Difference> Replay::imageElements(const Json& on) {
    SEEDBED_ASSIGN(const std::size_t leaf, leafOf(ObsLeaf::Kind::image, DType::u8));
    const std::vector<int>& shape = spaces_.obs[leaf].shape;
    Json got = Json::array();
    for (int y = 0; y < shape[1]; ++y)
        for (int x = 0; x < shape[2]; ++x)
            for (int c = 0; c < shape[0]; ++c)
                if (pointers_[leaf][(c * shape[1] + y) * shape[2] + x] != 0) got.push_back({y, x, c});
    // Both lists are ordered by y, x, channel. Report the first element that is only in one of them.
    for (std::size_t i = 0; i < std::max(on.size(), got.size()); ++i) {
        const std::string path = "obs_on[" + std::to_string(i) + "]";
        if (i >= on.size()) return JsonDifference{path, "nothing", got[i].dump()};
        if (i >= got.size()) return JsonDifference{path, on[i].dump(), "nothing"};
        if (auto difference = firstDifference(on[i], got[i], 0, path))
            return JsonDifference{path, on[i].dump(), got[i].dump()};
    }
    return std::nullopt;
}

Result<Difference> Replay::image(const Json& expected) {
    SEEDBED_ASSIGN(const std::size_t leaf, leafOf(ObsLeaf::Kind::image, DType::u8));
    const std::vector<int>& shape = spaces_.obs[leaf].shape;
    Json got = Json::array();
    for (int x = 0; x < shape[2]; ++x) {
        got.push_back(Json::array());
        for (int y = 0; y < shape[1]; ++y) {
            got.back().push_back(Json::array());
            for (int c = 0; c < shape[0]; ++c)
                got.back().back().push_back(pointers_[leaf][(c * shape[1] + y) * shape[2] + x]);
        }
    }
    return firstDifference(expected, got, 0, "image");
}

Result<Difference> Replay::discreteLeaf(const Json& expected, const std::string& path,
                                        const std::string& name) {
    SEEDBED_ASSIGN(const std::size_t leaf, leafOf(ObsLeaf::Kind::discrete, DType::i32, name));
    return firstDifference(expected, Json(*reinterpret_cast<const std::int32_t*>(pointers_[leaf])), 0, path);
}

}  // namespace

std::string TraceDifference::text() const {
    return "line " + std::to_string(line) + ": " + field + " is " + got + ", expected " + expected;
}

Result<> TraceReport::verdict() const {
    if (difference) return fail(ErrorCode::parity, difference->text());
    return {};
}

Result<TraceReport> checkTrace(LocalBatch& batch, const std::string& path) {
    SEEDBED_CHECK(batch.count() == 1, "a trace requires a batch of one environment");
    SEEDBED_ASSIGN(TraceFile file, TraceFile::open(path));
    Replay replay(batch);
    TraceReport report;
    while (!report.difference) {
        SEEDBED_ASSIGN(const std::optional<Json> line, file.next());
        if (!line) break;
        Result<Difference> compared = replay.line(*line);
        if (!compared)
            return fail(compared.error().code, "line " + std::to_string(file.line()) + " of '" + path +
                                                   "': " + compared.error().text());
        if (*compared)
            report.difference =
                TraceDifference{file.line(), (*compared)->path, (*compared)->expected, (*compared)->got};
    }
    report.transitions = replay.transitions();
    report.drawn = replay.drawn();
    if (report.transitions == 0 && !report.difference) return fail("'" + path + "' contains no transition");
    return report;
}

Result<TraceReport> checkTrace(const std::string& id, const std::string& path) {
    SEEDBED_ASSIGN(const EnvEntry* entry, envRegistry().get(id, "environment"));
    SEEDBED_ASSIGN(const std::unique_ptr<LocalBatch> batch, entry->makeLocal(entry->bareParams(), 1));
    return checkTrace(*batch, path);
}

}  // namespace seedbed
