// SPDX-License-Identifier: Apache-2.0
#include "core/env/conformance.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <memory>
#include <utility>

#include "core/base/repeated_texts.hpp"
#include "core/base/sleep.hpp"
#include "core/base/text.hpp"
#include "core/env/random_policy.hpp"
#include "core/env/vector_env.hpp"

namespace seedbed {
namespace {

using Grade = ConformanceFinding::Level;

constexpr std::size_t kMostFailures = 3;  // reported failures; later ones usually have the same cause

// FNV-1a.
std::uint64_t hashed(std::uint64_t hash, const void* data, std::size_t bytes) {
    const auto* begin = static_cast<const std::uint8_t*>(data);
    for (std::size_t i = 0; i < bytes; ++i) hash = (hash ^ begin[i]) * 1099511628211ULL;
    return hash;
}

struct LeafRange {
    double low = std::numeric_limits<double>::infinity(), high = -std::numeric_limits<double>::infinity();
    void add(double value) {
        low = std::min(low, value);
        high = std::max(high, value);
    }
};

// The observations of one pass.
struct Play {
    std::vector<std::uint64_t> rows;  // hash of observations, masks, rewards and episode ends of each row
    std::vector<LeafRange> ranges;    // range of each observation leaf
    LeafRange rewards, cuts;          // cuts: lengths of the truncated episodes
    // Choices in the masks of valid rows, those allowed, and the parts of masks that allowed none.
    std::int64_t choices = 0, allowed = 0, forbidding = 0;
    std::int64_t decisions = 0, terminated = 0, truncated = 0, longest = 0;
    double seconds = 0;
    std::vector<std::string> notices;  // the last one may be the error that ended the pass
    Scene picture;                     // the last state of the first environment, if none has failed
};

double elementOf(const ObsLeaf& leaf, const std::uint8_t* bytes, std::size_t index) {
    if (leaf.dtype == DType::u8) return bytes[index];
    if (leaf.dtype == DType::i32) {
        std::int32_t value = 0;
        std::memcpy(&value, bytes + 4 * index, sizeof value);
        return value;
    }
    float value = 0;
    std::memcpy(&value, bytes + 4 * index, sizeof value);
    return value;
}

class Player {
public:
    Player(const EnvEntry& entry, const Json& params, const ConformanceOptions& options)
        : entry_(entry), params_(params), options_(options) {}

    // draws: also draw the first environment at the end.
    Result<Play> play(std::uint64_t seed, bool draws = false) {
        SEEDBED_ASSIGN(auto batch, entry_.make(params_, options_.envs));
        const EnvSpec spec = batch->spec();
        RingSpec shape{.spaces = spec.spaces, .columns = options_.envs * spec.agents, .rows = 0};
        shape.rows = shape.history() + 2;
        SEEDBED_ASSIGN(const std::unique_ptr<Ring> ring, Ring::create(shape));
        VectorEnv env(std::move(batch), *ring, {.seed = seed, .horizon = spec.horizon});
        Play play;
        play.ranges.resize(spec.spaces.obs.size());
        if (Result<> reset = env.reset(); !reset) {
            play.notices.push_back(reset.error().text());
            return play;
        }
        Rng rng(options_.seed, RngPurpose::action);  // the same actions in each pass
        const double begin = secondsNow();
        std::vector<EpisodeEnd> ended;
        for (std::int64_t step = 0; step < options_.steps && secondsNow() - begin < options_.seconds;
             ++step) {
            const std::uint64_t t = ring->head();
            add(spec, *ring, t, play);
            randomActions(spec.spaces, ring->columns(), spec.spaces.has_mask ? ring->mask(t) : nullptr, rng,
                          ring->action(t));
            const Result<> stepped = env.step(ended);
            for (std::string& text : env.takeNotices()) play.notices.push_back(std::move(text));
            if (!stepped) {
                // The earlier notices include the tracebacks.
                const std::string text = stepped.error().text();
                play.notices.push_back(play.notices.empty() ? text : text.substr(0, text.find('\n')));
                break;
            }
            play.rows.back() = hashed(play.rows.back(), ring->reward(t), sizeof(float) * columns(*ring));
            for (std::size_t column = 0; column < columns(*ring); ++column)
                if (ring->valid(t)[column] != 0) play.rewards.add(ring->reward(t)[column]);
            if (spec.spaces.has_mask) countChoices(spec.spaces, *ring, t, play);
        }
        play.seconds = secondsNow() - begin;
        if (draws && play.notices.empty()) env.batch().draw(0, play.picture);
        play.decisions = static_cast<std::int64_t>(env.decisions());
        for (const EpisodeEnd& end : ended) {
            (end.terminated ? play.terminated : play.truncated) += 1;
            play.longest = std::max<std::int64_t>(play.longest, end.length);
            if (!end.terminated) play.cuts.add(static_cast<double>(end.length));
        }
        return play;
    }

private:
    static std::size_t columns(const Ring& ring) { return static_cast<std::size_t>(ring.columns()); }

