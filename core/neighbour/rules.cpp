// SPDX-License-Identifier: Apache-2.0
#include "core/neighbour/rules.hpp"

#include <string_view>

#include "core/base/strict_json.hpp"
#include "core/base/text.hpp"

namespace seedbed {
namespace {

constexpr std::uint64_t kMaxFile = 1 << 16;
constexpr std::size_t kMaxPrograms = 64;
constexpr double kMaxMegabytes = 1e9;

Result<> checkPrograms(const NeighbourRules& rules) {
    const auto names = rules.programNames();
    if (names.size() > kMaxPrograms)
        return fail(ErrorCode::config, "programs must have at most 64 names, separated by commas");
    for (const std::string& name : names)
        if (name.size() > 255 || name.find_first_of("/\n\t") != std::string::npos ||
            printableText(name) != name)
            return fail(ErrorCode::config, "'" + printableText(name) +
                                               "' in programs is not the name of a program; use names "
                                               "without folders, such as blender,obs");
    return {};
}

Result<NeighbourRules> parseRules(std::string_view text) {
    const Json json = parseStrictJson(text);
    if (!json.is_object()) return fail(ErrorCode::config, "it is not a JSON object");
    SEEDBED_ASSIGN(NeighbourRules rules, NeighbourRules::describe().parse(json));
    SEEDBED_TRY(checkPrograms(rules));
    return rules;
}

}  // namespace

const Description<NeighbourRules>& NeighbourRules::describe() {
    static const auto description =
        Description<NeighbourRules>("neighbour", "When training yields to other programs.")
            .field(&NeighbourRules::battery, "battery",
                   "While the computer runs on battery: ignore it, train at low priority, or pause.",
                   {.choices = {kIgnore, kLowPriority, kPause}})
            .field(&NeighbourRules::game, "game",
                   "While a game or one of the named programs runs: ignore it, train at low priority, or "
                   "pause.",
                   {.choices = {kIgnore, kLowPriority, kPause}})
            .field(&NeighbourRules::programs, "programs",
                   "Names of programs that count as games, separated by commas; empty for none.")
            .field(&NeighbourRules::min_memory, "min_memory", "Pause while less memory is free; 0: no limit.",
                   {.unit = "MB", .min = 0, .max = kMaxMegabytes})
            .field(&NeighbourRules::min_disk, "min_disk",
                   "Pause while less space is free on the disk of the data folder; 0: no limit.",
                   {.unit = "MB", .min = 0, .max = kMaxMegabytes});
    return description;
}

std::vector<std::string> NeighbourRules::programNames() const {
    std::vector<std::string> names;
    for (const std::string& name : split(programs, ','))
        if (!trimmed(name).empty()) names.emplace_back(trimmed(name));
    return names;
}

Result<NeighbourRules> readNeighbourRules(FileSystem& files, const Path& data_folder) {
    const Path path = data_folder / kNeighbourFile;
    SEEDBED_ASSIGN(const auto there, files.info(path));
    if (!there) return NeighbourRules();
    SEEDBED_ASSIGN(const std::string text, readFile(files, path, kMaxFile));
    auto rules = parseRules(text);
    if (!rules)
        return fail(rules.error().code, "the rules in '" + path.string() + "' are invalid (" +
                                            rules.error().text() +
                                            "); the defaults apply until 'seedbed rules' changes one");
    return rules;
}

Result<> writeNeighbourRules(FileSystem& files, const Path& data_folder, const NeighbourRules& rules) {
    const Json json = NeighbourRules::describe().write(rules);
    SEEDBED_TRY(NeighbourRules::describe().parse(json));
    SEEDBED_TRY(checkPrograms(rules));
    SEEDBED_TRY(makeFolders(files, data_folder));
    return writeFileAtomically(files, data_folder / kNeighbourFile, json.dump(2) + "\n");
}

}  // namespace seedbed
