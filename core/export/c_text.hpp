// SPDX-License-Identifier: Apache-2.0
// Pieces of C text: names, numbers, arrays, helper functions. Inner part of core/export.
#pragma once

#include <string>
#include <vector>

namespace seedbed {

// ASCII letters in capitals.
std::string raised(const std::string& text);
// `text` with `prefix` instead of "policy" in every identifier that begins with policy_ or POLICY_ (then in
// capitals).
std::string withPrefix(const std::string& text, const std::string& prefix);
// `name` with an underscore for everything but letters and digits.
std::string identifier(const std::string& name);
// `text` as it may be inside a comment: printable ASCII without "*/".
std::string commentText(const std::string& text);
// A literal that reads back as the same float.
std::string floatText(float value);
// static const float name[n] = {...};
std::string floatArray(const std::string& name, const std::vector<float>& values);
// Definitions of policy_tanh and the other functions that every header has.
std::string cHelpers();

}  // namespace seedbed
