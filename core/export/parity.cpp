// SPDX-License-Identifier: Apache-2.0
#include "core/export/parity.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <utility>

#include "core/base/text.hpp"
#include "core/export/play.hpp"
#include "core/nn/acting_head.hpp"
#include "core/nn/operation.hpp"
#include "core/policy/bundle_env.hpp"

namespace seedbed {

namespace {

// Steps that are always played, regardless of the time limit.
constexpr int kMinSteps = 30;

// Extreme rows whose observations are zero or tiny (golden.cpp). These rows are compared separately, because
// the scale of the other extreme rows would hide their differences.
constexpr int kNearZeroRows[] = {2, 6, 7};

class Budget {
public:
    explicit Budget(double seconds) : begin_(std::chrono::steady_clock::now()), seconds_(seconds) {}
    // The fraction of the time that has been used; 1 or more once the limit is reached.
    double used() const {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count() /
               std::max(seconds_, 1e-9);
    }
    bool over(int step) const { return step >= kMinSteps && used() >= 1; }

private:
    std::chrono::steady_clock::time_point begin_;
    double seconds_;
};

struct Gap {
    double largest = 0, scale = 0;
};

// Columns [begin, end) of rows with `words` words each.
struct Columns {
    std::size_t words = 0, begin = 0, end = 0;
};

// The largest difference over `rows`; NaN counts as infinite.
Gap gapOf(const std::vector<float>& expected, const std::vector<float>& got,
          const std::vector<std::size_t>& rows, const Columns& columns) {
    Gap gap;
    for (const std::size_t row : rows) {
        for (std::size_t i = row * columns.words + columns.begin; i < row * columns.words + columns.end;
             ++i) {
            // Masked choices must match exactly and do not affect the scale.
            if (expected[i] == kForbiddenLogit) {
                if (got[i] != kForbiddenLogit) gap.largest = INFINITY;
                continue;
            }
            const double e = static_cast<double>(expected[i]);
            const double difference = std::abs(e - static_cast<double>(got[i]));
            gap.largest = std::isfinite(difference) ? std::max(gap.largest, difference) : INFINITY;
            gap.scale = std::max(gap.scale, std::abs(e));
        }
    }
    return gap;
}

std::vector<std::size_t> rowsFrom(std::size_t first, std::size_t count) {
    std::vector<std::size_t> rows(count);
    std::iota(rows.begin(), rows.end(), first);
    return rows;
}

class Gate {
public:
    Gate(const PolicyModel& model, Executor& trainer, Executor& exported, const ParityOptions& options)
        : model_(model), trainer_(trainer), exported_(exported), options_(options) {}

    Result<FormReport> check(const GoldenVectors& golden) {
        const auto begin = std::chrono::steady_clock::now();
        report_.executor = exported_.id();
        report_.executor_version = exported_.version();
        progress("stored test inputs", 0);
        SEEDBED_TRY(checkRows(golden.batch, golden.batch_result));
        if (golden.sequence.rows > 0) SEEDBED_TRY(checkSequence(golden));
        if (options_.episodes == 0) report_.no_closed_loop = "no episodes were requested";
        else if (const auto env = environmentOf(model_.bundle); !env)
            report_.no_closed_loop = env.error().message;
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
            return fail(ErrorCode::interrupted,
                        "stopped while the export was being checked; nothing was written");
        return {};
    }

    // `least`: minimum scale of each output, in the order of comparison. The scales used are appended to
    // `scales`.
    void compareAll(const char* name, const ModelResult& expected, const ModelResult& got,
                    const std::vector<std::size_t>& rows, const std::vector<double>& least = {},
                    std::vector<double>* scales = nullptr) {
        std::size_t number = 0;
        const auto compare = [&](const std::string& output, const std::vector<float>& e,
                                 const std::vector<float>& g, const Columns& columns) {
            if (columns.begin == columns.end || g.empty()) return;
            const Gap gap = gapOf(e, g, rows, columns);
            const double scale = number < least.size() ? std::max(least[number], gap.scale) : gap.scale;
            report_.differences.push_back({output, name, gap.largest, scale});
            if (scales != nullptr) scales->push_back(scale);
            ++number;
        };
        // Each part of the distribution has a separate scale.
        std::size_t at = 0;
        const auto words = static_cast<std::size_t>(model_.policy_words);
        for (const ActionLeaf& leaf : model_.spaces().actions) {
            const bool choice = leaf.kind == ActionLeaf::Kind::discrete;
            const auto size = static_cast<std::size_t>(choice ? leaf.n : leaf.words());
            compare((choice ? "logits of " : "mean of ") + leaf.name, expected.policy, got.policy,
                    {words, at, at + size});
            at += size;
            if (choice) continue;
            compare("log_std of " + leaf.name, expected.policy, got.policy, {words, at, at + size});
            at += size;
        }
        const auto all = [](int count_of_words) {
            return Columns{static_cast<std::size_t>(count_of_words), 0,
                           static_cast<std::size_t>(count_of_words)};
        };
        compare("value", expected.value, got.value, all(model_.value_words));
        for (const Columns& columns : updatedStates(!got.value.empty()))
            compare("state", expected.state, got.state, columns);
    }

