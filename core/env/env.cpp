// SPDX-License-Identifier: Apache-2.0
// Default implementations, and batches made of single environments.
#include "core/env/env.hpp"

#include "core/env/env_batch_inl.hpp"

namespace seedbed {
namespace {

Result<> noEqualOutcome() {
    return fail(ErrorCode::parity, "none of the sampled outcomes matches the recorded one");
}

}  // namespace

Result<> Env::adoptOutcome(const Json& /*before*/, const float* /*action*/, const Json& /*after*/) {
    return noEqualOutcome();
}

Result<> EnvBatch::adoptOutcome(int /*env*/, const Json& /*before*/, const float* /*action*/,
                                const Json& /*after*/) {
    return noEqualOutcome();
}

std::unique_ptr<EnvBatch> batchOf(EnvSpec spec, std::vector<std::unique_ptr<Env>> envs) {
    return std::make_unique<BatchOf<Env>>(std::move(spec), std::move(envs));
}

}  // namespace seedbed
