// SPDX-License-Identifier: Apache-2.0
// The tensors are named "batch.obs.<leaf>", "sequence.state_out" and so on.
#include "core/export/golden.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>

#include "core/base/rng.hpp"
#include "core/export/play.hpp"
#include "core/policy/bundle_env.hpp"
#include "core/policy/tensor_file.hpp"

namespace seedbed {

namespace {

constexpr std::uint64_t kSeed = 20;
constexpr int kPlayed = 20;  // number of ordinary rows, which are taken from episodes

// Replaces infinite bounds in extreme rows. The value is far outside the range of normalisers, but small
// enough for float arithmetic.
constexpr double kFar = 1e6;

double bounded(double bound) { return std::clamp(bound, -kFar, kFar); }

float randomValue(const ObsLeaf& leaf, Rng& rng) {
    if (leaf.kind == ObsLeaf::Kind::discrete)
        return static_cast<float>(rng.below(static_cast<std::uint32_t>(leaf.cardinality)));
    if (leaf.kind == ObsLeaf::Kind::image)
        return std::floor(static_cast<float>(rng.uniform(leaf.low, leaf.high + 1)));
    const bool finite = std::isfinite(leaf.low) && std::isfinite(leaf.high) && leaf.high - leaf.low < 1e3;
    return static_cast<float>(finite ? rng.uniform(leaf.low, leaf.high) : rng.normal());
}

// Value `i` of extreme row `number`: all low, all high, zero, checkerboards, one large value, tiny values,
// random bounds.
float extremeValue(const ObsLeaf& leaf, int number, std::size_t i, Rng& rng) {
    const bool integer = leaf.kind != ObsLeaf::Kind::vector;
    const double low = leaf.kind == ObsLeaf::Kind::discrete ? 0 : bounded(leaf.low);
    const double high = leaf.kind == ObsLeaf::Kind::discrete ? leaf.cardinality - 1 : bounded(leaf.high);
    const bool other = rng.bernoulli(0.5);  // always drawn, so that the kind of a row does not affect the
                                            // random numbers of later rows
    switch (number) {
        case 0: return static_cast<float>(low);
        case 1: return static_cast<float>(high);
        case 2: return static_cast<float>(std::clamp(0.0, low, high));
        case 3: return static_cast<float>(i % 2 == 0 ? low : high);
        case 4: return static_cast<float>(i % 2 == 0 ? high : low);
        case 5: return static_cast<float>(i == 0 ? high : std::clamp(0.0, low, high));
        case 6: return integer ? static_cast<float>(low) : 1e-30f;
        case 7: return integer ? static_cast<float>(high) : -1e-30f;
        default: return static_cast<float>(other ? low : high);
    }
}

void fillInputs(const PolicyModel& model, ModelBatch& batch, int row, bool extreme, int number, Rng& rng) {
    const auto at = static_cast<std::size_t>(row);
    for (std::size_t leaf = 0; leaf < batch.obs.size(); ++leaf) {
        const std::size_t words = model.obsWords(leaf);
        for (std::size_t i = 0; i < words; ++i) {
            const ObsLeaf& spec = model.spaces().obs[leaf];
            batch.obs[leaf][at * words + i] =
                extreme ? extremeValue(spec, number, i, rng) : randomValue(spec, rng);
        }
    }
}

// Fills in random masks, previous actions and rewards, and states. Some extreme rows allow no choice or have
// the values of an episode's start.
void fillRest(const PolicyModel& model, ModelBatch& batch, int row, bool extreme, int number, Rng& rng) {
    const auto at = static_cast<std::size_t>(row);
    std::size_t mask_at = at * static_cast<std::size_t>(model.spaces().maskBytes());
    for (const ActionLeaf& leaf : model.spaces().actions) {
        if (leaf.kind == ActionLeaf::Kind::box || batch.mask.empty()) continue;
        const auto only = static_cast<int>(rng.below(static_cast<std::uint32_t>(leaf.n)));
        for (int i = 0; i < leaf.n; ++i) {
            const bool nothing = extreme && number == 0, one = extreme && number % 2 == 1;
            batch.mask[mask_at++] =
                nothing || (one && i != only) || (!one && i != only && rng.bernoulli(0.4)) ? 0.0f : 1.0f;
        }
    }
    const auto words = static_cast<std::size_t>(model.spaces().actionWords());
    if (model.wants_previous_action && !(extreme && number < 2)) {
        std::size_t to = at * words;
        for (const ActionLeaf& leaf : model.spaces().actions)
            for (int i = 0; i < leaf.words(); ++i)
                batch.previous_action[to++] =
                    leaf.kind == ActionLeaf::Kind::discrete
                        ? static_cast<float>(rng.below(static_cast<std::uint32_t>(leaf.n)))
                        : static_cast<float>(rng.normal());
    }
    if (model.wants_previous_reward)
        batch.previous_reward[at] = static_cast<float>(extreme ? 100 * rng.normal() : rng.normal());
    const auto state_words = static_cast<std::size_t>(model.stateWords());
    for (std::size_t i = 0; i < state_words; ++i)
        batch.state[at * state_words + i] =
            extreme && number < 2 ? 0.0f : static_cast<float>(rng.uniform(-1, 1));
}

// Copies the observations and masks of row `from` of `source` to row `to` of `target`.
void copyObs(const PolicyModel& model, const ModelBatch& source, int from, ModelBatch& target, int to) {
    const auto copy = [&](const std::vector<float>& s, std::vector<float>& t, std::size_t words) {
        std::copy_n(s.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(from) * words), words,
                    t.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(to) * words));
    };
    for (std::size_t leaf = 0; leaf < source.obs.size(); ++leaf)
        copy(source.obs[leaf], target.obs[leaf], model.obsWords(leaf));
    if (!source.mask.empty())
        copy(source.mask, target.mask, static_cast<std::size_t>(model.spaces().maskBytes()));
}

