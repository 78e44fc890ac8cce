// SPDX-License-Identifier: Apache-2.0
// FileSystem: real operations, and atomic replacement while every single operation fails in turn.
#include "core/base/os/files.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/os/temporary_files.hpp"
#include "tests/unit/base/temporary_folder.hpp"
#include "tests/unit/base/time_limit.hpp"

namespace seedbed {
namespace {

using testing::TemporaryFolder;

// Counts the operations on the file system below it and makes them fail on demand; writes are always cut
// short.
class FailingFileSystem final : public FileSystem {
public:
    explicit FailingFileSystem(FileSystem& inner) : inner_(inner) {}

    // Operation number `at` (from 1) fails, and with `forever` all later ones; 0: none.
    void failAt(int at, bool forever) {
        fail_at_ = at;
        forever_ = forever;
        count_ = 0;
    }
    int count() const { return count_; }

    Result<std::unique_ptr<File>> open(const Path& path, OpenMode mode) override {
        SEEDBED_TRY(step());
        SEEDBED_ASSIGN(auto file, inner_.open(path, mode));
        return std::unique_ptr<File>(std::make_unique<FailingFile>(*this, std::move(file)));
    }
    Result<std::optional<FileInfo>> info(const Path& path) override {
        return guarded([&] { return inner_.info(path); });
    }
    Result<std::vector<FileInfo>> list(const Path& folder) override {
        return guarded([&] { return inner_.list(folder); });
    }
    Result<> rename(const Path& from, const Path& to) override {
        return guarded([&] { return inner_.rename(from, to); });
    }
    Result<> remove(const Path& path) override {
        return guarded([&] { return inner_.remove(path); });
    }
    Result<> makeFolder(const Path& path) override {
        return guarded([&] { return inner_.makeFolder(path); });
    }
    Result<> syncFolder(const Path& folder) override {
        return guarded([&] { return inner_.syncFolder(folder); });
    }
    Result<std::uint64_t> freeBytes(const Path& path) override {
        return guarded([&] { return inner_.freeBytes(path); });
    }

private:
    class FailingFile final : public File {
    public:
        FailingFile(FailingFileSystem& files, std::unique_ptr<File> inner)
            : files_(files), inner_(std::move(inner)) {}
        Result<std::size_t> read(std::span<std::byte> into) override {
            return files_.guarded(
                [&] { return inner_->read(into.first(std::min<std::size_t>(into.size(), 3))); });
        }
        Result<std::size_t> write(std::span<const std::byte> from) override {
            return files_.guarded(
                [&] { return inner_->write(from.first(std::min<std::size_t>(from.size(), 3))); });
        }
        Result<> sync() override {
            return files_.guarded([&] { return inner_->sync(); });
        }
        Result<> close() override {
            return files_.guarded([&] { return inner_->close(); });
        }

    private:
        FailingFileSystem& files_;
        std::unique_ptr<File> inner_;
    };

    Result<> step() {
        ++count_;
        if (fail_at_ != 0 && (count_ == fail_at_ || (forever_ && count_ > fail_at_)))
            return tl::unexpected<Error>(systemError(ENOSPC, "operation " + std::to_string(count_)));
        return {};
    }
    template <class Call>
    auto guarded(const Call& call) -> decltype(call()) {
        SEEDBED_TRY(step());
        return call();
    }

    FileSystem& inner_;
    int fail_at_ = 0;
    bool forever_ = false;
    int count_ = 0;
};

class Files : public ::testing::Test {
protected:
    std::size_t entries() { return files.list(folder.path()).value().size(); }

