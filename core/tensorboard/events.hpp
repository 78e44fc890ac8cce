// SPDX-License-Identifier: Apache-2.0
// The messages in TensorBoard's event files (tensorflow/core/util/event.proto, summary.proto), as far as they
// contain scalars.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"

namespace seedbed::tensorboard {

struct Scalar {
    std::string tag;  // for example "loss/policy"
    double value = 0;
};

struct Event {
    double time = 0;  // wall-clock seconds since 1970 UTC
    std::int64_t step = 0;
    std::string file_version;  // of the first event of a file; otherwise ""
    bool restart = false;      // the run was resumed at `step`: earlier events from that step on are obsolete
    std::vector<Scalar> scalars;
};

// The event that begins every file.
std::vector<std::uint8_t> encodeVersion(double time);
// A resume at `step`.
std::vector<std::uint8_t> encodeRestart(double time, std::int64_t step);
// Values are stored as float32, because TensorBoard reads no other scalars.
struct NamedValue {
    std::string_view tag;
    double value = 0;
};
std::vector<std::uint8_t> encodeScalars(double time, std::int64_t step, std::span<const NamedValue> values);

// Reads scalars of both forms: simple values and tensors with one number. Ignores everything else (pictures,
// histograms, texts). error: malformed, a tag without UTF-8 text or longer than 500 bytes, a negative step,
// or a time that is not finite.
Result<Event> decodeEvent(std::span<const std::uint8_t> bytes);

}  // namespace seedbed::tensorboard
