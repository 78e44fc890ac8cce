// SPDX-License-Identifier: Apache-2.0
// Sizes of leaves and their JSON form. The JSON is validated completely, because it may come from untrusted
// checkpoints and exported policies.
#include "core/base/spaces.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <set>

namespace seedbed {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::size_t kMaxChoices = std::size_t{1} << 22, kMaxWords = std::size_t{1} << 20;
constexpr std::size_t kMaxElements = std::size_t{1} << 28;  // per leaf: more than any screen has, and small
                                                            // enough that sizes cannot overflow

// JSON has no infinity: an infinite bound is null.
Json boundJson(double bound) { return std::isfinite(bound) ? Json(bound) : Json(nullptr); }
double boundFromJson(const Json& json, double open) { return json.is_null() ? open : json.get<double>(); }

Json toJson(const ObsLeaf& leaf) {
    static constexpr const char* kinds[] = {"vector", "image", "discrete"};
    Json json{{"name", leaf.name},
              {"kind", kinds[static_cast<int>(leaf.kind)]},
              {"dtype", nameOf(leaf.dtype)},
              {"shape", leaf.shape},
              {"low", boundJson(leaf.low)},
              {"high", boundJson(leaf.high)},
              {"cardinality", leaf.cardinality},
              {"stack", leaf.stack},
              {"labels", leaf.labels}};
    if (leaf.critic_only) json["critic_only"] = true;
    return json;
}

Json toJson(const ActionLeaf& leaf) {
    Json low = Json::array(), high = Json::array();
    for (const double bound : leaf.low) low.push_back(boundJson(bound));
    for (const double bound : leaf.high) high.push_back(boundJson(bound));
    Json json{{"name", leaf.name}, {"kind", leaf.kind == ActionLeaf::Kind::discrete ? "discrete" : "box"},
              {"n", leaf.n},       {"low", low},
              {"high", high},      {"labels", leaf.labels}};
    if (leaf.scaled) json["scaled"] = true;
    return json;
}

// Leaf names are used for identifiers, tensors and comments in exported programs, so only letters, digits,
// '_', '.', '-' and spaces are allowed.
Result<> checkLeafName(const std::string& name) {
    const bool plain =
        !name.empty() && name.size() <= 64 && std::all_of(name.begin(), name.end(), [](char letter) {
            return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
                   (letter >= '0' && letter <= '9') || letter == '_' || letter == '.' || letter == '-' ||
                   letter == ' ';
        });
    if (!plain) return fail("the name of a leaf must be 1 to 64 letters, digits, '_', '.', '-' and spaces");
    return {};
}

// May throw Json exceptions, which spacesFromJson() turns into errors.
Result<ObsLeaf> obsLeafFromJson(const Json& json) {
    ObsLeaf leaf;
    leaf.name = json.at("name").get<std::string>();
    SEEDBED_TRY(checkLeafName(leaf.name));
    const std::string where = "observation leaf '" + leaf.name + "': ";
    const std::string kind = json.at("kind").get<std::string>(), dtype = json.at("dtype").get<std::string>();
    DType expected = DType::f32;
    if (kind == "vector") {
        leaf.kind = ObsLeaf::Kind::vector;
        expected = DType::f32;
    } else if (kind == "image") {
        leaf.kind = ObsLeaf::Kind::image;
        expected = DType::u8;
    } else if (kind == "discrete") {
        leaf.kind = ObsLeaf::Kind::discrete;
        expected = DType::i32;
    } else return fail(where + "unknown kind '" + kind + "'");
    if (dtype != nameOf(expected))
        return fail(where + "dtype '" + dtype + "' does not fit kind '" + kind + "'");
    leaf.dtype = expected;
    leaf.shape = json.at("shape").get<std::vector<int>>();
    leaf.low = boundFromJson(json.at("low"), -kInfinity);
    leaf.high = boundFromJson(json.at("high"), kInfinity);
    leaf.cardinality = json.at("cardinality").get<int>();
    leaf.stack = json.at("stack").get<int>();
    leaf.labels = json.at("labels").get<std::vector<std::string>>();
    leaf.critic_only = json.value("critic_only", false);  // written only if true

    // Validate everything that later allocations and loops rely on.
    const std::size_t rank = leaf.kind == ObsLeaf::Kind::image ? 3 : 1;
    if (leaf.shape.size() != rank)
        return fail(where + "the shape of kind '" + kind + "' must have " + std::to_string(rank) +
                    " dimensions");
    std::size_t elements = 1;
    for (const int size : leaf.shape) {
        if (size < 1 || elements > kMaxElements / static_cast<std::size_t>(size))
            return fail(where + "invalid shape");
        elements *= static_cast<std::size_t>(size);
    }
    if (leaf.stack < 1 || leaf.stack > 1024) return fail(where + "stack is outside 1 to 1024");
    if (leaf.kind == ObsLeaf::Kind::discrete && leaf.cardinality < 1)
        return fail(where + "cardinality is below 1");
    if (!(leaf.low <= leaf.high)) return fail(where + "low is above high");
    return leaf;
}

Result<ActionLeaf> actionLeafFromJson(const Json& json) {
    ActionLeaf leaf;
    leaf.name = json.at("name").get<std::string>();
    SEEDBED_TRY(checkLeafName(leaf.name));
    const std::string where = "action leaf '" + leaf.name + "': ";
    const std::string kind = json.at("kind").get<std::string>();
    leaf.n = json.at("n").get<int>();
    for (const Json& bound : json.at("low")) leaf.low.push_back(boundFromJson(bound, -kInfinity));
    for (const Json& bound : json.at("high")) leaf.high.push_back(boundFromJson(bound, kInfinity));
    leaf.labels = json.at("labels").get<std::vector<std::string>>();
    if (kind == "discrete") {
        leaf.kind = ActionLeaf::Kind::discrete;
        if (leaf.n < 1 || leaf.n > (1 << 20))
            return fail(where + "number of choices is outside 1 to 1048576");
        if (!leaf.low.empty() || !leaf.high.empty())
            return fail(where + "a discrete leaf must not have bounds");
    } else if (kind == "box") {
        leaf.kind = ActionLeaf::Kind::box;
        if (leaf.low.empty() || leaf.low.size() != leaf.high.size() || leaf.low.size() > (1u << 20))
            return fail(where + "low and high must have one entry per dimension");
        for (std::size_t i = 0; i < leaf.low.size(); ++i)
            if (!(leaf.low[i] <= leaf.high[i])) return fail(where + "low is above high");
        leaf.scaled = json.value("scaled", false);  // written only if true
    } else {
        return fail(where + "unknown kind '" + kind + "'");
    }
    return leaf;
}

}  // namespace

