// SPDX-License-Identifier: Apache-2.0
// The parity check: compares an exported policy with the trained network on golden vectors and in the
// environment.
#pragma once

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/json.hpp"
#include "core/export/golden.hpp"

namespace seedbed {

// Largest allowed difference, relative to the largest output of its kind over the rows. Reordered float
// arithmetic differs by about 1e-6; a wrong normaliser, a missing layer or a swapped gate causes far larger
// differences.
inline constexpr double kParityTolerance = 1e-5;

// Number of whole episodes that a complete verification requires.
inline constexpr int kProvenEpisodes = 20;

// Differences of one output over some rows.
struct OutputDifference {
    // "logits of action", "mean of action", "log_std of action", value, state; action: greedy choices;
    // previous_action_out: fed-back actions. For the last two, `largest` is the number of wrong values.
    std::string output;
    std::string rows;    // kind of rows: ordinary | extreme | near zero | sequence
    double largest = 0;  // absolute
    double scale = 0;    // largest expected absolute value
    double relative() const { return largest == 0 ? 0 : scale > 0 ? largest / scale : largest; }
};

// Results of episodes in which the trained network acts and the exported policy's decisions are compared with
// the network's.
struct ClosedLoop {
    int episodes = 0;  // played to the end
    int cut = 0;       // stopped by the time limit; their decisions are included
    std::uint64_t decisions = 0;
    // Number of compared leaves: all box leaves, and the discrete leaves whose two best choices differ by
    // more than the tolerance.
    std::uint64_t compared = 0;
    std::uint64_t equal = 0;
    std::uint64_t within_margin = 0;

    // Whether there are enough episodes for a complete verification.
    bool complete() const { return episodes >= kProvenEpisodes && compared > 0; }
};

// Episodes that the trained and the exported policy play separately from the same initial states.
struct FreeRunning {
    std::vector<double> trainer, exported;  // raw returns by episode
};

struct FormReport {
    std::string target, executor, executor_version;
    std::vector<std::string> passed_over;  // stronger executors that could not be used, with the reason
    std::vector<OutputDifference> differences;
    std::optional<ClosedLoop> closed_loop;
    std::optional<FreeRunning> free_running;
    std::string no_closed_loop;  // the reason if closed_loop is missing
    double seconds = 0;

    double largestRelative() const;
    // Describes the first difference in a sentence, or returns "".
    std::string failure() const;
};

struct ParityOptions {
    int episodes = kProvenEpisodes;
    // Time limit for the episodes of one target: half for those played by the trained network, a quarter for
    // each network alone.
    double seconds = 8;
    std::uint64_t seed = 1;
    std::stop_token stop{};
    // Called repeatedly with the current task and its progress from 0 to 1.
    std::function<void(const std::string& what, double fraction)> progress{};
};

// Compares two executors; the report contains the differences. error: an executor or the environment failed,
// or interrupted.
Result<FormReport> checkParity(const PolicyModel& model, const GoldenVectors& golden, Executor& trainer,
                               Executor& exported, const ParityOptions& options);

Json toJson(const FormReport& report);

}  // namespace seedbed
