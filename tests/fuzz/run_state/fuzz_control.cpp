// SPDX-License-Identifier: Apache-2.0
// Bytes that a client sends to the control socket of a run: the real server, dispatcher and settings of a run
// without its training. Every reply must belong to its request, the server must answer the next client, and
// accepted settings must be valid for the run.
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "core/control/frame_stream.hpp"
#include "core/control/protocol.hpp"
#include "core/run/run_control.hpp"
#include "tests/fuzz/fuzz.hpp"
#include "tests/unit/base/temporary_folder.hpp"

namespace {

using namespace seedbed;

constexpr RunId kRun = 1;
constexpr std::size_t kMaxLine = 1 << 16;
constexpr int kTimeoutMs = 60'000;  // a server that takes longer counts as hanging

struct Server {
    testing::TemporaryFolder folder;
    RealFileSystem files;
    TrainingConfig config;
    RunControl control{folder.path(), std::stop_source(), files};

    Server() {
        auto parsed = parseTrainingConfig({{"env", {{"id", "cartpole"}}}, {"algo", {{"id", "ppo"}}}});
        SEEDBED_CHECK(parsed.has_value(), parsed.error().text());
        config = std::move(*parsed);
        const auto opened = control.open(kRun, config, std::make_unique<FrameStream>());
        SEEDBED_CHECK(opened.has_value(), opened.error().text());
        control.publishStatus({{"state", "running"}, {"steps", 7}});
    }
};
Server& server() {
    static Server shared;
    return shared;
}

Descriptor connected() {
    const std::string path = controlSocket(server().folder.path(), kRun).string();
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    SEEDBED_CHECK(path.size() < sizeof address.sun_path);
    path.copy(address.sun_path, path.size());
    Descriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    SEEDBED_CHECK(
        socket && ::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0,
        "the server does not accept connections");
    return socket;
}

// Waits for these events or the end of the connection. The alarms of libFuzzer interrupt poll().
short waitFor(int socket, int events) {
    pollfd waiting{socket, static_cast<short>(events), 0};
    int count = 0;
    do count = ::poll(&waiting, 1, kTimeoutMs);
    while (count < 0 && errno == EINTR);
    SEEDBED_CHECK(count >= 0, std::string("poll: ") + std::strerror(errno));
    SEEDBED_CHECK(count > 0, "the server neither answers nor disconnects");
    return waiting.revents;
}

// Sends the bytes, reads at the same time, and returns everything that the server sent before it closed the
// connection.
std::string conversation(std::string_view bytes) {
    const Descriptor socket = connected();
    std::string received;
    bool sending = true;
    for (;;) {
        const short ready = waitFor(socket.get(), sending ? POLLIN | POLLOUT : POLLIN);
        if (sending && (ready & (POLLOUT | POLLHUP | POLLERR)) != 0) {
            const ssize_t count = ::send(socket.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
            if (count > 0) bytes.remove_prefix(static_cast<std::size_t>(count));
            sending = count < 0 ? errno == EAGAIN : !bytes.empty();
            if (!sending) ::shutdown(socket.get(), SHUT_WR);
        }
        if ((ready & (POLLIN | POLLHUP | POLLERR)) == 0) continue;
        char part[16384];  // descriptors that come with a reply are closed by the kernel
        const ssize_t count = ::read(socket.get(), part, sizeof part);
        if (count == 0 || (count < 0 && errno != EAGAIN)) return received;
        if (count > 0) received.append(part, static_cast<std::size_t>(count));
    }
}

std::vector<std::string_view> linesOf(std::string_view text) {
    std::vector<std::string_view> lines;
    for (std::size_t end; (end = text.find('\n')) != std::string_view::npos; text.remove_prefix(end + 1))
        lines.push_back(text.substr(0, end));
    return lines;
}

// The requests before the first line that is not a JSON object.
std::vector<Json> requestsIn(std::string_view text) {
    std::vector<Json> requests;
    for (const std::string_view line : linesOf(text)) {
        Json request = Json::parse(line, nullptr, false);
        if (!request.is_object()) break;
        requests.push_back(std::move(request));
    }
    return requests;
}

// Whether the request would slow down the process for all later inputs.
bool slowsDown(const Json& request) {
    const Json nice = request.value("nice", Json());
    return request.value("do", Json()) == "priority" && nice.is_number_integer() && nice > 0 && nice <= 19;
}

// Whether the server must answer the first line.
bool mustAnswer(std::string_view text, const std::vector<Json>& requests) {
    if (requests.empty() || requests.front().contains("descriptors")) return false;
    const std::string_view line = linesOf(text).front();
    std::size_t open = 0;
    for (const char letter : line) open += letter == '{' || letter == '[';
    // A reply contains the id and the text of the request, and must not exceed the limit either.
    return line.size() < kMaxLine / 8 && open < 32;
}

void checkReplies(std::string_view received, std::string_view text, const std::vector<Json>& requests) {
    const std::vector<std::string_view> lines = linesOf(received);
    SEEDBED_CHECK(!lines.empty() && Json::parse(lines.front()).value("hello", "") == "seedbed-control",
                  "no greeting");
    std::size_t replies = 0;
    for (std::size_t i = 1; i < lines.size(); ++i) {
        SEEDBED_CHECK(lines[i].size() < kMaxLine);
        const Json message = Json::parse(lines[i], nullptr, false);
        SEEDBED_CHECK(message.is_object(), "a line of the server is not a JSON object");
        if (message.contains("event")) continue;
        SEEDBED_CHECK(replies < requests.size(), "a reply without a request");
        SEEDBED_CHECK(message.at("re") == requests[replies++].value("id", Json()),
                      "a reply to another request");
        const auto result = resultOf(message);
        SEEDBED_CHECK(result || !result.error().text().empty(), "a refusal without a reason");
        noteOutcome("control", result);
    }
    SEEDBED_CHECK(replies > 0 || !mustAnswer(text, requests), "a request without a reply");
}

// A run applies these settings after its next update.
void checkSettings() {
    const RunControl::Requests requests = server().control.takeRequests();
    Json document = server().config.document;
    for (const auto& [key, value] : requests.settings)
        SEEDBED_CHECK(runConfigSchema().set(document, key, value).has_value(),
                      "an invalid setting was accepted");
    const auto config = parseTrainingConfig(document);
    SEEDBED_CHECK(config.has_value(), "accepted settings do not fit together");
    server().control.setConfig(server().config);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const std::vector<Json> requests = requestsIn(text);
    for (const Json& request : requests)
        if (slowsDown(request)) return 0;
    fuzzOutcome() = "control: disconnected";
    const std::string received = conversation(text);
    checkReplies(received, text, requests);
    checkSettings();
    return 0;
}

std::vector<std::vector<std::uint8_t>> seedbed::fuzzSeeds() {
    std::vector<std::vector<std::uint8_t>> seeds;
    const auto add = [&](std::string_view text) { seeds.emplace_back(text.begin(), text.end()); };
    add("{\"id\": 1, \"do\": \"status\"}\n");
    add("{\"id\": 2, \"do\": \"watch\", \"every_ms\": 20}\n{\"id\": 3, \"do\": \"watch\", \"every_ms\": "
        "0}\n");
    add("{\"id\": 4, \"do\": \"pause\"}\n{\"id\": 5, \"do\": \"resume\"}\n{\"id\": 6, \"do\": "
        "\"checkpoint\"}\n");
    add("{\"id\": 7, \"do\": \"set\", \"settings\": {\"algo.learning_rate\": 0.001, \"algo.clip\": "
        "\"0.1\"}}\n");
    add("{\"id\": \"a\", \"do\": \"set\", \"settings\": {\"eval.episodes\": 7}}\n");
    add("{\"id\": 8, \"do\": \"priority\", \"nice\": 0}\n{\"id\": 9, \"do\": \"stop\"}\n");
    add("{\"id\": 10, \"do\": \"follow\"}\n{\"id\": [1, {\"x\": null}], \"do\": \"status\"}\n");
    return seeds;
}
