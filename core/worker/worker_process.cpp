// SPDX-License-Identifier: Apache-2.0
#include "core/worker/worker_process.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <limits>
#include <set>

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/log.hpp"
#include "core/base/mutex.hpp"
#include "core/base/text.hpp"

namespace seedbed {
namespace {

constexpr int kProtocol = 1;
constexpr std::size_t kOutputBytes = std::size_t{16} << 10, kErrorBytes = std::size_t{4} << 10;
constexpr std::size_t kErrors = 256;      // reported errors that are kept
constexpr std::size_t kHeaderBytes = 64;  // header of the shared memory
constexpr std::size_t kMaxMapping = std::size_t{8} << 30;
constexpr int kMaxAgents = 1024, kMaxPicture = 4096;
constexpr std::size_t kMaxTasks = 1000, kMaxFiles = 1000, kMaxArguments = 1000;
constexpr std::size_t kCauseBytes = 500;
constexpr std::int64_t kDumpMs = 300;  // wait for the traceback of a worker that hangs

Deadline deadlineInSeconds(double seconds) { return deadlineIn(static_cast<std::int64_t>(seconds * 1000)); }

// Creates a pipe. `ours` becomes this process's end, which never blocks, regardless of what the worker does.
// Returns the worker's end.
Result<Descriptor> pipeTo(Descriptor& ours, bool writes) {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) return systemFailure("creating a pipe");
    ours = Descriptor(ends[writes ? 1 : 0]);
    Descriptor theirs(ends[writes ? 0 : 1]);
    if (::fcntl(ours.get(), F_SETFL, O_NONBLOCK) != 0) return systemFailure("preparing a pipe");
    return theirs;
}

std::atomic_ref<std::uint64_t> counterAt(std::uint8_t* address) {
    return std::atomic_ref<std::uint64_t>(*reinterpret_cast<std::uint64_t*>(address));
}

// Untrusted text: made printable and limited to `bytes`.
std::string textOf(const Json& json, const char* name, std::size_t bytes) {
    const auto found = json.find(name);
    if (found == json.end() || !found->is_string()) return "";
    return printableText(found->get<std::string>().substr(0, bytes));
}

// Logs a text once in this process, since each worker of an environment sends it.
void logOnce(const std::string& text) {
    static Mutex mutex;
    static std::set<std::string> logged;
    const MutexLock lock(mutex);
    if (logged.size() < kErrors && logged.insert(text).second) log::warning(text);
}

// The error, such as "ValueError: no such map", and the traceback on the following lines.
std::string errorText(const Json& json) {
    std::string text = textOf(json, "error", kErrorBytes);
    if (text.empty()) text = "no reason was given";
    const std::string traceback = textOf(json, "traceback", kOutputBytes);
    return traceback.empty() ? text : text + "\n" + traceback;
}

Result<int> wholeNumber(const Json& json, const char* name, int low, int high) {
    const auto found = json.find(name);
    if (found == json.end() || !found->is_number_integer() || *found < low || *found > high)
        return fail("'" + std::string(name) + "' must be a whole number from " + std::to_string(low) +
                    " to " + std::to_string(high));
    return found->get<int>();
}

double numberOr(const Json& json, const char* name, double otherwise) {
    const auto found = json.find(name);
    return found != json.end() && found->is_number() && std::isfinite(found->get<double>())
               ? found->get<double>()
               : otherwise;
}

bool flagOf(const Json& json, const char* name, bool otherwise) {
    const auto found = json.find(name);
    return found != json.end() && found->is_boolean() ? found->get<bool>() : otherwise;
}

// error: names the member.
Result<std::vector<EnvTask>> tasksOf(const Json& spec) {
    std::vector<EnvTask> tasks;
    const auto found = spec.find("tasks");
    if (found == spec.end()) return tasks;
    if (!found->is_array() || found->size() > kMaxTasks)
        return fail("'tasks' must be a list no longer than " + std::to_string(kMaxTasks));
    for (const Json& json : *found) {
        if (!json.is_object()) return fail("a member of 'tasks' is not an object");
        tasks.push_back(
            {textOf(json, "name", 200), numberOr(json, "random_score", 0), numberOr(json, "human_score", 0)});
        if (tasks.back().name.empty() || tasks.back().random_score == tasks.back().human_score)
            return fail("a member of 'tasks' needs a name and two different scores");
    }
    return tasks;
}

// error: names the member.
Result<std::vector<EnvArgument>> argumentsOf(const Json& spec) {
    std::vector<EnvArgument> arguments;
    const auto found = spec.find("parameters");
    if (found == spec.end()) return arguments;
    if (!found->is_array() || found->size() > kMaxArguments) return fail("'parameters' is not a short list");
    for (const Json& json : *found) {
        if (!json.is_object()) return fail("a member of 'parameters' is not an object");
        Json value = json.value("default", Json());
        if (value.is_string()) value = textOf(json, "default", 1000);
        EnvArgument argument{.name = textOf(json, "name", 200),
                             .default_value = std::move(value),
                             .type = textOf(json, "type", 200),
                             .required = flagOf(json, "required", false)};
        if (argument.name.empty()) return fail("a member of 'parameters' needs a name");
        const Json choices = json.value("choices", Json::array());
        if (!choices.is_array() || choices.size() > kMaxArguments)
            return fail("the choices of '" + argument.name + "' are not a short list");
        for (const Json& choice : choices)
            if (choice.is_string()) argument.choices.push_back(printableText(choice.get<std::string>()));
        arguments.push_back(std::move(argument));
    }
    return arguments;
}

// error: names the member.
Result<std::vector<EnvFile>> filesOf(const Json& spec) {
    std::vector<EnvFile> files;
    const auto found = spec.find("files");
    if (found == spec.end()) return files;
    if (!found->is_array() || found->size() > kMaxFiles)
        return fail("'files' must be a list no longer than " + std::to_string(kMaxFiles));
    for (const Json& json : *found) {
        if (!json.is_object()) return fail("a member of 'files' is not an object");
        files.push_back({textOf(json, "path", PATH_MAX), textOf(json, "sha256", 64)});
        if (!files.back().path.starts_with('/') || files.back().sha256.size() != 64)
            return fail("a member of 'files' needs an absolute path and a SHA-256");
    }
    return files;
}

}  // namespace

