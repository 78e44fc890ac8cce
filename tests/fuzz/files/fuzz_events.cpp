// SPDX-License-Identifier: Apache-2.0
// TensorBoard event files: either rejected, or read as curves of ordered points.
#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "core/tensorboard/event_log.hpp"
#include "core/tensorboard/events.hpp"
#include "core/tensorboard/records.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace seedbed;

namespace {

// Mutations rarely have correct checksums, so that the content of the input is also read as a single event.
void readAsEvent(std::span<const std::uint8_t> bytes) {
    const auto event = tensorboard::decodeEvent(bytes);
    noteOutcome("event", event);
    if (event && event->step < 0) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    readAsEvent({data, size});
    const auto curves = tensorboard::curvesOf({data, size});
    noteOutcome("events", curves);
    if (!curves) return 0;
    for (const tensorboard::ScalarCurve& curve : *curves) {
        const bool paired =
            curve.steps.size() == curve.times.size() && curve.steps.size() == curve.values.size();
        if (!paired || !std::is_sorted(curve.steps.begin(), curve.steps.end())) std::abort();
    }
    return 0;
}

std::vector<std::vector<std::uint8_t>> seedbed::fuzzSeeds() {
    const tensorboard::NamedValue values[] = {{"loss/policy", 0.5}, {"episode/return", -1}};
    std::vector<std::uint8_t> file;
    tensorboard::appendRecord(file, tensorboard::encodeVersion(1.7e9));
    tensorboard::appendRecord(file, tensorboard::encodeScalars(1.7e9, 100, values));
    tensorboard::appendRecord(file, tensorboard::encodeRestart(1.7e9, 50));
    tensorboard::appendRecord(file, tensorboard::encodeScalars(1.7e9, 60, values));
    return {file, tensorboard::encodeScalars(1.7e9, 7, values), tensorboard::encodeRestart(1.7e9, 3)};
}
