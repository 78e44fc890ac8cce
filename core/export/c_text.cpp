// SPDX-License-Identifier: Apache-2.0
// Generates C text.
#include "core/export/c_text.hpp"

#include <charconv>

namespace seedbed {

namespace {

bool isNameLetter(char letter) {
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
           (letter >= '0' && letter <= '9') || letter == '_';
}

// tanh as a rational function with the coefficients of Eigen's generic_fast_tanh_float (MathFunctionsImpl.h,
// 3.4); a test measures the absolute error, which is below 1e-6. Compilers can vectorise loops that do not
// call the C library.
constexpr const char* kMath = R"c(static inline float policy_tanh(float x)
{
    const float a = x < -7.9f ? -7.9f : x > 7.9f ? 7.9f : x;
    const float s = a * a;
    float n = -2.76076847742355e-16f, d = 1.19825839466702e-06f;
    n = n * s + 2.00018790482477e-13f;
    n = n * s + -8.60467152213735e-11f;
    n = n * s + 5.12229709037114e-08f;
    n = n * s + 1.48572235717979e-05f;
    n = n * s + 6.37261928875436e-04f;
    n = n * s + 4.89352455891786e-03f;
    d = d * s + 1.18534705686654e-04f;
    d = d * s + 2.26843463243900e-03f;
    d = d * s + 4.89352518554385e-03f;
    return a * n / d;
}

static inline float policy_sigmoid(float x)
{
    return 0.5f + 0.5f * policy_tanh(0.5f * x);
}

/* The index of the largest logit; the first one of equal logits. */
static inline float policy_best(const float *logits, int n)
{
    int i, best = 0;
    for (i = 1; i < n; i++)
        if (logits[i] > logits[best]) best = i;
    return (float)best;
}

/* Puts forbidden choices far below all others; a mask that forbids everything allows everything. */
static inline void policy_mask(float *logits, const unsigned char *mask, int n)
{
    int i, any = 0;
    for (i = 0; i < n; i++) any |= mask[i];
    for (i = 0; i < n; i++)
        if (any && !mask[i]) logits[i] = -1e9f;
}

static inline void policy_layer_norm(const float *POLICY_RESTRICT x, const float *gain, const float *bias, float *POLICY_RESTRICT y, int n)
{
    float mean = 0.0f, square = 0.0f, scale;
    int i;
    for (i = 0; i < n; i++) mean += x[i];
    mean /= (float)n;
    for (i = 0; i < n; i++) square += (x[i] - mean) * (x[i] - mean);
    scale = 1.0f / sqrtf(square / (float)n + 1e-5f);
    for (i = 0; i < n; i++) y[i] = (x[i] - mean) * scale * gain[i] + bias[i];
}

)c";

}  // namespace

std::string identifier(const std::string& name) {
    std::string text;
    for (const char letter : name) text += isNameLetter(letter) ? letter : '_';
    return text;
}

std::string commentText(const std::string& text) {
    std::string safe;
    for (const char letter : text) {
        const char before = safe.empty() ? ' ' : safe.back();
        const bool delimiter = (before == '*' && letter == '/') || (before == '/' && letter == '*') ||
                               (before == '?' && letter == '?');
        const bool printable = letter >= ' ' && letter <= '~';
        safe += printable && !delimiter ? letter : ' ';
    }
    return safe;
}

bool usesName(const std::string& code, const std::string& name) {
    for (std::size_t at = 0; at < code.size();) {
        if (code.compare(at, 2, "/*") == 0) {
            at = code.find("*/", at + 2);
            continue;
        }
        const std::size_t begin = at;
        while (at < code.size() && isNameLetter(code[at])) ++at;
        if (code.compare(begin, at - begin, name) == 0) return true;
        if (at == begin) ++at;
    }
    return false;
}

std::string raised(const std::string& text) {
    std::string capitals;
    for (const char letter : text)
        capitals += static_cast<char>(letter >= 'a' && letter <= 'z' ? letter - 'a' + 'A' : letter);
    return capitals;
}

std::string withPrefix(const std::string& text, const std::string& prefix) {
    if (prefix == "policy") return text;
    const std::string capitals = raised(prefix);
    std::string result;
    for (std::size_t i = 0; i < text.size();) {
        const bool begins = (i == 0 || !isNameLetter(text[i - 1])) &&
                            (text.compare(i, 7, "policy_") == 0 || text.compare(i, 7, "POLICY_") == 0);
        if (!begins) {
            result += text[i++];
            continue;
        }
        result += text[i] == 'p' ? prefix : capitals;
        i += 6;
    }
    return result;
}

// Uses a decimal point in every locale, and enough digits to restore the same float.
std::string floatText(float value) {
    char text[32];
    const auto end = std::to_chars(text, text + sizeof text, value).ptr;
    std::string literal(text, end);
    if (literal.find_first_of(".e") == std::string::npos) literal += ".0";
    return literal + "f";
}

std::string floatArray(const std::string& name, const std::vector<float>& values) {
    std::string text = "static const float " + name + "[" + std::to_string(values.size()) + "] = {";
    std::size_t column = 200;
    for (const float value : values) {
        const std::string literal = floatText(value) + ",";
        if (column + literal.size() > 118) {
            text += "\n   ";
            column = 3;
        }
        text += " " + literal;
        column += literal.size() + 1;
    }
    return text + "\n};\n\n";
}

std::string cHelpers() { return kMath; }

}  // namespace seedbed
