// SPDX-License-Identifier: Apache-2.0
#include "core/control/inspection.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/archive.hpp"

namespace seedbed {
namespace {

constexpr std::uint32_t kInspectionVersion = 1;
constexpr std::uint32_t kMaxLeaves = 256, kMaxDimensions = 8;
constexpr std::uint64_t kMaxNumbers = std::uint64_t{1} << 24;

void archiveLeaf(Archive& archive, InspectedLeaf& leaf, bool& ok) {
    archive.any(leaf.name).list("shape", leaf.shape, kMaxDimensions).flag("normalised", leaf.normalised);
    archive.list("seen", leaf.seen, kMaxNumbers);
    archive.list("saliency", leaf.of_action, kMaxNumbers).list("saliency", leaf.of_value, kMaxNumbers);
    std::uint64_t size = 1;
    for (const std::uint32_t side : leaf.shape) size = std::min<std::uint64_t>(size * side, kMaxNumbers + 1);
    ok = ok && size == leaf.seen.size();
    for (const std::vector<float>* values : {&leaf.of_action, &leaf.of_value})
        ok = ok && (values->empty() || values->size() == leaf.seen.size());
}

void archiveInspection(Archive& archive, Inspection& i, bool& ok) {
    std::uint32_t version = kInspectionVersion;
    archive.field("version", version, range(kInspectionVersion, kInspectionVersion));
    archive.any(i.generation, i.env, i.agent).any(i.row, i.weights_version).any(i.unavailable);
    auto leaves = static_cast<std::uint32_t>(i.leaves.size());
    archive.field("leaves", leaves, range(0U, kMaxLeaves));
    if (archive.isLoading()) i.leaves.resize(archive.failed() ? 0 : leaves);
    for (InspectedLeaf& leaf : i.leaves) archiveLeaf(archive, leaf, ok);
    archive.list("mask", i.mask, kMaxNumbers);
    for (std::vector<float>* values :
         {&i.previous_action, &i.previous_reward, &i.action, &i.shown, &i.q, &i.state_before, &i.state_after})
        archive.list("numbers", *values, kMaxNumbers);
    archive.anyReal(i.entropy, i.value);
}

Json numbersJson(const std::vector<float>& values) {
    Json list = Json::array();
    for (const float value : values) list.push_back(std::isfinite(value) ? Json(value) : Json());
    return list;
}

Json numberJson(float value) { return std::isfinite(value) ? Json(value) : Json(); }

}  // namespace

std::vector<std::byte> encodeInspection(const Inspection& inspection) {
    Archive archive = Archive::saving();
    Inspection copy = inspection;
    bool ok = true;
    archiveInspection(archive, copy, ok);
    const auto bytes = std::as_bytes(std::span(archive.bytes()));
    return {bytes.begin(), bytes.end()};
}

Result<Inspection> decodeInspection(std::span<const std::byte> bytes) {
    const auto* begin = reinterpret_cast<const std::uint8_t*>(bytes.data());
    Archive archive = Archive::loading(std::vector<std::uint8_t>(begin, begin + bytes.size()));
    Inspection inspection;
    bool ok = true;
    archiveInspection(archive, inspection, ok);
    if (!ok || !archive.finish()) return fail("the player sent an invalid inspection");
    return inspection;
}

Json toJson(const Inspection& i) {
    if (!i.unavailable.empty()) return {{"row", i.row}, {"unavailable", i.unavailable}};
    Json leaves = Json::array();
    for (const InspectedLeaf& leaf : i.leaves)
        leaves.push_back({{"name", leaf.name},
                          {"shape", leaf.shape},
                          {"normalised", leaf.normalised},
                          {"seen", numbersJson(leaf.seen)},
                          {"saliency_action", numbersJson(leaf.of_action)},
                          {"saliency_value", numbersJson(leaf.of_value)}});
    return {{"row", i.row},
            {"env", i.env},
            {"agent", i.agent},
            {"inputs", leaves},
            {"previous_action", numbersJson(i.previous_action)},
            {"previous_reward", numbersJson(i.previous_reward)},
            {"mask", i.mask},
            {"action", numbersJson(i.action)},
            {"policy", numbersJson(i.shown)},
            {"entropy", numberJson(i.entropy)},
            {"value", numberJson(i.value)},
            {"q", numbersJson(i.q)},
            {"state_before", numbersJson(i.state_before)},
            {"state_after", numbersJson(i.state_after)}};
}

}  // namespace seedbed
