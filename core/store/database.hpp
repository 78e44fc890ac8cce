// SPDX-License-Identifier: Apache-2.0
// SQLite as values and Results: a connection, prepared statements, write transactions under the folder's file
// lock. Inner part of core/store.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/base/system.hpp"

struct sqlite3;
struct sqlite3_stmt;

namespace seedbed {

class Database;

// A prepared statement; belongs to its Database, which must outlive it. Columns are valid until the next
// call.
class Statement {
public:
    Statement() = default;
    Statement(Statement&& other) noexcept;
    Statement& operator=(Statement&& other) noexcept;
    ~Statement();

    // Binds all parameters, runs to the end.
    template <class... Args>
    Result<> run(const Args&... args) {
        bindAll(args...);
        while (true) {
            SEEDBED_ASSIGN(const bool row, step());
            if (!row) return {};
        }
    }
    using Value = std::variant<std::int64_t, double, std::string>;
    // As run(), for parameters whose number is known only here.
    Result<> runWith(std::span<const Value> values);
    // Binds all parameters, calls `on_row()` for each row; it returns void.
    template <class OnRow, class... Args>
    Result<> each(const OnRow& on_row, const Args&... args) {
        bindAll(args...);
        while (true) {
            SEEDBED_ASSIGN(const bool row, step());
            if (!row) return {};
            on_row();
        }
    }

    std::int64_t integer(int column) const;
    double real(int column) const;  // NULL is not-a-number
    std::string text(int column) const;
    std::span<const std::byte> blob(int column) const;
    bool isNull(int column) const;
    std::optional<double> optionalReal(int column) const {
        return isNull(column) ? std::nullopt : std::optional<double>(real(column));
    }

private:
    friend class Database;
    Statement(Database* database, sqlite3_stmt* statement) : database_(database), statement_(statement) {}

    template <class... Args>
    void bindAll(const Args&... args) {
        reset();
        int index = 0;
        (bind(++index, args), ...);
    }
    void bind(int index, std::int64_t value);
    void bind(int index, int value) { bind(index, std::int64_t{value}); }
    void bind(int index, bool value) { bind(index, std::int64_t{value}); }
    void bind(int index, std::uint64_t value) { bind(index, static_cast<std::int64_t>(value)); }
    void bind(int index, double value);  // not-a-number becomes NULL
    void bind(int index, std::string_view value);
    void bind(int index, const std::string& value) { bind(index, std::string_view(value)); }
    void bind(int index, const char* value) { bind(index, std::string_view(value)); }
    void bind(int index, std::span<const std::byte> value);
    void bind(int index, std::nullptr_t);
    template <class T>
    void bind(int index, const std::optional<T>& value) {
        value ? bind(index, *value) : bind(index, nullptr);
    }

    Result<bool> step();  // true: a row; resets at the end and after an error
    void reset();

    Database* database_ = nullptr;
    sqlite3_stmt* statement_ = nullptr;
};

// One connection. Thread: one owner at a time. No connection checkpoints on its own, neither after commits
// nor when it closes.
class Database {
public:
    enum class Access { read, write, create };

    // Asked while another connection holds a lock, with the time waited so far; false gives up.
    using KeepWaiting = std::function<bool(std::chrono::milliseconds)>;

    static Result<std::unique_ptr<Database>> open(const std::filesystem::path& file, Access access,
                                                  KeepWaiting keep_waiting = {});
    ~Database();
    Database(const Database&) = delete;
    Database& operator=(const Database&) = delete;

    Result<> execute(const std::string& sql);  // any number of statements without parameters
    Result<Statement> prepare(std::string_view sql);
    Result<std::int64_t> integer(
        std::string_view sql);  // first column of the first row; 0 when there is none

    // Without it, calls wait up to 30 s.
    void waitForLocksWhile(KeepWaiting keep_waiting) { keep_waiting_ = std::move(keep_waiting); }
    bool mayWait(std::chrono::milliseconds waited) const;
    // BEGIN IMMEDIATE without waiting; false when another connection writes at the moment.
    Result<bool> tryBegin();
    // Work until `deadline` only: statements that take longer end with an error and interrupted() is true.
    void setDeadline(std::optional<std::chrono::steady_clock::time_point> deadline);
    // For a file that is not ours: no value or statement beyond what our own databases hold.
    void limitUntrusted();
    bool interrupted() const;
    bool notADatabase() const;  // the last error said so
    // The file was renamed or deleted while open.
    bool hasMoved() const;