    // The columns of each recurrent state that a pass updates. Without the value estimate, the state of the
    // critic is not updated.
    std::vector<Columns> updatedStates(bool with_value) const {
        std::vector<int> wanted;
        for (const PlanHead& head : model_.plan.heads)
            if (head.begin == model_.policy_begin || (head.begin == model_.value_begin && with_value))
                wanted.push_back(head.value);
        const std::vector<char> updated = operationsFor(model_.plan, wanted);
        std::vector<Columns> states;
        for (std::size_t i = 0; i < updated.size(); ++i) {
            const PlanOp& op = model_.plan.ops[i];
            const int words = stateWords(model_.plan, op);
            if (!updated[i] || words == 0) continue;
            const auto begin = static_cast<std::size_t>(op.state_offset);
            states.push_back({static_cast<std::size_t>(model_.stateWords()), begin,
                              begin + static_cast<std::size_t>(words)});
        }
        return states;
    }

    // Compares greedy actions and fed-back actions.
    void compareActions(const char* name, int rows, const ModelResult& expected, const ModelResult& got) {
        ClosedLoop loop;
        const std::uint64_t wrong =
            countDecisions(rows, expected, got, std::vector<char>(static_cast<std::size_t>(rows), 1), loop);
        if (loop.equal != loop.compared)
            report_.differences.push_back(
                {"action", name, static_cast<double>(loop.compared - loop.equal), 0});
        if (wrong > 0)
            report_.differences.push_back({"previous_action_out", name, static_cast<double>(wrong), 0});
    }

    Result<> checkRows(const ModelBatch& batch, const ModelResult& expected) {
        ModelResult got;
        SEEDBED_TRY(exported_.run(batch, got));
        findScales(expected);
        std::vector<std::size_t> far, near;
        for (int row = 0; row < kExtremeRows; ++row)
            (std::find(std::begin(kNearZeroRows), std::end(kNearZeroRows), row) == std::end(kNearZeroRows)
                 ? far
                 : near)
                .push_back(static_cast<std::size_t>(kOrdinaryRows + row));
        std::vector<double> ordinary;
        compareAll("ordinary", expected, got, rowsFrom(0, kOrdinaryRows), {}, &ordinary);
        compareAll("extreme", expected, got, far);
        compareAll("near zero", expected, got, near, ordinary);
        compareActions("ordinary and extreme", batch.rows, expected, got);
        return {};
    }

    // Lets the exported policy use its own state and previous actions, so that errors can accumulate.
    Result<> checkSequence(const GoldenVectors& golden) {
        ModelResult got;
        SEEDBED_TRY(exported_.playSequence(model_, golden.sequence, got));
        compareAll("sequence", golden.sequence_result, got, rowsFrom(0, kSequenceSteps));
        compareActions("sequence", kSequenceSteps, golden.sequence_result, got);
        return {};
    }

    // Finds the scale of each leaf's logits and means on ordinary rows; the tolerance of decisions is
    // relative to this scale.
    void findScales(const ModelResult& expected) {
        const auto words = static_cast<std::size_t>(model_.policy_words);
        std::size_t at = 0;
        for (const ActionLeaf& leaf : model_.spaces().actions) {
            const bool choice = leaf.kind == ActionLeaf::Kind::discrete;
            const auto size = static_cast<std::size_t>(choice ? leaf.n : leaf.words());
            scales_.push_back(
                gapOf(expected.policy, expected.policy, rowsFrom(0, kOrdinaryRows), {words, at, at + size})
                    .scale);
            at += choice ? size : 2 * size;
        }
    }

