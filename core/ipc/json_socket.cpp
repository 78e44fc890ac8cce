// SPDX-License-Identifier: Apache-2.0
// Framing of JSON lines and passing of descriptors (SCM_RIGHTS).
#include "core/ipc/json_socket.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/base/files.hpp"
#include "core/base/text.hpp"

namespace seedbed {

namespace {

constexpr int kMaxDepth = 64;
constexpr const char* kDescriptorsKey = "descriptors";

// Room for the descriptors of one message, aligned as the kernel wants it.
union Control {
    cmsghdr header;
    std::array<char, CMSG_SPACE(sizeof(int) * JsonSocket::kMaxDescriptors)> bytes;
};

// One sendmsg; the descriptors travel with the first byte. Returns what the kernel took, -1 with errno.
ssize_t sendOnce(int socket, std::string_view text, std::span<const int> descriptors) {
    iovec part{const_cast<char*>(text.data()), text.size()};
    msghdr message{};
    message.msg_iov = &part, message.msg_iovlen = 1;
    Control control{};
    if (!descriptors.empty()) {
        message.msg_control = control.bytes.data();
        message.msg_controllen = CMSG_SPACE(descriptors.size_bytes());
        cmsghdr* header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET, header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(descriptors.size_bytes());
        std::memcpy(CMSG_DATA(header), descriptors.data(), descriptors.size_bytes());
    }
    ssize_t count = 0;
    do {
        count = ::sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
    } while (count < 0 && errno == EINTR);
    return count;
}

// Parses without recursion into the depth that a hostile peer might choose.
Result<Json> parseLine(std::string_view line) {
    bool too_deep = false;
    Json json = Json::parse(
        line.begin(), line.end(),
        [&](int depth, Json::parse_event_t, const Json&) {
            too_deep = too_deep || depth > kMaxDepth;
            return !too_deep;
        },
        false);
    if (too_deep) return fail("the peer sent JSON nested too deeply");
    if (json.is_discarded() || !json.is_object()) return fail("the peer sent a line that is no JSON object");
    return json;
}

}  // namespace

Result<WaitResult> JsonSocket::send(const Json& message, std::span<const int> descriptors,
                                    const std::stop_token& stop, Deadline deadline) {
    SEEDBED_CHECK(message.is_object() && descriptors.size() <= kMaxDescriptors);
    std::string line;
    if (descriptors.empty()) {
        SEEDBED_CHECK(!message.contains(kDescriptorsKey), "the member \"descriptors\" is set by send()");
        line = message.dump(-1, ' ', false, Json::error_handler_t::replace);
    } else {
        Json with_count = message;
        with_count[kDescriptorsKey] = descriptors.size();
        line = with_count.dump(-1, ' ', false, Json::error_handler_t::replace);
    }
    line += '\n';
    if (line.size() > max_line_)
        return fail("a message of " + formatBytes(line.size()) + " is longer than " + formatBytes(max_line_));

    std::string_view rest = line;
    while (!rest.empty()) {
        const ssize_t count = sendOnce(descriptor_.get(), rest, descriptors);
        if (count >= 0) {
            rest.remove_prefix(static_cast<std::size_t>(count));
            descriptors = {};
            continue;
        }
        if (errno != EAGAIN && errno != EWOULDBLOCK) return systemFailure("sending to another process");
        SEEDBED_ASSIGN(const WaitResult waited, waitFor(descriptor_.get(), POLLOUT, stop, deadline));
        if (waited != WaitResult::ready) return waited;
    }
    return WaitResult::ready;
}

Result<std::optional<SocketMessage>> JsonSocket::receive(const std::stop_token& stop, Deadline deadline) {
    while (true) {
        SEEDBED_ASSIGN(auto message, takeLine());
        if (message) return message;
        SEEDBED_ASSIGN(const WaitResult waited, waitFor(descriptor_.get(), POLLIN, stop, deadline));
        if (waited != WaitResult::ready) return std::optional<SocketMessage>();
        SEEDBED_TRY(readSome());
    }
}

// The first line of the buffer, if there is a whole one.
Result<std::optional<SocketMessage>> JsonSocket::takeLine() {
    const std::size_t end = buffer_.find('\n', searched_);
    if ((end == std::string::npos ? buffer_.size() : end + 1) > max_line_)
        return fail("the peer sent a line longer than " + formatBytes(max_line_));
    if (end == std::string::npos) {
        searched_ = buffer_.size();
        return std::optional<SocketMessage>();
    }
    SocketMessage message;
    SEEDBED_ASSIGN(message.json, parseLine(std::string_view(buffer_).substr(0, end)));
    buffer_.erase(0, end + 1);
    searched_ = 0;

    if (const auto announced = message.json.find(kDescriptorsKey); announced != message.json.end()) {
        // They came with the line's first byte or before, in the order of the lines.
        const bool valid =
            announced->is_number_unsigned() && announced->get<std::uint64_t>() <= received_.size();
        if (!valid) return fail("the peer announced descriptors that it did not send");
        for (auto left = announced->get<std::uint64_t>(); left > 0; --left) {
            message.descriptors.push_back(std::move(received_.front()));
            received_.pop_front();
        }
        message.json.erase(kDescriptorsKey);
    }
    return std::optional<SocketMessage>(std::move(message));
}

Result<> JsonSocket::readSome() {
    std::array<char, 16384> chunk;
    iovec part{chunk.data(), chunk.size()};
    Control control{};
    msghdr message{};
    message.msg_iov = &part, message.msg_iovlen = 1;
    message.msg_control = control.bytes.data(), message.msg_controllen = control.bytes.size();
    const ssize_t count = ::recvmsg(descriptor_.get(), &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
    if (count < 0 && (errno == EINTR || errno == EAGAIN || errno == EWOULDBLOCK)) return {};
    if (count < 0) {
        closed_by_peer_ = errno == ECONNRESET && buffer_.empty();
        return systemFailure("receiving from another process");
    }

    // Own what came before anything else can fail.
    for (cmsghdr* header = CMSG_FIRSTHDR(&message); header != nullptr;
         header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
        const std::size_t number = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (std::size_t i = 0; i < number; ++i) {
            int descriptor = -1;
            std::memcpy(&descriptor, CMSG_DATA(header) + i * sizeof(int), sizeof descriptor);
            received_.emplace_back(descriptor);
        }
    }
    if ((message.msg_flags & MSG_CTRUNC) != 0)
        return fail("descriptors were lost: this process has too many open, or the peer sent too many");
    if (received_.size() > 4 * kMaxDescriptors)
        return fail("the peer sent descriptors that no message announced");
    if (count == 0) {
        closed_by_peer_ = buffer_.empty();
        return fail(closed_by_peer_ ? "the other process closed the connection"
                                    : "the other process went away in the middle of a message");
    }
    buffer_.append(chunk.data(), static_cast<std::size_t>(count));
    return {};
}

}  // namespace seedbed
