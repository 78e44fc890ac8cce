// SPDX-License-Identifier: Apache-2.0
// The side of a run: a socket that only its user can open, a thread that answers requests and streams the
// newest status.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/ipc/descriptor.hpp"

namespace seedbed {

// Called on the server's thread; must return at once. `request` is the whole object. The result's members go
// into the reply.
using ControlHandler = std::function<Result<Json>(const std::string& verb, const Json& request)>;

// Shared memory that the process writes while clients follow it: a run's parameters, a player's pictures.
// Called on the server's thread; must return soon.
class Publication {
public:
    virtual ~Publication() = default;
    struct Offer {
        Json fields = Json::object();  // into the reply
        Descriptor descriptor;         // goes with it
    };
    // A client begins to follow, or asks anew because the memory it has was closed.
    virtual Result<Offer> offer() = 0;
    // So many clients follow now.
    virtual void followed(int clients) = 0;
};

class ControlServer {
public:
    // Clients are greeted with `hello` (version and "hello" are added). The verbs status, watch and (with a
    // publication, which outlives the server) follow are the server's own, all others go to the handler.
    // error: failure, among others when a living process listens there.
    static Result<std::unique_ptr<ControlServer>> start(const std::filesystem::path& socket, Json hello,
                                                        ControlHandler handler,
                                                        Publication* publication = nullptr);
    // Hangs up on all clients; the socket is gone.
    ~ControlServer();

    // Clients that are connected. Thread: any.
    int clients() const;
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
