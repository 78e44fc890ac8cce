// SPDX-License-Identifier: Apache-2.0
// The side of a run: a socket that only its user can open, a thread that answers requests and streams the newest status.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "core/base/error.hpp"
#include "core/base/json.hpp"

namespace seedbed {

// Called on the server's thread; must return at once. `request` is the whole object. The result's members go into the reply.
using ControlHandler = std::function<Result<Json>(const std::string& verb, const Json& request)>;

class ControlServer {
public:
    // Clients are greeted with `hello` (version and "hello" are added). The verbs status and watch are the server's own, all others go to
    // the handler. error: failure, among others when a living process listens there.
    static Result<std::unique_ptr<ControlServer>> start(const std::filesystem::path& socket, Json hello, ControlHandler handler);
    // Hangs up on all clients; the socket is gone.
    ~ControlServer();

    // The newest status; those who watch get it at the rate they asked for. Thread: any; returns at once.
    void publish(Json status);
    // An event for everybody who watches, in order and at once. Thread: any; returns at once.
    void tell(Json event);

private:
    struct Impl;
    explicit ControlServer(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace seedbed
