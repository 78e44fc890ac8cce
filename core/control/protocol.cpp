// SPDX-License-Identifier: Apache-2.0
#include "core/control/protocol.hpp"

#include "core/base/text.hpp"

namespace seedbed {
namespace {

constexpr std::pair<ErrorCode, const char*> kCodes[] = {{ErrorCode::failure, "failure"},
                                                        {ErrorCode::usage, "usage"},
                                                        {ErrorCode::config, "config"},
                                                        {ErrorCode::device, "device"},
                                                        {ErrorCode::out_of_memory, "out_of_memory"},
                                                        {ErrorCode::disk_full, "disk_full"}};

}  // namespace

std::filesystem::path controlFolder(const std::filesystem::path& data_folder) {
    return data_folder / "control";
}

std::filesystem::path controlSocket(const std::filesystem::path& data_folder, std::int64_t run) {
    return controlFolder(data_folder) / ("run-" + std::to_string(run) + ".sock");
}

std::filesystem::path playerSocket(const std::filesystem::path& data_folder, std::int64_t process) {
    return controlFolder(data_folder) / ("play-" + std::to_string(process) + ".sock");
}

void removeDeadPlayerSockets(FileSystem& files, const std::filesystem::path& data_folder) {
    const auto listed = files.list(controlFolder(data_folder));
    if (!listed) return;
    for (const FileInfo& entry : *listed) {
        std::string_view name = entry.name;
        if (!name.starts_with("play-") || !name.ends_with(".sock")) continue;
        name.remove_prefix(5);
        name.remove_suffix(5);
        const auto process = parseInteger(name);
        const auto alive = process ? files.info("/proc/" + std::to_string(*process))
                                   : Result<std::optional<FileInfo>>(std::nullopt);
        if (process && alive && !*alive) (void)files.remove(controlFolder(data_folder) / entry.name);
    }
}

Json replyOf(const Json& request, const Result<Json>& result) {
    Json reply{{"re", request.is_object() ? request.value("id", Json()) : Json()},
               {"ok", result.has_value()}};
    if (result) {
        if (result->is_object()) reply.update(*result);
        return reply;
    }
    std::string code = "failure";
    for (const auto& [known, name] : kCodes)
        if (known == result.error().code) code = name;
    reply["error"] = {{"code", code}, {"text", result.error().text()}};
    return reply;
}

Result<Json> resultOf(const Json& reply) {
    if (reply.value("ok", Json()) == true) return reply;
    const Json error = reply.value("error", Json::object());
    ErrorCode code = ErrorCode::failure;
    if (error.is_object())
        for (const auto& [known, name] : kCodes)
            if (error.value("code", Json()) == name) code = known;
    const Json text = error.is_object() ? error.value("text", Json()) : Json();
    return fail(code, text.is_string() ? text.get<std::string>()
                                       : "the process refused the request without giving a reason");
}

}  // namespace seedbed
