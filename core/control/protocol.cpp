// SPDX-License-Identifier: Apache-2.0
// Replies and where they come from.
#include "core/control/protocol.hpp"

namespace seedbed {
namespace {

constexpr std::pair<ErrorCode, const char*> kCodes[] = {{ErrorCode::failure, "failure"},
                                                        {ErrorCode::usage, "usage"},
                                                        {ErrorCode::config, "config"},
                                                        {ErrorCode::device, "device"},
                                                        {ErrorCode::out_of_memory, "out_of_memory"},
                                                        {ErrorCode::disk_full, "disk_full"}};

}  // namespace

std::filesystem::path controlFolder(const std::filesystem::path& data_folder) { return data_folder / "control"; }

std::filesystem::path controlSocket(const std::filesystem::path& data_folder, std::int64_t run) {
    return controlFolder(data_folder) / ("run-" + std::to_string(run) + ".sock");
}

Json replyOf(const Json& request, const Result<Json>& result) {
    Json reply{{"re", request.is_object() ? request.value("id", Json()) : Json()}, {"ok", result.has_value()}};
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
    return fail(code, text.is_string() ? text.get<std::string>() : "the run refused without a reason");
}

}  // namespace seedbed