    static void add(const EnvSpec& spec, Ring& ring, std::uint64_t t, Play& play) {
        std::uint64_t hash = 14695981039346656037ULL;
        hash = hashed(hash, ring.first(t), columns(ring));
        // With one agent, the extra row contains its final observation; with several agents, some may be
        // absent.
        const auto counts = [&](std::size_t column) {
            return spec.agents == 1 || ring.valid(t)[column] != 0;
        };
        for (std::size_t index = 0; index < spec.spaces.obs.size(); ++index) {
            const ObsLeaf& leaf = spec.spaces.obs[index];
            const std::uint8_t* bytes = ring.obs(static_cast<int>(index), t);
            for (std::size_t column = 0; column < columns(ring); ++column, bytes += leaf.bytes()) {
                if (!counts(column)) continue;
                hash = hashed(hash, bytes, leaf.bytes());
                for (std::size_t i = 0; i < leaf.elements(); ++i)
                    play.ranges[index].add(elementOf(leaf, bytes, i));
            }
        }
        const auto mask_bytes = static_cast<std::size_t>(spec.spaces.has_mask ? spec.spaces.maskBytes() : 0);
        for (std::size_t column = 0; column < columns(ring) && mask_bytes > 0; ++column)
            if (counts(column)) hash = hashed(hash, ring.mask(t) + column * mask_bytes, mask_bytes);
        play.rows.push_back(hash);
    }

    static void countChoices(const Spaces& spaces, Ring& ring, std::uint64_t t, Play& play) {
        const std::uint8_t* mask = ring.mask(t);
        for (std::size_t column = 0; column < columns(ring); ++column) {
            for (const ActionLeaf& leaf : spaces.actions) {
                if (leaf.kind != ActionLeaf::Kind::discrete) continue;
                const auto allowed =
                    std::count_if(mask, mask + leaf.n, [](std::uint8_t m) { return m != 0; });
                mask += leaf.n;
                if (ring.valid(t)[column] == 0) continue;
                play.choices += leaf.n;
                play.allowed += allowed;
                play.forbidding += allowed == 0 ? 1 : 0;
            }
        }
    }

