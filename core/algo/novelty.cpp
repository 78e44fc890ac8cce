// SPDX-License-Identifier: Apache-2.0
#include "core/algo/novelty.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace seedbed {
namespace {

constexpr int kFeatures = 64;
constexpr const char* kValueHead = "novelty_value";
// Limit on the number of columns in a saved state; larger than in any run.
constexpr std::uint64_t kMostColumns = std::uint64_t{1} << 24;

// NovelD, section 3: the factor of the previous observation's novelty, which is subtracted.
constexpr double kLeft = 0.5;

// A hash of one row of target features. The features are a function of the observation, so equal observations
// have equal hashes.
std::uint64_t hashOf(const float* features) {
    std::uint64_t hash = 14695981039346656037u;  // FNV-1a
    for (int i = 0; i < kFeatures; ++i)
        hash = (hash ^ std::bit_cast<std::uint32_t>(features[i])) * 1099511628211u;
    return hash;
}

// The mean squared difference of two rows of features.
double distance(const float* a, const float* b) {
    double sum = 0;
    for (int i = 0; i < kFeatures; ++i) {
        const double difference = static_cast<double>(a[i]) - b[i];
        sum += difference * difference;
    }
    return sum / kFeatures;
}

}  // namespace

void Novelty::declare(std::vector<NetworkDecl>& networks) const {
    if (!isOn()) return;
    for (NetworkDecl& network : networks) network.heads.push_back({kValueHead, "value", 1, false});
    const std::vector<HeadSpec> features{{"features", "value", kFeatures, false}};
    networks.push_back({.name = "novelty_target", .heads = features, .trained = false, .memory = false});
    networks.push_back({.name = "novelty_predictor", .heads = features, .memory = false});
}

std::vector<std::string> Novelty::metrics() { return {"loss/novelty", "loss/novelty_value"}; }

std::size_t Novelty::batchBytes(const NetPlan& acting, std::size_t rows) const {
    return isOn() ? rows * sizeof(float) * static_cast<std::size_t>(2 * kFeatures + acting.head_words + 5)
                  : 0;
}

Result<> Novelty::measure(const Batch& batch, const EvaluateNetwork& evaluate) {
    SEEDBED_TRY(evaluate(target_, target_heads_));
    SEEDBED_TRY(evaluate(predictor_, predictor_heads_));
    SEEDBED_ASSIGN(const NetPlan* acting, evaluate(0, acting_heads_));
    const auto columns = static_cast<std::size_t>(batch.columns),
               rows = static_cast<std::size_t>(batch.rows());
    const auto stride = static_cast<std::size_t>(acting->head_words),
               begin = static_cast<std::size_t>(acting->head(kValueHead)->begin);
    value_.resize(rows + columns);
    for (std::size_t row = 0; row < rows + columns; ++row) value_[row] = acting_heads_[row * stride + begin];
    reward_.assign(rows, 0.0f);
    const bool is_noveld = params_.novelty == "noveld";
    for (std::size_t column = 0; column < columns; ++column) {
        seen_.clear();
        double novelty = noveltyOf(column);
        for (std::size_t row = column; row < rows; row += columns) {
            if (batch.first[row] != 0) seen_.clear();
            if (is_noveld) isNew(row);
            const double left = novelty;
            novelty = noveltyOf(row + columns);
            if (batch.valid[row] == 0 || batch.discount[row] == 0) continue;
            double reward = novelty;
            if (is_noveld) reward = isNew(row + columns) ? std::max(0.0, novelty - kLeft * left) : 0.0;
            reward_[row] = static_cast<float>(reward);
        }
    }
    normalise(batch);
    return {};
}

double Novelty::noveltyOf(std::size_t row) const {
    return distance(target_heads_.data() + row * kFeatures, predictor_heads_.data() + row * kFeatures);
}

// Returns whether the observation is not in seen_, and adds it.
bool Novelty::isNew(std::size_t row) {
    const std::uint64_t hash = hashOf(target_heads_.data() + row * kFeatures);
    if (std::ranges::find(seen_, hash) != seen_.end()) return false;
    seen_.push_back(hash);
    return true;
}

