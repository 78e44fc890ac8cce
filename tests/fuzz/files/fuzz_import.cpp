// SPDX-License-Identifier: Apache-2.0
// The header of a safetensors file and the description of a policy, as `seedbed import` reads them: the first
// byte selects which. Accepted input must satisfy the guarantees of the parser.
#include <cstdlib>
#include <cstring>

#include "core/base/strict_json.hpp"
#include "core/nn/net_plan.hpp"
#include "core/policy/tensor_file.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace seedbed;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
    if (data[0] % 2 == 0) {
        std::size_t at = 0;
        const auto header = readTensorHeader(
            text.size(),
            [&](std::span<std::byte> into) -> Result<> {
                if (into.size() > text.size() - at) return fail("ends too early");
                if (!into.empty()) std::memcpy(into.data(), text.data() + at, into.size());
                at += into.size();
                return {};
            },
            "fuzz");
        noteOutcome("tensors", header);
        std::uint64_t floats = 0;
        if (header)
            for (const TensorInfo& tensor : header->tensors) floats += tensor.count;
        if (floats > text.size() / 4) std::abort();  // more numbers than the file has
        return 0;
    }
    const Json json = parseStrictJson(text);
    fuzzOutcome() = "network: not JSON";
    if (json.is_discarded()) return 0;
    const auto spec = netSpecFromJson(json);
    noteOutcome("network", spec);
    if (!spec) return 0;
    const auto plan = buildPlan(*spec);
    noteOutcome("network", plan);
    if (plan && plan->param_floats > (std::size_t{1} << 31)) std::abort();
    return 0;
}

std::vector<std::vector<std::uint8_t>> seedbed::fuzzSeeds() {
    std::vector<std::vector<std::uint8_t>> seeds;
    const auto add = [&](char kind, const std::string& text) {
        std::vector<std::uint8_t> bytes{static_cast<std::uint8_t>(kind)};
        bytes.insert(bytes.end(), text.begin(), text.end());
        seeds.push_back(std::move(bytes));
    };
    const std::vector<float> values(6, 1.0f);
    std::string file;
    (void)writeTensors(
        {{{"policy/a", {2, 2}, std::span(values).first(4)}, {"policy/b", {2}, std::span(values).last(2)}}},
        {{"format", "x"}}, [&](std::span<const std::byte> part) -> Result<> {
            file.append(reinterpret_cast<const char*>(part.data()), part.size());
            return {};
        });
    add(0, file);
    ObsLeaf vector;
    vector.shape = {3};
    vector.low = -1;
    vector.high = 1;
    ObsLeaf image;
    image.name = "picture";
    image.kind = ObsLeaf::Kind::image;
    image.dtype = DType::u8;
    image.shape = {2, 10, 10};
    image.high = 255;
    ActionLeaf choice;
    choice.n = 3;
    NetworkParams params;
    params.core = "lstm";
    const auto spec =
        makeNetSpec(Spaces{{vector, image}, {choice}, false}, params, {{"policy", "policy", 0, false}});
    if (spec) add(1, toJson(*spec).dump());
    return seeds;
}
