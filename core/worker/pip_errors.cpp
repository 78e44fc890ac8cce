// SPDX-License-Identifier: Apache-2.0
#include "core/worker/pip_errors.hpp"

#include <algorithm>
#include <initializer_list>

#include "core/base/text.hpp"

namespace seedbed {

namespace {

bool containsAny(const std::string& text, std::initializer_list<const char*> parts) {
    return std::any_of(parts.begin(), parts.end(),
                       [&](const char* part) { return text.find(part) != std::string::npos; });
}

// The word after the first `before`, or "".
std::string wordAfter(const std::string& text, const std::string& before) {
    const std::size_t at = text.find(before);
    if (at == std::string::npos) return "";
    const std::size_t begin = text.find_first_not_of(" \n", at + before.size());
    if (begin == std::string::npos) return "";
    return text.substr(begin, text.find_first_of(" \n(", begin) - begin);
}

// The lines that begin with "ERROR:", without that prefix; if there are no such lines, the last one.
std::string ownWords(const std::string& output) {
    std::string errors, last;
    for (const std::string& line : split(output, '\n')) {
        if (line.starts_with("ERROR: ")) errors += (errors.empty() ? "" : " ") + line.substr(7);
        if (!trimmed(line).empty()) last = std::string(trimmed(line));
    }
    const std::string words = errors.empty() ? last : errors;
    return words.size() <= 600 ? words : words.substr(0, 600) + " ...";
}

}  // namespace

Error explainPipFailure(const std::string& output) {
    if (containsAny(output, {"DO NOT MATCH THE HASHES"})) {
        const std::string package = wordAfter(output, "tampered with them.");
        return {
            ErrorCode::failure,
            "the downloaded file of " + (package.empty() ? "a package" : "'" + package + "'") +
                " differs from the file that this pack was made with, so nothing was installed; the "
                "download was damaged, or the package index or a proxy changed it: try again later or over "
                "another network",
            {}};
    }
    if (containsAny(output, {"No space left on device", "Disk quota exceeded"}))
        return {ErrorCode::disk_full,
                "the disk is full; free some space and try again, or choose another disk with --data",
                {}};
    if (containsAny(output,
                    {"name resolution", "Name or service not known", "Network is unreachable",
                     "No route to host", "Connection refused", "ConnectTimeoutError", "ReadTimeoutError",
                     "Read timed out", "ProxyError", "Connection broken", "Connection reset",
                     "Connection aborted", "ProtocolError", "RemoteDisconnected"}))
        return {ErrorCode::failure,
                "the package index could not be reached; installing needs a network connection; using a pack "
                "does not. Connect and try again; pip's settings for proxies and mirrors apply",
                {}};
    if (containsAny(output, {"SSLError", "CERTIFICATE_VERIFY_FAILED"}))
        return {ErrorCode::failure,
                "the package index has a certificate that this computer does not trust; check the clock and "
                "the settings of proxies (pip config list)",
                {}};
    const std::string missing = wordAfter(output, "No matching distribution found for ");
    if (!missing.empty())
        return {ErrorCode::failure,
                "the package index has no file of " + missing +
                    " for this computer; if pip uses a mirror "
                    "(pip config list), try without it",
                {}};
    return {ErrorCode::failure, "pip failed: " + ownWords(output), {}};
}

}  // namespace seedbed