    TemporaryFolder folder;
    RealFileSystem files;
};

TEST_F(Files, WrittenBytesAreReadBack) {
    const Path path = folder.path() / "a";
    const std::string text(100'000, 'x');
    ASSERT_TRUE(writeFileAtomically(files, path, text));
    EXPECT_EQ(readFile(files, path).value(), text);
    EXPECT_EQ(files.info(path).value()->bytes, 100'000u);
    EXPECT_EQ(entries(), 1u);
    EXPECT_FALSE(readFile(files, path, 99'999)) << "longer than allowed";
    EXPECT_TRUE(readFile(files, path, 100'000));
}

TEST_F(Files, FilesWithoutASizeAreAlsoRead) {
    EXPECT_FALSE(readFile(files, "/proc/self/status").value().empty());
}

TEST_F(Files, CreateRejectsAnExistingFileAndAppendExtendsIt) {
    const Path path = folder.path() / "a";
    ASSERT_TRUE(writeFileAtomically(files, path, std::string_view("one")));
    EXPECT_FALSE(files.open(path, OpenMode::create));
    {
        auto file = files.open(path, OpenMode::append).value();
        ASSERT_TRUE(writeAll(*file, std::as_bytes(std::span("two", 3))));
        ASSERT_TRUE(file->sync());
        ASSERT_TRUE(file->close());
    }
    EXPECT_EQ(readFile(files, path).value(), "onetwo");
}

TEST_F(Files, MissingFilesAreEmptyForInfoAndAnErrorForOpen) {
    EXPECT_EQ(files.info(folder.path() / "none").value(), std::nullopt);
    const auto missing = files.open(folder.path() / "none", OpenMode::read);
    ASSERT_FALSE(missing);
    EXPECT_NE(missing.error().message.find("none"), std::string::npos);
    EXPECT_NE(missing.error().message.find("No such file"), std::string::npos);
}

TEST_F(Files, MakeFoldersCreatesParentsAndAcceptsExistingOnes) {
    const Path deep = folder.path() / "a/b/c";
    EXPECT_TRUE(makeFolders(files, deep));
    EXPECT_TRUE(makeFolders(files, deep));
    ASSERT_TRUE(writeFileAtomically(files, deep / "file", std::string_view("x")));
    EXPECT_FALSE(makeFolders(files, deep / "file"));
    EXPECT_FALSE(makeFolders(files, deep / "file/below"));
}

TEST_F(Files, RemoveTreeRemovesContentsButDoesNotFollowLinks) {
    ASSERT_TRUE(makeFolders(files, folder.path() / "kept"));
    ASSERT_TRUE(writeFileAtomically(files, folder.path() / "kept/file", std::string_view("x")));
    ASSERT_TRUE(makeFolders(files, folder.path() / "tree/sub"));
    ASSERT_TRUE(writeFileAtomically(files, folder.path() / "tree/sub/file", std::string_view("x")));
    std::filesystem::create_symlink(folder.path() / "kept", folder.path() / "tree/link");
    std::filesystem::create_symlink(folder.path() / "nowhere", folder.path() / "tree/broken");
    EXPECT_TRUE(removeTree(files, folder.path() / "tree"));
    EXPECT_TRUE(removeTree(files, folder.path() / "tree"));
    EXPECT_EQ(files.info(folder.path() / "tree").value(), std::nullopt);
    EXPECT_TRUE(files.info(folder.path() / "kept/file").value());
}

TEST_F(Files, FreeBytesAgreesWithTheStandardLibrary) {
    const auto ours = static_cast<double>(files.freeBytes(folder.path()).value());
    const auto theirs = static_cast<double>(std::filesystem::space(folder.path()).available);
    // Other processes write to the disk between the two queries.
    EXPECT_NEAR(ours, theirs, 1e9);
}

TEST_F(Files, FileSizeLimitIsAnErrorNotASignal) {
    // RLIMIT_FSIZE makes write() fail as on a full disk if the signal is ignored.
    rlimit old{};
    getrlimit(RLIMIT_FSIZE, &old);
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit small{1000, old.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
    const auto result = writeFileAtomically(files, folder.path() / "a", std::string(5000, 'x'));
    setrlimit(RLIMIT_FSIZE, &old);
    std::signal(SIGXFSZ, handler);
    EXPECT_FALSE(result);
    EXPECT_EQ(entries(), 0u) << "the temporary file was removed";
}

TEST_F(Files, AtomicReplacementSurvivesEveryFailingOperation) {
    const Path path = folder.path() / "state.json";
    const std::string old_text = "the old state", new_text = "a longer new state";
    for (const bool forever : {false, true}) {
        bool untouched = false;
        for (int at = 1; !untouched; ++at) {
            ASSERT_LT(at, 100);
            ASSERT_TRUE(writeFileAtomically(files, path, old_text));
            FailingFileSystem failing(files);
            failing.failAt(at, forever);
            const auto result = writeFileAtomically(failing, path, new_text);
            untouched = failing.count() < at;
            EXPECT_EQ(static_cast<bool>(result), untouched)
                << "a failed operation must not be reported as saved, at " << at;
            const std::string text = readFile(files, path).value();
            EXPECT_TRUE(text == old_text || text == new_text) << at << ": " << text;
            if (result) {
                EXPECT_EQ(text, new_text);
            } else {
                EXPECT_EQ(result.error().code, ErrorCode::disk_full);
            }
            // The temporary file remains only if removing it failed, too.
            if (!forever) {
                EXPECT_EQ(entries(), 1u) << at;
            }
            EXPECT_TRUE(removeStaleFiles(files, folder.path()));
            EXPECT_EQ(entries(), 1u) << at;
        }
    }
}

TEST_F(Files, LeftoversAreTemporaryFilesOfExitedProcesses) {
    const Path path = folder.path() / "run";
    // A start time of 0 means that it is unknown.
    const Path of_living = folder.path() / (".run." + std::to_string(getppid()) + "-0-0.tmp");
    for (const Path& name :
         {temporaryPathFor(path), folder.path() / ".hidden", folder.path() / "x.tmp", of_living})
        ASSERT_TRUE(writeFileAtomically(files, name, std::string_view("x")));
    ASSERT_TRUE(makeFolders(files, temporaryPathFor(path) / "inner"));
    EXPECT_EQ(removeStaleFiles(files, folder.path()).value(), 2);
    EXPECT_EQ(entries(), 3u);
}

TEST_F(Files, LeftoversOfAProcessWithAReusedIdAreRemoved) {
    const std::string pid = std::to_string(getpid());
    const Path ours = temporaryPathFor(folder.path() / "run");
    // Created by a process with the id of this one that started one tick after boot, as can happen after a
    // reboot.
    const Path old = folder.path() / (".run." + pid + "-1-0.tmp"),
               longer = folder.path() / (".run.x." + pid + "-1-0.tmp");
    const Path log = folder.path() / (".run.db." + pid + "-1-0.tmp-journal");
    const auto make = [&] {
        for (const Path& name : {ours, old, longer, log})
            ASSERT_TRUE(writeFileAtomically(files, name, std::string_view("x")));
    };
    make();
    removeStaleFilesFor(files, folder.path() / "run");
    EXPECT_FALSE(files.info(old).value());
    EXPECT_EQ(entries(), 3u);
    make();
    EXPECT_EQ(removeStaleFilesOfOthers(files, folder.path()).value(), 3);
    EXPECT_TRUE(files.info(ours).value());
    EXPECT_EQ(removeStaleFiles(files, folder.path()).value(), 1);
}

TEST_F(Files, RenameReplacesAnEmptyFolder) {
    ASSERT_TRUE(makeFolders(files, folder.path() / "a/inner"));
    ASSERT_TRUE(makeFolders(files, folder.path() / "b"));
    EXPECT_TRUE(files.rename(folder.path() / "a", folder.path() / "b"));
    EXPECT_TRUE(files.info(folder.path() / "b/inner").value());
}

// Left by a process in another container. Containers are distinguished by the id of their PID namespace.
TEST_F(Files, LeftoversOfAnotherContainerStayForADay) {
    const Path foreign = folder.path() / (".run." + std::to_string(getpid()) + "-1-0-12345.tmp");
    ASSERT_TRUE(writeFileAtomically(files, foreign, std::string_view("x")));
    EXPECT_EQ(removeStaleFiles(files, folder.path()).value(), 0);
    EXPECT_EQ(removeStaleFilesOfOthers(files, folder.path()).value(), 0);
    std::filesystem::last_write_time(foreign,
                                     std::filesystem::file_time_type::clock::now() - std::chrono::hours(25));
    EXPECT_EQ(removeStaleFilesOfOthers(files, folder.path()).value(), 1);
    const Path ours = temporaryPathFor(folder.path() / "run");
    for (const Path& name : {foreign, ours})
        ASSERT_TRUE(writeFileAtomically(files, name, std::string_view("x")));
    EXPECT_EQ(removeTemporaryFiles(files, folder.path()).value(), 2);
}

TEST_F(Files, OnlyRegularFilesAreOpenedAndNothingIsWaitedFor) {
    const Path pipe = folder.path() / "pipe", link = folder.path() / "link", file = folder.path() / "file";
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    ASSERT_TRUE(writeFileAtomically(files, file, std::string_view("x")));
    std::filesystem::create_symlink(file, link);
    const auto begin = std::chrono::steady_clock::now();
    for (const Path& path : {pipe, link, Path("/dev/zero"), folder.path()})
        for (const OpenMode mode : {OpenMode::read, OpenMode::append})
            EXPECT_FALSE(files.open(path, mode)) << path;
    for (const Path& path : {pipe, link, Path("/dev/zero")}) {
        EXPECT_FALSE(readFile(files, path, 100)) << path;
        EXPECT_FALSE(openForReading(path)) << path;
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    EXPECT_LT(took.count(), test::measuredLimit(1));
    EXPECT_NE(files.open(pipe, OpenMode::read).error().message.find("not a regular file"), std::string::npos);
    EXPECT_NE(files.open(link, OpenMode::read).error().message.find("symbolic link"), std::string::npos);
    EXPECT_EQ(readFile(files, resolveLinks(link)).value(), "x");
    EXPECT_EQ(resolveLinks(folder.path() / "missing"), folder.path() / "missing");
}

TEST_F(Files, ASparseGiantIsRefusedBeforeItIsRead) {
    const Path giant = folder.path() / "giant";
    ASSERT_TRUE(writeFileAtomically(files, giant, std::string_view("x")));
    std::filesystem::resize_file(giant, std::uintmax_t{1} << 40);
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_FALSE(readFile(files, giant));
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    EXPECT_LT(took.count(), test::measuredLimit(1));
}

TEST_F(Files, StoredFilesAreForTheOwnerAndExportsFollowTheUmask) {
    const auto modeOf = [](const Path& path) {
        struct stat status {};
        EXPECT_EQ(::stat(path.c_str(), &status), 0);
        return status.st_mode & 0777;
    };
    const mode_t old_mask = ::umask(022);
    RealFileSystem shared(FileAccess::umask);
    ASSERT_TRUE(makeFolders(files, folder.path() / "own/inner"));
    ASSERT_TRUE(writeFileAtomically(files, folder.path() / "own/inner/file", std::string_view("x")));
    ASSERT_TRUE(makeFolders(shared, folder.path() / "shared"));
    ASSERT_TRUE(writeFileAtomically(shared, folder.path() / "shared/file", std::string_view("x")));
    ::umask(old_mask);
    EXPECT_EQ(modeOf(folder.path() / "own"), 0700U);
    EXPECT_EQ(modeOf(folder.path() / "own/inner/file"), 0600U);
    EXPECT_EQ(modeOf(folder.path() / "shared"), 0755U);
    EXPECT_EQ(modeOf(folder.path() / "shared/file"), 0644U);
    makePrivate(folder.path() / "shared/file");
    EXPECT_EQ(modeOf(folder.path() / "shared/file"), 0600U);
    ASSERT_EQ(::chmod((folder.path() / "shared").c_str(), 02775), 0);
    makePrivate(folder.path() / "shared");
    EXPECT_EQ(modeOf(folder.path() / "shared"), 0775U) << "permissions for a group are kept";
}

}  // namespace
}  // namespace seedbed