    const EnvEntry& entry_;
    const Json& params_;
    const ConformanceOptions& options_;
};

ConformanceFinding determinism(const Play& first, const Play& again, const Play& other) {
    const std::size_t common = std::min(first.rows.size(), again.rows.size());
    const auto differs = std::mismatch(
        first.rows.begin(), first.rows.begin() + static_cast<std::ptrdiff_t>(common), again.rows.begin());
    const auto row = static_cast<std::size_t>(differs.first - first.rows.begin());
    if (row < common)
        return {Grade::note, "determinism",
                "the same seed and actions gave different observations, rewards or masks at step " +
                    std::to_string(row) + ": runs are not reproducible"};
    if (std::equal(first.rows.begin(),
                   first.rows.begin() + static_cast<std::ptrdiff_t>(std::min(common, other.rows.size())),
                   other.rows.begin()))
        return {Grade::note, "determinism",
                "another seed gave the same observations: the seed has no effect"};
    return {
        Grade::passed, "determinism",
        "the same seed gave the same " + std::to_string(common) + " steps; another seed gave different ones"};
}

// Formats with four significant digits, since rewards are f32.
std::string rounded(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.4g", value);
    return text;
}

std::string boundText(double bound) { return std::isfinite(bound) ? formatNumber(bound) : "no limit"; }

void listLeaves(const Spaces& spaces, std::vector<ConformanceFinding>& findings) {
    constexpr const char* kinds[] = {"vector", "image", "discrete"};
    for (const ObsLeaf& leaf : spaces.obs) {
        std::string sizes;
        for (const int size : leaf.shape) sizes += (sizes.empty() ? "" : ", ") + std::to_string(size);
        findings.push_back({Grade::passed, "spaces",
                            "observation '" + leaf.name + "': " + kinds[static_cast<int>(leaf.kind)] + ", " +
                                nameOf(leaf.dtype) + " [" + sizes + "]"});
    }
}

// Lists the actions, and names those that a policy cannot learn, or only with difficulty.
void checkActions(const Spaces& spaces, std::vector<ConformanceFinding>& findings) {
    constexpr int kManyChoices = 10'000;
    constexpr std::size_t kListed = 10;  // further leaves only have notes
    std::size_t number = 0;
    bool any_choice = false;
    for (const ActionLeaf& leaf : spaces.actions) {
        const std::string name = "action '" + leaf.name + "' ";
        const auto note = [&](const std::string& text) {
            findings.push_back({Grade::note, "actions", name + text});
        };
        const auto list = [&, listed = ++number <= kListed](int count, const std::string& what) {
            if (listed)
                findings.push_back({Grade::passed, "spaces",
                                    name + "has " + formatCount(count) + what + (count == 1 ? "" : "s")});
        };
        if (leaf.kind == ActionLeaf::Kind::discrete) {
            any_choice = any_choice || leaf.n > 1;
            list(leaf.n, " choice");
            if (leaf.n > kManyChoices)
                note(
                    "needs an output of the network for each of its choices; several smaller parts "
                    "(MultiDiscrete) are learned faster");
            continue;
        }
        std::size_t unbounded = 0, equal = 0, unresolved = 0;
        for (std::size_t i = 0; i < leaf.low.size(); ++i) {
            const double low = leaf.low[i], high = leaf.high[i];
            if (!std::isfinite(low) || !std::isfinite(high)) ++unbounded;
            else if (low == high) ++equal;
            // There are fewer than about a thousand numbers in single precision between the bounds.
            else if (high - low < std::max(std::abs(low), std::abs(high)) * 0x1p-13) ++unresolved;
        }
        any_choice = any_choice || equal < leaf.low.size();
        const auto count = [&](std::size_t n) {
            return formatCount(static_cast<std::int64_t>(n)) + " of its " +
                   formatCount(static_cast<std::int64_t>(leaf.low.size())) + " numbers";
        };
        list(leaf.words(), " number");
        if (unbounded > 0)
            note("has no finite bounds for " + count(unbounded) +
                 ": a new policy chooses them near 0 with a deviation near 1, and sac and td3 are not "
                 "possible; "
                 "give the space finite bounds");
        if (equal > 0) note("has equal bounds for " + count(equal) + ", which are therefore always the same");
        if (unresolved > 0)
            note("has bounds too close together for " + count(unresolved) +
                 ": they differ by less than 0.01 % of their size; use numbers from -1 to 1 and let the "
                 "environment scale them");
    }
    if (!any_choice)
        findings.push_back(
            {Grade::note, "actions", "every action is always the same, so there is nothing to learn"});
}

void listFailures(const std::vector<std::string>& notices, std::vector<ConformanceFinding>& findings) {
    RepeatedTexts kinds;
    std::size_t shown = 0;
    for (const std::string& notice : notices) {
        if (shown == kMostFailures) break;
        if (!kinds.add(notice, 0)) continue;
        findings.push_back({Grade::problem, "failure", notice});
        ++shown;
    }
    if (shown < notices.size())
        findings.push_back({Grade::problem, "failure",
                            formatCount(static_cast<std::int64_t>(notices.size() - shown)) +
                                (notices.size() - shown == 1 ? " more failure" : " more failures")});
    if (notices.empty()) findings.push_back({Grade::passed, "failure", "the environment never failed"});
}

void checkRanges(const EnvSpec& spec, const Play& play, std::vector<ConformanceFinding>& findings) {
    bool any = false, all_bounded = true;
    for (std::size_t index = 0; index < spec.spaces.obs.size(); ++index) {
        const ObsLeaf& leaf = spec.spaces.obs[index];
        const LeafRange& seen = play.ranges[index];
        const std::string name = "observation '" + leaf.name + "' ";
        if (leaf.kind != ObsLeaf::Kind::discrete && (seen.low < leaf.low || seen.high > leaf.high)) {
            findings.push_back({Grade::problem, "bounds",
                                name + "is between " + formatNumber(seen.low) + " and " +
                                    formatNumber(seen.high) + ", outside its bounds " + boundText(leaf.low) +
                                    " to " + boundText(leaf.high)});
            any = true;
        } else if (!std::isfinite(leaf.low) || !std::isfinite(leaf.high)) {
            findings.push_back(
                {Grade::note, "bounds",
                 name + "is between " + formatNumber(seen.low) + " and " + formatNumber(seen.high) +
                     "; at least one of its elements has no bound, so bounds were not checked"});
            all_bounded = false;
        }
        if (seen.low == seen.high && play.rows.size() > 100)
            findings.push_back({Grade::note, "observation", name + "is always " + formatNumber(seen.low)});
        if (leaf.dtype == DType::f32 && std::max(std::abs(seen.low), std::abs(seen.high)) > 100)
            findings.push_back({Grade::note, "observation",
                                name + "has values up to " +
                                    formatNumber(std::max(std::abs(seen.low), std::abs(seen.high))) +
                                    "; 'network.normalise_obs' or smaller numbers make learning easier"});
    }
    if (!any && all_bounded)
        findings.push_back({Grade::passed, "bounds", "all observations are within their bounds"});
}

void checkEpisodes(const EnvSpec& spec, const Play& play, std::vector<ConformanceFinding>& findings) {
    const std::int64_t ends = play.terminated + play.truncated;
    if (ends == 0 && play.decisions == 0) return;  // the failure is reported
    if (ends == 0)
        findings.push_back({Grade::note, "episodes",
                            "no episode ended within " + formatCount(play.decisions) + " steps" +
                                (spec.horizon > 0 ? "; the limit is " + formatCount(spec.horizon)
                                                  : "; if episodes never end, set 'env.wrap.time_limit'")});
    else
        findings.push_back({Grade::passed, "episodes",
                            formatCount(ends) + (ends == 1 ? " episode ended (" : " episodes ended (") +
                                formatCount(play.terminated) + " terminated, " + formatCount(play.truncated) +
                                " truncated); the longest had " + formatCount(play.longest) +
                                (play.longest == 1 ? " step" : " steps") +
                                (spec.horizon > 0 ? ", the limit is " + formatCount(spec.horizon) : "")});
    if (play.truncated > 1 && play.cuts.low == play.cuts.high && play.cuts.high < spec.horizon)
        findings.push_back({Grade::note, "episodes",
                            "all truncated episodes had " + formatNumber(play.cuts.high) +
                                " steps: the environment has its own limit, which "
                                "'env.wrap.time_limit' does not change"});
    if (play.rewards.low == 0 && play.rewards.high == 0)
        findings.push_back({Grade::note, "rewards", "all rewards were 0 with random actions"});
    else if (play.rewards.low <= play.rewards.high)
        findings.push_back(
            {Grade::passed, "rewards",
             "rewards were between " + rounded(play.rewards.low) + " and " + rounded(play.rewards.high)});
}

void checkMasks(const Spaces& spaces, const Play& play, std::vector<ConformanceFinding>& findings) {
    if (!spaces.has_mask) {
        const auto is_choice = [](const ActionLeaf& leaf) { return leaf.kind == ActionLeaf::Kind::discrete; };
        if (std::any_of(spaces.actions.begin(), spaces.actions.end(), is_choice))
            findings.push_back({Grade::passed, "masks", "no (every choice is always allowed)"});
        return;
    }
    if (play.choices > 0)
        findings.push_back(
            {Grade::passed, "masks",
             "yes (on average, " +
                 rounded(100 * static_cast<double>(play.allowed) / static_cast<double>(play.choices)) +
                 " % of the choices were allowed)"});
    if (play.forbidding > 0)
        findings.push_back({Grade::note, "masks",
                            formatCount(play.forbidding) + (play.forbidding == 1 ? " mask" : " masks") +
                                " allowed no choice; allow at least one, or end the episode"});
}

// Only viewers need pictures, so the check passes without them.
void checkPictures(const Scene& picture, std::vector<ConformanceFinding>& findings) {
    if (!picture.missing.empty())
        findings.push_back(
            {Grade::note, "pictures", "training works, but viewers show no picture: " + picture.missing});
    else if (picture.frame_width > 0)
        findings.push_back({Grade::passed, "pictures",
                            "yes (" + std::to_string(picture.frame_width) + " x " +
                                std::to_string(picture.frame_height) + " pixels)"});
}

}  // namespace

bool ConformanceReport::passed() const {
    return std::none_of(findings.begin(), findings.end(),
                        [](const ConformanceFinding& finding) { return finding.level == Grade::problem; });
}

Result<ConformanceReport> checkConformance(const EnvEntry& entry, const Json& params,
                                           const ConformanceOptions& options) {
    ConformanceReport report;
    SEEDBED_ASSIGN(report.spec, entry.spec(params));
    Player player(entry, params, options);
    SEEDBED_ASSIGN(const Play first, player.play(options.seed, true));
    std::vector<ConformanceFinding>& findings = report.findings;
    listLeaves(report.spec.spaces, findings);
    checkActions(report.spec.spaces, findings);
    if (!first.rows.empty()) {
        checkRanges(report.spec, first, findings);
        checkEpisodes(report.spec, first, findings);
        checkMasks(report.spec.spaces, first, findings);
    }
    std::vector<std::string> notices = first.notices;
    if (notices.empty()) {
        SEEDBED_ASSIGN(const Play again, player.play(options.seed));
        SEEDBED_ASSIGN(const Play other, player.play(options.seed + 1));
        findings.push_back(determinism(first, again, other));
        checkPictures(first.picture, findings);
        notices = again.notices;
        notices.insert(notices.end(), other.notices.begin(), other.notices.end());
    } else {
        findings.push_back({Grade::note, "determinism", "not checked, because the environment failed"});
    }
    listFailures(notices, findings);
    report.decisions = first.decisions;
    report.episodes = first.terminated + first.truncated;
    report.decisions_per_s = first.seconds > 0 ? static_cast<double>(first.decisions) / first.seconds : 0;
    return report;
}

}  // namespace seedbed
