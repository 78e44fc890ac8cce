// SPDX-License-Identifier: Apache-2.0
// Environments in worker processes that work, fail, hang, exit or break the protocol.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/archive.hpp"
#include "core/env/vector_env.hpp"
#include "core/worker/worker_batch.hpp"
#include "core/worker/worker_folder.hpp"
#include "tests/unit/base/time_limit.hpp"
#include "tests/unit/worker/scripted.hpp"

namespace seedbed {
namespace {

using testing::openDescriptors;
using testing::planOf;
using testing::scriptedSpec;

// Steps the environments into a ring, as an actor does.
struct World {
    explicit World(const WorkerPlan& plan, std::stop_token stop = {}) {
        auto made = WorkerBatch::create(plan, scriptedSpec());
        EXPECT_TRUE(made.has_value()) << made.error().text();
        if (!made) return;
        batch = made->get();
        ring =
            std::move(*Ring::create({.spaces = scriptedSpec().spaces, .columns = plan.count, .rows = 256}));
        env = std::make_unique<VectorEnv>(std::move(*made), *ring,
                                          VectorEnvOptions{.seed = 1, .stop = std::move(stop)});
        const auto reset = env->reset();
        EXPECT_TRUE(reset.has_value()) << reset.error().text();
    }
    Result<> step(int times = 1) {
        for (int i = 0; i < times; ++i) {
            SEEDBED_TRY(env->step(ended));
            for (std::string& text : env->takeNotices()) notices.push_back(std::move(text));
        }
        return {};
    }
    float obs(std::uint64_t t, int column) { return reinterpret_cast<float*>(ring->obs(0, t))[column]; }

