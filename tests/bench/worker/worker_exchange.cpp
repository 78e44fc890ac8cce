// SPDX-License-Identifier: Apache-2.0
// The time of an exchange with a worker process beyond the time of its Python code: signals, copies and
// checks. Prints JSON: microseconds per exchange, in total and in Python, for each repetition.
//   bench_worker_exchange PYTHON [REPETITIONS]     PYTHON needs Gymnasium
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "core/base/json.hpp"
#include "core/base/text.hpp"
#include "core/env/env.hpp"
#include "core/worker/worker_batch.hpp"

namespace seedbed {
namespace {

constexpr int kExchanges = 20'000, kFirst = 2'000;  // the first kFirst exchanges are not counted

class Exchanges {
public:
    explicit Exchanges(EnvBatch& batch) : batch_(batch) {}
    // Seconds that Python had spent before the last exchange.
    Result<double> run(int count, EnvCommand command) {
        std::uint8_t* leaves[] = {reinterpret_cast<std::uint8_t*>(&python_s_)};
        for (int i = 0; i < count; ++i) {
            SEEDBED_TRY(batch_.begin({.actions = &action_,
                                      .commands = &command,
                                      .rngs = &rng_,
                                      .leaves = leaves,
                                      .rewards = &reward_,
                                      .flags = &flags_}));
            SEEDBED_TRY(batch_.await());
            if ((flags_ & column_flag::failed) != 0) return fail(join(batch_.takeNotices(), "; "));
        }
        return python_s_;
    }

private:
    EnvBatch& batch_;
    Rng rng_{1, RngPurpose::environment};
    float action_ = 0, reward_ = 0;
    float python_s_ = 0;
    std::uint8_t flags_ = 0;
};

Result<Json> measure(const std::string& python) {
    WorkerPlan plan;
    plan.command = {python, "-u", SEEDBED_SOURCE_DIR "/envs/python/seedbed_worker"};
    plan.id = "gym:" SEEDBED_SOURCE_DIR "/tests/bench/worker/timed_env.py:Timed";
    SEEDBED_ASSIGN(const auto started, WorkerProcess::start(plan));
    SEEDBED_ASSIGN(const auto batch, WorkerBatch::create(plan, started->spec().env));
    Exchanges exchanges(*batch);
    SEEDBED_TRY(exchanges.run(1, EnvCommand::reset));
    SEEDBED_ASSIGN(const double before, exchanges.run(kFirst, EnvCommand::step));
    const auto begin = std::chrono::steady_clock::now();
    SEEDBED_ASSIGN(const double after, exchanges.run(kExchanges, EnvCommand::step));
    const std::chrono::duration<double> all = std::chrono::steady_clock::now() - begin;
    const double scale = 1e6 / kExchanges;
    return Json{{"exchange_us", all.count() * scale},
                {"python_us", (after - before) * scale},
                {"overhead_us", (all.count() - (after - before)) * scale}};
}

}  // namespace
}  // namespace seedbed

int main(int argc, char** argv) {
    if (argc < 2) {
        std::fprintf(stderr, "usage: bench_worker_exchange PYTHON [REPETITIONS]\n");
        return 2;
    }
    const int repetitions = argc > 2 ? std::atoi(argv[2]) : 5;
    for (int i = 0; i < repetitions; ++i) {
        const auto measured = seedbed::measure(argv[1]);
        if (!measured) {
            std::fprintf(stderr, "%s\n", measured.error().text().c_str());
            return 1;
        }
        std::printf("%s\n", measured->dump().c_str());
    }
    return 0;
}
