// SPDX-License-Identifier: Apache-2.0
// RepeatFirst: answer with the suit of the first card at every step of the episode.
//
// Reproduces https://github.com/proroklab/popgym 1.0.7, popgym/envs/repeat_first.py (Morad et al. 2023). As
// in the original, the end of the pile truncates the episode instead of terminating it. Difference: a
// different random stream.
#include "core/env/env_registry.hpp"
#include "core/env/task_traits.hpp"
#include "envs/repeat_card.hpp"

namespace seedbed {
namespace {

class RepeatFirst final : public RepeatCardEnv {
public:
    struct Params {
        int decks = 1;

        static const Description<Params>& describe() {
            static const auto description =
                Description<Params>("repeat_first", "Parameters of RepeatFirst.")
                    .field(&Params::decks, "decks",
                           "Decks of 52 cards in the pile; the pile determines the length of the episode.",
                           {.unit = "decks", .min = 1, .max = 100});
            return description;
        }
    };
    static EnvSpec spec(const Params& params) {
        EnvSpec spec = repeatCardSpec();
        const char* name = params.decks < 8 ? "easy" : params.decks < 16 ? "medium" : "hard";
        spec.title = std::string("First card, ") + name;
        spec.sentence = "Answer with the suit of the first of " + std::to_string(52 * params.decks) +
                        " cards, at every step.";
        spec.upstream = "https://github.com/proroklab/popgym 1.0.7 RepeatFirst; different random stream";
        spec.difficulty = name;
        spec.reward_high = 1.0 / (52 * params.decks - 1);
        spec.reward_low = -spec.reward_high;
        return spec;
    }

    explicit RepeatFirst(const Params& params)
        : RepeatCardEnv(52 * params.decks, 1.0 / (52 * params.decks - 1), true) {}

private:
    int queriedCard(int) const override { return 0; }
};

}  // namespace
SEEDBED_REGISTER_ENV_AS(repeat_first_easy, RepeatFirst, (Json{{"decks", 1}}), "popgym-RepeatFirstEasy-v0")
SEEDBED_REGISTER_ENV_AS(repeat_first_medium, RepeatFirst, (Json{{"decks", 8}}), "popgym-RepeatFirstMedium-v0")
SEEDBED_REGISTER_ENV_AS(repeat_first_hard, RepeatFirst, (Json{{"decks", 16}}), "popgym-RepeatFirstHard-v0")
SEEDBED_TASK_TRAITS(repeat_first, (TaskTraits{.needs_memory = true}), "repeat_first_easy",
                    "repeat_first_medium", "repeat_first_hard")
}  // namespace seedbed
