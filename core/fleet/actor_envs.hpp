// SPDX-License-Identifier: Apache-2.0
// The environments that a learner requests from an actor.
#pragma once

#include <memory>

#include "core/env/env_registry.hpp"

namespace seedbed {

struct ActorEnvs {
    const EnvEntry* entry = nullptr;
    Json params;
    int first = 0, count = 0;  // number of the first environment in the run; environments

    Result<std::unique_ptr<EnvBatch>> make() const {
        return entry->makeFrom ? entry->makeFrom(params, first, count) : entry->make(params, count);
    }
    // Steps `batch`, which is created first if it is null. error: from the environments; an exception.
    Result<> exchange(std::unique_ptr<EnvBatch>& batch, const Exchange& exchange) const try {
        if (batch == nullptr) {
            SEEDBED_ASSIGN(batch, make());
        }
        SEEDBED_TRY(batch->begin(exchange));
        return batch->await();
    } catch (...) {
        return tl::unexpected<Error>(currentException());
    }
};

}  // namespace seedbed
