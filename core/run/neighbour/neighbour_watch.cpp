// SPDX-License-Identifier: Apache-2.0
#include "core/run/neighbour/neighbour_watch.hpp"

#include <fstream>
#include <utility>

#include <sys/resource.h>
#include <unistd.h>

#include "core/base/log.hpp"
#include "core/base/sleep.hpp"

namespace seedbed {
namespace {

constexpr double kPollInterval = 2;  // seconds
constexpr int kLowest = 19;
// sched(7), "The autogroup feature": Linux compares niceness only within a session.
constexpr const char* kAutogroupFile = "/proc/self/autogroup";

// The niceness in "/autogroup-12 nice 10"; nullopt if the kernel does not have the feature.
std::optional<int> sessionNiceness() {
    std::ifstream file(kAutogroupFile);
    std::string name, word;
    int nice = 0;
    if (!(file >> name >> word >> nice)) return std::nullopt;
    return nice;
}

void setSessionNiceness(int nice) {
    std::ofstream file(kAutogroupFile);
    file << nice << std::flush;
}

}  // namespace

LowPriority::LowPriority() : before_(::getpriority(PRIO_PROCESS, 0)) {
    if (auto set = setNiceness(kLowest); !set)
        log::debug("the priority was not lowered", {{"reason", set.error().text()}});
    // In a terminal, other programs share the session.
    if (::getsid(0) != ::getpid()) return;
    session_ = sessionNiceness();
    if (session_) setSessionNiceness(kLowest);
}

LowPriority::~LowPriority() {
    if (session_ && sessionNiceness() == kLowest) setSessionNiceness(*session_);
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
    const bool low = control_.neighbourDecision().action == NeighbourAction::low_priority;
    if (low && !low_) low_.emplace();
    if (!low) low_.reset();
}

}  // namespace seedbed
