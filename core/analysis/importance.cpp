// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/importance.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <span>
#include <utility>

#include "core/analysis/config_difference.hpp"
#include "core/base/rng.hpp"

namespace seedbed {
namespace {

constexpr int kPermutations = 2'000;
constexpr double kChanceLevel = 0.05;
// Numbers with more values, or with fewer runs per value, are grouped by quantiles.
constexpr std::size_t kMaxValues = 8, kMinRunsPerValue = 3;
constexpr std::size_t kMaxRanges = 5, kRunsPerRange = 5;
constexpr int kMissing = -1;
constexpr std::size_t kNoSetting = static_cast<std::size_t>(-1);

// A number per run; equal for runs that are in the same part.
using Partition = std::vector<int>;

template <class Key>
Partition numbered(const std::vector<Key>& keys) {
    std::map<Key, int> known;
    Partition parts;
    for (const Key& key : keys)
        parts.push_back(known.try_emplace(key, static_cast<int>(known.size())).first->second);
    return parts;
}

std::size_t countOf(const Partition& parts) {
    return parts.empty() ? 0 : static_cast<std::size_t>(*std::max_element(parts.begin(), parts.end()) + 1);
}

// The parts in the order of their first runs; missing ones stay.
Partition renumbered(const Partition& parts) {
    std::map<int, int> known;
    Partition out;
    for (const int part : parts)
        out.push_back(part == kMissing
                          ? kMissing
                          : known.try_emplace(part, static_cast<int>(known.size())).first->second);
    return out;
}

Partition valuesOf(const ConfigDifference& difference) {
    std::vector<std::string> texts;
    for (const Json& value : difference.values) texts.push_back(value.dump());
    Partition parts = numbered(texts);
    for (std::size_t i = 0; i < parts.size(); ++i)
        if (difference.values[i].is_null()) parts[i] = kMissing;
    return renumbered(parts);
}

// Groups numbers with many values by their mid-ranks, so that equal values stay together.
Partition groupsOf(const ConfigDifference& difference, const Partition& values) {
    std::vector<double> numbers;
    for (const Json& value : difference.values) {
        if (value.is_null()) continue;
        if (!value.is_number()) return values;
        numbers.push_back(value.get<double>());
    }
    const std::size_t count = countOf(values), runs = numbers.size();
    if (count <= kMaxValues && runs >= count * kMinRunsPerValue) return values;
    std::sort(numbers.begin(), numbers.end());
    const std::size_t ranges = std::clamp<std::size_t>(runs / kRunsPerRange, 2, kMaxRanges);
    Partition groups;
    for (const Json& value : difference.values) {
        if (value.is_null()) {
            groups.push_back(kMissing);
            continue;
        }
        const auto [first, last] = std::equal_range(numbers.begin(), numbers.end(), value.get<double>());
        const auto twice = static_cast<std::size_t>((first - numbers.begin()) + (last - numbers.begin()));
        groups.push_back(static_cast<int>(twice * ranges / (2 * runs)));
    }
    return renumbered(groups);
}

// Whether the part of a run in `coarse` follows from its part in `fine`.
bool follows(const Partition& coarse, const Partition& fine) {
    std::map<int, int> of;
    for (std::size_t i = 0; i < fine.size(); ++i)
        if (of.try_emplace(fine[i], coarse[i]).first->second != coarse[i]) return false;
    return true;
}

// Variance between the groups over the whole variance.
double etaSquared(std::span<const int> groups, std::span<const double> scores, std::size_t count) {
    std::vector<double> sums(count, 0), sizes(count, 0);
    const double mean =
        std::accumulate(scores.begin(), scores.end(), 0.0) / static_cast<double>(scores.size());
    double whole = 0;
    for (std::size_t i = 0; i < scores.size(); ++i) {
        const double off = scores[i] - mean;
        sums[static_cast<std::size_t>(groups[i])] += off;
        ++sizes[static_cast<std::size_t>(groups[i])];
        whole += off * off;
    }
    double between = 0;
    for (std::size_t g = 0; g < count; ++g)
        if (sizes[g] > 0) between += sums[g] * sums[g] / sizes[g];
    return whole > 0 ? between / whole : 0;
}

template <class T>
void shuffle(std::vector<T>& items, Rng& rng) {
    for (std::size_t i = items.size(); i > 1; --i)
        std::swap(items[i - 1], items[rng.below(static_cast<std::uint32_t>(i))]);
}

// The runs that have a setting.
struct Sample {
    Partition groups, strata, configs;  // strata: runs that agree in the other settings
    std::vector<double> scores;
    std::size_t count = 0;  // of groups
};

std::vector<std::vector<std::size_t>> membersOf(const Partition& parts) {
    std::vector<std::vector<std::size_t>> members(countOf(parts));
    for (std::size_t i = 0; i < parts.size(); ++i) members[static_cast<std::size_t>(parts[i])].push_back(i);
    return members;
}

// eta squared of permutations, sorted; empty if too few runs or configurations can be exchanged.
std::vector<double> permuted(const Sample& sample) {
    const std::size_t least = std::max(kMinImportanceRuns, 2 * sample.count);
    std::vector<std::vector<std::size_t>> strata = membersOf(sample.strata);
    std::erase_if(strata, [&](const std::vector<std::size_t>& runs) {
        return std::all_of(runs.begin(), runs.end(), [&](std::size_t run) {
            return sample.groups[run] == sample.groups[runs.front()];
        });
    });
    std::size_t free = 0;
    for (const auto& runs : strata) free += runs.size();
    const bool within = free >= least && 2 * free >= sample.scores.size();
    const std::vector<std::vector<std::size_t>> configs = membersOf(sample.configs);
    if (!within && configs.size() < least) return {};
    Rng rng(3, RngPurpose::analysis);
    std::vector<double> found;
    std::vector<int> labels;
    if (!within)
        for (const auto& runs : configs) labels.push_back(sample.groups[runs.front()]);
    Partition groups = sample.groups;
    for (int n = 0; n < kPermutations; ++n) {
        if (within) {
            for (const auto& runs : strata) {
                labels.clear();
                for (const std::size_t run : runs) labels.push_back(sample.groups[run]);
                shuffle(labels, rng);
                for (std::size_t i = 0; i < runs.size(); ++i) groups[runs[i]] = labels[i];
            }
        } else {
            shuffle(labels, rng);
            for (std::size_t c = 0; c < configs.size(); ++c)
                for (const std::size_t run : configs[c]) groups[run] = labels[c];
        }
        found.push_back(etaSquared(groups, sample.scores, sample.count));
    }
    std::sort(found.begin(), found.end());
    return found;
}

}  // namespace

Importance settingImportance(const std::vector<Json>& configs, const std::vector<double>& scores) {
    Importance result;
    result.runs = scores.size();
    if (!std::all_of(configs.begin(), configs.end(),
                     [&](const Json& config) { return sameTask(config, configs.front()); })) {
        result.state = Importance::State::other_tasks;
        return result;
    }
    if (scores.size() < kMinImportanceRuns) {
        result.state = Importance::State::too_few_runs;
        return result;
    }
    struct Varied {
        std::vector<std::string> fields;
        Partition groups;
    };
    std::vector<Varied> settings;
    struct Values {
        Partition of_runs;
        std::size_t setting;  // that contains it
    };
    std::vector<Values> all_values;
    for (const ConfigDifference& difference : configDifferences(configs)) {
        const Partition values = valuesOf(difference);
        all_values.push_back({values, kNoSetting});
        if (countOf(values) < 2) continue;
        const Partition groups = groupsOf(difference, values);
        const auto same = std::find_if(settings.begin(), settings.end(),
                                       [&](const Varied& one) { return one.groups == groups; });
        all_values.back().setting = static_cast<std::size_t>(same - settings.begin());
        if (same != settings.end()) same->fields.push_back(difference.field);
        else settings.push_back({{difference.field}, groups});
    }
    if (settings.empty()) return result;
    result.state = Importance::State::measured;
    // The part of each run in every partition that `accepts`.
    const auto joint = [&](const auto& accepts) {
        std::vector<std::vector<int>> keys(scores.size());
        for (const Values& values : all_values)
            if (accepts(values))
                for (std::size_t i = 0; i < keys.size(); ++i) keys[i].push_back(values.of_runs[i]);
        return keys;
    };
    const auto whole = joint([](const Values&) { return true; });
    std::vector<std::vector<double>> permutations;
    for (std::size_t s = 0; s < settings.size(); ++s) {
        const Varied& setting = settings[s];
        const auto others = joint([&](const Values& values) {
            return values.setting != s && !follows(values.of_runs, setting.groups);
        });
        Sample sample;
        std::vector<std::vector<int>> own_others, own_whole;
        for (std::size_t i = 0; i < scores.size(); ++i) {
            if (setting.groups[i] == kMissing) continue;
            sample.groups.push_back(setting.groups[i]);
            sample.scores.push_back(scores[i]);
            own_others.push_back(others[i]);
            own_whole.push_back(whole[i]);
        }
        sample.groups = renumbered(sample.groups);
        sample.count = countOf(sample.groups);
        sample.strata = numbered(own_others);
        sample.configs = numbered(own_whole);
        SettingImportance one{.fields = setting.fields, .runs = sample.scores.size(), .groups = sample.count};
        one.eta_squared = etaSquared(sample.groups, sample.scores, sample.count);
        result.settings.push_back(one);
        permutations.push_back(permuted(sample));
    }
    const auto tested = static_cast<double>(std::count_if(permutations.begin(), permutations.end(),
                                                          [](const auto& some) { return !some.empty(); }));
    for (std::size_t s = 0; s < permutations.size(); ++s) {
        const std::vector<double>& by_chance = permutations[s];
        if (by_chance.empty()) continue;
        SettingImportance& one = result.settings[s];
        const auto count = static_cast<double>(by_chance.size());
        const double mean = std::accumulate(by_chance.begin(), by_chance.end(), 0.0) / count;
        const auto corrected = [&](double eta) {
            return mean < 1 ? std::max(0.0, (eta - mean) / (1 - mean)) : 0;
        };
        one.share = corrected(one.eta_squared);
        const auto at = static_cast<std::size_t>(std::ceil((1 - kChanceLevel / tested) * (count - 1)));
        one.chance = corrected(by_chance[at]);
        // The tolerance is for sums of the same numbers in a different order.
        const auto as_large = static_cast<double>(
            by_chance.end() - std::lower_bound(by_chance.begin(), by_chance.end(), one.eta_squared - 1e-9));
        // The observed order is one of all orders (Phipson and Smyth 2010).
        one.p_value = std::min(1.0, tested * (as_large + 1) / (count + 1));
        one.verdict = one.p_value <= kChanceLevel ? SettingImportance::Verdict::explains
                                                  : SettingImportance::Verdict::chance;
    }
    std::stable_sort(result.settings.begin(), result.settings.end(),
                     [](const SettingImportance& a, const SettingImportance& b) {
                         const bool a_few = a.verdict == SettingImportance::Verdict::too_few,
                                    b_few = b.verdict == SettingImportance::Verdict::too_few;
                         return a_few != b_few ? b_few : a.share > b.share;
                     });
    return result;
}

}  // namespace seedbed
