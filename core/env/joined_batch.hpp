// SPDX-License-Identifier: Apache-2.0
// Several batches as one.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/env/env.hpp"

namespace seedbed {

// Environments of the first batch come first. Parts that use other processes run their exchanges at the same
// time.
class JoinedBatch final : public EnvBatch {
public:
    // At least one part; all have the same spaces and agents.
    explicit JoinedBatch(std::vector<std::unique_ptr<EnvBatch>> parts);

    int count() const override { return count_; }
    const EnvSpec& spec() const override { return parts_.front()->spec(); }
    Result<> begin(const Exchange& exchange) override;
    bool ready() override;
    // error: no part can continue.
    Result<> await() override;
    std::vector<std::string> takeNotices() override;
    bool isSupervised() const override;

    void draw(int env, Scene& scene) const override { partOf(env).draw(env, scene); }
    bool canArchive() const override;
    void archive(int env, Archive& archive) override { partOf(env).archive(env, archive); }
    Json state(int env) const override { return partOf(env).state(env); }
    Result<> setState(int env, const Json& state) override { return partOf(env).setState(env, state); }

private:
    void lose(std::size_t part, Error error);
    // Returns the part of `env` and changes `env` to its index within the part.
    EnvBatch& partOf(int& env) const;

    std::vector<std::unique_ptr<EnvBatch>> parts_;
    std::vector<std::vector<std::uint8_t*>> leaves_;  // destinations for each part
    std::vector<bool> begun_;
    std::vector<std::optional<Error>> errors_;  // one per part; set if the part cannot continue
    std::vector<std::string> notices_;
    Exchange exchange_;
    int count_ = 0;
};

}  // namespace seedbed
