// SPDX-License-Identifier: Apache-2.0
// Golden rows, teacher-forced episodes, free-running episodes.
#include "core/export/parity.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>

#include "core/base/text.hpp"
#include "core/env/env_registry.hpp"
#include "core/export/play.hpp"

namespace seedbed {

namespace {

// Multiply-accumulates that one side may spend on closed-loop play: a few seconds for the slowest executor. Episodes longer than what that
// allows are cut; small networks reach kMostDecisions first.
constexpr double kWork = 2e10;
constexpr double kFewestDecisions = 600, kMostDecisions = 20'000;

struct Gap {
    double largest = 0, scale = 0;
};

// Columns [begin, end) of rows of `words` words.
struct Columns {
    std::size_t words = 0, begin = 0, end = 0;
};

// Over `count` rows from `first` on. A not-a-number is an infinite difference.
Gap gapOf(const std::vector<float>& expected, const std::vector<float>& got, std::size_t first, std::size_t count, const Columns& columns) {
    Gap gap;
    for (std::size_t n = 0; n < count * (columns.end - columns.begin); ++n) {
        const std::size_t width = columns.end - columns.begin;
        const std::size_t i = (first + n / width) * columns.words + columns.begin + n % width;
        const double e = static_cast<double>(expected[i]), g = static_cast<double>(got[i]);
        // Forbidden choices must be exactly that, and say nothing about the scale.
        if (expected[i] == kForbiddenLogit) {
            if (got[i] != kForbiddenLogit) gap.largest = INFINITY;
            continue;
        }
        const double difference = std::abs(e - g);
        gap.largest = std::isfinite(difference) ? std::max(gap.largest, difference) : INFINITY;
        gap.scale = std::max(gap.scale, std::abs(e));
    }
    return gap;
}

class Gate {
public:
    Gate(const PolicyModel& model, Executor& trainer, Executor& exported, const ParityOptions& options)
        : model_(model), trainer_(trainer), exported_(exported), options_(options) {}

    Result<FormReport> check(const GoldenVectors& golden) {
        const auto begin = std::chrono::steady_clock::now();
        report_.executor = exported_.id(), report_.executor_version = exported_.version();
        progress("golden vectors", 0);
        SEEDBED_TRY(checkRows(golden.batch, golden.batch_result));
        if (golden.sequence.rows > 0) SEEDBED_TRY(checkSequence(golden));
        const std::string env = model_.bundle.provenance.env;
        if (options_.episodes == 0) report_.no_closed_loop = "no episodes were asked for";
        else if (envRegistry().find(env) == nullptr) report_.no_closed_loop = "this program has no environment '" + env + "'";
        else {
            SEEDBED_TRY(teacherForced());
            SEEDBED_TRY(freeRunning());
        }
        report_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        return std::move(report_);
    }

private:
    void progress(const std::string& what, double fraction) {
        if (options_.progress) options_.progress(what, fraction);
    }
    Result<> stopped() const {
        if (options_.stop.stop_requested())
            return fail(ErrorCode::interrupted, "stopped while the export was being checked; nothing was written");
        return {};
    }

    void compareAll(const char* rows, const ModelResult& expected, const ModelResult& got, std::size_t first, std::size_t count) {
        const auto compare = [&](const std::string& output, const std::vector<float>& e, const std::vector<float>& g,
                                 const Columns& columns) {
            if (columns.begin == columns.end || g.empty()) return;
            const Gap gap = gapOf(e, g, first, count, columns);
            report_.differences.push_back({output, rows, gap.largest, gap.scale});
        };
        // Each part of the distribution has a scale of its own.
        std::size_t at = 0;
        const auto words = static_cast<std::size_t>(model_.policy_words);
        for (const ActionLeaf& leaf : model_.spaces().actions) {
            const bool choice = leaf.kind == ActionLeaf::Kind::discrete;
            const auto size = static_cast<std::size_t>(choice ? leaf.n : leaf.words());
            compare((choice ? "logits of " : "mean of ") + leaf.name, expected.policy, got.policy, {words, at, at + size});
            at += size;
            if (choice) continue;
            compare("log_std of " + leaf.name, expected.policy, got.policy, {words, at, at + size});
            at += size;
        }
        const auto all = [](int count_of_words) {
            return Columns{static_cast<std::size_t>(count_of_words), 0, static_cast<std::size_t>(count_of_words)};
        };
        compare("value", expected.value, got.value, all(model_.value_words));
        compare("state", expected.state, got.state, all(model_.stateWords()));
    }

