// SPDX-License-Identifier: Apache-2.0
// Invalid weights and folders.
#include "tests/unit/import/hostile_policies.hpp"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>

#include "core/base/sha256.hpp"

namespace seedbed::testing {
namespace {

using Change = std::function<void(Json&)>;

std::string manifestText(const Json& json) { return json.dump(2) + "\n"; }

std::string signedText(Json json) {
    json.erase("sha256");
    json["sha256"] = sha256Hex(manifestText(json));
    return manifestText(json);
}

}  // namespace

Json GoodPolicy::header() const {
    const std::string& file = files.at("model.safetensors");
    std::uint64_t length = 0;
    std::memcpy(&length, file.data(), 8);
    return Json::parse(file.substr(8, length));
}

std::string GoodPolicy::body() const {
    const std::string& file = files.at("model.safetensors");
    std::uint64_t length = 0;
    std::memcpy(&length, file.data(), 8);
    return file.substr(8 + length);
}

std::string tensorFile(const std::string& header, const std::string& body) {
    const std::uint64_t length = header.size();
    std::string file(8, '\0');
    std::memcpy(file.data(), &length, 8);
    return file + header + body;
}

std::string manifestOf(Json manifest, const std::map<std::string, std::string>& files) {
    for (Json& entry : manifest["files"]) {
        const auto found = files.find(entry["name"].get<std::string>());
        if (found == files.end()) continue;
        entry["bytes"] = found->second.size();
        entry["sha256"] = sha256Hex(found->second);
    }
    return signedText(std::move(manifest));
}

std::vector<HostilePolicy> hostileTensors(const GoodPolicy& good) {
    const Json header = good.header();
    const std::string body = good.body(), config = good.files.at("config.json"), text = header.dump();
    const auto [first, second] = [&] {
        auto at = header.begin();
        while (at.key() == "__metadata__") ++at;
        const std::string name = at.key();
        return std::pair(name, (++at).key());
    }();
    std::vector<HostilePolicy> cases;
    const auto raw = [&](const char* name, const std::string& file, const char* reason) {
        cases.push_back({std::string("tensors-") + name,
                         {{"model.safetensors", file}, {"config.json", config}},
                         {},
                         "model.safetensors",
                         reason});
    };
    const auto with = [&](const char* name, const char* reason, const Change& change) {
        Json changed = header;
        change(changed);
        raw(name, tensorFile(changed.dump(), body), reason);
    };
    const auto offsets = [&](const char* name, std::uint64_t begin, std::uint64_t end, const char* reason) {
        with(name, reason, [&](Json& h) { h[first]["data_offsets"] = {begin, end}; });
    };
    const auto shape = [&](const char* name, const Json& dims, const char* reason) {
        with(name, reason, [&](Json& h) { h[first]["shape"] = dims; });
    };
    const std::uint64_t end = body.size(), half = std::uint64_t{1} << 63;
    offsets("behind-the-file", end, end + 8, "outside the file");
    offsets("reversed", 8, 4, "outside the file");
    offsets("of-64-bits", half, half + 8, "outside the file");
    offsets("wrapping", ~std::uint64_t{0} - 3, 4, "outside the file");
    offsets("overlapping", 4, header[first]["data_offsets"][1].get<std::uint64_t>() + 4, "overlap");
    with("same-place-twice", "overlap", [&](Json& h) { h["more"] = h[first]; });
    with("offsets-negative", "pair of numbers", [&](Json& h) { h[first]["data_offsets"] = {-4, 4}; });
    with("offsets-fractions", "pair of numbers", [&](Json& h) { h[first]["data_offsets"] = {0.5, 4.5}; });
    with("offsets-missing", "exactly dtype", [&](Json& h) { h[first].erase("data_offsets"); });
    const Json huge = std::uint64_t{1} << 32, largest = ~std::uint64_t{0};
    shape("shape-overflowing-to-zero", Json{huge, huge}, "larger than its data");
    shape("shape-overflowing-to-one", Json{largest, largest}, "larger than its data");
    shape("shape-negative", Json{-1}, "short list of sizes");
    shape("shape-empty-but-huge", Json{0, largest}, "does not match its data");
    shape("shape-of-a-thousand-sizes", Json(std::vector<int>(1000, 1)), "short list of sizes");
    shape("shape-text", "12", "short list of sizes");
    shape("shape-turned", Json{1, 1, header[first]["shape"][0]}, "");
    for (const char* type : {"F64", "BF16", "I64", "F8_E4M3", "object"})
        with((std::string("type-") + type).c_str(), "type F32", [&](Json& h) { h[first]["dtype"] = type; });
    with("one-missing", "", [&](Json& h) { h.erase(first); });
    with("name-with-path", "belongs to no network", [&](Json& h) {
        h["../../etc/passwd"] = h[first];
        h.erase(first);
    });
    with("names-swapped", "", [&](Json& h) { std::swap(h[first], h[second]); });
    with("metadata-nested", "not text", [&](Json& h) { h["__metadata__"]["x"] = Json{{"y", 1}}; });
    with("metadata-list", "not an object", [&](Json& h) { h["__metadata__"] = Json::array(); });
    with("another-member", "exactly dtype", [&](Json& h) { h[first]["__reduce__"] = "os.system"; });
    std::string twice = text;
    twice.insert(twice.size() - 1, ",\"" + first + "\":" + header[first].dump());
    raw("name-twice", tensorFile(twice, body), "duplicate names");
    raw("header-deep", tensorFile(std::string(500'000, '['), body), "not a JSON object");
    raw("header-deep-objects",
        tensorFile(
            "{" +
                [] {
                    std::string deep;
                    for (int i = 0; i < 1000; ++i) deep += "\"a\":{";
                    return deep;
                }(),
            body),
        "not a JSON object");
    std::string many = "{";
    for (int i = 0; i < 90'000; ++i) many += "\"" + std::to_string(i) + "\":0,";
    raw("header-of-90000-names", tensorFile(many + "\"x\":0}", body), "exactly dtype");
    raw("header-too-long", tensorFile(text + std::string(1 << 20, ' '), body), "invalid length");
    raw("header-length-largest", std::string(8, '\xff') + text + body, "invalid length");
    raw("header-length-zero", std::string(8, '\0') + text + body, "not a JSON object");
    raw("header-with-text-before", tensorFile(" " + text, body), "not a JSON object");
    raw("header-invalid-utf8", tensorFile("{\"\xff\":0}", body), "not a JSON object");
    raw("empty", "", "too short");
    raw("only-length", std::string("\1\0\0\0\0\0\0\0", 8), "invalid length");
    raw("cut", tensorFile(text, body.substr(0, body.size() - 4)), "outside the file");
    raw("with-more", tensorFile(text, body + "more"), "belong to no tensor");
    for (const float bad : {NAN, INFINITY, -INFINITY}) {
        std::string poisoned = body;
        std::memcpy(poisoned.data() + body.size() / 8 * 4, &bad, 4);
        raw((std::string("number-") + std::to_string(bad)).c_str(), tensorFile(text, poisoned), "not finite");
    }
    return cases;
}

std::vector<HostilePolicy> hostileFolders(const GoodPolicy& good, const std::filesystem::path& trace) {
    const Json manifest = Json::parse(good.files.at("manifest.json"));
    std::vector<HostilePolicy> cases;
    const auto with = [&](const char* name, const char* reason, const Change& change) {
        Json changed = manifest;
        change(changed);
        HostilePolicy made{std::string("folder-") + name, good.files, {}, "", reason};
        made.files["manifest.json"] = signedText(std::move(changed));
        cases.push_back(std::move(made));
    };
    for (const char* name :
         {"../config.json", "/etc/passwd", "a/b", "..", ".", "", ".hidden", "a\\b", "config.json\n"})
        with(("name-" + Json(name).dump()).c_str(), "not allowed",
             [&](Json& m) { m["files"][0]["name"] = name; });
    with("name-of-200-letters", "not allowed",
         [](Json& m) { m["files"][0]["name"] = std::string(200, 'a'); });
    with("name-with-zero", "not allowed",
         [](Json& m) { m["files"][0]["name"] = std::string("config.json\0.txt", 16); });
    with("manifest-names-itself", "not allowed", [](Json& m) { m["files"][0]["name"] = "manifest.json"; });
    with("file-twice", "twice", [](Json& m) { m["files"].push_back(m["files"][0]); });
    with("file-missing", "is missing", [](Json& m) {
        m["files"].push_back({{"name", "more.bin"}, {"bytes", 1}, {"sha256", std::string(64, '0')}});
    });
    with("size-huge", "instead of", [](Json& m) { m["files"][0]["bytes"] = ~std::uint64_t{0}; });
    with("size-negative", "no name, bytes or sha256", [](Json& m) { m["files"][0]["bytes"] = -1; });
    with("hash-wrong", "SHA-256", [](Json& m) { m["files"][0]["sha256"] = std::string(64, '0'); });
    with("no-list", "no list of files", [](Json& m) { m["files"] = "config.json"; });
    with("without-tensors", "manifest lacks", [](Json& m) { m["files"].erase(1); });
    HostilePolicy changed{"folder-manifest-changed", good.files, {}, "", "text was changed"};
    changed.files["manifest.json"] += " ";
    cases.push_back(changed);
    changed = {"folder-manifest-deep", good.files, {}, "", "manifest.json' is damaged"};
    changed.files["manifest.json"] = std::string(200'000, '[');
    cases.push_back(changed);
    changed = {"folder-manifest-of-many-names", good.files, {}, "", "manifest.json' is damaged"};
    changed.files["manifest.json"] = "{";
    for (int i = 0; i < 90'000; ++i) changed.files["manifest.json"] += "\"" + std::to_string(i) + "\":0,";
    changed.files["manifest.json"] += "\"sha256\":\"\"}";
    cases.push_back(changed);
    for (const char* name : {"config.json", "model.safetensors", "manifest.json"})
        for (const auto& [kind, target] :
             std::map<std::string, std::filesystem::path>{{"password-file", "/etc/passwd"},
                                                          {"device", "/dev/zero"},
                                                          {"nothing", trace},
                                                          {"itself", name}}) {
            HostilePolicy linked{std::string("link-") + name + "-to-" + kind, good.files, {}, ""};
            linked.files.erase(name);
            linked.links[name] = target;
            cases.push_back(std::move(linked));
        }
    // Valid folders with files that other programs would load.
    HostilePolicy more{"folder-with-programs", good.files, {}, ""};
    more.harmless = true;
    const std::string command = "touch " + trace.string();
    more.files["policy.py"] = "import os\nos.system('" + command + "')\n";
    more.files["sitecustomize.py"] = more.files["policy.py"];
    more.files["model.pt"] = "cos\nsystem\n(S'" + command + "'\ntR.";
    more.files["libpolicy.so"] =
        "\x7f"
        "ELF";
    cases.push_back(std::move(more));
    return cases;
}

}  // namespace seedbed::testing
