// SPDX-License-Identifier: Apache-2.0
// Pieces of C text: names, numbers, arrays, and the helper functions of the header. Inner part of
// core/export.
#pragma once

#include <string>
#include <vector>

namespace seedbed {

// Letters, digits and underscores; others become an underscore.
// In capitals.
std::string raised(const std::string& text);
// Every identifier of a C text that begins with policy_ or POLICY_ begins with `prefix` instead.
std::string withPrefix(const std::string& text, const std::string& prefix);
std::string identifier(const std::string& name);
// Text that may stand inside a comment: printable ASCII without "*/".
std::string commentText(const std::string& text);
// A literal that reads back as the same float.
std::string floatText(float value);
// static const float name[n] = {...};
std::string floatArray(const std::string& name, const std::vector<float>& values);
// policy_tanh and others that the operations call; those of pictures only when asked for.
std::string cHelpers(bool convolution, bool pooling);

}  // namespace seedbed
