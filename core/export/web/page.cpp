// SPDX-License-Identifier: Apache-2.0
// The template has marks such as @SEEDBED_TITLE@. Everything else in it is the same for all pages.
#include "core/export/web/page.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>

#include "core/export/provenance_text.hpp"
#include "core/export/web/env_trace.hpp"
#include "core/policy/bundle_env.hpp"
#include "core/policy/networks.hpp"

namespace seedbed {

namespace {

constexpr const char* kTemplate = "share/seedbed/web/page.html";
constexpr const char* kGoldenMark = "@SEEDBED_GOLDEN@";
constexpr std::uint64_t kTraceSeed = 20;
constexpr std::size_t kMaxGoldenBytes = 1 << 20;
constexpr std::size_t kMaxParameters = 20'000'000;

// The template is installed in share/ next to bin/; in a build folder it has the same place.
Result<std::string> readTemplate() {
    RealFileSystem files;
    std::vector<Path> places;
    if (const char* folder = std::getenv("SEEDBED_RESOURCES"))
        places.push_back(Path(folder) / "web/page.html");
    std::error_code error;
    Path folder = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
    for (int up = 0; up < 3; ++up, folder = folder.parent_path()) places.push_back(folder / kTemplate);
    for (const Path& place : places) {
        SEEDBED_ASSIGN(const auto info, files.info(place));
        if (info) return readFile(files, place);
    }
    return fail(
        "this installation has no web page (share/seedbed/web/page.html): it was built without "
        "emscripten; install it (Debian: apt install emscripten), build again and export again");
}

template <class Bytes>
std::string base64(const Bytes& bytes) {
    constexpr const char* kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t at = 0; at < bytes.size(); at += 3) {
        std::array<std::uint32_t, 3> part{};
        const std::size_t count = std::min<std::size_t>(3, bytes.size() - at);
        for (std::size_t i = 0; i < count; ++i) part[i] = static_cast<std::uint8_t>(bytes[at + i]);
        const std::uint32_t word = part[0] << 16 | part[1] << 8 | part[2];
        for (std::size_t i = 0; i < 4; ++i) text += i <= count ? kLetters[word >> (18 - 6 * i) & 63] : '=';
    }
    return text;
}

std::string escaped(const std::string& text) {
    std::string html;
    for (const char letter : text) {
        if (letter == '<') html += "&lt;";
        else if (letter == '&') html += "&amp;";
        else if (letter == '"') html += "&quot;";
        else html += letter;
    }
    return html;
}

// Replaces @NAME@ by the value of NAME; leaves marks without a value.
std::string filled(const std::string& page, const std::map<std::string, std::string>& values) {
    std::string text;
    std::size_t at = 0;
    for (;;) {
        const std::size_t mark = page.find("@SEEDBED_", at);
        if (mark == std::string::npos) break;
        const std::size_t end = page.find('@', mark + 1);
        const auto value = values.find(page.substr(mark + 1, end - mark - 1));
        text.append(page, at, mark - at);
        text += value == values.end() ? page.substr(mark, end + 1 - mark) : value->second;
        at = end + 1;
    }
    return text.append(page, at);
}

// error: config if the environment is not part of the module.
Result<BundleEnv> pageEnvironment(const PolicyModel& model) {
    const std::string& id = model.bundle.provenance.env;
    if (id.find(':') != std::string::npos)
        return fail(ErrorCode::config, "the environment '" + publicId(id) +
                                           "' runs in another program, which a web page cannot contain; "
                                           "choose a policy for a built-in environment ('seedbed env list'), "
                                           "or export to onnx");
    auto env = environmentOf(model.bundle);
    if (!env)
        return fail(ErrorCode::config,
                    "a web page contains the environment, but " + env.error().message + "; export to onnx");
    return env;
}

}  // namespace

Result<std::string> webPage(const PolicyModel& model, const TargetOptions& options) {
    SEEDBED_ASSIGN(const BundleEnv env, pageEnvironment(model));
    if (model.plan.param_floats > kMaxParameters)
        return fail(ErrorCode::config,
                    "the network has more than 20 million parameters, too many for a web page; export it to "
                    "onnx");
    SEEDBED_ASSIGN(const std::string page, readTemplate());
    SEEDBED_ASSIGN(const EnvTrace trace, recordEnvTrace(model, kTraceSeed, kTraceSteps));
    // The page does not show the configuration of the run.
    Provenance provenance = publicProvenance(model.bundle.provenance);
    provenance.config = Json::object();
    SEEDBED_ASSIGN(const EncodedNetwork network, encodeNetwork(model.bundle, provenance));
    return filled(page, {{"SEEDBED_TITLE", escaped(env.spec.title)},
                         {"SEEDBED_VERSION", escaped(options.written_by)},
                         {"SEEDBED_CONFIG", base64(network.policy)},
                         {"SEEDBED_TENSORS", base64(network.params)},
                         {"SEEDBED_TRACE", base64(toJson(trace).dump())}});
}

Result<> addGoldenToPage(const PolicyModel& model, const GoldenVectors& golden,
                         std::vector<ExportFile>& files) {
    SEEDBED_ASSIGN(std::vector<std::uint8_t> bytes, encodeGolden(model, golden));
    if (bytes.size() > kMaxGoldenBytes) bytes.clear();
    for (ExportFile& file : files) {
        if (file.name != kPageName) continue;
        std::string text(file.bytes.begin(), file.bytes.end());
        const std::size_t mark = text.find(kGoldenMark);
        SEEDBED_CHECK(mark != std::string::npos, kPageName);
        text.replace(mark, std::string(kGoldenMark).size(), base64(bytes));
        file = textFile(kPageName, text);
    }
    return {};
}

}  // namespace seedbed
