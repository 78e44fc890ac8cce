// SPDX-License-Identifier: Apache-2.0
// Gives the names that exported files use: every target takes the names of observations, actions and weights
// from here, so that they are valid and distinct.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/export/policy_model.hpp"

namespace seedbed {

// The names that a language accepts.
struct NameRules {
    // Letters, digits and '_', without a digit at the beginning; otherwise any text is a name.
    bool identifiers = false;
    std::size_t longest = std::string::npos;  // in bytes
    // Put before a name that is taken or reserved, before numbers are tried.
    std::string alternative{};
    bool (*reserved)(std::string_view word) = nullptr;
};

// Names in C that are also valid in C++.
NameRules cNameRules();
// Reserved words of C up to C23 and of C++ up to C++20.
bool isReservedInC(std::string_view word);

// The names of one file. The same calls in the same order give the same names.
class Names {
public:
    explicit Names(NameRules rules) : rules_(std::move(rules)) {}

    // Excludes a name that the target itself uses.
    void reserve(const std::string& name) { taken_.insert(name); }
    // Returns `wanted` if it is valid and free. Otherwise invalid characters become '_', and a name that is
    // not free is numbered: arm_x, arm_x_2, arm_x_3.
    std::string give(const std::string& wanted);
    // Names for all members, in their order. Members whose own name is valid and free keep it, whatever the
    // others are called.
    std::vector<std::string> giveAll(const std::vector<std::string>& wanted);

private:
    std::string valid(const std::string& wanted) const;
    bool isFree(const std::string& name) const;

    NameRules rules_;
    std::set<std::string, std::less<>> taken_;
};

// Names in the C header and in the programs that include it.
class CNames {
public:
    CNames(const PolicyModel& model, const std::string& prefix);

    // The parameter that receives an observation, such as "obs_position".
    const std::string& obs(std::size_t leaf) const { return obs_[leaf]; }
    // The name of a static array before withPrefix(), such as "policy_w_hidden0_weight". The same member
    // gives the same name.
    const std::string& array(const std::string& member);

private:
    std::string prefix_;
    Names names_;
    std::vector<std::string> obs_;
    std::map<std::string, std::string> arrays_;
};

}  // namespace seedbed
