// SPDX-License-Identifier: Apache-2.0
#include "core/control/control_client.hpp"

#include <utility>

#include "core/control/protocol.hpp"

namespace seedbed {

Result<ControlClient> ControlClient::connect(const std::filesystem::path& socket, const std::stop_token& stop,
                                             std::int64_t timeout_ms) {
    SEEDBED_ASSIGN(JsonSocket connected, JsonSocket::connect(socket));
    ControlClient client(std::move(connected));
    SEEDBED_ASSIGN(auto greeting, client.socket_.receive(stop, deadlineIn(timeout_ms)));
    if (!greeting) return fail("the process does not respond");
    if (!greeting->json.is_object() || greeting->json.value("hello", Json()) != "seedbed-control")
        return fail("'" + socket.string() + "' does not use the control protocol");
    client.hello_ = std::move(greeting->json);
    const Json version = client.hello_.value("version", Json());
    if (!version.is_number_integer() || version > kControlVersion)
        return fail("the run was started by a newer version of Seedbed (control protocol " + version.dump() +
                    ", this version supports " + std::to_string(kControlVersion) + ")");
    return client;
}

Result<SocketMessage> ControlClient::exchange(const std::string& verb, const Json& fields,
                                              std::int64_t timeout_ms, const std::stop_token& stop) {
    Json request{{"id", ++last_id_}, {"do", verb}};
    request.update(fields);
    const Deadline deadline = deadlineIn(timeout_ms);
    SEEDBED_ASSIGN(const WaitResult sent, socket_.send(request, {}, stop, deadline));
    while (sent == WaitResult::ready) {
        SEEDBED_ASSIGN(auto message, socket_.receive(stop, deadline));
        if (!message) break;
        if (!message->json.is_object() || message->json.value("re", Json()) != last_id_) {
            events_.push_back(std::move(message->json));
            continue;
        }
        return std::move(*message);
    }
    return fail("the process does not respond");
}

Result<Json> ControlClient::ask(const std::string& verb, const Json& fields, std::int64_t timeout_ms,
                                const std::stop_token& stop) {
    SEEDBED_ASSIGN(const SocketMessage message, exchange(verb, fields, timeout_ms, stop));
    return resultOf(message.json);
}

Result<ControlClient::Followed> ControlClient::follow(std::int64_t timeout_ms, const std::stop_token& stop,
                                                      const std::string& verb) {
    SEEDBED_ASSIGN(SocketMessage message, exchange(verb, Json::object(), timeout_ms, stop));
    SEEDBED_ASSIGN(Json fields, resultOf(message.json));
    if (message.descriptors.size() != 1) return fail("the process sent no shared memory");
    return Followed{std::move(fields), std::move(message.descriptors.front())};
}

Result<std::optional<Json>> ControlClient::next(const std::stop_token& stop, Deadline deadline) {
    if (!events_.empty()) {
        std::optional<Json> event = std::move(events_.front());
        events_.pop_front();
        return event;
    }
    auto message = socket_.receive(stop, deadline);
    if (!message) {
        ended_ = true;
        if (socket_.closedByPeer()) return std::optional<Json>();
        return tl::unexpected<Error>(std::move(message).error());
    }
    if (!*message) return std::optional<Json>();
    return std::optional<Json>(std::move((*message)->json));
}

}  // namespace seedbed