    // Compares the leaves whose best choice has a clear margin. Returns the number of leaves whose fed-back
    // action is wrong: a choice that differs from the policy's own choice, or box values that differ from the
    // trained network's.
    std::uint64_t countDecisions(int rows, const ModelResult& expected, const ModelResult& got,
                                 const std::vector<char>& counts, ClosedLoop& loop) const {
        const auto words = static_cast<std::size_t>(model_.policy_words);
        const auto actions = static_cast<std::size_t>(model_.spaces().actionWords());
        std::uint64_t wrong = 0;
        for (std::size_t row = 0; row < static_cast<std::size_t>(rows); ++row) {
            if (!counts[row]) continue;
            const float* policy = expected.policy.data() + row * words;
            std::size_t at = row * actions;
            for (std::size_t number = 0; number < scales_.size(); ++number) {
                const ActionLeaf& leaf = model_.spaces().actions[number];
                const float* a = expected.action.data() + at;
                const float* b = got.action.data() + at;
                const bool fed_back = model_.wants_previous_action;
                if (leaf.kind == ActionLeaf::Kind::discrete) {
                    countChoice(leaf, policy, scales_[number], *a == *b, loop);
                    wrong += fed_back && got.feedback[at] != *b ? 1 : 0;
                    policy += leaf.n;
                } else {
                    ++loop.compared;
                    loop.equal += boxEqual(leaf, policy, scales_[number], a, b) ? 1 : 0;
                    wrong += fed_back && !boxEqual(leaf, policy, scales_[number], &expected.feedback[at],
                                                   &got.feedback[at])
                                 ? 1
                                 : 0;
                    policy += 2 * leaf.words();
                }
                at += static_cast<std::size_t>(leaf.words());
            }
        }
        return wrong;
    }
    static void countChoice(const ActionLeaf& leaf, const float* logits, double scale, bool same,
                            ClosedLoop& loop) {
        double best = -INFINITY;
        double second = -INFINITY;
        for (int i = 0; i < leaf.n; ++i) {
            if (logits[i] == kForbiddenLogit) continue;
            const double logit = static_cast<double>(logits[i]);
            scale = std::max(scale, std::abs(logit));
            if (logit > best) {
                second = best;
                best = logit;
            } else {
                second = std::max(second, logit);
            }
        }
        // Both logits may be off by the tolerance, in opposite directions.
        if (best - second <= 2 * kParityTolerance * scale && !same) {
            ++loop.within_margin;
            return;
        }
        ++loop.compared;
        loop.equal += same ? 1 : 0;
    }
    // Means may differ by the tolerance; scaling and squashing multiply this difference by half the range and
    // add rounding errors relative to the bounds.
    bool boxEqual(const ActionLeaf& leaf, const float* mean, double scale, const float* a,
                  const float* b) const {
        for (int i = 0; i < leaf.words(); ++i)
            scale = std::max(scale, std::abs(static_cast<double>(mean[i])));
        for (int i = 0; i < leaf.words(); ++i) {
            const auto at = static_cast<std::size_t>(i);
            double size = scale;
            if (model_.bundle.squash || leaf.scaled) {
                const ActionRange range = rangeOf(leaf, at);
                size = size * range.half + std::abs(range.centre) + range.half;
            }
            if (!(std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i])) <= kParityTolerance * size))
                return false;
        }
        return true;
    }

    // Creates one environment per episode.
    Result<Play> makePlay() const { return Play::create(model_, options_.episodes, options_.seed); }

    Result<> teacherForced() {
        SEEDBED_ASSIGN(Play play, makePlay());
        PlayMemory trainer_memory(model_, play.rows());
        PlayMemory exported_memory(model_, play.rows());
        ClosedLoop loop;
        ModelResult expected, got;
        const auto rows = static_cast<std::size_t>(play.rows());
        const auto agents = static_cast<std::size_t>(play.agents());
        std::vector<char> open(rows, 1);  // the environment is playing its first episode
        std::uint64_t wrong = 0;
        const Budget budget(options_.seconds / 2);
        for (int step = 0; !budget.over(step) && std::find(open.begin(), open.end(), 1) != open.end();
             ++step) {
            SEEDBED_TRY(stopped());
            ModelBatch trainer_batch = play.observe();
            ModelBatch exported_batch = trainer_batch;
            trainer_memory.give(play, trainer_batch);
            exported_memory.give(play, exported_batch);
            SEEDBED_TRY(trainer_.run(trainer_batch, expected));
            SEEDBED_TRY(exported_.run(exported_batch, got));
            trainer_memory.take(expected);
            exported_memory.take(got);
            std::vector<char> counts = open;
            for (std::size_t row = 0; row < rows; ++row) {
                counts[row] = counts[row] && play.valid(static_cast<int>(row));
                loop.decisions += counts[row] ? 1 : 0;
            }
            wrong += countDecisions(trainer_batch.rows, expected, got, counts, loop);
            std::vector<EpisodeEnd> ended;
            SEEDBED_TRY(play.step(expected.action, expected.feedback, ended));
            for (const EpisodeEnd& end : ended) {
                const auto row = static_cast<std::size_t>(end.column);
                // The episodes of all agents of an environment end together; only the first agent's episode
                // is counted.
                if (std::exchange(open[row], 0) && row % agents == 0) ++loop.episodes;
            }
            const double done = static_cast<double>(loop.episodes) / options_.episodes;
            progress("episodes played by the trained network", std::min(1.0, std::max(done, budget.used())));
        }
        for (std::size_t row = 0; row < rows; row += agents) loop.cut += open[row];
        if (wrong > 0)
            report_.differences.push_back({"previous_action_out", "episodes", static_cast<double>(wrong), 0});
        report_.closed_loop = loop;
        return {};
    }

    // Raw returns of the first agent in the first episode of every environment; NaN if the time limit was
    // reached.
    Result<std::vector<double>> playAlone(Executor& actor, const char* what) {
        SEEDBED_ASSIGN(Play play, makePlay());
        PlayMemory memory(model_, play.rows());
        ModelResult result;
        const int agents = play.agents();
        std::vector<double> returns(static_cast<std::size_t>(play.rows() / agents), NAN);
        const Budget budget(options_.seconds / 4);
        for (int step = 0; !budget.over(step); ++step) {
            SEEDBED_TRY(stopped());
            ModelBatch look = play.observe();
            memory.give(play, look);
            SEEDBED_TRY(actor.run(look, result));
            memory.take(result);
            std::vector<EpisodeEnd> ended;
            SEEDBED_TRY(play.step(result.action, result.feedback, ended));
            for (const EpisodeEnd& end : ended) {
                double& slot = returns[static_cast<std::size_t>(end.column / agents)];
                if (end.column % agents == 0 && std::isnan(slot)) slot = end.episode_return;
            }
            if (std::none_of(returns.begin(), returns.end(), [](double r) { return std::isnan(r); })) break;
            progress(what, std::min(1.0, budget.used()));
        }
        return returns;
    }
    Result<> freeRunning() {
        FreeRunning free;
        SEEDBED_ASSIGN(free.trainer, playAlone(trainer_, "episodes of the trained network"));
        SEEDBED_ASSIGN(free.exported, playAlone(exported_, "episodes of the exported policy"));
        report_.free_running = std::move(free);
        return {};
    }

    const PolicyModel& model_;
    Executor &trainer_, &exported_;
    const ParityOptions& options_;
    FormReport report_;
    std::vector<double> scales_;  // per action leaf
};

