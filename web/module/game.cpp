// SPDX-License-Identifier: Apache-2.0
#include "web/module/game.hpp"

#include <algorithm>

#include "core/base/strict_json.hpp"
#include "core/base/version.hpp"
#include "core/export/parity.hpp"
#include "core/export/web/env_trace.hpp"
#include "core/nn/acting_head.hpp"
#include "core/policy/bundle_env.hpp"
#include "core/policy/networks.hpp"

namespace seedbed {

namespace {

// The fields of a batch or result in the order of the exchange, without empty ones.
template <class Batch>
auto inputsOf(Batch& batch) {
    std::vector<decltype(batch.mask.data() ? &batch.mask : nullptr)> fields;
    for (auto& leaf : batch.obs) fields.push_back(&leaf);
    for (auto* field : {&batch.mask, &batch.previous_action, &batch.previous_reward, &batch.state})
        if (!field->empty()) fields.push_back(field);
    return fields;
}

std::vector<const std::vector<float>*> outputsOf(const ModelResult& result) {
    return {&result.policy, &result.value, &result.action, &result.state, &result.feedback};
}

}  // namespace

Result<std::unique_ptr<Game>> Game::load(const std::string& config, std::span<const std::byte> tensors) {
    SEEDBED_ASSIGN(StoredNetworks stored, readNetworks(config, tensors));
    SEEDBED_ASSIGN(PolicyBundle bundle, std::move(stored).acting());
    SEEDBED_ASSIGN(PolicyModel model, makePolicyModel(std::move(bundle)));
    std::unique_ptr<Game> game(new Game(std::move(model)));
    SEEDBED_ASSIGN(const BundleEnv env, environmentOf(game->model_.bundle));
    game->title_ = env.spec.title;
    game->sentence_ = env.spec.sentence;
    SEEDBED_ASSIGN(game->net_, compileNet("native", game->model_.plan, EngineOptions{}));
    game->executor_ = engineExecutor(game->model_, *game->net_, "native");
    return game;
}

Json Game::describe() const {
    const Provenance& from = model_.bundle.provenance;
    Json actions = Json::array();
    for (const ActionLeaf& leaf : model_.spaces().actions)
        actions.push_back({{"name", leaf.name},
                           {"discrete", leaf.kind == ActionLeaf::Kind::discrete},
                           {"n", leaf.n},
                           {"low", leaf.low},
                           {"high", leaf.high},
                           {"scaled", leaf.scaled},
                           {"labels", leaf.labels}});
    return {{"title", title_},
            {"sentence", sentence_},
            {"env", from.env},
            {"algo", from.algo},
            {"steps", from.steps},
            {"run", from.run},
            {"evaluation", from.evaluation},
            {"actions", actions},
            {"action_words", model_.spaces().actionWords()},
            {"policy_words", model_.policy_words},
            {"value_words", model_.value_words},
            {"has_mask", model_.spaces().has_mask},
            {"mask_bytes", model_.spaces().maskBytes()},
            {"scores", actingHead(model_.plan)->kind == "q"},
            {"squash", model_.bundle.squash},
            {"parameters", model_.plan.param_floats},
            {"version", kVersion}};
}

Result<Json> Game::check(const std::vector<std::uint8_t>& golden, const std::string& trace) {
    Json report{{"passed", true}, {"golden", nullptr}, {"environment", nullptr}};
    if (!golden.empty()) {
        SEEDBED_ASSIGN(const GoldenVectors vectors, decodeGolden(model_, golden));
        ParityOptions options;
        options.episodes = 0;
        SEEDBED_ASSIGN(const FormReport compared,
                       checkParity(model_, vectors, *executor_, *executor_, options));
        report["golden"] = toJson(compared);
        if (!compared.failure().empty()) report["passed"] = false;
    }
    SEEDBED_ASSIGN(const EnvTrace recorded, envTraceFromJson(parseStrictJson(trace)));
    SEEDBED_ASSIGN(const std::string difference, compareEnvTrace(model_, recorded));
    report["environment_steps"] = recorded.steps;
    if (!difference.empty()) {
        report["environment"] = difference;
        report["passed"] = false;
    }
    return report;
}

std::size_t Game::inputWords() const {
    const ModelBatch one = emptyBatch(model_, 1);
    std::size_t words = 0;
    for (const auto* field : inputsOf(one)) words += field->size();
    return words;
}

std::size_t Game::outputWords() const {
    ModelResult one;
    resizeResult(model_, 1, one);
    std::size_t words = 0;
    for (const auto* field : outputsOf(one)) words += field->size();
    return words;
}

Result<> Game::decide(int rows, bool own_memory, const float* input, float* output) {
    ModelBatch batch = emptyBatch(model_, rows);
    for (auto* field : inputsOf(batch)) {
        std::copy_n(input, field->size(), field->begin());
        input += field->size();
    }
    ModelResult result;
    SEEDBED_TRY(own_memory ? executor_->playSequence(model_, batch, result) : executor_->run(batch, result));
    const auto fields = outputsOf(result);
    for (std::size_t row = 0; row < static_cast<std::size_t>(rows); ++row)
        for (const auto* field : fields) {
            const std::size_t words = field->size() / static_cast<std::size_t>(rows);
            output = std::copy_n(field->begin() + static_cast<std::ptrdiff_t>(row * words), words, output);
        }
    return {};
}

Result<> Game::start(std::uint64_t seed) {
    SEEDBED_ASSIGN(Play play, Play::create(model_, 1, seed));
    play_.emplace(std::move(play));
    memory_.emplace(model_, play_->rows());
    play_->onStepped([this] { last_ = play_->scene(); });
    seed_ = seed;
    step_ = 0;
    ended_.clear();
    now_ = play_->scene();
    last_ = now_;
    return {};
}

Result<> Game::decideNext(bool sampled) {
    look_ = play_->observe();
    memory_->give(*play_, look_);
    SEEDBED_TRY(executor_->run(look_, result_));
    choice_ = result_.action;
    if (!sampled) return {};
    mask_.assign(look_.mask.size(), 0);
    for (std::size_t i = 0; i < mask_.size(); ++i) mask_[i] = look_.mask[i] > 0 ? 1 : 0;
    log_prob_.resize(static_cast<std::size_t>(look_.rows));
    const SampleKey key{.seed = seed_, .purpose = RngPurpose::play, .lane = 0, .step = step_};
    model_.distribution.sample(look_.rows, result_.policy.data(), mask_.empty() ? nullptr : mask_.data(),
                               Selection::sample, key, choice_.data(), log_prob_.data());
    if (model_.wants_previous_action) result_.feedback = choice_;
    model_.distribution.envAction(look_.rows, choice_.data(), choice_.data());
    return {};
}

Result<> Game::step(const std::uint8_t* taken, const float* actions) {
    const auto words = static_cast<std::size_t>(model_.spaces().actionWords());
    for (std::size_t seat = 0; seat < static_cast<std::size_t>(seats()); ++seat) {
        if (taken[seat] == 0) continue;
        std::copy_n(actions + seat * words, words,
                    choice_.begin() + static_cast<std::ptrdiff_t>(seat * words));
        if (model_.wants_previous_action)
            std::copy_n(actions + seat * words, words,
                        result_.feedback.begin() + static_cast<std::ptrdiff_t>(seat * words));
    }
    memory_->take(result_);
    ended_.clear();
    ++step_;
    SEEDBED_TRY(play_->step(choice_, result_.feedback, ended_));
    now_ = play_->scene();
    return {};
}

}  // namespace seedbed