// Plays greedily; every third decision becomes a row.
Result<> takeFromPlay(const PolicyModel& model, Executor& trainer, ModelBatch& batch) {
    if (!environmentOf(model.bundle)) return {};
    SEEDBED_ASSIGN(Play play, Play::create(model, 1, kSeed));
    PlayMemory memory(model, play.rows());
    ModelResult result;
    std::vector<EpisodeEnd> ended;
    for (int taken = 0, step = 0; taken < kPlayed; ++step) {
        ModelBatch look = play.observe();
        memory.give(play, look);
        if (step % 3 == 0) copyObs(model, look, 0, batch, taken++);
        SEEDBED_TRY(trainer.run(look, result));
        memory.take(result);
        SEEDBED_TRY(play.step(result.action, result.feedback, ended));
    }
    return {};
}

// Whether the best choice of every leaf has a clear margin, so that all exported policies choose it.
bool isClear(const PolicyModel& model, const ModelResult& result, int rows) {
    constexpr float kClear = 1e-3f;  // 100 times the tolerance of the parity check
    const float* policy = result.policy.data();
    for (int row = 0; row < rows; ++row) {
        for (const ActionLeaf& leaf : model.spaces().actions) {
            if (leaf.kind == ActionLeaf::Kind::box) {
                policy += 2 * leaf.words();
                continue;
            }
            std::vector<float> logits;
            for (int i = 0; i < leaf.n; ++i)
                if (policy[i] != kForbiddenLogit) logits.push_back(policy[i]);
            policy += leaf.n;
            if (logits.size() < 2) continue;
            std::partial_sort(logits.begin(), logits.begin() + 2, logits.end(), std::greater<>());
            if (!(logits[0] - logits[1] > kClear * std::max(std::abs(logits[0]), std::abs(logits[1]))))
                return false;
        }
    }
    return true;
}

// The steps of one episode, with the network's own states and previous actions. An exported policy feeds back
// its own choices, so this function searches for an episode in which every choice has a clear margin. If no
// such episode is found, it uses the last one.
Result<> makeSequence(const PolicyModel& model, Executor& trainer, GoldenVectors& golden, Rng& rng) {
    constexpr int kTries = 50;
    for (int number = 0; number < kTries; ++number) {
        ModelBatch& steps = golden.sequence = emptyBatch(model, kSequenceSteps);
        for (int step = 0; step < kSequenceSteps; ++step) {
            fillInputs(model, steps, step, false, 0, rng);
            fillRest(model, steps, step, false, 0, rng);
        }
        if (!steps.previous_reward.empty()) steps.previous_reward[0] = 0;
        ModelResult& result = golden.sequence_result;
        SEEDBED_TRY(trainer.playSequence(model, steps, result));
        // Records states and previous actions as inputs.
        const ModelBatch start = emptyBatch(model, 1);
        const auto follow = [](std::vector<float>& to, const std::vector<float>& first,
                               const std::vector<float>& after) {
            std::copy(first.begin(), first.end(), to.begin());
            if (!after.empty())
                std::copy(after.begin(), after.end() - static_cast<std::ptrdiff_t>(first.size()),
                          to.begin() + static_cast<std::ptrdiff_t>(first.size()));
        };
        follow(steps.state, start.state, result.state);
        follow(steps.previous_action, start.previous_action, result.feedback);
        if (!model.wants_previous_action || isClear(model, result, kSequenceSteps)) break;
    }
    return {};
}

