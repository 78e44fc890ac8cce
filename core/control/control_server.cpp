// SPDX-License-Identifier: Apache-2.0
// One thread polls the listener, its clients and a wake-up descriptor. A slow or hostile client delays
// neither the run nor other clients.
#include "core/control/control_server.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <deque>
#include <limits>
#include <list>
#include <span>
#include <utility>
#include <vector>

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "core/base/log.hpp"
#include "core/base/mutex.hpp"
#include "core/base/thread.hpp"
#include "core/control/protocol.hpp"
#include "core/ipc/json_socket.hpp"

namespace seedbed {
namespace {

constexpr std::size_t kMaxClients = 16;
constexpr std::size_t kMaxLine = 1 << 16;     // bytes
constexpr std::size_t kMaxEvents = 1000;      // stored for clients that have not received them
constexpr std::int64_t kSendTimeoutMs = 100;  // then the connection is closed
constexpr int kMinIntervalMs = 20;            // minimum time between two status events

std::int64_t nowMs() {
    return std::chrono::duration_cast<std::chrono::milliseconds>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

struct Client {
    JsonSocket socket;
    int every_ms = 0;  // time between status events; 0: does not watch
    std::int64_t next_ms = 0;
    std::uint64_t status_version = 0;  // the last version sent
    std::uint64_t events_sent = 0;
    std::uint64_t id = 0;
    std::uint32_t follows = 0;  // bit i: follows publication i
    bool alive = true;

    void send(const Json& message, std::span<const int> descriptors = {}) {
        const auto sent = socket.send(message, descriptors, {}, deadlineIn(kSendTimeoutMs));
        if (!sent || *sent != WaitResult::ready) alive = false;
    }
};

}  // namespace

struct ControlServer::Impl {
    std::optional<JsonListener> listener;
    Json hello;
    ControlSetup setup;
    Descriptor wake;
    std::list<Client> clients;
    std::uint64_t last_client = 0;
    std::atomic<int> connected{0};
    std::vector<int> following;  // clients per publication

    Mutex mutex;
    Json status SEEDBED_GUARDED_BY(mutex) = Json::object();
    std::uint64_t status_version SEEDBED_GUARDED_BY(mutex) = 0;
    std::deque<Json> events SEEDBED_GUARDED_BY(mutex);         // newest kMaxEvents
    std::uint64_t events_total SEEDBED_GUARDED_BY(mutex) = 0;  // number of events so far
    NamedThread thread;                                        // declared last because it uses the members
                                                               // above

    void wakeUp() {
        const std::uint64_t one = 1;
        if (::write(wake.get(), &one, sizeof one) < 0)
            return;  // if the counter is full, the thread is
                     // already being woken
    }

    Result<Json> answer(Client& client, const Json& request) {
        if (!request.is_object() || !request.value("do", Json()).is_string())
            return fail(ErrorCode::usage, "a request must be an object with the member \"do\"");
        const auto verb = request["do"].get<std::string>();
        if (verb == "status") {
            const MutexLock lock(mutex);
            return Json{{"status", status}};
        }
        if (verb == "watch") {
            const Json every = request.value("every_ms", Json(200));
            if (!every.is_number_integer() || every < 0)
                return fail(ErrorCode::usage, "every_ms must be a number of milliseconds, or 0 to stop");
            const auto asked = every.get<std::int64_t>();
            client.every_ms =
                asked == 0 ? 0 : static_cast<int>(std::clamp<std::int64_t>(asked, kMinIntervalMs, 3'600'000));
            client.next_ms = 0;
            client.status_version = 0;
            const MutexLock lock(mutex);
            client.events_sent = events_total;
            return Json{{"every_ms", client.every_ms}};
        }
        return setup.handler(client.id, verb, request);
    }

    // Sends the descriptor of the shared memory with the reply.
    void follow(Client& client, std::size_t number, const Json& request) {
        const std::uint32_t bit = std::uint32_t{1} << number;
        if (request.value("on", Json()) == false) {
            client.follows &= ~bit;
            client.send(replyOf(request, Json::object()));
            return;
        }
        auto offer = setup.published[number].publication->offer();
        if (!offer) {
            client.send(replyOf(request, tl::unexpected<Error>(std::move(offer).error())));
            return;
        }
        const int descriptor = offer->descriptor.get();
        client.send(replyOf(request, std::move(offer->fields)), std::span(&descriptor, 1));
        if (client.alive) client.follows |= bit;
    }

    void removeDisconnected() {
        std::vector<std::uint64_t> gone;
        for (const Client& client : clients)
            if (!client.alive) gone.push_back(client.id);
        clients.remove_if([](const Client& client) { return !client.alive; });
        connected = static_cast<int>(clients.size());
        for (std::size_t i = 0; i < following.size(); ++i) {
            const auto now = static_cast<int>(std::count_if(
                clients.begin(), clients.end(), [i](const Client& c) { return (c.follows >> i & 1) != 0; }));
            if (now != std::exchange(following[i], now)) setup.published[i].publication->setFollowers(now);
        }
        if (setup.left)
            for (const std::uint64_t id : gone) setup.left(id);
    }

    // The publication of the requested verb, or -1.
    int publicationOf(const Json& request) const {
        if (!request.is_object()) return -1;
        const Json verb = request.value("do", Json());
        for (std::size_t i = 0; i < setup.published.size(); ++i)
            if (verb == setup.published[i].verb) return static_cast<int>(i);
        return -1;
    }

