// SPDX-License-Identifier: Apache-2.0
// Runs tests that start detached processes, such as training runs, so that none outlives them.
#pragma once

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <functional>
#include <string>

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace seedbed::testing {

// Runs `body` in a child process and returns its exit code, or 128 plus the signal that ended it. All
// processes that it leaves behind are killed, even after a crash. Call it while the process has one thread
// and no children.
inline int runSupervised(const std::function<int()>& body) {
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);  // detached processes become children of this one
    const pid_t self = ::getpid();
    static pid_t child = 0;
    child = ::fork();
    if (child == 0) {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        return ::getppid() == self ? body() : 1;
    }
    for (const int number : {SIGINT, SIGTERM, SIGHUP})
        std::signal(number, [](int) { ::kill(child, SIGKILL); });
    // Also reaps other children, since tests wait for processes to exit.
    int status = 0;
    for (pid_t ended = 0; ended != child;) {
        int code = 0;
        ended = ::waitpid(-1, &code, 0);
        if (ended == child) status = code;
        else if (ended < 0 && errno != EINTR) break;
    }
    const std::string list = "/proc/self/task/" + std::to_string(self) + "/children";
    do {
        std::ifstream children(list);
        for (pid_t left = 0; children >> left;) ::kill(left, SIGKILL);
    } while (::waitpid(-1, nullptr, 0) > 0 || errno == EINTR);
    if (WIFEXITED(status)) return WEXITSTATUS(status);
    std::fprintf(stderr, "the tests were ended by signal %d (%s)\n", WTERMSIG(status),
                 ::strsignal(WTERMSIG(status)));
    return 128 + WTERMSIG(status);
}

}  // namespace seedbed::testing
