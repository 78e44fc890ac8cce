// SPDX-License-Identifier: Apache-2.0
// Measures what share of the environments' own speed async training reaches if environments busy-wait on
// every core: bench_async [SECONDS [STEP_US [key=value ...]]] prints one JSON line per inference mode. Keys
// are settings of a configuration.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include <sys/resource.h>

#include "core/env/env_registry.hpp"
#include "core/session/session.hpp"
#include "tests/unit/env/small_spec.hpp"

namespace seedbed {
namespace {

using SteadyClock = std::chrono::steady_clock;
double since(SteadyClock::time_point begin) {
    return std::chrono::duration<double>(SteadyClock::now() - begin).count();
}

// Four changing numbers and a step of fixed duration.
class BusyEnv final : public Env {
public:
    struct Params {
        double step_us = 100;

        static const Description<Params>& describe() {
            static const auto description =
                Description<Params>("busy", "Parameters of the busy environment.")
                    .field(&Params::step_us, "step_us", "Duration of a step, which does not sleep.",
                           {.unit = "us", .min = 0, .max = 1e6});
            return description;
        }
    };
    static EnvSpec spec(const Params&) {
        EnvSpec spec = test::smallSpec("busy", {.shape = {4}, .low = -1, .high = 1});
        spec.horizon = 200;
        return spec;
    }
    explicit BusyEnv(const Params& params) : params_(params) {}
    void reset(Rng& rng) override {
        for (float& x : x_) x = rng.uniformF() - 0.5f;
    }
    StepResult step(const float* actions, float* rewards, Rng& rng) override {
        const auto end = SteadyClock::now() + std::chrono::duration<double, std::micro>(params_.step_us);
        rewards[0] = x_[0] * (actions[0] - 0.5f);
        reset(rng);
        while (SteadyClock::now() < end) {
        }
        return {.reward = rewards[0]};
    }
    void observe(int, ObsOut out) const override { std::copy_n(x_, 4, out.leaf<float>(0)); }
    void draw(Scene& scene) const override { scene.clear(0, 0, 1, 1); }
    void archive(Archive& archive) override { archive.unchecked(x_, sizeof x_); }
    Json state() const override { return Json::object(); }
    Result<> setState(const Json&) override { return fail("not needed"); }

private:
    Params params_;
    float x_[4] = {};
};

SEEDBED_REGISTER_ENV(busy, BusyEnv)

// Steps per second of the environments alone: one thread per actor, each with its share of the environments.
double environmentSpeed(const TrainingConfig& config, int threads, double seconds) {
    const EnvEntry* entry = envRegistry().find("busy");
    const EnvSpec spec = *entry->spec(config.env_params);
    std::atomic<std::uint64_t> steps{0};
    std::vector<std::jthread> team;
    for (int t = 0; t < threads; ++t)
        team.emplace_back([&, envs = config.actor.num_envs / threads] {
            auto ring =
                std::move(*Ring::create(RingSpec{.spaces = spec.spaces, .columns = envs, .rows = 34}));
            VectorEnv env(std::move(*entry->make(config.env_params, envs)), *ring,
                          VectorEnvOptions{.seed = 1, .horizon = spec.horizon});
            if (!env.reset()) std::abort();
            std::vector<EpisodeEnd> ended;
            for (const auto begin = SteadyClock::now(); since(begin) < seconds;) {
                ended.clear();
                if (!env.step(ended)) std::abort();
            }
            steps += env.decisions();
        });
    team.clear();
    return static_cast<double>(steps) / seconds;
}

Result<> measure(const TrainingConfig& config, double env_speed, double seconds) {
    SEEDBED_ASSIGN(SessionPlan plan, Session::plan(config));
    SEEDBED_ASSIGN(const auto session, Session::create(std::move(plan)));
    for (const auto begin = SteadyClock::now(); since(begin) < 0.3 * seconds;) {
        SEEDBED_ASSIGN([[maybe_unused]] const IterationStats warm_up, session->iterate());
    }
    TimingTree times;
    double lag = 0, batch = 0, masked = 0;
    int updates = 0;
    const std::uint64_t before = session->progress().steps;
    const auto begin = SteadyClock::now();
    while (since(begin) < seconds) {
        SEEDBED_ASSIGN(const IterationStats stats, session->iterate());
        times.add(stats.times);
        ++updates;
        for (const auto& [name, value] : stats.metrics) {
            if (name == "policy/lag") lag += value;
            if (name == "infer/batch_rows_p50") batch += value;
            if (name == "async/masked_rows") masked += value;
        }
    }
    const double speed = static_cast<double>(session->progress().steps - before) / since(begin);
    const SessionPlan& p = session->plan();
    const RoleTimes& inference = times.role("inference");
    const double busy = inference.busy();
    std::printf("%s\n", Json{{"inference", p.config.run.inference},
                             {"algo", p.config.algo_id},
                             {"engine", p.engine.id},
                             {"num_envs", p.config.actor.num_envs},
                             {"groups", p.groups},
                             {"actors", p.actors},
                             {"env_only_sps", env_speed},
                             {"sps", speed},
                             {"share", speed / env_speed},
                             {"updates", updates},
                             {"mean_lag", lag / updates},
                             {"masked_rows", masked},
                             {"batch_rows_p50", batch / updates},
                             {"forward_share_of_inference_thread",
                              busy > 0 ? Json(inference.of(Phase::inference_forward) / busy) : Json()},
                             {"timing", times.json()},
                             {"bottleneck", times.bottleneck()}}
                            .dump()
                            .c_str());
    return {};
}

Result<> run(int argc, char** argv) {
    const double seconds = argc > 1 ? std::atof(argv[1]) : 3;
    const double step_us = argc > 2 ? std::atof(argv[2]) : 100;
    for (const char* inference : {"inline", "central"}) {
        Json document{{"env", {{"id", "busy"}, {"step_us", step_us}}},
                      {"algo", {{"id", "vtrace"}}},
                      {"network", {{"hidden", {64, 64}}}},
                      {"actor", {{"num_envs", 64}}},
                      {"run", {{"schedule", "async"}, {"inference", inference}}}};
        for (int i = 3; i < argc; ++i) {
            // section.key=value; a value that is not JSON is text
            const std::string text = argv[i];
            const std::size_t dot = text.find('.'), equals = text.find('=');
            if (dot == std::string::npos || equals == std::string::npos)
                return fail(ErrorCode::usage, "not section.key=value: " + text);
            const std::string value = text.substr(equals + 1);
            const Json parsed = Json::parse(value, nullptr, false);
            document[text.substr(0, dot)][text.substr(dot + 1, equals - dot - 1)] =
                parsed.is_discarded() ? Json(value) : parsed;
        }
        SEEDBED_ASSIGN(const TrainingConfig config, parseTrainingConfig(document));
        SEEDBED_ASSIGN(const SessionPlan plan, Session::plan(config));
        const double alone = environmentSpeed(config, plan.actors, seconds);
        SEEDBED_TRY(measure(config, alone, seconds));
    }
    return {};
}

}  // namespace
}  // namespace seedbed

int main(int argc, char** argv) {
    const auto done = seedbed::run(argc, argv);
    if (!done) std::fprintf(stderr, "%s\n", done.error().text().c_str());
    return done ? 0 : 1;
}