Result<WorkerSpec> workerSpecFromJson(const Json& reply) {
    const auto found = reply.find("spec");
    if (found == reply.end() || !found->is_object()) return fail("'spec' is missing");
    const Json& json = *found;
    WorkerSpec spec;
    spec.env.title = textOf(json, "title", 200);
    spec.env.sentence = textOf(json, "sentence", 2000);
    spec.env.upstream = textOf(json, "upstream", 2000);
    const auto spaces = json.find("spaces");
    if (spaces == json.end() || !spaces->is_object()) return fail("'spaces' is missing");
    SEEDBED_ASSIGN(spec.env.spaces, spacesFromJson(*spaces));
    SEEDBED_ASSIGN(spec.env.agents, wholeNumber(json, "agents", 1, kMaxAgents));
    SEEDBED_ASSIGN(spec.env.horizon, wholeNumber(json, "horizon", 0, std::numeric_limits<int>::max() - 1));
    SEEDBED_ASSIGN(spec.env.frames_per_step, wholeNumber(json, "frames_per_step", 1, 1000));
    spec.env.reward_low = numberOr(json, "reward_low", 0);
    spec.env.reward_high = numberOr(json, "reward_high", 0);
    SEEDBED_ASSIGN(spec.env.tasks, tasksOf(json));
    if (spec.env.tasks.size() == 1) {
        const EnvTask& task = spec.env.tasks.front();
        spec.env.random_return = task.random_score;
        spec.env.references.push_back({"human", task.human_score, 0, spec.env.upstream});
    }
    spec.can_save = flagOf(json, "can_save", false);
    spec.env.repeats = flagOf(json, "repeats", true);
    SEEDBED_ASSIGN(spec.env.arguments, argumentsOf(json));
    SEEDBED_ASSIGN(spec.env.files, filesOf(json));
    spec.versions = reply.value("versions", Json::object());
    spec.restrictions = reply.value("restrictions", Json::object());
    return spec;
}

// --- start

Result<std::unique_ptr<WorkerProcess>> WorkerProcess::start(const WorkerPlan& plan) {
    std::unique_ptr<WorkerProcess> worker(new WorkerProcess(plan));
    SEEDBED_TRY(worker->spawn());
    SEEDBED_TRY(worker->open());
    SEEDBED_TRY(worker->map());
    return worker;
}

WorkerProcess::~WorkerProcess() {
    child_.reset();  // kills the process group
}