    Result<> checkRows(const ModelBatch& batch, const ModelResult& expected) {
        ModelResult got;
        SEEDBED_TRY(exported_.run(batch, got));
        findScales(expected);
        compareAll("ordinary", expected, got, 0, kOrdinaryRows);
        compareAll("extreme", expected, got, kOrdinaryRows, kExtremeRows);
        // The greedy actions of golden rows count as decisions.
        ClosedLoop loop;
        countDecisions(batch, expected, got, std::vector<char>(static_cast<std::size_t>(batch.rows), 1), loop);
        if (loop.equal != loop.compared)
            report_.differences.push_back({"action", "ordinary and extreme", static_cast<double>(loop.compared - loop.equal), 0});
        return {};
    }

    // Step by step with the exported form's own state and previous action, so that differences may grow.
    Result<> checkSequence(const GoldenVectors& golden) {
        ModelResult all, got;
        ModelBatch one = emptyBatch(model_, 1);
        for (std::size_t step = 0; step < kSequenceSteps; ++step) {
            const auto row = [&](const std::vector<float>& from, std::size_t words) {
                return std::vector<float>(from.begin() + static_cast<std::ptrdiff_t>(step * words),
                                          from.begin() + static_cast<std::ptrdiff_t>((step + 1) * words));
            };
            for (std::size_t leaf = 0; leaf < one.obs.size(); ++leaf) one.obs[leaf] = row(golden.sequence.obs[leaf], model_.obsWords(leaf));
            if (!one.mask.empty()) one.mask = row(golden.sequence.mask, one.mask.size());
            if (model_.wants_previous_reward) one.previous_reward = row(golden.sequence.previous_reward, 1);
            // What was drawn differently within the margin is not followed: previous actions are the recorded ones.
            if (model_.wants_previous_action) one.previous_action = row(golden.sequence.previous_action, one.previous_action.size());
            SEEDBED_TRY(exported_.run(one, got));
            const auto append = [](std::vector<float>& to, const std::vector<float>& from) {
                to.insert(to.end(), from.begin(), from.end());
            };
            append(all.policy, got.policy), append(all.value, got.value), append(all.state, got.state);
            one.state = got.state;
        }
        compareAll("sequence", golden.sequence_result, all, 0, kSequenceSteps);
        return {};
    }

    // The size that logits and means of each leaf have on ordinary golden rows: what the tolerance of a decision is relative to.
    void findScales(const ModelResult& expected) {
        const auto words = static_cast<std::size_t>(model_.policy_words);
        std::size_t at = 0;
        for (const ActionLeaf& leaf : model_.spaces().actions) {
            const bool choice = leaf.kind == ActionLeaf::Kind::discrete;
            const auto size = static_cast<std::size_t>(choice ? leaf.n : leaf.words());
            scales_.push_back(gapOf(expected.policy, expected.policy, 0, kOrdinaryRows, {words, at, at + size}).scale);
            at += choice ? size : 2 * size;
        }
    }

