// SPDX-License-Identifier: Apache-2.0
#include "core/run/neighbour/neighbour_watch.hpp"

#include <fstream>
#include <utility>

#include <sys/resource.h>
#include <unistd.h>

#include "core/base/log.hpp"
#include "core/base/os/processes.hpp"
#include "core/base/sleep.hpp"

namespace seedbed {
namespace {

constexpr double kPollInterval = 2;  // seconds
constexpr int kLowest = 19;
// sched(7), "The autogroup feature": Linux compares niceness only within a session.

Path autogroupFile(int process) { return "/proc/" + std::to_string(process) + "/autogroup"; }

// The niceness in "/autogroup-12 nice 10"; nullopt if the kernel does not have the feature.
std::optional<int> sessionNiceness(int process) {
    std::ifstream file(autogroupFile(process));
    std::string name, word;
    int nice = 0;
    if (!(file >> name >> word >> nice)) return std::nullopt;
    return nice;
}

void setSessionNiceness(int process, int nice) {
    std::ofstream file(autogroupFile(process));
    file << nice << std::flush;
}

}  // namespace

LowPriority::LowPriority() : before_(::getpriority(PRIO_PROCESS, 0)) {
    if (auto set = setNiceness(kLowest); !set)
        log::debug("the priority was not lowered", {{"reason", set.error().text()}});
    // Workers have sessions, too. In a terminal, other programs share that of the run.
    std::vector<int> processes = descendantsOf(::getpid());
    processes.push_back(::getpid());
    for (const int process : processes) {
        const auto nice = ::getsid(process) == process ? sessionNiceness(process) : std::nullopt;
        if (!nice) continue;
        sessions_.emplace_back(process, *nice);
        setSessionNiceness(process, kLowest);
    }
}

LowPriority::~LowPriority() {
    for (const auto& [process, nice] : sessions_)
        if (descendsFrom(process, ::getpid()) && sessionNiceness(process) == kLowest)
            setSessionNiceness(process, nice);
    // Otherwise a client has changed it.
    if (::getpriority(PRIO_PROCESS, 0) == kLowest) (void)setNiceness(before_);
}

void NeighbourWatch::start() {
    thread_ = NamedThread("neighbours",
                          [this](const std::stop_token& stop) -> Result<> {
                              while (!stop.stop_requested()) {
                                  look();
                                  sleepFor(kPollInterval, stop);
                              }
                              low_.reset();
                              return {};
                          },
                          {});
}

void NeighbourWatch::look() {
    RealFileSystem files;
    const auto rules = readNeighbourRules(files, data_folder_);
    const NeighbourRules used = rules.value_or(NeighbourRules());
    control_.setNeighbours(readNeighbours(used, files, data_folder_), used,
                           rules ? "" : rules.error().text());
    const bool low = !control_.hold().low_priority.empty();
    if (low && !low_) low_.emplace();
    if (!low) low_.reset();
}

}  // namespace seedbed
