// SPDX-License-Identifier: Apache-2.0
// The format is defined in github.com/huggingface/safetensors, section "Format".
#include "core/policy/tensor_file.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "core/base/strict_json.hpp"

namespace seedbed {

static_assert(std::endian::native == std::endian::little, "the file format is little-endian");

namespace {

constexpr std::uint64_t kMaxText = 1 << 20;
constexpr std::size_t kMaxDimensions = 8;

struct Range {
    std::uint64_t begin = 0, end = 0;
    TensorInfo info;
};

Result<Range> readTensor(const std::string& name, const Json& json, std::uint64_t data_bytes) {
    const auto bad = [&](const std::string& why) { return fail("tensor '" + name + "' " + why); };
    const auto unsignedAt = [](const Json& list, std::size_t i) { return list[i].get<std::uint64_t>(); };
    if (!json.is_object() || json.size() != 3 || !json.contains("dtype") || !json.contains("shape") ||
        !json.contains("data_offsets"))
        return bad("must have exactly dtype, shape and data_offsets");
    if (json["dtype"] != "F32") return bad("is not of type F32");
    const Json& shape = json["shape"];
    const Json& offsets = json["data_offsets"];
    const auto areUnsigned = [](const Json& list) {
        return list.is_array() && std::all_of(list.begin(), list.end(),
                                              [](const Json& item) { return item.is_number_unsigned(); });
    };
    if (!areUnsigned(shape) || shape.size() > kMaxDimensions)
        return bad("has a shape that is not a short list of sizes");
    if (!areUnsigned(offsets) || offsets.size() != 2)
        return bad("has offsets that are not a pair of numbers");

    Range range{unsignedAt(offsets, 0), unsignedAt(offsets, 1), {name, {}, 1}};
    if (range.begin > range.end || range.end > data_bytes) return bad("is outside the file");
    const std::uint64_t floats = (range.end - range.begin) / 4;
    for (std::size_t i = 0; i < shape.size(); ++i) {
        const std::uint64_t size = unsignedAt(shape, i);
        // Checked before multiplying, so that the product cannot overflow.
        if (size != 0 && range.info.count > floats / size) return bad("has a shape larger than its data");
        range.info.count *= size;
        range.info.shape.push_back(static_cast<std::int64_t>(size));
    }
    if (range.info.count * 4 != range.end - range.begin)
        return bad("has a shape that does not match its data");
    return range;
}

}  // namespace

Result<> writeTensors(std::span<const TensorView> tensors, const std::map<std::string, std::string>& metadata,
                      const ByteSink& sink) {
    Json header = Json::object();
    if (!metadata.empty()) header["__metadata__"] = metadata;
    std::uint64_t offset = 0;
    for (const auto& tensor : tensors) {
        SEEDBED_CHECK(tensor.name != "__metadata__" && !header.contains(tensor.name), tensor.name);
        header[tensor.name] = {{"dtype", "F32"},
                               {"shape", tensor.shape},
                               {"data_offsets", {offset, offset + tensor.values.size_bytes()}}};
        offset += tensor.values.size_bytes();
    }
    std::string text = header.dump();
    // Spaces align the numbers to 8 bytes, as the format's own writer does.
    text.resize((text.size() + 7) / 8 * 8, ' ');
    if (text.size() > kMaxText) return fail("the network has too many tensors for one safetensors file");
    const std::uint64_t length = text.size();
    SEEDBED_TRY(sink(std::as_bytes(std::span(&length, 1))));
    SEEDBED_TRY(sink(std::as_bytes(std::span(text.data(), text.size()))));
    for (const auto& tensor : tensors) SEEDBED_TRY(sink(std::as_bytes(tensor.values)));
    return {};
}

Result<TensorHeader> readTensorHeader(std::uint64_t file_bytes, const ByteSource& source,
                                      std::string_view what) {
    std::uint64_t length = 0;
    if (file_bytes < sizeof length) return fail(std::string(what) + " is too short for a safetensors file");
    SEEDBED_TRY(source(std::as_writable_bytes(std::span(&length, 1))));
    if (length > kMaxText || length > file_bytes - sizeof length)
        return fail(std::string(what) + " has a header of invalid length");
    std::string text(length, '\0');
    SEEDBED_TRY(source(std::as_writable_bytes(std::span(text.data(), text.size()))));
    return parseTensorHeader(text, file_bytes - sizeof length - length, what);
}

Result<TensorHeader> parseTensorHeader(std::string_view text, std::uint64_t data_bytes,
                                       std::string_view what) {
    const auto bad = [&](const std::string& why) {
        return fail(std::string(what) + " is not a valid safetensors file: " + why);
    };
    const Json json = parseStrictJson(text, 3);
    if (text.empty() || text.front() != '{' || !json.is_object())
        return bad("its header is not a JSON object, or has duplicate names");
    TensorHeader header;
    std::vector<Range> ranges;
    for (const auto& [name, value] : json.items()) {
        if (name == "__metadata__") {
            if (!value.is_object()) return bad("its metadata is not an object");
            for (const auto& [key, item] : value.items()) {
                if (!item.is_string()) return bad("its metadata contains a value that is not text");
                header.metadata[key] = item.get<std::string>();
            }
            continue;
        }
        auto range = readTensor(name, value, data_bytes);
        if (!range) return bad(range.error().message);
        ranges.push_back(std::move(*range));
    }
    // Checks that the tensors cover the data without gaps or overlaps.
    std::stable_sort(ranges.begin(), ranges.end(), [](const Range& a, const Range& b) {
        return a.begin != b.begin ? a.begin < b.begin : a.end < b.end;
    });
    std::uint64_t next = 0;
    for (auto& range : ranges) {
        if (range.begin != next)
            return bad("there is a gap or an overlap before tensor '" + range.info.name + "'");
        next = range.end;
        header.tensors.push_back(std::move(range.info));
    }
    if (next != data_bytes)
        return bad("there are " + std::to_string(data_bytes - next) + " bytes that belong to no tensor");
    return header;
}

}  // namespace seedbed
