// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/collective/tcp_socket.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstring>
#include <memory>

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/base/sha256.hpp"
#include "core/base/sleep.hpp"

namespace seedbed {
namespace {

constexpr std::size_t kDigits = 64;  // hexadecimal digits of a nonce and of a proof
constexpr std::size_t kKeyBytes = 64;
constexpr std::uint64_t kMostJson = std::uint64_t{1} << 20;
constexpr std::int64_t kHandshakeMs = 15'000;  // of a rank on a busy machine
constexpr double kRetrySeconds = 0.1;
constexpr std::array<char, 8> kMagic{'S', 'B', 'R', 'A', 'N', 'K', '1', '\n'};

std::string randomDigits() {
    std::array<std::byte, 32> bytes{};
    for (std::size_t read = 0; read < bytes.size();) {
        const ssize_t got = ::getrandom(bytes.data() + read, bytes.size() - read, 0);
        if (got > 0) read += static_cast<std::size_t>(got);
        else if (errno != EINTR) return {};
    }
    return sha256Hex(std::span<const std::byte>(bytes));
}

std::string fromHex(const std::string& digits) {
    std::string bytes(digits.size() / 2, '\0');
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        unsigned value = 0;
        std::from_chars(digits.data() + 2 * i, digits.data() + 2 * i + 2, value, 16);
        bytes[i] = static_cast<char>(value);
    }
    return bytes;
}

// HMAC-SHA256 (RFC 2104), as hexadecimal digits.
std::string hmac(const std::string& token, const std::string& message) {
    std::string key = token.size() > kKeyBytes ? fromHex(sha256Hex(token)) : token;
    key.resize(kKeyBytes, '\0');
    std::string inner = key, outer = key;
    for (char& c : inner) c = static_cast<char>(c ^ 0x36);
    for (char& c : outer) c = static_cast<char>(c ^ 0x5c);
    return sha256Hex(outer + fromHex(sha256Hex(inner + message)));
}

// Takes the same time wherever the texts differ.
bool isEqual(const std::string& a, const std::string& b) {
    if (a.size() != b.size()) return false;
    int difference = 0;
    for (std::size_t i = 0; i < a.size(); ++i) difference |= a[i] ^ b[i];
    return difference == 0;
}

struct FreeAddresses {
    void operator()(addrinfo* list) const { ::freeaddrinfo(list); }
};
using Addresses = std::unique_ptr<addrinfo, FreeAddresses>;

Result<Addresses> resolve(const TcpAddress& address, int flags) {
    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = flags | AI_NUMERICSERV;
    addrinfo* found = nullptr;
    const std::string port = std::to_string(address.port);
    const int failed = ::getaddrinfo(address.host.c_str(), port.c_str(), &hints, &found);
    if (failed != 0)
        return fail("cannot resolve '" + address.host + "': " + std::string(::gai_strerror(failed)));
    return Addresses(found);
}

// Small messages are sent at once, and a host that no longer answers is noticed within 20 s.
void setOptions(int socket) {
    const auto set = [socket](int level, int name, int value) {
        ::setsockopt(socket, level, name, &value, sizeof value);
    };
    set(IPPROTO_TCP, TCP_NODELAY, 1);
    set(SOL_SOCKET, SO_KEEPALIVE, 1);
    set(IPPROTO_TCP, TCP_KEEPIDLE, 5);
    set(IPPROTO_TCP, TCP_KEEPINTVL, 5);
    set(IPPROTO_TCP, TCP_KEEPCNT, 3);
    set(IPPROTO_TCP, TCP_USER_TIMEOUT, 20'000);
}

// One attempt at each address of the host; an empty descriptor if nothing listens.
Result<Descriptor> tryConnect(const TcpAddress& address, Deadline deadline) {
    SEEDBED_ASSIGN(const Addresses found, resolve(address, 0));
    for (const addrinfo* each = found.get(); each != nullptr; each = each->ai_next) {
        Descriptor socket(::socket(each->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
        if (!socket) continue;
        if (::connect(socket.get(), each->ai_addr, each->ai_addrlen) != 0) {
            if (errno != EINPROGRESS) continue;
            SEEDBED_ASSIGN(const WaitResult waited, waitFor(socket.get(), POLLOUT, {}, deadline));
            int error = 0;
            socklen_t size = sizeof error;
            ::getsockopt(socket.get(), SOL_SOCKET, SO_ERROR, &error, &size);
            if (waited != WaitResult::ready || error != 0) continue;
        }
        setOptions(socket.get());
        return socket;
    }
    return Descriptor();
}

std::int64_t nowNs() {
    return std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1);
}

}  // namespace

Result<TcpAddress> TcpAddress::parse(const std::string& text) {
    const std::size_t colon = text.rfind(':');
    TcpAddress address;
    const auto bad = [&] {
        return fail(ErrorCode::usage, "'" + text + "' is not an address of the form HOST:PORT");
    };
    if (colon == std::string::npos || colon == 0) return bad();
    address.host = text.substr(0, colon);
    if (address.host.front() == '[' && address.host.back() == ']')
        address.host = address.host.substr(1, address.host.size() - 2);
    const char* end = text.data() + text.size();
    const auto [stopped, error] = std::from_chars(text.data() + colon + 1, end, address.port);
    if (error != std::errc() || stopped != end || address.port < 0 || address.port > 65535) return bad();
    return address;
}

std::string TcpAddress::text() const {
    const bool is_v6 = host.find(':') != std::string::npos;
    return (is_v6 ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

Result<std::string> newRankToken() {
    std::string token = randomDigits();
    if (token.empty()) return systemFailure("reading random numbers");
    return token;
}

Result<TcpSocket> TcpSocket::connect(const TcpAddress& address, const std::string& token, Deadline deadline,
                                     const std::stop_token& stop) {
    while (true) {
        SEEDBED_ASSIGN(Descriptor connected, tryConnect(address, deadline));
        if (connected) {
            TcpSocket socket(std::move(connected));
            SEEDBED_TRY(socket.proveTo(token, std::min(deadline, deadlineIn(kHandshakeMs)))
                            .map_error([&](Error error) {
                                return std::move(error).withContext("connecting to " + address.text());
                            }));
            return socket;
        }
        if (stop.stop_requested()) return fail(ErrorCode::interrupted, "stopped while connecting");
        if (nowNs() >= deadline) return fail("nothing answers at " + address.text());
        sleepFor(kRetrySeconds, stop);
    }
}

Result<TcpSocket> TcpSocket::accepted(Descriptor descriptor, const std::string& token, Deadline deadline) {
    setOptions(descriptor.get());
    TcpSocket socket(std::move(descriptor));
    SEEDBED_TRY(socket.checkPeer(token, std::min(deadline, deadlineIn(kHandshakeMs))));
    return socket;
}

// The client sends its nonce; the server answers with its own and a proof; the client proves itself last. The
// token itself is never sent.
Result<> TcpSocket::proveTo(const std::string& token, Deadline deadline) {
    const std::string nonce = randomDigits();
    std::string hello(kMagic.begin(), kMagic.end());
    hello += nonce;
    std::string answer(2 * kDigits, '\0');
    SEEDBED_TRY(
        exchange(std::as_bytes(std::span(hello)), std::as_writable_bytes(std::span(answer)), deadline));
    const std::string theirs = answer.substr(0, kDigits);
    if (nonce.empty() || !isEqual(answer.substr(kDigits), hmac(token, "server" + nonce + theirs)))
        return fail("the other side has another token");
    const std::string proof = hmac(token, "client" + nonce + theirs);
    return exchange(std::as_bytes(std::span(proof)), {}, deadline);
}

Result<> TcpSocket::checkPeer(const std::string& token, Deadline deadline) {
    std::string hello(kMagic.size() + kDigits, '\0');
    SEEDBED_TRY(exchange({}, std::as_writable_bytes(std::span(hello)), deadline));
    if (!std::equal(kMagic.begin(), kMagic.end(), hello.begin())) return fail("not a rank of Seedbed");
    const std::string theirs = hello.substr(kMagic.size()), nonce = randomDigits(),
                      answer = nonce + hmac(token, "server" + theirs + nonce);
    std::string proof(kDigits, '\0');
    SEEDBED_TRY(
        exchange(std::as_bytes(std::span(answer)), std::as_writable_bytes(std::span(proof)), deadline));
    if (nonce.empty() || !isEqual(proof, hmac(token, "client" + theirs + nonce)))
        return fail("the other side has another token");
    return {};
}

Result<> TcpSocket::exchange(std::span<const std::byte> out, std::span<std::byte> in, Deadline deadline) {
    const int socket = descriptor_.get();
    while (!out.empty() || !in.empty()) {
        bool moved = false;
        if (!out.empty()) {
            const ssize_t sent = ::send(socket, out.data(), out.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
            if (sent > 0) out = out.subspan(static_cast<std::size_t>(sent));
            else if (errno != EAGAIN && errno != EINTR) return systemFailure("sending to another rank");
            moved |= sent > 0;
        }
        if (!in.empty()) {
            const ssize_t got = ::recv(socket, in.data(), in.size(), MSG_DONTWAIT);
            if (got == 0) return fail("the other side has closed the connection");
            if (got > 0) in = in.subspan(static_cast<std::size_t>(got));
            else if (errno != EAGAIN && errno != EINTR) return systemFailure("receiving from another rank");
            moved |= got > 0;
        }
        if (moved || (out.empty() && in.empty())) continue;
        const int events = (out.empty() ? 0 : POLLOUT) | (in.empty() ? 0 : POLLIN);
        SEEDBED_ASSIGN(const WaitResult waited, waitFor(socket, static_cast<short>(events), {}, deadline));
        if (waited != WaitResult::ready) return fail("the other side does not answer");
    }
    return {};
}

Result<> TcpSocket::sendMessage(std::span<const std::uint8_t> message, Deadline deadline) {
    const std::uint64_t bytes = message.size();
    SEEDBED_TRY(exchange(std::as_bytes(std::span(&bytes, 1)), {}, deadline));
    return exchange(std::as_bytes(message), {}, deadline);
}

Result<std::vector<std::uint8_t>> TcpSocket::receiveMessage(std::uint64_t most, Deadline deadline) {
    std::uint64_t bytes = 0;
    SEEDBED_TRY(exchange({}, std::as_writable_bytes(std::span(&bytes, 1)), deadline));
    if (bytes > most) return fail("a message of " + std::to_string(bytes) + " bytes is too long");
    std::vector<std::uint8_t> message(bytes);
    SEEDBED_TRY(exchange({}, std::as_writable_bytes(std::span(message)), deadline));
    return message;
}

Result<> TcpSocket::sendJson(const Json& message, Deadline deadline) {
    const std::string text = message.dump();
    return sendMessage({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}, deadline);
}

Result<Json> TcpSocket::receiveJson(Deadline deadline) {
    SEEDBED_ASSIGN(const std::vector<std::uint8_t> bytes, receiveMessage(kMostJson, deadline));
    Json message = Json::parse(bytes.begin(), bytes.end(), nullptr, false);
    if (!message.is_object()) return fail("the other side sent no JSON object");
    return message;
}

void TcpSocket::shutDown() {
    if (descriptor_) ::shutdown(descriptor_.get(), SHUT_RDWR);
}

std::string TcpSocket::hostOf(bool peer) const {
    sockaddr_storage storage{};
    auto* address = reinterpret_cast<sockaddr*>(&storage);
    socklen_t size = sizeof storage;
    std::array<char, NI_MAXHOST> host{};
    const int failed = peer ? ::getpeername(descriptor_.get(), address, &size)
                            : ::getsockname(descriptor_.get(), address, &size);
    if (failed != 0 ||
        ::getnameinfo(address, size, host.data(), host.size(), nullptr, 0, NI_NUMERICHOST) != 0)
        return {};
    return host.data();
}

Result<TcpListener> TcpListener::create(const TcpAddress& address) {
    SEEDBED_ASSIGN(const Addresses found, resolve(address, AI_PASSIVE));
    TcpListener listener;
    for (const addrinfo* each = found.get(); each != nullptr; each = each->ai_next) {
        Descriptor socket(::socket(each->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
        const int one = 1;
        if (!socket) continue;
        ::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
        if (::bind(socket.get(), each->ai_addr, each->ai_addrlen) != 0 || ::listen(socket.get(), 64) != 0)
            continue;
        sockaddr_storage bound{};
        socklen_t size = sizeof bound;
        ::getsockname(socket.get(), reinterpret_cast<sockaddr*>(&bound), &size);
        // The port has the same place in both kinds of address.
        listener.port_ = ntohs(reinterpret_cast<const sockaddr_in*>(&bound)->sin_port);
        listener.descriptor_ = std::move(socket);
        return listener;
    }
    return systemFailure("listening at " + address.text());
}

Result<std::optional<TcpSocket>> TcpListener::accept(const std::string& token, Deadline deadline,
                                                     const std::stop_token& stop) {
    while (true) {
        SEEDBED_ASSIGN(const WaitResult waited, waitFor(descriptor_.get(), POLLIN, stop, deadline));
        if (waited != WaitResult::ready) return std::optional<TcpSocket>();
        Descriptor connection(::accept4(descriptor_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
        if (!connection) continue;
        if (auto socket = TcpSocket::accepted(std::move(connection), token, deadline))
            return std::optional(std::move(*socket));
    }
}

}  // namespace seedbed
