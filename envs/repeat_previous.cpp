// SPDX-License-Identifier: Apache-2.0
// RepeatPrevious: answer with the suit of the card dealt k - 1 cards before the latest one.
//
// Reproduces https://github.com/proroklab/popgym 1.0.7, popgym/envs/repeat_previous.py (Morad et al. 2023).
// Difference: a different random stream.
#include <algorithm>

#include "core/env/env_registry.hpp"
#include "core/env/task_traits.hpp"
#include "envs/repeat_card.hpp"

namespace seedbed {
namespace {

class RepeatPrevious final : public RepeatCardEnv {
public:
    struct Params {
        int decks = 1;
        int k = 4;

        static const Description<Params>& describe() {
            static const auto description =
                Description<Params>("repeat_previous", "Parameters of RepeatPrevious.")
                    .field(&Params::decks, "decks",
                           "Decks of 52 cards in the pile; the pile determines the length of the episode.",
                           {.unit = "decks", .min = 1, .max = 100})
                    .field(&Params::k, "k", "Number k of cards to remember; less than the number of cards.",
                           {.unit = "cards", .min = 1, .max = 5199});
            return description;
        }
    };
    static int asked(const Params& params) { return std::min(params.k, 52 * params.decks - 1); }
    static double worth(const Params& params) { return 1.0 / (52 * params.decks - asked(params)); }
    static EnvSpec spec(const Params& params) {
        EnvSpec spec = repeatCardSpec();
        const char* name = params.k <= 4 ? "easy" : params.k <= 32 ? "medium" : "hard";
        spec.title = std::string("Earlier card, ") + name;
        spec.sentence = "Answer with the suit of the card dealt " + std::to_string(asked(params) - 1) +
                        " cards before the latest one.";
        spec.upstream = "https://github.com/proroklab/popgym 1.0.7 RepeatPrevious; different random stream";
        spec.difficulty = name;
        spec.reward_high = worth(params);
        spec.reward_low = -spec.reward_high;
        return spec;
    }

    explicit RepeatPrevious(const Params& params)
        : RepeatCardEnv(52 * params.decks, worth(params), false), k_(asked(params)) {}

private:
    int queriedCard(int seen) const override { return seen >= k_ ? seen - k_ : -1; }

    int k_;
};

}  // namespace
SEEDBED_REGISTER_ENV_AS(repeat_previous_easy, RepeatPrevious, (Json{{"decks", 1}, {"k", 4}}),
                        "popgym-RepeatPreviousEasy-v0", "popgym_RepeatPrevious")
SEEDBED_REGISTER_ENV_AS(repeat_previous_medium, RepeatPrevious, (Json{{"decks", 2}, {"k", 32}}),
                        "popgym-RepeatPreviousMedium-v0", "popgym_RepeatPreviousMedium")
SEEDBED_REGISTER_ENV_AS(repeat_previous_hard, RepeatPrevious, (Json{{"decks", 3}, {"k", 64}}),
                        "popgym-RepeatPreviousHard-v0", "popgym_RepeatPreviousHard")
SEEDBED_TASK_TRAITS(repeat_previous, (TaskTraits{.needs_memory = true}), "repeat_previous_easy",
                    "repeat_previous_medium", "repeat_previous_hard")
}  // namespace seedbed
