// SPDX-License-Identifier: Apache-2.0
// Loads and validates pack documents.
#include "core/worker/pack_document.hpp"

#include <algorithm>
#include <set>

#include "core/base/describe.hpp"
#include "core/base/sha256.hpp"
#include "core/base/text.hpp"
#include "core/config/json_text.hpp"
#include "core/config/resources.hpp"

namespace seedbed {

namespace {

constexpr std::size_t kMaxEntries = 400;     // limit for each list
constexpr std::size_t kMaxTextBytes = 4096;  // limit for each text
constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << 40;

constexpr const char* kLower = "abcdefghijklmnopqrstuvwxyz";
constexpr const char* kUpper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
constexpr const char* kDigits = "0123456789";

// Letters, digits and `others`; begins with a letter or digit, so it cannot be mistaken for an option.
bool isPlain(const std::string& text, const std::string& others, std::size_t max_length = 100) {
    static const std::string letters = std::string(kLower) + kUpper + kDigits;
    return !text.empty() && text.size() <= max_length && letters.find(text.front()) != std::string::npos &&
           text.find_first_not_of(letters + others) == std::string::npos;
}

bool isPackName(const std::string& text) {
    return isPlain(text, "_", 40) && lowered(text) == text && text.front() >= 'a';
}

bool isHash(const std::string& text) {
    return text.size() == 64 && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

bool isPythonVersion(const std::string& text) {
    const auto minor = text.starts_with("3.") ? parseInteger(text.substr(2)) : std::nullopt;
    return minor && *minor >= 10 && *minor < 100 && text == "3." + std::to_string(*minor);
}

// Whether the text is a relative path that stays inside its folder.
bool isFilePath(const std::string& text) {
    if (!isPlain(text, "_-./", 200)) return false;
    for (const std::string& part : split(text, '/'))
        if (part.empty() || part.starts_with('.')) return false;
    return true;
}

bool isFolder(const std::string& text) { return text.starts_with('/') && isFilePath(text.substr(1)); }

bool isText(const std::string& text) { return !text.empty() && text.size() <= kMaxTextBytes; }

// Reads the fields of an object; stores the first problem and then stops reading.
class Fields {
public:
    Fields(const Json& json, std::string where) : json_(json), where_(std::move(where)) {
        if (!json.is_object()) refuse("", "must be an object");
    }

    // nullptr if the field is missing.
    const Json* find(const std::string& field, bool is_required) {
        known_.insert(field);
        if (!json_.is_object()) return nullptr;
        const auto found = json_.find(field);
        if (found != json_.end()) return &*found;
        if (is_required) refuse(field, "is missing");
        return nullptr;
    }
    template <class Check>
    std::string text(const std::string& field, const Check& check, bool is_required = true) {
        const Json* value = find(field, is_required);
        if (value == nullptr) return "";
        if (value->is_string() && check(value->get<std::string>())) return value->get<std::string>();
        refuse(field, "is " + shown(*value));
        return "";
    }
    template <class Check>
    std::vector<std::string> texts(const std::string& field, const Check& check, bool is_required = false) {
        std::vector<std::string> result;
        for (const Json& value : list(field, is_required)) {
            const bool is_good = value.is_string() && check(value.get<std::string>());
            if (is_good) result.push_back(value.get<std::string>());
            else refuse(field, "contains " + shown(value));
        }
        return result;
    }
    std::uint64_t bytes(const std::string& field) {
        const Json* value = find(field, true);
        if (value == nullptr) return 0;
        if (value->is_number_integer() && *value >= 0 && *value <= kMaxBytes)
            return value->get<std::uint64_t>();
        refuse(field, "is " + shown(*value) + ", not a number of bytes");
        return 0;
    }
    const Json& list(const std::string& field, bool is_required) {
        static const Json none = Json::array();
        const Json* value = find(field, is_required);
        if (value == nullptr) return none;
        if (value->is_array() && value->size() <= kMaxEntries) return *value;
        refuse(field, "must be a list of at most " + std::to_string(kMaxEntries) + " entries");
        return none;
    }
    const Json& object(const std::string& field) {
        static const Json none = Json::object();
        const Json* value = find(field, false);
        if (value == nullptr) return none;
        if (value->is_object() && value->size() <= kMaxEntries) return *value;
        refuse(field, "must be an object of at most " + std::to_string(kMaxEntries) + " entries");
        return none;
    }
    void refuse(const std::string& field, const std::string& reason) {
        if (!problem_.empty()) return;
        problem_ = (where_.empty() ? "" : where_ + ": ") + (field.empty() ? "" : "'" + field + "' ") + reason;
    }
    // Call last.
    Result<> finish() {
        if (problem_.empty())
            for (const auto& [key, value] : json_.items())
                if (!known_.contains(key)) refuse(key, "is unknown");
        if (problem_.empty()) return {};
        return fail(ErrorCode::config, problem_);
    }

private:
    static std::string shown(const Json& value) {
        const std::string text = value.dump(-1, ' ', false, Json::error_handler_t::replace);
        return text.size() <= 60 ? text : text.substr(0, 57) + "...";
    }

    const Json& json_;
    std::string where_, problem_;
    std::set<std::string> known_;
};

Result<PackPackage> readPackage(const Json& json) {
    Fields fields(json, "packages");
    PackPackage package;
    package.name = fields.text("name", [](const std::string& text) { return isPlain(text, "._-"); });
    package.version =
        fields.text("version", [](const std::string& text) { return isPlain(text, ".+!", 60); });
    package.bytes = fields.bytes("bytes");
    package.sha256s = fields.texts("sha256", isHash, true);
    if (package.sha256s.empty()) fields.refuse("sha256", "is empty");
    SEEDBED_TRY(fields.finish());
    return package;
}

Result<PackLicence> readLicence(const Json& json) {
    Fields fields(json, "licences");
    PackLicence licence{fields.text("part", isText), fields.text("licence", isText)};
    SEEDBED_TRY(fields.finish());
    return licence;
}

std::string hashOfPack(const PackDocument& pack) {
    Json json{{"name", pack.name}, {"packages", Json::array()}, {"files", pack.files}};
    for (const PackPackage& package : pack.packages)
        json["packages"].push_back({package.name, package.version, package.sha256s});
    return sha256Hex(json.dump());
}

Result<PackDocument> readPack(const Json& json, const std::string& name) {
    Fields fields(json, "");
    PackDocument pack;
    pack.name = fields.text("name", isPackName);
    if (pack.name != name)
        fields.refuse("name", "is '" + pack.name + "', but the file is named '" + name + "'");
    pack.title = fields.text("title", isText);
    pack.sentence = fields.text("sentence", isText);
    for (const Json& licence : fields.list("licences", true)) {
        SEEDBED_ASSIGN(PackLicence read, readLicence(licence));
        pack.licences.push_back(std::move(read));
    }
    pack.schemes = fields.texts("schemes", isPackName);
    pack.envs = fields.texts("envs", isText, true);
    pack.presets = fields.texts("presets", isPackName);
    pack.gymnasium_prefixes = fields.texts("gymnasium_prefixes", isText);
    pack.modules = fields.texts(
        "modules", [](const std::string& text) { return isPlain(text, "_."); }, true);
    if (pack.modules.empty()) fields.refuse("modules", "is empty");
    pack.system_packages =
        fields.texts("system_packages", [](const std::string& text) { return isPlain(text, ".+-"); });
    const auto is_library = [](const std::string& text) { return isPlain(text, ".+-_"); };
    pack.libraries = fields.texts("libraries", is_library);
    pack.picture_libraries = fields.texts("picture_libraries", is_library);
    pack.writable_folders = fields.texts("writable_folders", isFolder);
    const Json& machines = fields.object("platforms");
    Fields platforms(machines, "platforms");
    for (const auto& [machine, pythons] : machines.items()) {
        if (!isPlain(machine, "_", 20)) platforms.refuse(machine, "is not a machine");
        pack.platforms[machine] = platforms.texts(machine, isPythonVersion, true);
    }
    SEEDBED_TRY(platforms.finish());
    for (const Json& package : fields.list("packages", true)) {
        SEEDBED_ASSIGN(PackPackage read, readPackage(package));
        pack.packages.push_back(std::move(read));
    }
    for (const auto& [path, text] : fields.object("files").items()) {
        const bool is_good = isFilePath(path) && text.is_string() &&
                             text.get_ref<const std::string&>().size() <= kMaxTextBytes;
        if (is_good) pack.files.emplace_back(path, text.get<std::string>());
        else
            fields.refuse("files",
                          "contains '" + path + "', which is not a short text at a path below the pack");
    }
    pack.instructions = fields.text("instructions", isText, false);
    pack.installed_bytes = fields.bytes("installed_bytes");
    // Validated only; packaging/pin_packs.py reads it.
    fields.texts("requirements", isText);
    fields.texts("alone", isText);
    if (pack.packages.empty() == pack.instructions.empty())
        fields.refuse("packages", "or 'instructions' must be given, not both");
    if (!pack.packages.empty() && pack.platforms.empty()) fields.refuse("platforms", "is missing");
    SEEDBED_TRY(fields.finish());
    pack.hash = hashOfPack(pack);
    return pack;
}

}  // namespace

std::uint64_t PackDocument::downloadBytes() const {
    std::uint64_t sum = 0;
    for (const PackPackage& package : packages) sum += package.bytes;
    return sum;
}

Result<PackDocument> packFromJson(const Json& json, const std::string& name) {
    auto pack = readPack(json, name);
    if (!pack)
        return tl::unexpected<Error>(std::move(pack.error()).withContext("reading pack '" + name + "'"));
    return pack;
}

Result<PackLibrary> PackLibrary::load(FileSystem& files, const Path& folder) {
    PackLibrary library;
    SEEDBED_ASSIGN(const auto info, files.info(folder));
    if (!info) return library;
    SEEDBED_ASSIGN(const auto entries, files.list(folder));
    for (const FileInfo& entry : entries) {
        const Path file = folder / entry.name;
        if (entry.kind != FileInfo::Kind::file || file.extension() != ".json" || entry.name.starts_with('.'))
            continue;
        SEEDBED_ASSIGN(const Json json, readJsonFile(files, file));
        SEEDBED_ASSIGN(PackDocument pack, packFromJson(json, file.stem().string()));
        library.packs_.push_back(std::move(pack));
    }
    return library;
}

Result<const PackDocument*> PackLibrary::get(std::string_view name) const {
    std::vector<std::string> names;
    for (const PackDocument& pack : packs_) {
        if (pack.name == name) return &pack;
        names.push_back(pack.name);
    }
    return fail(ErrorCode::config, "there is no pack '" + std::string(name) + "'" + suggestion(name, names) +
                                       "; 'seedbed pack list' lists them");
}

Result<PackLibrary> installedPackLibrary(FileSystem& files) {
    SEEDBED_ASSIGN(const Path folder, resourcesFolder());
    return PackLibrary::load(files, folder / "packs");
}

}  // namespace seedbed
