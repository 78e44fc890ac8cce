// SPDX-License-Identifier: Apache-2.0
#include "core/export/names.hpp"

#include "core/export/c_text.hpp"

namespace seedbed {

namespace {

// Between spaces.
constexpr std::string_view kReserved =
    " alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t char32_t "
    "char8_t class co_await co_return co_yield compl concept const const_cast consteval constexpr "
    "constinit continue decltype default delete do double dynamic_cast else enum explicit export "
    "extern false float for friend goto if inline int long mutable namespace new noexcept not not_eq "
    "nullptr operator or or_eq private protected public register reinterpret_cast requires restrict "
    "return short signed sizeof static static_assert static_cast struct switch template this "
    "thread_local throw true try typedef typeid typename typeof typeof_unqual union unsigned using "
    "virtual void volatile wchar_t while xor xor_eq ";

// Microsoft's compiler reads the first 2,047 characters, others read more.
constexpr std::size_t kLongestC = 500;

}  // namespace

bool isReservedInC(std::string_view word) {
    return kReserved.find(" " + std::string(word) + " ") != std::string_view::npos;
}

NameRules cNameRules() { return {.identifiers = true, .longest = kLongestC, .reserved = isReservedInC}; }

std::string Names::valid(const std::string& wanted) const {
    std::string name = rules_.identifiers ? identifier(wanted) : wanted;
    if (name.empty()) name = "unnamed";
    // A leading '_' is reserved in C.
    if (rules_.identifiers && name[0] >= '0' && name[0] <= '9') name.insert(0, "n_");
    return name.substr(0, rules_.longest);
}

bool Names::isFree(const std::string& name) const {
    return !taken_.contains(name) && (rules_.reserved == nullptr || !rules_.reserved(name));
}

std::string Names::give(const std::string& wanted) {
    std::string base = valid(wanted), name = base;
    if (!isFree(name) && !rules_.alternative.empty()) name = base = valid(rules_.alternative + base);
    for (int number = 2; !isFree(name); ++number) {
        const std::string suffix = "_" + std::to_string(number);
        name = base.substr(0, rules_.longest - suffix.size()) + suffix;
    }
    taken_.insert(name);
    return name;
}

std::vector<std::string> Names::giveAll(const std::vector<std::string>& wanted) {
    std::vector<std::string> names(wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i)
        if (valid(wanted[i]) == wanted[i] && isFree(wanted[i])) names[i] = give(wanted[i]);
    for (std::size_t i = 0; i < wanted.size(); ++i)
        if (names[i].empty()) names[i] = give(wanted[i]);
    return names;
}

CNames::CNames(const PolicyModel& model, const std::string& prefix) : prefix_(prefix), names_(cNameRules()) {
    // With the prefix "obs", functions and observations could have the same names.
    names_.reserve(prefix);
    for (const char* function :
         {"reset", "act", "value", "tanh", "sigmoid", "best", "mask", "layer_norm", "conv", "max_pool"})
        names_.reserve(prefix + "_" + function);
    std::vector<std::string> wanted;
    for (const ObsLeaf& leaf : model.spaces().obs) wanted.push_back("obs_" + leaf.name);
    obs_ = names_.giveAll(wanted);
}

const std::string& CNames::array(const std::string& member) {
    std::string& name = arrays_[member];
    if (name.empty()) name = "policy" + names_.give(prefix_ + "_" + member).substr(prefix_.size());
    return name;
}

}  // namespace seedbed