// Calls visit(name, floats per row, array) for all arrays of one part, in the same order for writing and
// reading.
template <class Batch, class Outcome, class Visit>
void forArrays(const PolicyModel& model, const std::string& part, Batch& batch, Outcome& result,
               const Visit& visit) {
    const Spaces& spaces = model.spaces();
    for (std::size_t leaf = 0; leaf < batch.obs.size(); ++leaf)
        visit(part + ".obs." + spaces.obs[leaf].name, model.obsWords(leaf), batch.obs[leaf]);
    const auto words = static_cast<std::size_t>(spaces.actionWords());
    const auto state_words = static_cast<std::size_t>(model.stateWords());
    if (spaces.has_mask) visit(part + ".mask", static_cast<std::size_t>(spaces.maskBytes()), batch.mask);
    if (model.wants_previous_action) visit(part + ".previous_action", words, batch.previous_action);
    if (model.wants_previous_reward) visit(part + ".previous_reward", std::size_t{1}, batch.previous_reward);
    if (state_words > 0) visit(part + ".state", state_words, batch.state);
    visit(part + ".policy", static_cast<std::size_t>(model.policy_words), result.policy);
    if (model.value_words > 0)
        visit(part + ".value", static_cast<std::size_t>(model.value_words), result.value);
    visit(part + ".action", words, result.action);
    if (state_words > 0) visit(part + ".state_out", state_words, result.state);
    if (model.wants_previous_action) visit(part + ".previous_action_out", words, result.feedback);
}

}  // namespace

Result<GoldenVectors> makeGolden(const PolicyModel& model, Executor& trainer) {
    GoldenVectors golden;
    Rng rng(kSeed, RngPurpose::test);
    golden.batch = emptyBatch(model, kOrdinaryRows + kExtremeRows);
    for (int row = 0; row < golden.batch.rows; ++row) {
        const bool extreme = row >= kOrdinaryRows;
        const int number = extreme ? row - kOrdinaryRows : row;
        fillInputs(model, golden.batch, row, extreme, number, rng);
        fillRest(model, golden.batch, row, extreme, number, rng);
    }
    SEEDBED_TRY(takeFromPlay(model, trainer, golden.batch));
    SEEDBED_TRY(trainer.run(golden.batch, golden.batch_result));
    if (model.stateWords() > 0) SEEDBED_TRY(makeSequence(model, trainer, golden, rng));
    return golden;
}

Result<std::vector<std::uint8_t>> encodeGolden(const PolicyModel& model, const GoldenVectors& golden) {
    std::vector<TensorView> tensors;
    const auto add = [&](const std::string& name, std::size_t words, const std::vector<float>& values) {
        tensors.push_back(
            {name,
             {static_cast<std::int64_t>(values.size() / words), static_cast<std::int64_t>(words)},
             values});
    };
    forArrays(model, "batch", golden.batch, golden.batch_result, add);
    if (golden.sequence.rows > 0) forArrays(model, "sequence", golden.sequence, golden.sequence_result, add);
    std::vector<std::uint8_t> bytes;
    SEEDBED_TRY(writeTensors(tensors,
                             {{"format", "seedbed-golden"}, {"ordinary_rows", std::to_string(kOrdinaryRows)}},
                             [&](std::span<const std::byte> part) -> Result<> {
                                 const auto* data = reinterpret_cast<const std::uint8_t*>(part.data());
                                 bytes.insert(bytes.end(), data, data + part.size());
                                 return {};
                             }));
    return bytes;
}

Result<GoldenVectors> decodeGolden(const PolicyModel& model, const std::vector<std::uint8_t>& bytes) {
    std::size_t at = 0;
    const ByteSource source = [&](std::span<std::byte> into) -> Result<> {
        if (into.size() > bytes.size() - at) return fail(std::string(kGoldenName) + " ends too early");
        std::memcpy(into.data(), bytes.data() + at, into.size());
        at += into.size();
        return {};
    };
    SEEDBED_ASSIGN(const TensorHeader header, readTensorHeader(bytes.size(), source, kGoldenName));
    std::map<std::string, std::vector<float>> tensors;
    for (const TensorInfo& tensor : header.tensors) {
        std::vector<float>& values = tensors[tensor.name];
        values.resize(tensor.count);
        SEEDBED_TRY(source(std::as_writable_bytes(std::span(values))));
    }
    GoldenVectors golden;
    std::string wrong;
    const auto read = [&](ModelBatch& batch, ModelResult& result, const std::string& part, int rows) {
        batch = emptyBatch(model, 0);
        batch.rows = rows;
        forArrays(model, part, batch, result,
                  [&](const std::string& name, std::size_t words, std::vector<float>& values) {
                      values = tensors[name];
                      if (values.size() != words * static_cast<std::size_t>(rows)) wrong = name;
                  });
    };
    read(golden.batch, golden.batch_result, "batch", kOrdinaryRows + kExtremeRows);
    if (model.stateWords() > 0) read(golden.sequence, golden.sequence_result, "sequence", kSequenceSteps);
    if (!wrong.empty())
        return fail(std::string(kGoldenName) + " does not match the policy: '" + wrong +
                    "' has the wrong size");
    return golden;
}

}  // namespace seedbed
