// SPDX-License-Identifier: Apache-2.0
// Making, finding and checking Unix-domain connections.
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "core/base/files.hpp"
#include "core/ipc/json_socket.hpp"

namespace seedbed {

namespace {

Result<Descriptor> makeSocket() {
    Descriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (!socket) return systemFailure("making a socket");
    return socket;
}

// An address holds 107 letters. A longer path goes through a descriptor of its folder.
struct Address {
    sockaddr_un value{};
    Descriptor folder;

    const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&value); }
};

Result<Address> addressOf(const std::filesystem::path& path) {
    Address address;
    address.value.sun_family = AF_UNIX;
    std::string text = path.string();
    if (text.size() >= sizeof address.value.sun_path) {
        address.folder = Descriptor(::open(path.parent_path().c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
        if (!address.folder) return systemFailure("opening '" + path.parent_path().string() + "'");
        text = "/proc/self/fd/" + std::to_string(address.folder.get()) + "/" + path.filename().string();
    }
    if (text.empty() || text.size() >= sizeof address.value.sun_path)
        return fail("'" + path.string() + "' cannot name a socket");
    std::memcpy(address.value.sun_path, text.c_str(), text.size() + 1);
    return address;
}

Result<> connectTo(const Descriptor& socket, const Address& address, const std::filesystem::path& path) {
    int result = 0;
    do {
        result = ::connect(socket.get(), address.get(), sizeof address.value);
    } while (result != 0 && errno == EINTR);
    // Never waits: a full list of waiting connections is that of a process which accepts none any more.
    if (result != 0 && errno == EAGAIN)
        return fail("'" + path.string() + "' does not answer: too many connections wait already");
    // A connection to a Unix-domain socket that was interrupted after all is complete.
    if (result != 0 && errno != EISCONN) return systemFailure("connecting to '" + path.string() + "'");
    return {};
}

Result<ucred> peerOf(const Descriptor& socket) {
    ucred peer{};
    socklen_t size = sizeof peer;
    if (::getsockopt(socket.get(), SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0)
        return systemFailure("asking who is at the other end");
    return peer;
}

}  // namespace

Result<JsonSocket> JsonSocket::adopt(Descriptor descriptor) {
    SEEDBED_ASSIGN(const ucred peer, peerOf(descriptor));
    if (peer.uid != ::geteuid()) return fail("the other end of the connection belongs to another user");
    JsonSocket socket;
    socket.descriptor_ = std::move(descriptor);
    socket.peer_process_ = peer.pid;
    return socket;
}

Result<JsonSocket> JsonSocket::connect(const std::filesystem::path& path) {
    SEEDBED_ASSIGN(Descriptor socket, makeSocket());
    SEEDBED_ASSIGN(const Address address, addressOf(path));
    SEEDBED_TRY(connectTo(socket, address, path));
    return adopt(std::move(socket));
}

Result<std::pair<JsonSocket, JsonSocket>> JsonSocket::pair() {
    int numbers[2] = {-1, -1};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, numbers) != 0)
        return systemFailure("making a pair of sockets");
    Descriptor left(numbers[0]), right(numbers[1]);
    SEEDBED_ASSIGN(JsonSocket first, adopt(std::move(left)));
    SEEDBED_ASSIGN(JsonSocket second, adopt(std::move(right)));
    return std::pair(std::move(first), std::move(second));
}

Result<JsonListener> JsonListener::create(const std::filesystem::path& path) {
    JsonListener listener;
    SEEDBED_ASSIGN(listener.descriptor_, makeSocket());
    SEEDBED_ASSIGN(const Address address, addressOf(path));
    // The node in the file system inherits the mode of the socket, so there is no moment in which others
    // could open it.
    if (::fchmod(listener.descriptor_.get(), 0600) != 0)
        return systemFailure("protecting '" + path.string() + "'");
    int bound = ::bind(listener.descriptor_.get(), address.get(), sizeof address.value);
    if (bound != 0 && errno == EADDRINUSE) {
        SEEDBED_ASSIGN(const Descriptor probe, makeSocket());
        if (connectTo(probe, address, path))
            return fail("another process already listens on '" + path.string() + "'");
        // Nobody answers: left behind by a process that was killed. Anything but a socket stays untouched.
        struct stat status {};
        if (::lstat(path.c_str(), &status) != 0 || !S_ISSOCK(status.st_mode))
            return fail("'" + path.string() + "' is in the way");
        if (::unlink(path.c_str()) != 0)
            return systemFailure("removing the old socket '" + path.string() + "'");
        bound = ::bind(listener.descriptor_.get(), address.get(), sizeof address.value);
    }
    if (bound != 0) return systemFailure("making socket '" + path.string() + "'");
    listener.path_ = path;
    if (::listen(listener.descriptor_.get(), 64) != 0)
        return systemFailure("listening on '" + path.string() + "'");
    return listener;
}

JsonListener::JsonListener(JsonListener&& other) noexcept
    : descriptor_(std::move(other.descriptor_)), path_(std::exchange(other.path_, {})) {}

JsonListener::~JsonListener() {
    if (!path_.empty()) ::unlink(path_.c_str());
}

Result<std::optional<JsonSocket>> JsonListener::accept(const std::stop_token& stop, Deadline deadline) {
    while (true) {
        SEEDBED_ASSIGN(const WaitResult waited, waitFor(descriptor_.get(), POLLIN, stop, deadline));
        if (waited != WaitResult::ready) return std::optional<JsonSocket>();
        Descriptor connection(::accept4(descriptor_.get(), nullptr, nullptr, SOCK_CLOEXEC));
        if (!connection) {
            // The caller hung up in between, or a signal came.
            if (errno == EINTR || errno == ECONNABORTED || errno == EAGAIN) continue;
            return systemFailure("accepting a connection");
        }
        auto socket = JsonSocket::adopt(std::move(connection));
        if (socket) return std::optional<JsonSocket>(std::move(*socket));
    }
}

}  // namespace seedbed
