// SPDX-License-Identifier: Apache-2.0
// The real clocks without pauses between attempts.
#pragma once

#include "core/base/os/clock.hpp"

namespace seedbed::testing {

class ImpatientClock final : public Clock {
public:
    std::int64_t monotonicNs() const override { return real_.monotonicNs(); }
    std::int64_t bootNs() const override { return real_.bootNs(); }
    std::int64_t wallNs() const override { return real_.wallNs(); }
    void sleep(double, const std::stop_token&) const override {}

private:
    RealClock real_;
};

}  // namespace seedbed::testing
