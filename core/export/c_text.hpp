// SPDX-License-Identifier: Apache-2.0
// Fragments of C text: names, numbers, arrays, helper functions. Internal to core/export.
#pragma once

#include <string>
#include <vector>

namespace seedbed {

// Converts ASCII letters to upper case.
std::string raised(const std::string& text);
// `text` with "policy" replaced by `prefix` in every identifier that begins with policy_ or, in upper case,
// with POLICY_.
std::string withPrefix(const std::string& text, const std::string& prefix);
// `name` with every byte except ASCII letters and digits replaced by an underscore.
std::string identifier(const std::string& name);
// `text` in a form that is safe inside a comment: printable ASCII without "*/" and trigraphs.
std::string commentText(const std::string& text);
// Whether `code` uses a name outside of comments.
bool usesName(const std::string& code, const std::string& name);
// A literal that is parsed back to the same float.
std::string floatText(float value);
// static const float name[n] = {...};
std::string floatArray(const std::string& name, const std::vector<float>& values);
// Definitions of policy_tanh and the other functions that every header contains.
std::string cHelpers();

}  // namespace seedbed
