// SPDX-License-Identifier: Apache-2.0
// Callbacks that throw, and the C++ wrapper.
#include <seedbed.hpp>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

namespace {

bool throws = false, throws_number = false;
std::atomic<long> steps{0};

void expect(bool condition, const char* what) {
    if (condition) return;
    std::fprintf(stderr, "%s; last error: %s\n", what, seedbed_error());
    std::exit(1);
}

int reset(void*, int, uint64_t) { return 0; }
int step(void*, const float* actions, const unsigned char*, float* rewards, unsigned char*, unsigned char*) {
    ++steps;
    if (throws) throw std::runtime_error("the simulator broke");
    if (throws_number) throw 42;
    rewards[0] = actions[0];
    return 0;
}
int observe(void*, void* const* observations, unsigned char*) {
    static_cast<float*>(observations[0])[0] = 1;
    return 0;
}

int codeOf(seedbed::Trainer& trainer, const char* text) {
    try {
        trainer.train(500);
    } catch (const seedbed::Failure& failure) {
        expect(std::strstr(failure.what(), text) != nullptr, failure.what());
        return failure.code();
    }
    return SEEDBED_OK;
}

// Starts the trainer's own thread and waits until it has stepped the environment, which it does only once if
// it throws.
void startAndAwaitSteps(seedbed::Trainer& trainer) {
    const long before = steps;
    trainer.start();
    while (steps == before) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

// The thread of a trainer ends with it: the environment is not called afterwards.
void endsItsThread(const seedbed_options& options) {
    {
        seedbed::Trainer trainer(options);
        startAndAwaitSteps(trainer);
    }
    const long after = steps;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    expect(steps == after, "the destructor stops the thread");
    seedbed::Trainer trainer(options);
    startAndAwaitSteps(trainer);
    int code = SEEDBED_OK;
    std::thread other([&] {
        try {
            trainer.close();
        } catch (const seedbed::Failure& failure) {
            code = failure.code();
        }
    });
    other.join();
    expect(code == SEEDBED_WRONG_THREAD, "another thread cannot close it");
    trainer.stop();
    throws = true;
    startAndAwaitSteps(trainer);
    try {
        trainer.close();
        expect(false, "close() throws the failure of the thread");
    } catch (const seedbed::Failure& failure) {
        expect(failure.code() == SEEDBED_BAD_ENVIRONMENT, failure.what());
    }
    throws = false;
    expect(trainer.get() == nullptr, "nevertheless it is closed");
}

}  // namespace

int main() {
    const seedbed_observation one{"one", SEEDBED_VECTOR, {1, 0, 0}, 0, 2, 0, 0};
    const seedbed_action lever{"lever", 0, 1, -1, 1};
    seedbed_environment environment = SEEDBED_ENVIRONMENT_INIT;
    environment.name = "lever";
    environment.observations = &one;
    environment.observation_count = 1;
    environment.actions = &lever;
    environment.action_count = 1;
    environment.max_steps = 20;
    environment.reset = reset;
    environment.step = step;
    environment.observe = observe;
    seedbed_options options = SEEDBED_OPTIONS_INIT;
    options.environment = &environment;
    options.config = R"({"algo": {"id": "ppo", "rollout_length": 64}})";

    seedbed::Trainer trainer(options);
    trainer.train(500);
    throws = true;
    expect(codeOf(trainer, "the simulator broke") == SEEDBED_BAD_ENVIRONMENT, "an exception is a code");
    throws = false;
    throws_number = true;
    expect(codeOf(trainer, "threw an exception") == SEEDBED_BAD_ENVIRONMENT, "any exception is a code");
    throws_number = false;
    trainer.set("algo.learning_rate", "0.01");
    trainer.train(4000);
    expect(trainer.progress().steps >= 4500, "training continues");
    expect(trainer.metric("loss/policy") == trainer.metric("loss/policy"), "a metric is a number");
    seedbed::Actor actor(trainer.policy(), 1);
    const float observation = 1;
    const void* const observations[] = {&observation};
    float action = 0;
    actor.act(observations, &action);
    expect(action >= -1 && action <= 1, "actions are within their bounds");
    trainer.close();
    actor.reset();
    actor.act(observations, &action);
    endsItsThread(options);
    try {
        options.config = "{";
        seedbed::Trainer broken(options);
        expect(false, "a broken configuration is an exception");
    } catch (const seedbed::Failure& failure) {
        expect(failure.code() == SEEDBED_BAD_SETTING, failure.what());
    }
    std::puts("ok");
    return 0;
}