Result<> WorkerProcess::spawn() {
    SEEDBED_ASSIGN(auto ends, JsonSocket::pair());
    SEEDBED_ASSIGN(requests_, pipeTo(request_bell_, true));
    SEEDBED_ASSIGN(answers_, pipeTo(answer_bell_, false));
    SEEDBED_ASSIGN(const Descriptor log, pipeTo(output_, false));
    std::vector<std::string> command = plan_.command;
    if (plan_.restricted) {
        SEEDBED_ASSIGN(scratch_, WorkerFolder::create());
        command.insert(command.end(), {"--scratch", scratch_.path().string(), "--network", plan_.network});
        if (plan_.memory > 0) command.insert(command.end(), {"--memory", std::to_string(plan_.memory)});
    }
    ChildOptions options{.arguments = std::move(command),
                         .environment = plan_.environment,
                         .inherit_environment = !plan_.restricted,
                         .descriptors = {ends.second.descriptor(), requests_.get(), answers_.get()},
                         .own_session = true,  // the session has no terminal
                         .log = log.get(),
                         .working_folder = scratch_.path().string()};
    SEEDBED_ASSIGN(ChildProcess child, ChildProcess::start(options));
    child_.emplace(std::move(child));
    control_.emplace(std::move(ends.first));
    return {};
}

Result<> WorkerProcess::open() {
    Json message{{"op", "open"},
                 {"protocol", kProtocol},
                 {"id", plan_.id},
                 {"kwargs", plan_.kwargs},
                 {"count", plan_.count},
                 {"first", plan_.first},
                 {"processes", plan_.processes}};
    if (!plan_.wrap.is_null()) message["wrap"] = plan_.wrap;
    if (plan_.time_limit >= 0) message["time_limit"] = plan_.time_limit;
    const double step_s = std::exchange(plan_.step_s, plan_.start_s);
    auto reply = request(message);
    plan_.step_s = step_s;
    if (!reply) return tl::unexpected<Error>(std::move(reply).error());
    auto spec = workerSpecFromJson(*reply);
    if (!spec) return broke("its description of the environment is not valid: " + spec.error().message);
    spec_ = std::move(*spec);
    spec_.env.id = plan_.id;
    return {};
}

Result<> WorkerProcess::map() {
    const Spaces& spaces = spec_.env.spaces;
    std::size_t end = kHeaderBytes;
    bool fits = true;
    const auto place = [&](std::size_t bytes_each, std::size_t number) {
        const std::size_t begin = end;
        std::size_t bytes = 0;
        fits = fits && !__builtin_mul_overflow(bytes_each, number, &bytes) && bytes < kMaxMapping &&
               end < kMaxMapping;
        if (fits) end += (bytes + 63) / 64 * 64;
        return begin;
    };
    const auto envs = static_cast<std::size_t>(plan_.count);
    layout_.requested = place(sizeof(std::uint64_t), 1);
    layout_.answered = place(sizeof(std::uint64_t), 1);
    layout_.what = place(1, envs);
    layout_.seeds = place(sizeof(std::uint32_t), envs);
    layout_.actions = place(sizeof(float) * static_cast<std::size_t>(spaces.actionWords()), columns());
    for (const ObsLeaf& leaf : spaces.obs) layout_.leaves.push_back(place(leaf.bytes(), columns()));
    layout_.mask = place(static_cast<std::size_t>(spaces.maskBytes()), columns());
    layout_.rewards = place(sizeof(float), columns());
    layout_.flags = place(1, columns());
    if (!fits) return fail(ErrorCode::out_of_memory, "the observations of '" + plan_.id + "' are too large");
    layout_.bytes = end;
    Json layout{{"bytes", layout_.bytes},   {"requested", layout_.requested}, {"answered", layout_.answered},
                {"what", layout_.what},     {"seeds", layout_.seeds},         {"actions", layout_.actions},
                {"leaves", layout_.leaves}, {"rewards", layout_.rewards},     {"flags", layout_.flags}};
    if (spaces.has_mask) layout["mask"] = layout_.mask;
    SEEDBED_ASSIGN(
        SharedSegment segment,
        SharedSegment::create("worker", {segmentKind("work"), kProtocol, {}}, layout_.bytes - kHeaderBytes));
    segment_.emplace(std::move(segment));
    memory_ = reinterpret_cast<std::uint8_t*>(segment_->bytes().data()) - kHeaderBytes;
    const int descriptor = segment_->descriptor().get();
    return ask({{"op", "map"}, {"layout", layout}}, {&descriptor, 1}).map([](const SocketMessage&) {});
}

// --- exchanges

Result<> WorkerProcess::post() {
    counterAt(memory_ + layout_.requested).store(++requested_, std::memory_order_release);
    const char ring = 1;
    if (::write(request_bell_.get(), &ring, 1) == 1) return {};
    if (errno == EAGAIN) return broke("it does not read the requests");
    return systemFailure("waking a worker");
}