// Mean over the episodes that ended, or null.
Json meanOf(const std::vector<double>& returns) {
    double sum = 0;
    int n = 0;
    for (const double r : returns)
        if (!std::isnan(r)) {
            sum += r;
            ++n;
        }
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
            return formatNumber(d.largest) +
                   " greedy actions of the stored test inputs differ although the choice was clear";
        if (d.output == "previous_action_out")
            return formatNumber(d.largest) + " previous actions would be fed back incorrectly (" + d.rows +
                   ")";
        if (!(d.relative() <= kParityTolerance)) {
            char text[160];
            std::snprintf(text, sizeof text, "'%s' differs by %.3g on the %s test inputs; %.3g is allowed",
                          d.output.c_str(), d.largest, d.rows.c_str(), kParityTolerance * d.scale);
            return text;
        }
    }
    if (closed_loop && closed_loop->equal != closed_loop->compared)
        return std::to_string(closed_loop->compared - closed_loop->equal) + " of " +
               std::to_string(closed_loop->compared) + " greedy actions differ in " +
               std::to_string(closed_loop->episodes + closed_loop->cut) + " episodes";
    return "";
}

Result<FormReport> checkParity(const PolicyModel& model, const GoldenVectors& golden, Executor& trainer,
                               Executor& exported, const ParityOptions& options) {
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
        loop = {{"episodes", report.closed_loop->episodes},
                {"cut", report.closed_loop->cut},
                {"decisions", report.closed_loop->decisions},
                {"compared", report.closed_loop->compared},
                {"equal", report.closed_loop->equal},
                {"within_margin", report.closed_loop->within_margin}};
    if (report.free_running)
        free = {{"trainer",
                 {{"mean", meanOf(report.free_running->trainer)},
                  {"returns", listOf(report.free_running->trainer)}}},
                {"exported",
                 {{"mean", meanOf(report.free_running->exported)},
                  {"returns", listOf(report.free_running->exported)}}}};
    // true, false, "partial" or, without episodes, null.
    Json loop_passed;
    if (report.closed_loop) {
        loop_passed = report.closed_loop->equal == report.closed_loop->compared;
        if (loop_passed == true && !report.closed_loop->complete()) loop_passed = "partial";
    }
    return {{"target", report.target},
            {"executor",
             {{"id", report.executor},
              {"version", report.executor_version},
              {"passed_over", report.passed_over}}},
            {"passed", report.failure().empty()},
            {"failure", report.failure().empty() ? Json() : Json(report.failure())},
            {"max_relative_difference", number(report.largestRelative())},
            {"golden", differences},
            {"closed_loop", loop},
            {"closed_loop_passed", loop_passed},
            {"no_closed_loop", report.no_closed_loop.empty() ? Json() : Json(report.no_closed_loop)},
            {"free_running", free},
            {"seconds", std::round(report.seconds * 100) / 100}};
}

}  // namespace seedbed
