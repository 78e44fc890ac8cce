// SPDX-License-Identifier: Apache-2.0
// Server of the control protocol in a run or player: a socket that only the same user can open, and a thread
// that answers requests and sends events.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/ipc/descriptor.hpp"

namespace seedbed {

// Handles a request and returns members to add to the reply. `request`: the whole JSON object. Called on the
// server's thread; must return immediately.
using ControlHandler = std::function<Result<Json>(const std::string& verb, const Json& request)>;

// Shared memory that the process writes while clients follow it: parameters of a run, frames of a player.
// Called on the server's thread; must return quickly.
class Publication {
public:
    virtual ~Publication() = default;
    struct Offer {
        Json fields = Json::object();  // added to the reply
        Descriptor descriptor;         // sent with the reply
    };
    // Called when a client starts to follow, or requests new memory because the previous one was closed.
    virtual Result<Offer> offer() = 0;
    // Called when the number of following clients has changed.
    virtual void setFollowers(int clients) = 0;
};

// The services of a server. Members are called on the server's thread and must return immediately.
struct ControlSetup {
    // Like ControlHandler; `client` identifies the connection and is never reused.
    std::function<Result<Json>(std::uint64_t client, const std::string& verb, const Json& request)> handler;
    // Called after a client's connection has ended, for any reason.
    std::function<void(std::uint64_t client)> left{};
    // Shared memory by the verb that requests it. With "on": false, a client stops following. The
    // publications outlive the server.
    struct Published {
        std::string verb;
        Publication* publication = nullptr;
    };
    std::vector<Published> published{};
};

class ControlServer {
public:
    // Clients are greeted with `hello` plus the members "hello" and "version". The server answers status,
    // watch and, with a publication, follow; the handler answers all other requests. `publication` outlives
    // the server. error: failure, for example if another process is listening on the socket.
    static Result<std::unique_ptr<ControlServer>> start(const std::filesystem::path& socket,
                                                        const Json& hello, ControlHandler handler,
                                                        Publication* publication = nullptr);
    // As above, for processes that distinguish clients or publish more than one kind of data.
    static Result<std::unique_ptr<ControlServer>> start(const std::filesystem::path& socket,
                                                        const Json& hello, ControlSetup setup);
    // Closes all connections and removes the socket.
    ~ControlServer();

    // Number of connected clients. Thread: any.
    int clients() const;
    // Sets the latest status; watching clients receive it at the rate they requested. Thread: any; returns
    // immediately.
    void publish(Json status);
    // Sends an event to all watching clients, in order and without delay. Thread: any; returns immediately.
    void sendEvent(Json event);

private:
    struct Impl;
    explicit ControlServer(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace seedbed
