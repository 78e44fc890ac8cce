// SPDX-License-Identifier: Apache-2.0
// A data folder with runs for tests of the window's models, and helpers that wait in an event loop.
#pragma once

#include <chrono>
#include <cmath>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <QCoreApplication>
#include <QEventLoop>
#include <QThread>

#include "core/store/run_writer.hpp"
#include "core/store/store.hpp"
#include "tests/unit/base/must.hpp"
#include "tests/unit/base/temporary_folder.hpp"

namespace seedbed::testing {

// Waits until the condition holds or `seconds` have passed; returns whether it held. The default is generous
// for loaded machines.
inline bool waitFor(const std::function<bool()>& condition, double seconds = 120) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    while (!condition()) {
        if (std::chrono::steady_clock::now() > end) return false;
        QCoreApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents, 5);
        QCoreApplication::processEvents(QEventLoop::AllEvents, 5);
    }
    return true;
}
// Processes pending events and results.
inline void settle(int ms = 60) {
    // Sleeps between rounds, so that other threads can run on a busy machine.
    constexpr int kRoundMs = 5;
    for (int waited_ms = 0; waited_ms < ms; waited_ms += kRoundMs) {
        QCoreApplication::processEvents(QEventLoop::AllEvents, kRoundMs);
        QThread::msleep(kRoundMs);
    }
    QCoreApplication::processEvents(QEventLoop::AllEvents, kRoundMs);
}

struct RunPlan {
    std::string name{};
    std::string env = "cartpole";
    std::uint64_t seed = 1;
    double learning_rate = 0.001;
    int points = 0;                              // number of points of the metrics below, one update of 64
                                                 // steps each
    std::function<double(int point)> returns{};  // episode/return; default: 10, 11, 12 ...
    std::vector<std::string> tags{};
    bool checkpoint = false;  // save a checkpoint at the end, with an evaluation
    double evaluation = 100;
};

// A run whose writer is in this process; it is running until the writer finishes it.
struct LiveRun {
    Store store;
    OwnedRun owned;
    std::unique_ptr<RunWriter> writer;
};

inline LiveRun beginRun(const std::filesystem::path& folder, const NewRun& run) {
    Store store = must(Store::open(folder));
    OwnedRun owned = must(store.createRun(run));
    must(store.beginSegment(*owned.lock, 0, ProcessInfo{}));
    auto writer = must(RunWriter::open(folder, *owned.lock, {}));
    return {std::move(store), std::move(owned), std::move(writer)};
}

// A run that has finished.
inline RunId makeRun(const std::filesystem::path& folder, const RunPlan& plan) {
    NewRun run;
    run.name = plan.name;
    run.env = plan.env;
    run.algo = "ppo";
    run.seed = plan.seed;
    run.engine = "reference";
    run.tags = plan.tags;
    run.config = {{"env", {{"id", plan.env}}},
                  {"algo", {{"id", "ppo"}, {"learning_rate", plan.learning_rate}}},
                  {"run", {{"seed", plan.seed}, {"steps", 100000}}}};
    auto [store, owned, writer] = beginRun(folder, run);
    for (int i = 0; i < plan.points; ++i) {
        const double value = plan.returns ? plan.returns(i) : 10.0 + i;
        const RunWriter::Value values[] = {
            {"episode/return", value}, {"loss/value", 1.0 / (1 + i)}, {"speed/updates_per_s", 4.0}};
        const std::int64_t step = 64 * (i + 1);
        writer->metrics(step, 1.7e9 + 0.5 * i, values);
        const EpisodeRecord episode{
            .step = step, .time = 1.7e9 + 0.5 * i, .episode_return = value, .length = 10, .column = 0};
        writer->episodes(std::vector<EpisodeRecord>{episode});
        writer->progress({.steps = step, .frames = step, .updates = i + 1, .train_seconds = 0.25 * (i + 1)});
    }
    if (plan.checkpoint) {
        const std::int64_t step = 64 * plan.points;
        writer->evaluation(
            {.step = step, .time = 1.7e9, .mean = plan.evaluation, .episodes = {{plan.evaluation, 10}}});
        CheckpointRecord checkpoint;
        checkpoint.step = step;
        checkpoint.time = 1.7e9;
        checkpoint.folder = "runs/x";
        checkpoint.score = plan.evaluation;
        writer->checkpoint(checkpoint);
    }
    writer->status(RunStatus::finished, "");
    must(writer->flush());
    return owned.id;
}

class UiTest : public ::testing::Test {
protected:
    std::filesystem::path folder() const { return temporary_.path() / "data"; }
    RunId makeRun(const RunPlan& plan) { return testing::makeRun(folder(), plan); }

private:
    TemporaryFolder temporary_;
};

}  // namespace seedbed::testing
