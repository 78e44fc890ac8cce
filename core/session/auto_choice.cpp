// SPDX-License-Identifier: Apache-2.0
#include "core/session/auto_choice.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <set>
#include <thread>
#include <utility>

#include "core/base/log.hpp"
#include "core/base/sha256.hpp"
#include "core/base/simd.hpp"
#include "core/base/text.hpp"
#include "core/base/version.hpp"
#include "core/ipc/wake.hpp"
#include "core/session/inference_devices.hpp"

namespace seedbed {
namespace {

using SteadyClock = std::chrono::steady_clock;
double since(SteadyClock::time_point begin) {
    return std::chrono::duration<double>(SteadyClock::now() - begin).count();
}

// An alternative replaces the fixed rule only if it is this much faster: measurements of a fraction of a
// second vary by a few per cent.
constexpr double kWorthwhile = 0.9;
constexpr double kSecondsPerSize = 0.012;

int ceilDiv(int a, int b) { return (a + b - 1) / b; }

std::vector<int> groupCandidates(const AutoOptions& q) {
    std::set<int> counts{q.fixed_groups};
    if (q.groups_are_free)
        for (const int factor : {1, 2, 4}) counts.insert(std::clamp(factor * q.actors, 1, q.envs));
    return {counts.begin(), counts.end()};
}

int columnsPerGroup(const AutoOptions& q, int groups) {
    return ceilDiv(q.envs, groups) * (q.columns / q.envs);
}

int columnsPerDevice(const AutoOptions& q) { return ceilDiv(q.columns, q.devices); }

std::string micros(double seconds) { return formatNumber(std::round(seconds * 1e7) / 10) + " us"; }

// Rows of zeros, since the time of a dense network does not depend on its input.
struct ZeroRows {
    explicit ZeroRows(const NetPlan& plan, int rows) {
        const auto count = static_cast<std::size_t>(rows);
        for (const ObsLeaf& leaf : plan.spec.spaces.obs)
            obs.emplace_back(count * leaf.bytes() * static_cast<std::size_t>(leaf.stack));
        first.assign(count, 0);
        state.assign(count * static_cast<std::size_t>(plan.state_words), 0.0f);
        action.assign(count * static_cast<std::size_t>(plan.spec.spaces.actionWords()), 0.0f);
        reward.assign(count, 0.0f);
        heads.resize(count * static_cast<std::size_t>(plan.head_words));
        next_state.resize(state.size());
        input.sequences = rows;
        for (const auto& leaf : obs) input.obs.push_back(leaf.data());
        input.first = first.data();
        input.state = state.empty() ? nullptr : state.data();
        input.previous_action = action.data();
        input.previous_reward = reward.data();
    }
    std::vector<std::vector<std::uint8_t>> obs;
    std::vector<std::uint8_t> first;
    std::vector<float> state, action, reward, heads, next_state;
    Rows input;
};

// Returns the median time of a round trip between two threads.
double measureHandOver() {
    WakeWord there{}, back{};
    constexpr int kRounds = 200;
    std::vector<double> times;
    std::jthread other([&](const std::stop_token& stop) {
        std::uint32_t seen = 0;
        for (int i = 0; i < kRounds; ++i) {
            while (there.sequence() == seen)
                if (there.wait(seen, stop, kNoDeadline) == WaitResult::stopped) return;
            seen = there.sequence();
            back.notify();
        }
    });
    for (int i = 0; i < kRounds; ++i) {
        const auto begin = SteadyClock::now();
        const std::uint32_t seen = back.sequence();
        there.notify();
        while (back.sequence() == seen) back.wait(seen, {}, kNoDeadline);
        times.push_back(since(begin));
    }
    std::nth_element(times.begin(), times.begin() + kRounds / 2, times.end());
    return times[kRounds / 2];
}

std::string cacheKey(const SessionPlan& plan) {
    const AutoOptions q = autoOptionsOf(plan);
    const Json key{{"cores", std::thread::hardware_concurrency()},
                   {"instruction_set", nameOf(activeIsa())},
                   {"version", kVersion},
                   {"compiler", __VERSION__},
                   {"engine", plan.engine.id},
                   {"device", plan.config.run.device},
                   {"network", toJson(plan.net)},
                   {"devices", plan.config.infer.devices},
                   {"question",
                    {q.envs, q.columns, q.actors, q.fixed_groups, q.groups_are_free, q.mode_is_free, q.on_cpu,
                     q.devices}}};
    Sha256 hash;
    hash.update(key.dump());
    return hash.hex();
}

void apply(SessionPlan& plan, const AutoChoice& choice) {
    plan.config.run.inference = choice.inference;
    plan.groups = choice.groups;
    if (choice.inference == "central") {
        if (plan.config.infer.batch_rows == 0) plan.config.infer.batch_rows = choice.batch_rows;
        // A configured deadline is kept; a deadline equal to the default counts as not configured.
        if (plan.config.infer.deadline_ms == InferenceSettings{}.deadline_ms)
            plan.config.infer.deadline_ms = choice.deadline_ms;
    }
    plan.auto_choice = choice.json();
}

}  // namespace

Json AutoChoice::json() const {
    return {{"inference", inference},     {"groups", groups}, {"batch_rows", batch_rows},
            {"deadline_ms", deadline_ms}, {"why", why},       {"cached", cached}};
}

Result<AutoChoice> AutoChoice::parse(const Json& json) {
    AutoChoice choice;
    try {
        choice.inference = json.at("inference").get<std::string>();
        choice.groups = json.at("groups").get<int>();
        choice.batch_rows = json.at("batch_rows").get<int>();
        choice.deadline_ms = json.at("deadline_ms").get<double>();
        choice.why = json.at("why").get<std::string>();
    } catch (const std::exception& error) {
        return fail(std::string("invalid choice of inference: ") + error.what());
    }
    if ((choice.inference != "inline" && choice.inference != "central") || choice.groups < 1 ||
        choice.batch_rows < 0 || choice.deadline_ms < 0)
        return fail("this choice of inference is out of range");
    return choice;
}

AutoOptions autoOptionsOf(const SessionPlan& plan) {
    const TrainingConfig& config = plan.config;
    AutoOptions q;
    q.envs = config.actor.num_envs;
    q.columns = q.envs * plan.env.agents;
    q.actors = plan.actors > 0 ? plan.actors : plan.threads;
    q.fixed_groups = plan.groups;
    // With LibTorch a row depends on the other rows of the call, so the number of groups affects the results
    // of the sync schedule.
    q.mode_is_free = config.run.schedule == "async" || rowsAreIndependent(plan.engine.id);
    // With shards, every shard has its own groups.
    q.groups_are_free = config.actor.groups == 0 && q.mode_is_free && config.learner.shards == 1;
    q.engine = plan.engine.id;
    q.on_cpu = config.run.device == "cpu" && config.infer.devices.empty();
    // Two threads of one device are not twice as fast.
    q.devices =
        config.infer.devices.empty()
            ? 1
            : static_cast<int>(inferenceDevices(config, plan.engine.id, std::max(1, plan.groups)).size());
    return q;
}

std::vector<int> rowsToMeasure(const AutoOptions& q) {
    std::set<int> rows{ceilDiv(columnsPerDevice(q), 2), std::max(1, ceilDiv(columnsPerDevice(q), 4))};
    for (const int groups : groupCandidates(q)) rows.insert(columnsPerGroup(q, groups));
    return {rows.begin(), rows.end()};
}

AutoChoice decide(const AutoOptions& q, const InferenceTimes& times) {
    AutoChoice choice;
    choice.groups = q.fixed_groups;
    const int half = ceilDiv(columnsPerDevice(q), 2), quarter = std::max(1, ceilDiv(columnsPerDevice(q), 4));
    const auto known = [&](int rows) { return times.forward.contains(rows); };
    const auto settleCentral = [&] {
        choice.inference = "central";
        // Uses at least two groups per thread, so that a thread can step one while the other waits.
        if (q.groups_are_free) choice.groups = std::clamp(std::max(q.fixed_groups, 2 * q.actors), 1, q.envs);
        // Smaller batches overlap better if they are equally efficient.
        const bool small =
            known(half) && known(quarter) && 2 * times.forward.at(quarter) <= 1.05 * times.forward.at(half);
        choice.batch_rows = small ? quarter : half;
        const double forward = known(choice.batch_rows) ? times.forward.at(choice.batch_rows) : 1e-3;
        choice.deadline_ms = std::clamp(4e3 * forward, 0.2, 20.0);
    };
    if (!q.on_cpu) {
        settleCentral();
        choice.why = "one thread per device runs the network for all groups";
        return choice;
    }
    if (!q.mode_is_free) {
        choice.why = "results of engine '" + q.engine +
                     "' for a row depend on the other rows; the fixed rule chose inline inference";
        return choice;
    }
    if (!known(columnsPerGroup(q, q.fixed_groups))) {
        choice.why = "the network is too slow for a short measurement; the fixed rule chose inline inference";
        return choice;
    }
    // Time of one row of all columns, excluding environments: with inline inference on all actors at once,
    // with central inference on one thread.
    const auto inline_s = [&](int groups) {
        return ceilDiv(groups, q.actors) * times.forward.at(columnsPerGroup(q, groups));
    };
    double best = inline_s(q.fixed_groups);
    const double fixed = best;
    for (const int groups : groupCandidates(q))
        if (known(columnsPerGroup(q, groups)) && inline_s(groups) < best) {
            best = inline_s(groups);
            choice.groups = groups;
        }
    if (best > kWorthwhile * fixed) {
        best = fixed;
        choice.groups = q.fixed_groups;
    }
    double central = INFINITY;
    for (const int rows : {half, quarter})
        if (known(rows))
            central = std::min(
                central, ceilDiv(columnsPerDevice(q), rows) * (times.forward.at(rows) + times.hand_over));
    choice.why = "inline inference on " + std::to_string(q.actors) +
                 (q.actors == 1 ? " thread" : " threads") + " takes " + micros(best) + " for " +
                 std::to_string(q.columns) + " columns in " + std::to_string(choice.groups) +
                 (choice.groups == 1 ? " group" : " groups") + ", central inference " +
                 (std::isfinite(central) ? micros(central) : std::string("was too slow to measure"));
    if (central < kWorthwhile * best) settleCentral();
    return choice;
}

Result<InferenceTimes> measureInference(EngineNet& net, const std::vector<int>& rows, double budget_s) {
    InferenceTimes times;
    const auto begin = SteadyClock::now();
    times.hand_over = measureHandOver();
    const Params params = initialParams(net.plan(), 1);
    const auto context = net.context();
    double per_row = 0;  // seconds at the previous size; an upper bound for the next
    for (const int count : rows) {
        if (since(begin) + 2 * per_row * count > budget_s) return times;
        ZeroRows zeros(net.plan(), count);
        const Outputs out{zeros.heads.data(), zeros.next_state.empty() ? nullptr : zeros.next_state.data()};
        double best = INFINITY;
        const auto size_begin = SteadyClock::now();
        // The first run allocates buffers and is not counted; the minimum of the others excludes
        // interruptions.
        for (int run = 0; run < 2 || since(size_begin) < kSecondsPerSize; ++run) {
            if (since(begin) > budget_s) return times;
            const auto start = SteadyClock::now();
            SEEDBED_TRY(context->run(params, zeros.input, out, Keep::nothing));
            if (run > 0) best = std::min(best, since(start));
        }
        times.forward[count] = best;
        per_row = best / count;
    }
    return times;
}

Result<> resolveAuto(SessionPlan& plan, FileSystem& files, const std::filesystem::path& cache_folder) {
    if (plan.config.run.inference != "auto") return {};
    const std::filesystem::path folder = cache_folder / "auto", path = folder / (cacheKey(plan) + ".json");
    const bool keeps = !cache_folder.empty();
    if (const auto text = keeps ? readFile(files, path, 1 << 16) : Result<std::string>()) {
        auto choice = AutoChoice::parse(Json::parse(*text, nullptr, false));
        if (choice && choice->groups <= plan.config.actor.num_envs) {
            choice->cached = true;
            apply(plan, *choice);
            return {};
        }
    }
    SEEDBED_ASSIGN(const NetPlan net_plan, buildPlan(plan.net));
    SEEDBED_ASSIGN(const auto net,
                   compileNet(plan.engine.id, net_plan, engineOptions(plan.config.run.device)));
    const AutoOptions question = autoOptionsOf(plan);
    SEEDBED_ASSIGN(const InferenceTimes times, measureInference(*net, rowsToMeasure(question)));
    const AutoChoice choice = decide(question, times);
    Result<> kept = keeps ? makeFolders(files, folder) : Result<>();
    if (kept && keeps) kept = writeFileAtomically(files, path, choice.json().dump());
    if (!kept) log::debug("the choice of inference could not be cached", {{"error", kept.error().text()}});
    apply(plan, choice);
    return {};
}

Result<> applyRecordedAuto(SessionPlan& plan, const Json& recorded) {
    if (plan.config.run.inference != "auto") return {};
    SEEDBED_ASSIGN(const AutoChoice choice, AutoChoice::parse(recorded));
    if (choice.groups > plan.config.actor.num_envs || choice.groups % plan.config.learner.shards != 0)
        return fail(ErrorCode::config, "the recorded choice does not fit the number of environments");
    apply(plan, choice);
    return {};
}

}  // namespace seedbed