    // Leaf by leaf: whether both chose the same, wherever the choice was clear.
    void countDecisions(const ModelBatch& batch, const ModelResult& expected, const ModelResult& got, const std::vector<char>& counts,
                        ClosedLoop& loop) const {
        const auto words = static_cast<std::size_t>(model_.policy_words), actions = static_cast<std::size_t>(model_.spaces().actionWords());
        for (std::size_t row = 0; row < static_cast<std::size_t>(batch.rows); ++row) {
            if (!counts[row]) continue;
            const float* policy = expected.policy.data() + row * words;
            const float *a = expected.action.data() + row * actions, *b = got.action.data() + row * actions;
            for (std::size_t number = 0; number < scales_.size(); ++number) {
                const ActionLeaf& leaf = model_.spaces().actions[number];
                if (leaf.kind == ActionLeaf::Kind::discrete) {
                    countChoice(leaf, policy, scales_[number], *a == *b, loop);
                    policy += leaf.n;
                } else {
                    ++loop.compared;
                    loop.equal += boxEqual(leaf, policy, scales_[number], a, b) ? 1 : 0;
                    policy += 2 * leaf.words();
                }
                a += leaf.words(), b += leaf.words();
            }
        }
    }
    static void countChoice(const ActionLeaf& leaf, const float* logits, double scale, bool same, ClosedLoop& loop) {
        double best = -INFINITY, second = -INFINITY;
        for (int i = 0; i < leaf.n; ++i) {
            if (logits[i] == kForbiddenLogit) continue;
            const double logit = static_cast<double>(logits[i]);
            scale = std::max(scale, std::abs(logit));
            if (logit > best) second = best, best = logit;
            else second = std::max(second, logit);
        }
        // Both logits may be off by the tolerance, in opposite directions.
        if (best - second <= 2 * kParityTolerance * scale && !same) {
            ++loop.within_margin;
            return;
        }
        ++loop.compared;
        loop.equal += same ? 1 : 0;
    }
    // Means may be off by the tolerance; squashing stretches that by half the range and rounds at the size of the bounds.
    bool boxEqual(const ActionLeaf& leaf, const float* mean, double scale, const float* a, const float* b) const {
        for (int i = 0; i < leaf.words(); ++i) scale = std::max(scale, std::abs(static_cast<double>(mean[i])));
        for (int i = 0; i < leaf.words(); ++i) {
            const auto at = static_cast<std::size_t>(i);
            double size = scale;
            if (model_.bundle.squash)
                size = size * (leaf.high[at] - leaf.low[at]) / 2 + std::max(std::abs(leaf.low[at]), std::abs(leaf.high[at]));
            if (!(std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i])) <= kParityTolerance * size)) return false;
        }
        return true;
    }

    // Environments of which agents together play about the number of episodes, and steps until they are cut.
    Result<Play> makePlay() const { return Play::create(model_, options_.episodes, options_.seed); }
    int mostSteps(const Play& play) const {
        const double decisions = std::clamp(kWork / std::max(1.0, model_.plan.macsPerRow()), kFewestDecisions, kMostDecisions);
        return std::max(30, static_cast<int>(decisions / play.rows()));
    }

    Result<> teacherForced() {
        SEEDBED_ASSIGN(Play play, makePlay());
        PlayMemory teacher_memory(model_, play.rows()), student_memory(model_, play.rows());
        ClosedLoop loop;
        ModelResult expected, got;
        const auto rows = static_cast<std::size_t>(play.rows());
        std::vector<char> open(rows, 1);  // plays its first episode
        const int most = mostSteps(play);
        for (int step = 0; step < most && std::find(open.begin(), open.end(), 1) != open.end(); ++step) {
            SEEDBED_TRY(stopped());
            ModelBatch look = play.observe(), again = look;
            teacher_memory.give(play, look), student_memory.give(play, again);
            SEEDBED_TRY(trainer_.run(look, expected));
            SEEDBED_TRY(exported_.run(again, got));
            teacher_memory.take(expected), student_memory.take(got);
            std::vector<char> counts = open;
            for (std::size_t row = 0; row < rows; ++row) {
                counts[row] = counts[row] && play.valid(static_cast<int>(row));
                loop.decisions += counts[row] ? 1 : 0;
            }
            countDecisions(look, expected, got, counts, loop);
            std::vector<EpisodeEnd> ended;
            SEEDBED_TRY(play.step(expected.action, expected.feedback, ended));
            for (const EpisodeEnd& end : ended) loop.episodes += std::exchange(open[static_cast<std::size_t>(end.column)], 0);
            progress("episodes, the trained network acting", static_cast<double>(step) / most);
        }
        loop.cut = static_cast<int>(std::count(open.begin(), open.end(), 1));
        loop.episodes += loop.cut;
        report_.closed_loop = loop;
        return {};
    }

    // Raw returns of the first episode of every row, up to the cut.
    Result<std::vector<double>> playAlone(Executor& actor, const char* what) {
        SEEDBED_ASSIGN(Play play, makePlay());
        PlayMemory memory(model_, play.rows());
        ModelResult result;
        std::vector<double> returns(static_cast<std::size_t>(play.rows()), NAN);
        const int most = mostSteps(play);
        for (int step = 0; step < most; ++step) {
            SEEDBED_TRY(stopped());
            ModelBatch look = play.observe();
            memory.give(play, look);
            SEEDBED_TRY(actor.run(look, result));
            memory.take(result);
            std::vector<EpisodeEnd> ended;
            SEEDBED_TRY(play.step(result.action, result.feedback, ended));
            for (const EpisodeEnd& end : ended) {
                double& slot = returns[static_cast<std::size_t>(end.column)];
                if (std::isnan(slot)) slot = end.episode_return;
            }
            if (std::none_of(returns.begin(), returns.end(), [](double r) { return std::isnan(r); })) break;
            progress(what, static_cast<double>(step) / most);
        }
        return returns;
    }
    Result<> freeRunning() {
        FreeRunning free;
        SEEDBED_ASSIGN(free.trainer, playAlone(trainer_, "episodes of the trained network"));
        SEEDBED_ASSIGN(free.exported, playAlone(exported_, "episodes of the exported form"));
        report_.free_running = std::move(free);
        return {};
    }

    const PolicyModel& model_;
    Executor &trainer_, &exported_;
    const ParityOptions& options_;
    FormReport report_;
    std::vector<double> scales_;  // per action leaf
};

