// SPDX-License-Identifier: Apache-2.0
#include "core/tensorboard/events.hpp"

#include <cmath>
#include <cstring>

#include "core/base/formats/protobuf.hpp"
#include "core/base/text.hpp"

namespace seedbed::tensorboard {
namespace {

using protobuf::Field;
using protobuf::Message;
using Bytes = std::span<const std::uint8_t>;

// Field numbers of the messages.
constexpr int kWallTime = 1, kStep = 2, kFileVersion = 3, kSummary = 5, kSessionLog = 7;  // Event
constexpr int kStatus = 1;                                                                // SessionLog
constexpr int kValue = 1;                                                                 // Summary
constexpr int kTag = 1, kSimpleValue = 2, kTensor = 8;                                    // Summary.Value
constexpr int kType = 1, kShape = 2, kContent = 4, kFloats = 5, kDoubles = 6, kInts = 7, kInt64s = 10;
constexpr int kDim = 2, kSize = 1;  // TensorShapeProto, Dim

constexpr std::int64_t kSessionStart = 1;
constexpr std::int64_t kFloat = 1, kDouble = 2, kInt32 = 3, kInt64 = 9;  // DataType

constexpr std::size_t kMaxFields = 1 << 20;
constexpr std::size_t kMaxTagBytes = 500;

Message eventAt(double time, std::int64_t step) {
    Message event;
    event.number(kWallTime, time);
    if (step != 0) event.integer(kStep, step);
    return event;
}

Result<> expectBytes(const Field& field, const char* what) {
    if (field.wire != 2) return fail(std::string(what) + " has an unexpected type");
    return {};
}

template <class T>
std::optional<double> numberIn(Bytes bytes) {
    if (bytes.size() != sizeof(T)) return std::nullopt;
    T value;
    std::memcpy(&value, bytes.data(), sizeof value);
    return static_cast<double>(value);
}

// The number of elements of a shape, or 2 if there are several.
Result<std::int64_t> elementsOf(Bytes shape) {
    std::int64_t count = 1;
    const auto visit = [&](const Field& field) -> Result<> {
        if (field.number != kDim) return {};
        SEEDBED_TRY(expectBytes(field, "the dimension of a tensor"));
        return protobuf::forFields(field.bytes, kMaxFields, [&](const Field& dim) -> Result<> {
            if (dim.number == kSize && dim.integer() != 1) count = 2;
            return {};
        });
    };
    SEEDBED_TRY(protobuf::forFields(shape, kMaxFields, visit));
    return count;
}

// The number in a packed or single element of a repeated field.
std::optional<double> elementOf(const Field& field) {
    switch (field.number) {
        case kFloats: return numberIn<float>(field.bytes);
        case kDoubles: return numberIn<double>(field.bytes);
        default: break;
    }
    if (field.wire == 0) return static_cast<double>(field.integer());
    Bytes rest = field.bytes;
    const auto value = protobuf::readVarint(rest);
    if (!value || !rest.empty()) return std::nullopt;
    return static_cast<double>(static_cast<std::int64_t>(*value));
}

std::optional<double> contentOf(std::int64_t type, Bytes content) {
    switch (type) {
        case kFloat: return numberIn<float>(content);
        case kDouble: return numberIn<double>(content);
        case kInt32: return numberIn<std::int32_t>(content);
        case kInt64: return numberIn<std::int64_t>(content);
        default: return std::nullopt;
    }
}

// The value of a tensor with one number; nullopt for every other tensor.
Result<std::optional<double>> scalarOf(Bytes tensor) {
    std::int64_t type = 0, elements = 1;
    std::optional<double> element;
    Bytes content;
    SEEDBED_TRY(protobuf::forFields(tensor, kMaxFields, [&](const Field& field) -> Result<> {
        switch (field.number) {
            case kType: type = field.integer(); return {};
            case kShape: {
                SEEDBED_ASSIGN(elements, elementsOf(field.bytes));
                return {};
            }
            case kContent: content = field.bytes; return {};
            case kFloats:
            case kDoubles:
            case kInts:
            case kInt64s: element = elementOf(field); return {};
            default: return {};
        }
    }));
    const bool numeric = type == kFloat || type == kDouble || type == kInt32 || type == kInt64;
    if (!numeric || elements != 1) return std::optional<double>();
    return content.empty() ? element : contentOf(type, content);
}

Result<> checkTag(const std::string& tag) {
    if (tag.empty() || tag.size() > kMaxTagBytes)
        return fail("it contains a name with " + std::to_string(tag.size()) + " bytes; allowed are 1 to " +
                    std::to_string(kMaxTagBytes));
    if (printableText(tag) != tag || tag.find_first_of("\n\t") != std::string::npos)
        return fail("it contains a name that is not printable UTF-8 text");
    return {};
}

Result<> readValue(Bytes bytes, Event& event) {
    std::string tag;
    std::optional<double> value;
    const auto visit = [&](const Field& field) -> Result<> {
        if (field.number == kTag) {
            tag = field.text();
        } else if (field.number == kSimpleValue) {
            SEEDBED_ASSIGN(value, field.float32());
        } else if (field.number == kTensor) {
            SEEDBED_TRY(expectBytes(field, "a tensor"));
            SEEDBED_ASSIGN(value, scalarOf(field.bytes));
        }
        return {};
    };
    SEEDBED_TRY(protobuf::forFields(bytes, kMaxFields, visit));
    if (!value) return {};
    SEEDBED_TRY(checkTag(tag));
    event.scalars.push_back({std::move(tag), *value});
    return {};
}

Result<> readSummary(Bytes bytes, Event& event) {
    return protobuf::forFields(bytes, kMaxFields, [&](const Field& field) -> Result<> {
        if (field.number != kValue) return {};
        SEEDBED_TRY(expectBytes(field, "a value"));
        return readValue(field.bytes, event);
    });
}

Result<> readSessionLog(Bytes bytes, Event& event) {
    return protobuf::forFields(bytes, kMaxFields, [&](const Field& field) -> Result<> {
        if (field.number == kStatus) event.restart = field.integer() == kSessionStart;
        return {};
    });
}

Result<> readEventField(const Field& field, Event& event) {
    switch (field.number) {
        case kWallTime: {
            SEEDBED_ASSIGN(event.time, field.float64());
            return {};
        }
        case kStep: event.step = field.integer(); return {};
        case kFileVersion: event.file_version = field.text(); return {};
        case kSummary: {
            SEEDBED_TRY(expectBytes(field, "a summary"));
            return readSummary(field.bytes, event);
        }
        case kSessionLog: {
            SEEDBED_TRY(expectBytes(field, "a session log"));
            return readSessionLog(field.bytes, event);
        }
        default: return {};
    }
}

}  // namespace

std::vector<std::uint8_t> encodeVersion(double time) {
    Message event = eventAt(time, 0);
    event.text(kFileVersion, "brain.Event:2");
    return event.take();
}

std::vector<std::uint8_t> encodeRestart(double time, std::int64_t step) {
    Message log;
    log.integer(kStatus, kSessionStart);
    Message event = eventAt(time, step);
    event.message(kSessionLog, log);
    return event.take();
}

std::vector<std::uint8_t> encodeScalars(double time, std::int64_t step, std::span<const NamedValue> values) {
    Message summary;
    for (const NamedValue& named : values) {
        Message value;
        value.text(kTag, named.tag);
        value.number(kSimpleValue, static_cast<float>(named.value));
        summary.message(kValue, value);
    }
    Message event = eventAt(time, step);
    event.message(kSummary, summary);
    return event.take();
}

Result<Event> decodeEvent(Bytes bytes) {
    Event event;
    SEEDBED_TRY(protobuf::forFields(bytes, kMaxFields,
                                    [&](const Field& field) { return readEventField(field, event); }));
    if (!std::isfinite(event.time)) return fail("it contains a time that is not finite");
    if (event.step < 0) return fail("it contains a negative step");
    return event;
}

}  // namespace seedbed::tensorboard