std::size_t bytesOf(DType dtype) { return dtype == DType::u8 ? 1 : 4; }

const char* nameOf(DType dtype) {
    switch (dtype) {
        case DType::u8: return "u8";
        case DType::i32: return "i32";
        case DType::f32: return "f32";
    }
    return "?";
}

std::size_t ObsLeaf::elements() const {
    std::size_t count = 1;
    for (const int size : shape) count *= static_cast<std::size_t>(size);
    return count;
}

int Spaces::actionWords() const {
    int words = 0;
    for (const auto& leaf : actions) words += leaf.words();
    return words;
}

Spaces withoutLabels(Spaces spaces) {
    for (ObsLeaf& leaf : spaces.obs) leaf.labels.clear();
    for (ActionLeaf& leaf : spaces.actions) {
        leaf.labels.clear();
        leaf.scaled = false;
    }
    return spaces;
}

Spaces withoutCriticOnly(Spaces spaces) {
    std::erase_if(spaces.obs, [](const ObsLeaf& leaf) { return leaf.critic_only; });
    return spaces;
}

Spaces withScaledActions(Spaces spaces) {
    for (ActionLeaf& leaf : spaces.actions)
        for (std::size_t i = 0; i < leaf.low.size(); ++i) {
            const ActionRange range = rangeOf(leaf, i);
            leaf.scaled = leaf.scaled || range.centre != 0 || range.half != 1;
        }
    return spaces;
}