    // Switches to a write-ahead log, so that readers and writers never wait for one another; a database that
    // has one is left as it is.
    Result<> enableWal();
    // Copies everything into a new file; the caller renames it when this succeeded.
    Result<> backUpTo(const std::filesystem::path& file);
    // Moves what no reader needs any more from the log into the database file, when the log is long enough
    // (or `always`). The caller holds the file lock. Never waits; a failure only means that the log stays
    // long.
    void checkpointLog(bool always = false);
    // As checkpointLog(), and makes the log empty unless a reader needs it.
    void truncateLog();

    Error lastError(std::string_view doing) const;
    const std::filesystem::path& file() const { return file_; }

private:
    friend class Statement;
    explicit Database(std::filesystem::path file) : file_(std::move(file)) {}
    void configure();
    Result<> connect(int flags, const std::string& name);

    sqlite3* handle_ = nullptr;
    std::filesystem::path file_;
    KeepWaiting keep_waiting_;
    bool never_wait_ = false;  // locks of other connections are not waited for
    std::chrono::steady_clock::time_point busy_since_;
    std::optional<std::chrono::steady_clock::time_point> deadline_;
    int log_pages_ = 0;          // after the last commit of this connection
    int log_pages_unmoved_ = 0;  // that the last checkpoint could not move, because a reader needs them
};

// The lock that writers and checkpoints of all processes take in turn: below 3.51.3, SQLite can damage a
// database when two connections write and checkpoint at the same instant. Nobody waits for it without an end:
// a process may be stopped while it holds it.
class WriteLockFile {
public:
    using KeepWaiting = Database::KeepWaiting;

    static Result<WriteLockFile> open(const std::filesystem::path& data_folder,
                                      const System& system = realSystem());
    WriteLockFile(WriteLockFile&& other) noexcept;
    WriteLockFile& operator=(WriteLockFile&& other) noexcept;
    ~WriteLockFile();

    bool tryLock();
    // False when `keep_waiting` has had enough. Whoever begins to wait comes before those that had the lock
    // and want it again.
    bool lock(const KeepWaiting& keep_waiting);
    void unlock();

private:
    explicit WriteLockFile(int descriptor) : descriptor_(descriptor) {}
    bool tryWaitingPlace();
    void leaveWaitingPlace();
    int descriptor_ = -1;
};

// The file lock for a while. error: another process held it for longer than the database's patience.
class WriteLockGuard {
public:
    static Result<WriteLockGuard> take(const Database& database, WriteLockFile& lock);
    WriteLockGuard(WriteLockGuard&& other) noexcept : lock_(std::exchange(other.lock_, nullptr)) {}
    WriteLockGuard& operator=(WriteLockGuard&&) = delete;
    ~WriteLockGuard() {
        if (lock_) lock_->unlock();
    }

private:
    explicit WriteLockGuard(WriteLockFile& lock) : lock_(&lock) {}
    WriteLockFile* lock_;
};

// File lock and BEGIN IMMEDIATE; rolls back unless committed. Both locks together are waited for as long as
// the database's patience lasts; while another program holds the database, the file lock is given back, so
// that many writers wait at the same time and not one after the other.
class WriteTransaction {
public:
    static Result<WriteTransaction> begin(Database& database, WriteLockFile& lock);
    WriteTransaction(WriteTransaction&& other) noexcept;
    WriteTransaction& operator=(WriteTransaction&&) = delete;
    ~WriteTransaction();

    Result<> commit();

private:
    WriteTransaction(Database& database, WriteLockFile& lock) : database_(&database), lock_(&lock) {}
    Database* database_;
    WriteLockFile* lock_;
    bool begun_ = true;
};

// As it is stored; bytes that are no UTF-8 are replaced.
std::string jsonText(const Json& json);
// Null when the text is no JSON, or nested so deeply (32) that walking through it would exhaust the stack.
Json jsonFromText(std::string_view text);

// A file that is there to be locked; one that is there stays. The lock itself is the kernel's and no file
// operation.
Result<> makeLockFile(FileSystem& files, const std::filesystem::path& path);

inline constexpr const char* kDatabaseName = "seedbed.db";

}  // namespace seedbed