// Mean of the episodes that ended, null without any.
Json meanOf(const std::vector<double>& returns) {
    double sum = 0;
    int n = 0;
    for (const double r : returns)
        if (!std::isnan(r)) sum += r, ++n;
    return n == 0 ? Json() : Json(sum / n);
}

Json listOf(const std::vector<double>& returns) {
    Json list = Json::array();
    for (const double r : returns) list.push_back(std::isnan(r) ? Json() : Json(r));
    return list;
}

Json number(double value) { return std::isfinite(value) ? Json(value) : Json("infinite"); }

}  // namespace

double FormReport::largestRelative() const {
    double largest = 0;
    for (const OutputDifference& difference : differences) largest = std::max(largest, difference.relative());
    return largest;
}

std::string FormReport::failure() const {
    for (const OutputDifference& d : differences) {
        if (d.output == "action")
            return formatNumber(d.largest) + " greedy actions of the golden vectors differ although the choice was clear";
        if (!(d.relative() <= kParityTolerance)) {
            char text[160];
            std::snprintf(text, sizeof text, "'%s' differs by %.3g on the %s golden vectors; %.3g is allowed", d.output.c_str(), d.largest,
                          d.rows.c_str(), kParityTolerance * d.scale);
            return text;
        }
    }
    if (closed_loop && closed_loop->equal != closed_loop->compared)
        return std::to_string(closed_loop->compared - closed_loop->equal) + " of " + std::to_string(closed_loop->compared) +
               " greedy actions differ in " + std::to_string(closed_loop->episodes) + " episodes";
    return "";
}

Result<FormReport> checkParity(const PolicyModel& model, const GoldenVectors& golden, Executor& trainer, Executor& exported,
                               const ParityOptions& options) {
    return Gate(model, trainer, exported, options).check(golden);
}

Json toJson(const FormReport& report) {
    Json differences = Json::array();
    for (const OutputDifference& d : report.differences)
        differences.push_back({{"output", d.output},
                               {"rows", d.rows},
                               {"max_abs_difference", number(d.largest)},
                               {"output_scale", d.scale},
                               {"relative", number(d.relative())}});
    Json loop, free;
    if (report.closed_loop)
        loop = {{"episodes", report.closed_loop->episodes},   {"cut", report.closed_loop->cut},
                {"decisions", report.closed_loop->decisions}, {"compared", report.closed_loop->compared},
                {"equal", report.closed_loop->equal},         {"within_margin", report.closed_loop->within_margin}};
    if (report.free_running)
        free = {{"trainer", {{"mean", meanOf(report.free_running->trainer)}, {"returns", listOf(report.free_running->trainer)}}},
                {"exported", {{"mean", meanOf(report.free_running->exported)}, {"returns", listOf(report.free_running->exported)}}}};
    return {{"target", report.target},
            {"executor", {{"id", report.executor}, {"version", report.executor_version}, {"passed_over", report.passed_over}}},
            {"passed", report.failure().empty()},
            {"failure", report.failure().empty() ? Json() : Json(report.failure())},
            {"max_relative_difference", number(report.largestRelative())},
            {"golden", differences},
            {"closed_loop", loop},
            {"no_closed_loop", report.no_closed_loop.empty() ? Json() : Json(report.no_closed_loop)},
            {"free_running", free},
            {"seconds", std::round(report.seconds * 100) / 100}};
}

}  // namespace seedbed