bool WorkerProcess::isRunning() const {
    const auto exited = waitFor(child_->deathDescriptor(), POLLIN, {}, deadlineIn(0));
    return exited && *exited == WaitResult::timed_out;
}

bool WorkerProcess::answered() const {
    return counterAt(memory_ + layout_.answered).load(std::memory_order_acquire) == requested_;
}

Result<> WorkerProcess::await(bool makes_envs) {
    // Wait for the pipe before reading the counter: on AArch64 only its system calls order the counter after
    // the arrays.
    const double limit_s = plan_.step_s + (makes_envs ? plan_.start_s : 0);
    const Deadline deadline = deadlineInSeconds(limit_s);
    do {
        SEEDBED_ASSIGN(const WaitResult waited, waitForChild(answer_bell_.get(), deadline));
        if (waited == WaitResult::timed_out) return late(limit_s);
    } while (!answered());
    return {};
}

// Waits for the descriptor, and reads the worker's output in the meantime. error: the process exited.
Result<WaitResult> WorkerProcess::waitForChild(int descriptor, Deadline deadline) {
    while (true) {
        const std::int64_t now = deadlineIn(0);
        if (now >= deadline) return WaitResult::timed_out;
        const auto left_ms =
            static_cast<int>(std::min<std::int64_t>((deadline - now) / 1'000'000 + 1, 60'000));
        // Also receives reports of failed environments, since the worker may be waiting for space in the
        // socket.
        const int control = descriptor == control_->descriptor() ? -1 : control_->descriptor();
        std::array<pollfd, 4> polled{pollfd{descriptor, POLLIN, 0}, pollfd{output_.get(), POLLIN, 0},
                                     pollfd{child_->deathDescriptor(), POLLIN, 0},
                                     pollfd{control, POLLIN, 0}};
        const int count = ::poll(polled.data(), polled.size(), left_ms);
        if (count < 0 && errno != EINTR) return systemFailure("waiting for a worker");
        if (polled[1].revents != 0) drainOutput();
        if (count > 0 && polled[0].revents != 0) {
            // An answer is valid even if the worker has exited in the meantime. A signal without an answer is
            // cleared here.
            std::array<char, 256> rings{};
            if (descriptor == answer_bell_.get() && ::read(descriptor, rings.data(), rings.size()) < 0 &&
                errno != EAGAIN)
                return systemFailure("waiting for a worker");
            return WaitResult::ready;
        }
        if (count > 0 && polled[2].revents != 0) return ended();
        if (count > 0 && polled[3].revents != 0) SEEDBED_TRY(takeEvents());
    }
}

// Handles the messages that have arrived outside a request.
Result<> WorkerProcess::takeEvents() {
    for (std::size_t i = 0; i < kErrors; ++i) {
        const auto message = control_->receive({}, deadlineIn(0));
        if (!message && control_->closedByPeer()) return ended();
        if (!message) return broke(message.error().text());
        if (!message->has_value()) return {};
        const Json& json = (*message)->json;
        if (!json.is_object() || !json.contains("event")) return broke("it sent a reply without a request");
        keepEvent(json);
    }
    return {};
}

void WorkerProcess::drainOutput() {
    std::array<char, 4096> buffer{};
    for (int i = 0; i < 256 && output_; ++i) {
        const ssize_t count = ::read(output_.get(), buffer.data(), buffer.size());
        if (count < 0) return;
        if (count == 0) {
            output_.reset();
            return;
        }
        text_.append(buffer.data(), static_cast<std::size_t>(count));
        if (text_.size() > 2 * kOutputBytes) text_.erase(0, text_.size() - kOutputBytes);
    }
}

// --- control messages

Result<SocketMessage> WorkerProcess::receive(Deadline deadline) {
    while (true) {
        if (deadlineIn(0) >= deadline) return late(plan_.step_s);
        auto message = control_->receive({}, deadlineIn(0));
        if (!message) {
            if (control_->closedByPeer()) return ended();
            return broke(message.error().text());
        }
        if (message->has_value()) return std::move(**message);
        SEEDBED_ASSIGN(const WaitResult waited, waitForChild(control_->descriptor(), deadline));
        if (waited == WaitResult::timed_out) return late(plan_.step_s);
    }
}

void WorkerProcess::keepEvent(const Json& event) {
    if (event.value("event", Json()) == "note") logOnce(textOf(event, "text", kErrorBytes));
    if (event.value("event", Json()) != "error" || errors_.size() >= kErrors) return;
    const auto env = wholeNumber(event, "env", 0, plan_.count - 1);
    errors_.emplace_back(env ? *env : -1, errorText(event));
}

Result<SocketMessage> WorkerProcess::ask(const Json& message, std::span<const int> descriptors) {
    const Deadline deadline = deadlineInSeconds(plan_.step_s);
    const auto sent = control_->send(message, descriptors, {}, deadline);
    if (!sent) return ended();
    if (*sent != WaitResult::ready) return late(plan_.step_s);
    while (true) {
        SEEDBED_ASSIGN(SocketMessage reply, receive(deadline));
        const Json& json = reply.json;
        if (!json.is_object()) return broke("it sent a message that is not an object");
        if (json.contains("event")) {
            keepEvent(json);
            continue;
        }
        if (!json.contains("ok") || !json["ok"].is_boolean()) return broke("it sent a reply without 'ok'");
        if (!json["ok"].get<bool>())
            return tl::unexpected<Error>(Error{kRefused, withOutput(errorText(json)), {}});
        return reply;
    }
}

Result<Json> WorkerProcess::request(const Json& message) {
    return ask(message, {}).map([](SocketMessage reply) { return std::move(reply.json); });
}

Result<> WorkerProcess::picture(int env, Scene& scene) {
    SEEDBED_ASSIGN(const SocketMessage reply, ask({{"op", "picture"}, {"env", env}}, {}));
    const auto height = wholeNumber(reply.json, "height", 1, kMaxPicture),
               width = wholeNumber(reply.json, "width", 1, kMaxPicture);
    if (!height || !width || reply.descriptors.size() != 1) return broke("it sent no picture");
    const std::size_t bytes = static_cast<std::size_t>(*height) * static_cast<std::size_t>(*width) * 3;
    const int picture = reply.descriptors[0].get();
    // Only files in memory have seals; reading from other files, such as devices, could block this thread.
    struct stat status {};
    if (::fcntl(picture, F_GET_SEALS) < 0 || ::fstat(picture, &status) != 0 || !S_ISREG(status.st_mode))
        return broke("it sent a picture that is not in memory");
    if (static_cast<std::size_t>(status.st_size) < bytes) return broke("it sent a picture that is too small");
    scene.frame.resize(bytes);
    // Read instead of mapped, because the worker could shrink the file in the meantime.
    const ssize_t count = ::pread(picture, scene.frame.data(), bytes, 0);
    if (count != static_cast<ssize_t>(bytes)) return broke("it sent a picture that is too small");
    scene.frame_width = *width;
    scene.frame_height = *height;
    return {};
}

std::vector<std::pair<int, std::string>> WorkerProcess::takeErrors() {
    (void)takeEvents();  // an error is reported by the next exchange
    return std::exchange(errors_, {});
}

// --- errors

std::string WorkerProcess::withOutput(std::string text) {
    drainOutput();
    if (!text_.empty())
        text += "\nlast output:\n" +
                printableText(text_.substr(text_.size() - std::min(text_.size(), kErrorBytes)));
    return text;
}

tl::unexpected<Error> WorkerProcess::ended() {
    // The children are killed after the worker has exited and before its process group is reaped.
    const auto exited = waitFor(child_->deathDescriptor(), POLLIN, {}, deadlineIn(1000));
    (void)child_->signal(SIGKILL);
    const auto status = child_->wait({}, deadlineIn(1000));
    const std::string how = status && *status ? (*status)->text() : "closed its connection";
    drainOutput();
    const bool was_ended =
        exited && *exited == WaitResult::ready && status && *status && !(*status)->statesCause();
    const std::string output = printableText(trimmed(text_));
    std::string cause;
    if (!was_ended) cause = output.substr(output.rfind('\n') + 1).substr(0, kCauseBytes);
    const std::string text = "the process of '" + plan_.id + "' " + how + (cause.empty() ? "" : ": " + cause);
    return fail(output == cause ? text : withOutput(text));
}

tl::unexpected<Error> WorkerProcess::broke(const std::string& what) {
    return fail(withOutput("the process of '" + plan_.id + "' broke the protocol: " + what));
}

// The worker prints its traceback on SIGUSR1.
tl::unexpected<Error> WorkerProcess::late(double limit_s) {
    (void)::kill(child_->id(), SIGUSR1);
    (void)waitForChild(-1, deadlineIn(kDumpMs));
    return fail(ErrorCode::stalled,
                withOutput("'" + plan_.id + "' did not return within " + formatNumber(limit_s) + " s"));
}

}  // namespace seedbed