// Divides the rewards by the standard deviation, over the whole run, of their discounted sums, computed
// forwards in time. Each row counts once, even if it is repeated.
void Novelty::normalise(const Batch& batch) {
    const auto columns = static_cast<std::size_t>(batch.columns), rows = reward_.size();
    if (returns_.size() != columns) returns_.assign(columns, 0.0);
    for (std::size_t row = 0; row < rows; ++row) {
        double& sum = returns_[row % columns];
        if (batch.valid[row] == 0 || batch.repeat > 0) continue;
        sum = params_.novelty_gamma * sum + reward_[row];
        // Welford's algorithm.
        ++count_;
        const double step = sum - mean_;
        mean_ += step / count_;
        squares_ += step * (sum - mean_);
    }
    const double deviation = count_ > 1 ? std::sqrt(squares_ / count_) : 0;
    const double scale = deviation > 0 ? 1 / deviation : 0;
    for (float& reward : reward_) reward = static_cast<float>(reward * scale);
}

void Novelty::addAdvantages(Batch& batch, const Estimator& estimator, const float* log_ratio) {
    const std::size_t rows = reward_.size();
    discount_.assign(rows, 1.0f);
    advantage_.resize(rows);
    batch.second_target.resize(rows);
    const ReturnInput input{.steps = batch.steps,
                            .columns = batch.columns,
                            .reward = reward_.data(),
                            .discount = discount_.data(),
                            .value = value_.data(),
                            .last_value = value_.data() + rows,
                            .valid = batch.valid.data(),
                            .gamma = params_.novelty_gamma};
    estimateAdvantages(input, estimator, log_ratio, advantage_.data(), batch.second_target.data());
    // Losses are divided by the scale of the task's values.
    const auto cost = static_cast<float>(params_.novelty_cost * batch.value_scale);
    for (std::size_t row = 0; row < rows; ++row) batch.advantage[row] += cost * advantage_[row];
}

void Novelty::learn(Step& step, const Step::Heads& heads, float* gradients, double value_cost,
                    double* sums) const {
    const Chunk& chunk = step.chunk();
    const auto rows = static_cast<std::size_t>(chunk.learned) * static_cast<std::size_t>(chunk.sequences);
    const auto stride = static_cast<std::size_t>(heads.plan->head_words),
               begin = static_cast<std::size_t>(heads.plan->head(kValueHead)->begin);
    for (std::size_t row = 0; row < rows; ++row) {
        if (chunk.valid[row] == 0) continue;
        const double error = static_cast<double>(heads.data[row * stride + begin]) - chunk.second_target[row];
        gradients[row * stride + begin] += static_cast<float>(value_cost * error / chunk.valid_rows);
        sums[1] += 0.5 * error * error;
    }

    const Step::Heads target = step.forward(target_, {}, Keep::nothing);
    const Step::Heads predictor = step.forward(predictor_, {}, Keep::tape);
    float* predictor_gradients = step.gradients(predictor_);
    // The first rows serve as a random sample: either the rows are in random order, or all columns are
    // equally suitable.
    const std::size_t learned =
        std::max<std::size_t>(1, static_cast<std::size_t>(static_cast<double>(rows) * params_.novelty_share));
    const double scale = 2.0 / (kFeatures * chunk.valid_rows * params_.novelty_share);
    for (std::size_t row = 0; row < rows; ++row) {
        if (chunk.valid[row] == 0) continue;
        const float *wanted = target.data + row * kFeatures, *own = predictor.data + row * kFeatures;
        sums[0] += distance(own, wanted);
        if (row >= learned) continue;
        for (std::size_t i = 0; i < kFeatures; ++i)
            predictor_gradients[row * kFeatures + i] =
                static_cast<float>(scale * (static_cast<double>(own[i]) - wanted[i]));
    }
    step.backward(predictor_, predictor_gradients);
}

void Novelty::archive(Archive& archive) {
    if (!isOn()) return;
    archive.list("sums of intrinsic rewards", returns_, kMostColumns, kFinite<double>)
        .field("intrinsic rewards", count_, range(0.0, 1e18))
        .field("mean of intrinsic rewards", mean_, kFinite<double>)
        .field("squares of intrinsic rewards", squares_, range(0.0, 1e300));
}

}  // namespace seedbed