    WorkerBatch* batch = nullptr;
    std::unique_ptr<Ring> ring;
    std::unique_ptr<VectorEnv> env;
    std::vector<EpisodeEnd> ended;
    std::vector<std::string> notices;
};

TEST(WorkerBatch, StepsEnvironmentsInAnotherProcess) {
    World world(planOf({"works"}));
    ASSERT_TRUE(world.step(12).has_value());
    for (std::uint64_t t = 0; t < 12; ++t) {
        EXPECT_EQ(world.obs(t, 0), static_cast<float>(t % 5)) << t;
        EXPECT_EQ(world.ring->valid(t)[1], 1);
        EXPECT_EQ(world.ring->discount(t)[0], t % 5 == 4 ? 0 : 1) << t;
    }
    EXPECT_EQ(world.ended.size(), 4U);
    EXPECT_TRUE(world.notices.empty());
}

template <class Param>
std::string nameOf(const ::testing::TestParamInfo<Param>& info) {
    return std::to_string(info.index) + "_" + info.param.mode;
}

// A worker that does not start, and part of the expected message.
struct StartFailure {
    const char* mode;
    const char* expected;
};
class StartOfAWorker : public ::testing::TestWithParam<StartFailure> {};
TEST_P(StartOfAWorker, FailsWithTheReason) {
    WorkerPlan plan = planOf({GetParam().mode});
    // The others never reach the limit.
    if (std::string(GetParam().mode) == "hangs_at_start") plan.start_s = 3;
    const auto made = WorkerBatch::create(plan, scriptedSpec());
    ASSERT_FALSE(made.has_value());
    EXPECT_NE(made.error().text().find(GetParam().expected), std::string::npos) << made.error().text();
    EXPECT_EQ(made.error().text().find('\x1b'), std::string::npos) << "control characters are not printed";
}
INSTANTIATE_TEST_SUITE_P(All, StartOfAWorker,
                         ::testing::Values(StartFailure{"dies_at_start", "no licence found"},
                                           StartFailure{"dies_at_start",
                                                        "exited with code 3: no licence found"},
                                           StartFailure{"hangs_at_start", "did not return within 3 s"},
                                           StartFailure{"refuses", "No module named 'gymnasium'"},
                                           StartFailure{"garbage_at_start", "broke the protocol"},
                                           StartFailure{"endless_line", "broke the protocol"},
                                           StartFailure{"wrong_spec", "'agents' must be a whole number"}),
                         nameOf<StartFailure>);

TEST(WorkerBatch, AProgramThatDoesNotExistIsAnError) {
    WorkerPlan plan = planOf({});
    plan.command = {"/no/such/python"};
    const auto made = WorkerBatch::create(plan, scriptedSpec());
    ASSERT_FALSE(made.has_value());
    EXPECT_NE(made.error().text().find("/no/such/python"), std::string::npos) << made.error().text();
}

// A worker that fails loses only its own rows, and is restarted.
struct Loss {
    const char* mode;
    const char* expected;
    bool hangs = false;
};
class LossOfAWorker : public ::testing::TestWithParam<Loss> {};
TEST_P(LossOfAWorker, StartsItAgain) {
    WorkerPlan plan = planOf({GetParam().mode, "7"});
    // Long enough for a busy machine; the other modes never reach this limit.
    if (GetParam().hangs) plan.step_s = 3;
    World world(plan);
    const pid_t before = world.batch->process();
    const auto stepped = world.step(12);
    ASSERT_TRUE(stepped.has_value()) << stepped.error().text();
    ASSERT_FALSE(world.notices.empty());
    EXPECT_NE(world.notices[0].find(GetParam().expected), std::string::npos) << world.notices[0];
    EXPECT_NE(world.batch->process(), before);
    EXPECT_EQ(::kill(before, 0), -1) << "no process remains";
    // Exchange 0 is the reset, so exchange 7 is the decision of row 6: it becomes an extra row, and the next
    // exchange starts the new episode.
    Ring& ring = *world.ring;
    for (const int column : {0, 1}) {
        EXPECT_EQ(ring.valid(5)[column], 1);
        EXPECT_EQ(ring.discount(5)[column], 1);
        EXPECT_EQ(ring.valid(6)[column], 0);
        EXPECT_EQ(ring.valid(7)[column], 0);
        EXPECT_EQ(ring.first(8)[column], 1);
        EXPECT_EQ(ring.valid(8)[column], 1);
        EXPECT_EQ(world.obs(8, column), 0);
    }
}
INSTANTIATE_TEST_SUITE_P(All, LossOfAWorker,
                         ::testing::Values(Loss{"exits", "exited with code 7"},
                                           Loss{"killed", "killed by signal 9"},
                                           Loss{"hangs", "did not return within 3 s", true},
                                           Loss{"wrong_flags", "broke the protocol"},
                                           Loss{"first_without_end", "broke the protocol"},
                                           Loss{"miscounts", "did not return within 3 s", true},
                                           Loss{"overwrites", "", true}),
                         nameOf<Loss>);

// An environment that fails loses only its own rows.
struct Failure {
    const char* mode;
    const char* expected;
};
class FailureOfAnEnvironment : public ::testing::TestWithParam<Failure> {};
TEST_P(FailureOfAnEnvironment, LeavesTheOthersAlone) {
    World world(planOf({GetParam().mode, "7"}));
    const pid_t before = world.batch->process();
    ASSERT_TRUE(world.step(12).has_value());
    ASSERT_EQ(world.notices.size(), 1U);
    EXPECT_NE(world.notices[0].find(GetParam().expected), std::string::npos) << world.notices[0];
    EXPECT_EQ(world.batch->process(), before);
    Ring& ring = *world.ring;
    EXPECT_EQ(ring.valid(6)[0], 0);
    EXPECT_EQ(ring.first(8)[0], 1);
    EXPECT_EQ(ring.valid(8)[0], 1);
    for (std::uint64_t t = 0; t < 12; ++t) {
        EXPECT_EQ(ring.valid(t)[1], 1) << t;
        EXPECT_EQ(world.obs(t, 1), static_cast<float>(t % 5)) << t;
    }
}
INSTANTIATE_TEST_SUITE_P(All, FailureOfAnEnvironment,
                         ::testing::Values(Failure{"env_fails", "ValueError: wrong map"},
                                           Failure{"nan", "not finite"},
                                           Failure{"nan_reward", "its reward is"}),
                         nameOf<Failure>);

TEST(WorkerBatch, AnEnvironmentThatFailedMayBeMadeAsLongAsAtTheStart) {
    WorkerPlan plan = planOf({"env_is_made_slowly", "7"});
    plan.step_s = 2;  // creating the environment takes 3 s
    World world(plan);
    const pid_t before = world.batch->process();
    ASSERT_TRUE(world.step(12).has_value());
    ASSERT_EQ(world.notices.size(), 1U);
    EXPECT_EQ(world.batch->process(), before);
    EXPECT_EQ(world.ring->first(8)[0], 1);
}

TEST(WorkerBatch, MegabytesOfOutputAndExtraRingsDoNotDisturb) {
    for (const char* mode : {"prints", "rings", "blocks_the_host"}) {
        World world(planOf({mode, "3"}));
        ASSERT_TRUE(world.step(12).has_value());
        EXPECT_TRUE(world.notices.empty()) << mode;
        EXPECT_EQ(world.obs(11, 0), 1);
    }
}

TEST(WorkerBatch, AnEnvironmentThatKeepsFailingIsLeftOut) {
    const auto begin = std::chrono::steady_clock::now();
    World world(planOf({"always_fails"}));
    const auto stepped = world.step(200);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    ASSERT_TRUE(stepped.has_value()) << stepped.error().text();
    const auto attempts = static_cast<double>(world.notices.size());
    EXPECT_GE(attempts, 2);
    // Pauses of 50, 100, 200 ms ... follow all failures but the first one.
    EXPECT_GE(took.count(), 0.05 * (std::exp2(attempts - 2) - 1)) << "attempts are repeated after pauses";
    EXPECT_EQ(world.ring->valid(190)[1], 1);
    EXPECT_EQ(world.ring->valid(190)[0], 0);
}

TEST(WorkerBatch, AStopEndsThePauseBeforeTheNextAttempt) {
    using std::chrono::steady_clock;
    std::stop_source stop;
    World world(planOf({"always_fails"}, 1), stop.get_token());
    while (world.notices.size() < 8) ASSERT_TRUE(world.step().has_value());
    // The next pause takes 3.2 s.
    std::jthread user([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        stop.request_stop();
    });
    const auto begin = steady_clock::now();
    const auto stepped = world.step();
    ASSERT_FALSE(stepped.has_value());
    EXPECT_EQ(stepped.error().code, ErrorCode::interrupted);
    EXPECT_LT(steady_clock::now() - begin, std::chrono::milliseconds(3000)) << "less than the pause";
}

TEST(WorkerBatch, SpacesThatChangeAreRefused) {
    const auto marker = std::filesystem::temp_directory_path() / ("seedbed-" + std::to_string(::getpid()));
    World world(planOf({"other_spec_later", "3", marker.string()}));
    const auto stepped = world.step(30);
    std::filesystem::remove(marker);
    ASSERT_FALSE(stepped.has_value());
    EXPECT_NE(stepped.error().text().find("have changed"), std::string::npos) << stepped.error().text();
}

TEST(WorkerBatch, AFileThatChangesDuringARunIsReported) {
    const auto marker =
        std::filesystem::temp_directory_path() / ("seedbed-file-" + std::to_string(::getpid()));
    World world(planOf({"other_file_later", "3", marker.string()}));
    const auto stepped = world.step(12);
    std::filesystem::remove(marker);
    ASSERT_TRUE(stepped.has_value()) << stepped.error().text();
    const auto reports = std::ranges::count_if(world.notices, [](const std::string& text) {
        return text.find("'/my_maps.py' has changed") != std::string::npos;
    });
    EXPECT_EQ(reports, 1) << "the change is reported once, although the process exits several times";
}

// The counter may be visible before the arrays; the byte in the pipe is not.
TEST(WorkerBatch, AnAnswerCountsAfterTheBell) {
    World world(planOf({"counts_early", "3"}));
    for (std::uint64_t t = 0; t < 4; ++t) {
        ASSERT_TRUE(world.env->begin().has_value());
        while (!world.batch->ready()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        ASSERT_TRUE(world.env->finish(world.ended).has_value());
        EXPECT_EQ(world.obs(t + 1, 0), static_cast<float>(t + 1));
    }
}

TEST(WorkerBatch, LeavesNoProcessAndNoDescriptorBehind) {
    { World warm(planOf({"works"})); }
    const int before = openDescriptors();
    for (int i = 0; i < 5; ++i) {
        World world(planOf({"killed", "4"}));
        ASSERT_TRUE(world.step(10).has_value());
    }
    EXPECT_EQ(openDescriptors(), before);
}

// More than the socket can hold: the host reads reports while it waits for the answer.
TEST(WorkerBatch, AllEnvironmentsMayFailTogether) {
    World world(planOf({"all_fail", "4"}, 128));
    const pid_t before = world.batch->process();
    ASSERT_TRUE(world.step(8).has_value());
    EXPECT_EQ(world.batch->process(), before);
    EXPECT_EQ(world.notices.size(), 100U) << "only the first 100 are kept";
    EXPECT_EQ(world.ring->valid(7)[127], 1);
}

TEST(WorkerBatch, ChildrenOfAWorkerDoNotOutliveIt) {
    const auto file =
        std::filesystem::temp_directory_path() / ("seedbed-child-" + std::to_string(::getpid()));
    World world(planOf({"leaves_a_child", "3", file.string()}));
    ASSERT_TRUE(world.step(8).has_value());
    std::ifstream text(file);
    pid_t child = 0;
    text >> child;
    std::filesystem::remove(file);
    ASSERT_GT(child, 1);
    // The child ends a little later, and is reaped by the first process of the system.
    const std::filesystem::path status = "/proc/" + std::to_string(child) + "/status";
    std::string words;
    const auto hasEnded = [&] {
        std::ifstream state(status);
        words.assign(std::istreambuf_iterator<char>(state), {});
        return words.empty() || words.find("Z (zombie)") != std::string::npos;
    };
    for (int i = 0; i < 6000 && !hasEnded(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    EXPECT_TRUE(hasEnded()) << words;
}

std::vector<std::uint8_t> saved(World& world) {
    Archive archive = Archive::saving();
    EXPECT_TRUE(world.env->archive(archive).has_value());
    return archive.bytes();
}

void restore(World& world, const std::vector<std::uint8_t>& bytes) {
    Archive archive = Archive::loading(bytes);
    const auto loaded = world.env->archive(archive);
    ASSERT_TRUE(loaded.has_value()) << loaded.error().text();
    EXPECT_TRUE(archive.isAtEnd());
}

TEST(WorkerBatch, ASavedStateContinuesInAnotherProcess) {
    World world(planOf({"saves"}));
    ASSERT_TRUE(world.step(3).has_value());
    const auto bytes = saved(world);
    ASSERT_TRUE(world.step(4).has_value());

    World other(planOf({"saves"}));
    restore(other, bytes);
    ASSERT_TRUE(other.step(4).has_value());
    // Rows 4 to 7 of `world` are rows 1 to 4 of `other`.
    for (std::uint64_t t = 1; t <= 4; ++t) {
        EXPECT_EQ(other.ring->valid(t)[0], 1);
        EXPECT_EQ(other.obs(t, 0), world.obs(t + 3, 0)) << t;
    }
    EXPECT_EQ(other.ended.size(), world.ended.size());
    EXPECT_EQ(saved(other), saved(world)) << "the next seeds are the same";
}

TEST(WorkerBatch, AStateThatIsNotRestoredStartsANewEpisode) {
    World world(planOf({"saves"}));
    ASSERT_TRUE(world.step(3).has_value());
    const auto bytes = saved(world);
    World other(planOf({"refuses_states"}));
    restore(other, bytes);
    ASSERT_TRUE(other.step(4).has_value());
    ASSERT_EQ(other.notices.size(), 2U);
    EXPECT_NE(other.notices[0].find("no states today"), std::string::npos) << other.notices[0];
    EXPECT_EQ(other.ring->valid(0)[0], 0);
    EXPECT_EQ(other.ring->valid(1)[0], 0);
    EXPECT_EQ(other.ring->first(2)[0], 1);
    EXPECT_EQ(other.ring->valid(2)[0], 1);
}

TEST(WorkerFolder, OfAKilledProcessIsRemovedAndThatOfALivingOneStays) {
    std::string parent = (std::filesystem::temp_directory_path() / "seedbed-scratch-XXXXXX").string();
    ASSERT_NE(::mkdtemp(parent.data()), nullptr);
    // Runs in a child process, because each process searches for abandoned folders only once.
    const auto inChild = [&](auto body) {
        const pid_t child = ::fork();
        if (child == 0) {
            ::setenv("TMPDIR", parent.c_str(), 1);
            body();
            ::_exit(0);
        }
        return child;
    };
    const auto count = [&] { return std::distance(std::filesystem::directory_iterator(parent), {}); };
    int made[2];
    ASSERT_EQ(::pipe(made), 0);
    const auto makeAndWait = [&] {
        const auto folder = WorkerFolder::create();
        if (::write(made[1], "x", 1) == 1) ::pause();
    };
    const pid_t living = inChild(makeAndWait), killed = inChild(makeAndWait);
    ::close(made[1]);
    for (int child = 0; child < 2; ++child) {
        char byte = 0;
        ASSERT_EQ(::read(made[0], &byte, 1), 1) << "a child has no folder";
    }
    ::close(made[0]);
    ::kill(killed, SIGKILL);
    ::waitpid(killed, nullptr, 0);
    EXPECT_EQ(count(), 2);
    ::waitpid(inChild([] { const auto folder = WorkerFolder::create(); }), nullptr, 0);
    EXPECT_EQ(count(), 1);
    ::kill(living, SIGKILL);
    ::waitpid(living, nullptr, 0);
    std::filesystem::remove_all(parent);
}

// A folder in which other users may write; the destructor removes it.
struct SharedFolder {
    SharedFolder() {
        EXPECT_NE(::mkdtemp(path.data()), nullptr);
        EXPECT_EQ(::chmod(path.c_str(), 0777), 0);
    }
    ~SharedFolder() { std::filesystem::remove_all(path); }
    // Runs body() in a process of `user`, with this folder as TMPDIR.
    template <typename Body>
    void runAs(uid_t user, Body body) const {
        const pid_t child = ::fork();
        if (child == 0) {
            ::setenv("TMPDIR", path.c_str(), 1);
            if (::setresuid(user, user, user) == 0) body();
            ::_exit(0);
        }
        ::waitpid(child, nullptr, 0);
    }
    std::string path = (std::filesystem::temp_directory_path() / "seedbed-shared-XXXXXX").string();
};

constexpr uid_t kNobody = 65534;

TEST(WorkerFolder, RemovalDoesNotFollowLinks) {
    const SharedFolder shared;
    const std::string target = shared.path + "/target";
    const uid_t user = ::getuid() == 0 ? kNobody : ::getuid();  // root may always write
    shared.runAs(user, [&] {
        std::ofstream(target) << "kept";
        ::chmod(target.c_str(), 0600);
        const auto folder = WorkerFolder::create();
        if (::symlink(target.c_str(), (folder->path() / "link").c_str()) != 0) return;
        ::chmod(folder->path().c_str(), 0500);  // the link cannot be removed
    });
    struct stat status {};
    ASSERT_EQ(::stat(target.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 07777, 0600U);
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(shared.path), {}), 1)
        << "only the target remains";
}

TEST(WorkerFolder, FoldersOfOtherUsersStay) {
    if (::getuid() != 0) GTEST_SKIP() << "only root can remove them";
    const SharedFolder shared;
    const std::string own = shared.path + "/seedbed-worker-own",
                      other = shared.path + "/seedbed-worker-other";
    ASSERT_EQ(::mkdir(own.c_str(), 0700), 0);
    shared.runAs(kNobody, [&] { ::mkdir(other.c_str(), 0700); });
    shared.runAs(0, [] { const auto folder = WorkerFolder::create(); });
    EXPECT_FALSE(std::filesystem::exists(own));
    EXPECT_TRUE(std::filesystem::exists(other));
}

TEST(WorkerProcess, PicturesAreInMemory) {
    const SharedFolder shared;
    const std::string file = shared.path + "/picture";
    std::ofstream(file) << std::string(12, '\0');
    for (const std::string& source : {std::string(), std::string("/dev/zero"), file}) {
        const auto worker = WorkerProcess::start(planOf({"draws", "-1", source}));
        ASSERT_TRUE(worker.has_value()) << worker.error().text();
        Scene scene;
        const auto drawn = (*worker)->picture(0, scene);
        EXPECT_EQ(drawn.has_value(), source.empty()) << source;
        if (!drawn) EXPECT_NE(drawn.error().text().find("not in memory"), std::string::npos);
        else EXPECT_EQ(scene.frame.size(), 12U);
    }
}

TEST(WorkerFolder, DeepFoldersAreRemoved) {
    if (!std::filesystem::is_directory("/dev/shm")) GTEST_SKIP() << "/dev/shm is missing";
    std::filesystem::path path;
    ::setenv("TMPDIR", "/dev/shm", 1);  // fast
    rlimit before{};
    ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
    const rlimit few{256, before.rlim_max};
    ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &few), 0);
    {
        const auto folder = WorkerFolder::create();
        ASSERT_TRUE(folder.has_value()) << folder.error().text();
        path = folder->path();
        const auto begin = std::filesystem::current_path();
        std::filesystem::current_path(path);
        for (int level = 0; level < 1000; ++level) {
            ASSERT_EQ(::mkdir("d", 0700), 0);
            ASSERT_EQ(::mkdir("e", level % 100 == 0 ? 0 : 0700), 0);
            std::ofstream("file") << level;
            ASSERT_EQ(::chdir("d"), 0);
        }
        std::filesystem::current_path(begin);
    }
    ::unsetenv("TMPDIR");
    ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
    EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(WorkerBatch, TheNextBatchUsesTheSameProcess) {
    WorkerPlan plan = planOf({"works"});
    plan.keep = true;
    pid_t before = 0;
    {
        World world(plan);
        ASSERT_TRUE(world.step(3).has_value());
        before = world.batch->process();
    }
    {
        World world(plan);
        EXPECT_EQ(world.batch->process(), before);
        ASSERT_TRUE(world.step(2).has_value());
        EXPECT_EQ(world.obs(0, 0), 0) << "new episodes have begun";
        EXPECT_EQ(world.obs(1, 0), 1);
        World another(plan);
        EXPECT_NE(another.batch->process(), before) << "the first worker is in use";
    }
    ::kill(before, SIGKILL);
    World world(plan);
    ASSERT_TRUE(world.step(2).has_value());
    EXPECT_NE(world.batch->process(), before) << "the earlier worker has exited";
    plan.count = 3;
    World larger(plan);
    EXPECT_EQ(larger.ring->columns(), 3);
}

bool endsWithin(pid_t process, std::chrono::seconds limit) {
    const auto end = std::chrono::steady_clock::now() + limit;
    while (::kill(process, 0) == 0) {
        if (std::chrono::steady_clock::now() > end) return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return true;
}

TEST(WorkerBatch, IdleProcessesExitSoonAfterTheLastUse) {
    WorkerPlan plan = planOf({"works"});
    plan.id = "gym:Idle";
    plan.keep = true;
    pid_t first = 0;
    {
        World using_it(plan);
        {
            World other(plan);
            first = other.batch->process();
        }
        EXPECT_FALSE(endsWithin(first, std::chrono::seconds(8))) << "the environment is in use";
    }
    EXPECT_TRUE(endsWithin(first, std::chrono::seconds(60))) << "takes 5 s on an idle machine";
}

TEST(WorkerBatch, AKilledWorkerIsNoticedAtOnce) {
    WorkerPlan plan = planOf({"works"});
    plan.step_s = 6000;
    World world(plan);
    ASSERT_TRUE(world.step(3).has_value());
    ::kill(world.batch->process(), SIGKILL);
    const auto begin = std::chrono::steady_clock::now();
    ASSERT_TRUE(world.step(1).has_value());
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    EXPECT_LT(took.count(), test::measuredLimit(5))
        << "the time limit is 6000 s; an idle machine needs some milliseconds";
    EXPECT_EQ(world.ring->valid(3)[0], 0);
}

}  // namespace
}  // namespace seedbed