ActionRange rangeOf(const ActionLeaf& leaf, std::size_t i) {
    constexpr double kUnbounded = 1e30;
    const double low = leaf.low[i], high = leaf.high[i];
    if (!(std::abs(low) <= kUnbounded) || !(std::abs(high) <= kUnbounded)) return {};
    return {(low + high) / 2, low < high ? (high - low) / 2 : 1};
}

int Spaces::maskBytes() const {
    int bytes = 0;
    if (has_mask)
        for (const auto& leaf : actions)
            if (leaf.kind == ActionLeaf::Kind::discrete) bytes += leaf.n;
    return bytes;
}

Json toJson(const Spaces& spaces) {
    Json obs = Json::array(), actions = Json::array();
    for (const auto& leaf : spaces.obs) obs.push_back(toJson(leaf));
    for (const auto& leaf : spaces.actions) actions.push_back(toJson(leaf));
    return {{"obs", obs}, {"actions", actions}, {"has_mask", spaces.has_mask}};
}

Result<Spaces> spacesFromJson(const Json& json) try {
    Spaces spaces;
    std::set<std::string> names;
    for (const Json& item : json.at("obs")) {
        SEEDBED_ASSIGN(ObsLeaf leaf, obsLeafFromJson(item));
        if (!names.insert(leaf.name).second)
            return fail("two observation leaves are called '" + leaf.name + "'");
        spaces.obs.push_back(std::move(leaf));
    }
    names.clear();
    for (const Json& item : json.at("actions")) {
        SEEDBED_ASSIGN(ActionLeaf leaf, actionLeafFromJson(item));
        if (!names.insert(leaf.name).second) return fail("two action leaves are called '" + leaf.name + "'");
        spaces.actions.push_back(std::move(leaf));
    }
    spaces.has_mask = json.at("has_mask").get<bool>();
    // These sums cannot overflow, and the limits are far above the size of any network.
    std::size_t choices = 0, words = 0;
    for (const ActionLeaf& leaf : spaces.actions) {
        choices += leaf.kind == ActionLeaf::Kind::discrete ? static_cast<std::size_t>(leaf.n) : 0;
        words += static_cast<std::size_t>(leaf.words());
    }
    if (choices > kMaxChoices || words > kMaxWords)
        return fail("spaces can have at most " + std::to_string(kMaxChoices) + " choices and " +
                    std::to_string(kMaxWords) + " action words");
    if (spaces.obs.empty() || spaces.actions.empty())
        return fail("spaces need at least one observation and one action leaf");
    return spaces;
} catch (const Json::exception& exception) {
    return fail(std::string("malformed description of spaces: ") + exception.what());
}

bool isObservation(const ObsLeaf& leaf, const std::uint8_t* bytes) {
    if (leaf.kind != ObsLeaf::Kind::discrete) return true;
    for (std::size_t i = 0; i < leaf.elements(); ++i) {
        std::int32_t value = 0;
        std::memcpy(&value, bytes + i * sizeof value, sizeof value);
        if (value < 0 || value >= leaf.cardinality) return false;
    }
    return true;
}

bool isAction(const Spaces& spaces, const float* words) {
    for (const ActionLeaf& leaf : spaces.actions) {
        for (int word = 0; word < leaf.words(); ++word, ++words) {
            if (!std::isfinite(*words)) return false;
            if (leaf.kind == ActionLeaf::Kind::box) continue;
            if (!(*words >= 0 && *words < static_cast<float>(leaf.n)) || *words != std::floor(*words))
                return false;
        }
    }
    return true;
}

}  // namespace seedbed
