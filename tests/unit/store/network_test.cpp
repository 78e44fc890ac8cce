// SPDX-License-Identifier: Apache-2.0
// The database is never opened on a network file system.
#include <atomic>
#include <filesystem>
#include <fstream>

#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "core/base/os/network_files.hpp"
#include "core/store/database.hpp"
#include "tests/unit/store/store_fixture.hpp"

namespace {

std::atomic<long> shown_type{0};  // instead of the real type of each file system; 0: the real one

}  // namespace

// Replaces the function of the C library in this program.
extern "C" __attribute__((visibility("default"))) int statfs(const char* path,
                                                             struct statfs* status) noexcept {
    const auto result = static_cast<int>(syscall(SYS_statfs, path, status));
    if (result == 0 && shown_type != 0) status->f_type = shown_type;
    return result;
}

namespace seedbed {
namespace {

using testing::must;

class NetworkFiles : public testing::StoreTest {
protected:
    ~NetworkFiles() override { shown_type = 0; }
};

TEST_F(NetworkFiles, EveryKnownTypeIsRefusedBeforeTheDatabaseIsOpened) {
    constexpr std::uint32_t kTypes[] = {0x6969,     0x517B,     0xFF534D42, 0xFE534D42, 0x5346414F,
                                        0x6B414653, 0x73757245, 0x564C,     0x01021997, 0x00C36400,
                                        0x47504653, 0x0BD00BD0, 0x01161970, 0x7461636F, 0x19830326,
                                        0xAAD7AAEA, 0x20030528};
    for (const std::uint32_t type : kTypes) {
        ASSERT_TRUE(networkFileSystemName(type)) << type;
        shown_type = type;
        const auto store = Store::open(folder());
        ASSERT_FALSE(store) << type;
        EXPECT_EQ(store.error().code, ErrorCode::config);
        EXPECT_NE(store.error().text().find("network file system (" +
                                            std::string(*networkFileSystemName(type)) + ")"),
                  std::string::npos)
            << store.error().text();
        EXPECT_FALSE(std::filesystem::exists(folder() / kDatabaseName));
    }
    // An existing database is not read either: readers in WAL mode write to shared memory.
    shown_type = 0;
    { must(Store::open(folder())); }
    std::filesystem::remove(folder() / "seedbed.db-shm");
    shown_type = 0x6969;
    EXPECT_FALSE(StoreReader::open(folder()));
    EXPECT_FALSE(std::filesystem::exists(folder() / "seedbed.db-shm"));
    shown_type = 0;
    EXPECT_TRUE(StoreReader::open(folder()));
}

TEST_F(NetworkFiles, LocalOnesAreAccepted) {
    for (const std::uint32_t type :
         {0xEF53u, 0x58465342u, 0x9123683Eu, 0x01021994u, 0x794C7630u, 0x65735546u}) {
        EXPECT_FALSE(networkFileSystemName(type)) << type;
        shown_type = type;
        EXPECT_TRUE(Store::open(folder())) << type;
    }
}

TEST_F(NetworkFiles, OfFuseOnlyThoseThatUseTheNetwork) {
    const std::string mounts =
        "22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw\n"
        "30 22 0:40 / /home/me/far rw shared:2 - fuse.sshfs me@far: rw\n"
        "31 22 0:41 / /media/with\\040space rw - fuse.rclone remote: rw\n"
        "32 22 0:42 / /media/stick rw - fuseblk /dev/sdb1 rw\n"
        "33 22 0:43 / /var/box rw - fuse.fuse-overlayfs overlay rw\n"
        "34 30 8:2 / /home/me/far/local rw - ext4 /dev/sdc1 rw\n"
        "broken line\n";
    EXPECT_EQ(networkFuse(mounts, "/home/me/far/data"), "sshfs");
    EXPECT_EQ(networkFuse(mounts, "/media/with space/data"), "rclone");
    for (const char* local : {"/", "/home/me", "/home/me/farther", "/media/stick/data", "/var/box/data",
                              "/home/me/far/local/data"})
        EXPECT_FALSE(networkFuse(mounts, local)) << local;
    EXPECT_FALSE(networkFuse("", "/"));
}

}  // namespace
}  // namespace seedbed
