// SPDX-License-Identifier: Apache-2.0
// The parity gate: an exported form runs beside the trained network, on golden vectors and in the
// environment, before anything is written.
#pragma once

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/json.hpp"
#include "core/export/golden.hpp"

namespace seedbed {

// Largest difference allowed, relative to the largest output of its kind over the rows. Float arithmetic in
// another order differs by about 1e-6 here; a wrong normaliser, a lost layer or a swapped gate by far more.
inline constexpr double kParityTolerance = 1e-5;

// Whole episodes that a complete proof needs.
inline constexpr int kProvenEpisodes = 20;

// Differences of one output over some rows.
struct OutputDifference {
    std::string
        output;  // "logits of action", "mean of action", "log_std of action", value, state; action: greedy
                 // choices; previous_action_out: what is fed back, of which `largest` are wrong
    std::string rows;    // ordinary | extreme | near zero | sequence
    double largest = 0;  // absolute
    double scale = 0;    // largest expected absolute value
    double relative() const { return largest == 0 ? 0 : scale > 0 ? largest / scale : largest; }
};

// Decisions of whole episodes in which the trained network acts and the exported form is asked too.
struct ClosedLoop {
    int episodes = 0;  // played to their end
    int cut = 0;       // stopped before it to bound the time; their decisions count
    std::uint64_t decisions = 0;
    std::uint64_t compared =
        0;  // leaves of decisions whose two best choices differ by more than the tolerance; every box
    std::uint64_t equal = 0;
    std::uint64_t within_margin = 0;

    // Enough of everything to call the policy proven in its environment.
    bool complete() const { return episodes >= kProvenEpisodes && compared > 0; }
};

// Episodes that each form plays by itself from the same starts.
struct FreeRunning {
    std::vector<double> trainer, exported;  // raw returns, episode by episode
};

struct FormReport {
    std::string target, executor, executor_version;
    std::vector<std::string> passed_over;  // better executors that could not be used, and why
    std::vector<OutputDifference> differences;
    std::optional<ClosedLoop> closed_loop;
    std::optional<FreeRunning> free_running;
    std::string no_closed_loop;  // why there is none
    double seconds = 0;

    double largestRelative() const;
    // "" or the sentence that says what differs.
    std::string failure() const;
};

struct ParityOptions {
    int episodes = kProvenEpisodes;
    double seconds = 8;  // for the episodes of one form: half of it with the trained network acting, a
                         // quarter for each side alone; what has not ended then is cut
    std::uint64_t seed = 1;
    std::stop_token stop{};
    // Called now and then with what is being done and how far it is, 0 to 1.
    std::function<void(const std::string& what, double fraction)> progress{};
};

// Compares; a difference is no error but in the report. error: an executor or the environment failed, or
// interrupted.
Result<FormReport> checkParity(const PolicyModel& model, const GoldenVectors& golden, Executor& trainer,
                               Executor& exported, const ParityOptions& options);

Json toJson(const FormReport& report);

}  // namespace seedbed
