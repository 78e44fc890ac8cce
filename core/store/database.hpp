// SPDX-License-Identifier: Apache-2.0
// A connection to SQLite and its prepared statements, with errors as Results. Internal to core/store.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/base/os/system.hpp"

struct sqlite3;
struct sqlite3_stmt;

namespace seedbed {

class Database;

// A prepared statement; its Database must outlive it. Columns are valid until the next call.
class Statement {
public:
    Statement() = default;
    Statement(Statement&& other) noexcept;
    Statement& operator=(Statement&& other) noexcept;
    ~Statement();

    // Binds all parameters and executes the statement; ignores result rows.
    template <class... Args>
    Result<> run(const Args&... args) {
        bindAll(args...);
        while (true) {
            SEEDBED_ASSIGN(const bool row, step());
            if (!row) return {};
        }
    }
    using Value = std::variant<std::int64_t, double, std::string>;
    // Like run(), for a number of parameters that is known only at run time.
    Result<> runWith(std::span<const Value> values);
    // Binds all parameters and calls `on_row()` (returning void) for each row.
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
    double real(int column) const;  // NaN for NULL
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
    void bind(int index, double value);  // NaN becomes NULL
    void bind(int index, std::string_view value);
    void bind(int index, const std::string& value) { bind(index, std::string_view(value)); }
    void bind(int index, const char* value) { bind(index, std::string_view(value)); }
    void bind(int index, std::span<const std::byte> value);
    void bind(int index, std::nullptr_t);
    template <class T>
    void bind(int index, const std::optional<T>& value) {
        value ? bind(index, *value) : bind(index, nullptr);
    }

    Result<bool> step();  // true if there is a row; resets after the last one and after an error
    void reset();

    Database* database_ = nullptr;
    sqlite3_stmt* statement_ = nullptr;
};

// One connection. Thread: one owner at a time. Checkpoints happen only on request: neither a commit nor
// closing starts one.
class Database {
public:
    enum class Access { read, write, create };

    // Called with the time waited so far while another connection holds a lock; returning false makes the
    // call fail.
    using KeepWaiting = std::function<bool(std::chrono::milliseconds)>;

    static Result<std::unique_ptr<Database>> open(const std::filesystem::path& file, Access access,
                                                  KeepWaiting keep_waiting = {});
    ~Database();
    Database(const Database&) = delete;
    Database& operator=(const Database&) = delete;

    Result<> execute(const std::string& sql);  // any number of statements without parameters
    Result<Statement> prepare(std::string_view sql);
    Result<std::int64_t> integer(std::string_view sql);  // first column of the first row, or 0

    // Replaces the limit on waiting for locks, which is 30 s by default.
    void waitForLocksWhile(KeepWaiting keep_waiting) { keep_waiting_ = std::move(keep_waiting); }
    bool mayWait(std::chrono::milliseconds waited) const;
    // After a stop request, statements, backUpTo() and waits for locks fail with the code interrupted.
    void stopWhen(std::stop_token stop);
    // BEGIN IMMEDIATE without waiting; false if another connection is writing.
    Result<bool> tryBegin();
    // Statements that are still running at `deadline` fail, and interrupted() returns true.
    void setDeadline(std::optional<std::chrono::steady_clock::time_point> deadline);
    // Each step of a statement, from one row to the next, fails after this time; nullopt: unlimited. Limits
    // the cost of each row of a crafted file, but not the number of rows.
    void limitSteps(std::optional<std::chrono::nanoseconds> limit);
    // For untrusted files: limits sizes and features to those that Seedbed's databases use.
    void limitUntrusted();
    bool interrupted() const;
    bool notADatabase() const;  // the last error was that the file is not a database
    // Whether the file was renamed or deleted while open.
    bool hasMoved() const;

    // Switches to a write-ahead log, so that readers and writers do not block each other. No effect if it is
    // already enabled.
    Result<> enableWal();
    // Copies the database to a new file; on success the caller renames it.
    Result<> backUpTo(const std::filesystem::path& file);
    // Moves pages that no reader needs from the log into the database file if the log is long or `always` is
    // true. The caller holds the file lock. Never waits; a failure only leaves the log long.
    void checkpointLog(bool always = false);
    // Like checkpointLog(true), then truncates the log unless a reader needs it.
    void truncateLog();
    // Whether an operation on a file of the database failed. The kernel may have dropped data written but
    // not synced, so later successful syncs are meaningless until repairLog().
    bool hadFileError() const { return had_file_error_; }
    // Call on a connection that replaces one with a file error.
    void setFileError() { had_file_error_ = true; }
    // After a file error, makes all earlier commits durable; otherwise has no effect. Never waits. The caller
    // holds the file lock.
    Result<> repairLog();
    // Allocates nothing itself, so that destructors can call it. Fails silently if SQLite has rolled back
    // after an error.
    void rollback() noexcept;

    Error lastError(std::string_view doing) const;
    const std::filesystem::path& file() const { return file_; }

private:
    friend class Statement;
    explicit Database(std::filesystem::path file) : file_(std::move(file)) {}
    void configure();
    void watchStatements();
    Result<> connect(int flags, const std::string& name);

    sqlite3* handle_ = nullptr;
    std::filesystem::path file_;
    KeepWaiting keep_waiting_;
    std::stop_token stop_;
    bool never_wait_ = false;  // whether to fail immediately if another connection holds a lock
    std::chrono::steady_clock::time_point busy_since_;
    std::optional<std::chrono::steady_clock::time_point> deadline_;
    std::optional<std::chrono::nanoseconds> step_limit_;
    mutable bool had_file_error_ = false;
    int log_pages_ = 0;          // length of the log after this connection's last commit
    int log_pages_unmoved_ = 0;  // pages that the last checkpoint left in the log because a reader needs them
};

// The text to store; invalid UTF-8 is replaced.
std::string jsonText(const Json& json);
// Null if the text is not JSON, or is nested more than 32 levels deep (which could exhaust the stack).
Json jsonFromText(std::string_view text);

inline constexpr const char* kDatabaseName = "seedbed.db";
// For messages about the damaged database `file`.
std::string damageRemedy(const std::filesystem::path& file);

}  // namespace seedbed