    void receive(Client& client) {
        do {
            auto message = client.socket.receive({}, deadlineIn(0));
            if (!message) {
                client.alive = false;
                return;
            }
            if (!*message) return;
            const Json& request = (*message)->json;
            if (const int number = publicationOf(request); number >= 0)
                follow(client, static_cast<std::size_t>(number), request);
            else client.send(replyOf(request, answer(client, request)));
        } while (client.alive && client.socket.hasBuffered());
    }

    void stream(Client& client) {
        if (client.every_ms == 0) return;
        std::vector<Json> lines;
        {
            const MutexLock lock(mutex);
            // The status is sent before events even if it is not due yet, so that clients have the final
            // status when they receive the last event of a run.
            if (client.status_version != status_version &&
                (nowMs() >= client.next_ms || client.events_sent != events_total)) {
                lines.push_back(Json{{"event", "status"}, {"status", status}});
                client.status_version = status_version;
                client.next_ms = nowMs() + client.every_ms;
            }
            const std::uint64_t first = events_total - events.size();
            for (std::uint64_t i = std::max(client.events_sent, first); i < events_total; ++i)
                lines.push_back(events[i - first]);
            client.events_sent = events_total;
        }
        for (const Json& line : lines)
            if (client.alive) client.send(line);
    }

    // Milliseconds until the next status event is due; -1 if all clients have the latest status.
    int pollTimeout() {
        const MutexLock lock(mutex);
        std::int64_t wait = std::numeric_limits<std::int64_t>::max();
        for (const Client& client : clients)
            if (client.every_ms > 0 && client.status_version != status_version)
                wait = std::min(wait, std::max<std::int64_t>(0, client.next_ms - nowMs()));
        return wait == std::numeric_limits<std::int64_t>::max()
                   ? -1
                   : static_cast<int>(std::min<std::int64_t>(wait, 1'000'000));
    }

    void greet() {
        auto socket = listener->accept({}, deadlineIn(0));
        if (!socket || !*socket || clients.size() >= kMaxClients) return;
        clients.push_back(Client{.socket = std::move(**socket)});
        clients.back().id = ++last_client;
        clients.back().socket.setMaxLine(kMaxLine);
        clients.back().send(hello);
    }

    Result<> serve(const std::stop_token& stop) {
        const std::stop_callback on_stop(stop, [this] { wakeUp(); });
        while (!stop.stop_requested()) {
            std::vector<pollfd> waiting{{wake.get(), POLLIN, 0}, {listener->descriptor(), POLLIN, 0}};
            for (const Client& client : clients) waiting.push_back({client.socket.descriptor(), POLLIN, 0});
            if (::poll(waiting.data(), waiting.size(), pollTimeout()) < 0 && errno != EINTR)
                return fail("polling for requests failed");
            std::uint64_t count = 0;
            if (waiting[0].revents != 0 && ::read(wake.get(), &count, sizeof count) < 0) count = 0;
            std::size_t i = 2;
            for (Client& client : clients)
                if (waiting[i++].revents != 0) receive(client);
            if (waiting[1].revents != 0) greet();
            for (Client& client : clients) stream(client);
            removeDisconnected();
        }
        // Sends the last events, such as the end of the run.
        for (Client& client : clients) {
            client.next_ms = 0;
            stream(client);
        }
        return {};
    }
};

ControlServer::ControlServer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

Result<std::unique_ptr<ControlServer>> ControlServer::start(const std::filesystem::path& socket,
                                                            const Json& hello, ControlHandler handler,
                                                            Publication* publication) {
    ControlSetup setup;
    setup.handler = [handler = std::move(handler)](std::uint64_t, const std::string& verb,
                                                   const Json& request) { return handler(verb, request); };
    if (publication != nullptr) setup.published.push_back({"follow", publication});
    return start(socket, hello, std::move(setup));
}

Result<std::unique_ptr<ControlServer>> ControlServer::start(const std::filesystem::path& socket,
                                                            const Json& hello, ControlSetup setup) {
    auto impl = std::make_unique<Impl>();
    SEEDBED_ASSIGN(JsonListener listener, JsonListener::create(socket));
    impl->listener.emplace(std::move(listener));
    impl->hello = {{"hello", "seedbed-control"}, {"version", kControlVersion}};
    impl->hello.update(hello);
    impl->following.assign(setup.published.size(), 0);
    impl->setup = std::move(setup);
    impl->wake = Descriptor(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    if (!impl->wake) return fail("cannot create an event descriptor for the control thread");
    Impl* self = impl.get();
    impl->thread = NamedThread("control", [self](std::stop_token stop) { return self->serve(stop); }, {});
    return std::unique_ptr<ControlServer>(new ControlServer(std::move(impl)));
}

ControlServer::~ControlServer() {
    impl_->thread.requestStop();
    impl_->thread.join();
}

int ControlServer::clients() const { return impl_->connected; }

void ControlServer::publish(Json status) {
    {
        const MutexLock lock(impl_->mutex);
        impl_->status = std::move(status);
        ++impl_->status_version;
    }
    impl_->wakeUp();
}

void ControlServer::sendEvent(Json event) {
    {
        const MutexLock lock(impl_->mutex);
        impl_->events.push_back(std::move(event));
        ++impl_->events_total;
        if (impl_->events.size() > kMaxEvents) impl_->events.pop_front();
    }
    impl_->wakeUp();
}

}  // namespace seedbed
