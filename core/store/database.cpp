// SPDX-License-Identifier: Apache-2.0
#include "core/store/database.hpp"

#include <cerrno>
#include <cmath>
#include <cstring>
#include <limits>
#include <system_error>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

#include <sqlite3.h>

#include "core/base/os/files.hpp"
#include "core/base/strict_json.hpp"
#include "core/store/rewrite_log.hpp"

namespace seedbed {

namespace {

constexpr int kCheckpointPages = 1000;  // about 4 MB of log, SQLite's own default
constexpr std::chrono::seconds kBusyLimit{30};
constexpr int kBackupPages = 1000;                // pages copied between two checks for a stop request
constexpr std::int64_t kLogSizeLimit = 64 << 20;  // bytes to which a log that grew during a long read is
                                                  // truncated

bool isNotADatabase(int code) { return (code & 0xff) == SQLITE_NOTADB; }

}  // namespace

Statement::Statement(Statement&& other) noexcept
    : database_(other.database_), statement_(std::exchange(other.statement_, nullptr)) {}

Statement& Statement::operator=(Statement&& other) noexcept {
    std::swap(database_, other.database_);
    std::swap(statement_, other.statement_);
    return *this;
}

Statement::~Statement() { sqlite3_finalize(statement_); }

void Statement::bind(int index, std::int64_t value) { sqlite3_bind_int64(statement_, index, value); }
void Statement::bind(int index, double value) { sqlite3_bind_double(statement_, index, value); }
void Statement::bind(int index, std::nullptr_t) { sqlite3_bind_null(statement_, index); }
void Statement::bind(int index, std::string_view value) {
    // A null pointer would bind NULL. SQLite copies the bytes, because the statement may outlive them.
    sqlite3_bind_text64(statement_, index, value.data() ? value.data() : "", value.size(), SQLITE_TRANSIENT,
                        SQLITE_UTF8);
}
void Statement::bind(int index, std::span<const std::byte> value) {
    sqlite3_bind_blob64(statement_, index, value.data() ? value.data() : static_cast<const void*>(""),
                        value.size(), SQLITE_TRANSIENT);
}

Result<bool> Statement::step() {
    if (database_->step_limit_)
        database_->deadline_ = std::chrono::steady_clock::now() + *database_->step_limit_;
    if (database_->stop_.stop_requested()) return tl::unexpected<Error>(database_->lastError("using"));
    const int code = sqlite3_step(statement_);
    if (code == SQLITE_ROW) return true;
    if (code == SQLITE_DONE) {
        reset();
        return false;
    }
    Error error = database_->lastError("using");
    reset();
    return tl::unexpected<Error>(std::move(error));
}

Result<> Statement::runWith(std::span<const Value> values) {
    reset();
    int index = 0;
    for (const Value& value : values) {
        ++index;
        std::visit([&](const auto& plain) { bind(index, plain); }, value);
    }
    while (true) {
        SEEDBED_ASSIGN(const bool row, step());
        if (!row) return {};
    }
}

void Statement::reset() { sqlite3_reset(statement_); }

std::int64_t Statement::integer(int column) const { return sqlite3_column_int64(statement_, column); }
double Statement::real(int column) const {
    return isNull(column) ? std::numeric_limits<double>::quiet_NaN()
                          : sqlite3_column_double(statement_, column);
}
std::string Statement::text(int column) const {
    const void* bytes = sqlite3_column_text(statement_, column);
    if (bytes == nullptr) return {};
    return {static_cast<const char*>(bytes),
            static_cast<std::size_t>(sqlite3_column_bytes(statement_, column))};
}
std::span<const std::byte> Statement::blob(int column) const {
    const void* bytes = sqlite3_column_blob(statement_, column);
    return {static_cast<const std::byte*>(bytes),
            static_cast<std::size_t>(sqlite3_column_bytes(statement_, column))};
}
bool Statement::isNull(int column) const { return sqlite3_column_type(statement_, column) == SQLITE_NULL; }

Database::~Database() { sqlite3_close_v2(handle_); }

Result<> Database::connect(int flags, const std::string& name) {
    sqlite3_close_v2(std::exchange(handle_, nullptr));
    if (sqlite3_open_v2(name.c_str(), &handle_, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE,
                        nullptr) != SQLITE_OK)
        return tl::unexpected<Error>(lastError("opening"));
    configure();
    // SQLite opens the file lazily; this access reports errors.
    return integer("PRAGMA schema_version").map([](std::int64_t) {});
}

namespace {

// SQLite would wait on a pipe, and would follow a link in an imported folder and write to its target.
Result<> checkKind(const std::filesystem::path& file) {
    namespace fs = std::filesystem;
    std::error_code ignored;
    if (const auto status = fs::status(file, ignored); fs::exists(status) && !fs::is_regular_file(status))
        return fail("'" + file.string() + "' is not a regular file");
    for (const char* suffix : {"-wal", "-shm", "-journal"}) {
        const auto status = fs::symlink_status(file.string() + suffix, ignored);
        if (fs::exists(status) && !fs::is_regular_file(status))
            return fail("'" + file.string() + suffix + "' is not a regular file");
    }
    return {};
}

// Created before SQLite opens it, because SQLite would apply the user's umask.
void createPrivate(const std::filesystem::path& file) {
    const int made = ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (made >= 0) ::close(made);
}

}  // namespace

Result<std::unique_ptr<Database>> Database::open(const std::filesystem::path& file, Access access,
                                                 KeepWaiting keep_waiting) {
    if (file != ":memory:") SEEDBED_TRY(checkKind(file));
    if (access == Access::create && file != ":memory:") createPrivate(file);
    std::unique_ptr<Database> database(new Database(file));
    database->keep_waiting_ = std::move(keep_waiting);
    if (access != Access::read) {
        SEEDBED_TRY(database->connect(
            SQLITE_OPEN_READWRITE | (access == Access::create ? SQLITE_OPEN_CREATE : 0), file.string()));
        if (sqlite3_db_readonly(database->handle_, "main") == 1)
            return fail("'" + file.string() +
                        "' cannot be written: check the permissions of the file and its folder, or choose "
                        "another folder with --data");
        return database;
    }
    const Result<> opened = database->connect(SQLITE_OPEN_READONLY, file.string());
    if (opened) return database;
    // In a folder without write permission SQLite cannot create the files that readers share. If there is no
    // log, the file has no writers and can be read directly.
    std::error_code ignored;
    const auto log_bytes = std::filesystem::file_size(file.string() + "-wal", ignored);
    const int code = sqlite3_extended_errcode(database->handle_) & 0xff;
    if ((code != SQLITE_CANTOPEN && code != SQLITE_READONLY) || (!ignored && log_bytes > 0))
        return tl::unexpected<Error>(opened.error());
    std::string uri = "file:";
    for (const char letter : std::filesystem::absolute(file).string()) {
        if (std::strchr("%?#", letter) == nullptr) uri += letter;
        else uri += letter == '%' ? "%25" : letter == '?' ? "%3f" : "%23";
    }
    if (!database->connect(SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, uri + "?immutable=1"))
        return tl::unexpected<Error>(opened.error());
    return database;
}

void Database::configure() {
    // Prevents code in the schema of a file from running when the file is opened or read.
    sqlite3_db_config(handle_, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(handle_, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    sqlite3_db_config(handle_, SQLITE_DBCONFIG_ENABLE_FKEY, 1, nullptr);
    sqlite3_db_config(handle_, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
    sqlite3_exec(handle_, "PRAGMA cell_size_check=ON", nullptr, nullptr, nullptr);
    sqlite3_exec(handle_, ("PRAGMA journal_size_limit=" + std::to_string(kLogSizeLimit)).c_str(), nullptr,
                 nullptr, nullptr);

    // Replaces SQLite's automatic checkpoints; only records the number of pages in the log.
    const auto count = [](void* self, sqlite3*, const char*, int pages) {
        static_cast<Database*>(self)->log_pages_ = pages;
        return SQLITE_OK;
    };
    sqlite3_wal_hook(handle_, count, this);
    const auto wait = [](void* self, int calls) {
        auto* database = static_cast<Database*>(self);
        const auto now = std::chrono::steady_clock::now();
        if (calls == 0) database->busy_since_ = now;
        const auto waited =
            std::chrono::duration_cast<std::chrono::milliseconds>(now - database->busy_since_);
        if (database->never_wait_ || !database->mayWait(waited)) return 0;
        // Polls, because SQLite does not report when the other connection has finished.
        std::this_thread::sleep_for(std::chrono::milliseconds(calls < 10 ? 1 : 10));
        return 1;
    };
    sqlite3_busy_handler(handle_, wait, this);
}

bool Database::mayWait(std::chrono::milliseconds waited) const {
    if (stop_.stop_requested()) return false;
    return keep_waiting_ ? keep_waiting_(waited) : waited <= kBusyLimit;
}

Result<bool> Database::tryBegin() {
    never_wait_ = true;
    const int code = sqlite3_exec(handle_, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr);
    never_wait_ = false;
    if (code == SQLITE_OK) return true;
    if ((code & 0xff) == SQLITE_BUSY) return false;
    return tl::unexpected<Error>(lastError("using"));
}

void Database::setDeadline(std::optional<std::chrono::steady_clock::time_point> deadline) {
    deadline_ = deadline;
    watchStatements();
}

void Database::stopWhen(std::stop_token stop) {
    stop_ = std::move(stop);
    watchStatements();
}

void Database::watchStatements() {
    const auto must_end = [](void* self) {
        const auto* database = static_cast<const Database*>(self);
        const auto& deadline = database->deadline_;
        return static_cast<int>(database->stop_.stop_requested() ||
                                (deadline && std::chrono::steady_clock::now() > *deadline));
    };
    if (deadline_ || stop_.stop_possible()) sqlite3_progress_handler(handle_, 2000, must_end, this);
    else sqlite3_progress_handler(handle_, 0, nullptr, nullptr);
}

void Database::limitSteps(std::optional<std::chrono::nanoseconds> limit) {
    step_limit_ = limit;
    setDeadline(limit ? std::optional(std::chrono::steady_clock::now() + *limit) : std::nullopt);
}

void Database::limitUntrusted() {
    constexpr int kMaxValue = 8 << 20;      // bytes; the returns of 100,000 episodes take 5 MB
    constexpr int kMaxStatement = 100'000;  // bytes
    sqlite3_limit(handle_, SQLITE_LIMIT_LENGTH, kMaxValue);
    sqlite3_limit(handle_, SQLITE_LIMIT_SQL_LENGTH, kMaxStatement);
    sqlite3_limit(handle_, SQLITE_LIMIT_ATTACHED, 0);
    sqlite3_limit(handle_, SQLITE_LIMIT_TRIGGER_DEPTH, 1);
    sqlite3_exec(handle_, "PRAGMA mmap_size=0", nullptr, nullptr, nullptr);
}

bool Database::interrupted() const { return (sqlite3_errcode(handle_) & 0xff) == SQLITE_INTERRUPT; }
bool Database::notADatabase() const { return isNotADatabase(sqlite3_errcode(handle_)); }

bool Database::hasMoved() const {
    int moved = 0;
    return sqlite3_file_control(handle_, "main", SQLITE_FCNTL_HAS_MOVED, &moved) == SQLITE_OK && moved != 0;
}

Result<> Database::execute(const std::string& sql) {
    if (sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK)
        return tl::unexpected<Error>(lastError("using"));
    return {};
}

Result<Statement> Database::prepare(std::string_view sql) {
    sqlite3_stmt* statement = nullptr;
    if (sqlite3_prepare_v3(handle_, sql.data(), static_cast<int>(sql.size()), SQLITE_PREPARE_PERSISTENT,
                           &statement, nullptr) != SQLITE_OK)
        return tl::unexpected<Error>(lastError("using"));
    return Statement(this, statement);
}

Result<std::int64_t> Database::integer(std::string_view sql) {
    SEEDBED_ASSIGN(Statement statement, prepare(sql));
    std::int64_t value = 0;
    bool first = true;
    SEEDBED_TRY(statement.each([&] {
        if (std::exchange(first, false)) value = statement.integer(0);
    }));
    return value;
}

Result<> Database::enableWal() {
    // Retries here, because SQLite does not call the busy handler while it changes the journal mode.
    for (int attempt = 0;; ++attempt) {
        const Result<> switched = execute("PRAGMA journal_mode=WAL");
        const bool busy = (sqlite3_extended_errcode(handle_) & 0xff) == SQLITE_BUSY;
        if (switched || !busy || attempt == 500) return switched;
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
}

Result<> Database::backUpTo(const std::filesystem::path& file) {
    sqlite3* target = nullptr;
    createPrivate(file);
    int code = sqlite3_open_v2(file.c_str(), &target, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr);
    if (code == SQLITE_OK) {
        // No journal is needed: a crash leaves only this file, which has a temporary name.
        sqlite3_exec(target, "PRAGMA journal_mode=OFF", nullptr, nullptr, nullptr);
        sqlite3_backup* backup = sqlite3_backup_init(target, "main", handle_, "main");
        // Without this transaction, each step would restart the copy if another process has written to the
        // database.
        const bool begun = sqlite3_get_autocommit(handle_) != 0;
        if (begun)
            sqlite3_exec(handle_, "BEGIN; SELECT count(*) FROM sqlite_schema", nullptr, nullptr, nullptr);
        code = backup ? SQLITE_OK : sqlite3_errcode(target);
        while (code == SQLITE_OK && !stop_.stop_requested()) code = sqlite3_backup_step(backup, kBackupPages);
        if (backup) {
            const int finished = sqlite3_backup_finish(backup);
            if (code == SQLITE_DONE) code = finished;
        }
        if (begun) rollback();
    }
    sqlite3_close(target);
    if (stop_.stop_requested()) return tl::unexpected<Error>(lastError("copying"));
    if (code == SQLITE_OK) return {};
    const ErrorCode kind = code == SQLITE_FULL ? ErrorCode::disk_full : ErrorCode::failure;
    return fail(kind, "the backup '" + file.string() + "' cannot be written: " + sqlite3_errstr(code));
}

void Database::checkpointLog(bool always) {
    if (!always && log_pages_ < log_pages_unmoved_ + kCheckpointPages) return;
    if (!repairLog()) return;
    int pages = 0;
    int moved = 0;
    // Passive checkpoints never wait for readers or writers.
    const int code = sqlite3_wal_checkpoint_v2(handle_, "main", SQLITE_CHECKPOINT_PASSIVE, &pages, &moved);
    log_pages_unmoved_ = code == SQLITE_OK ? pages - moved : log_pages_;
    had_file_error_ = (code & 0xff) == SQLITE_IOERR;
    (void)repairLog();
}

Result<> Database::repairLog() {
    if (!had_file_error_) return {};
    // Makes SQLite open the log.
    SEEDBED_TRY(integer("PRAGMA schema_version"));
    const int code = rewriteLog(handle_);
    if (code == SQLITE_OK) {
        had_file_error_ = false;
        return {};
    }
    return fail((code & 0xff) == SQLITE_FULL ? ErrorCode::disk_full : ErrorCode::failure,
                "the log of the database '" + file_.string() + "' cannot be rewritten after an error: " +
                    sqlite3_errstr(code) + "; check the disk; everything saved earlier is safe");
}

void Database::rollback() noexcept { sqlite3_exec(handle_, "ROLLBACK", nullptr, nullptr, nullptr); }

void Database::truncateLog() {
    checkpointLog(true);
    if (had_file_error_) return;
    never_wait_ = true;
    const int code = sqlite3_wal_checkpoint_v2(handle_, "main", SQLITE_CHECKPOINT_TRUNCATE, nullptr, nullptr);
    never_wait_ = false;
    had_file_error_ = (code & 0xff) == SQLITE_IOERR;
    (void)repairLog();
}

Error Database::lastError(std::string_view doing) const {
    const int code = sqlite3_extended_errcode(handle_);
    const int number = sqlite3_system_errno(handle_);
    const std::string name = "the database '" + file_.string() + "'";
    const bool is_io = (code & 0xff) == SQLITE_IOERR;
    had_file_error_ = had_file_error_ || is_io;
    if (stop_.stop_requested()) return {ErrorCode::interrupted, "interrupted; nothing was written", {}};
    if ((code & 0xff) == SQLITE_FULL || (is_io && (number == ENOSPC || number == EDQUOT)))
        return {
            ErrorCode::disk_full,
            "the disk is full: " + name + " cannot grow; everything saved earlier is safe; free some space",
            {}};
    switch (code & 0xff) {
        case SQLITE_BUSY:
        case SQLITE_LOCKED:
            return {ErrorCode::failure,
                    name + " is locked by another program; close it (such as a database browser or shell)",
                    {}};
        case SQLITE_READONLY:
        case SQLITE_PERM:
        case SQLITE_CANTOPEN:
            return {ErrorCode::failure,
                    name +
                        " cannot be opened: check that it exists and the permissions of the file and its "
                        "folder (" +
                        sqlite3_errmsg(handle_) + ")",
                    {}};
        case SQLITE_CORRUPT:
            return {ErrorCode::failure,
                    name + " is damaged (" + sqlite3_errmsg(handle_) + "); " + damageRemedy(file_),
                    {}};
        case SQLITE_NOTADB:
            return {ErrorCode::failure,
                    "'" + file_.string() +
                        "' is not a database; it was not changed; move it elsewhere or choose another folder "
                        "with --data",
                    {}};
        case SQLITE_NOMEM:
            return {ErrorCode::out_of_memory, "not enough memory for " + std::string(doing) + " " + name, {}};
        default: break;
    }
    std::string text = std::string(doing) + " " + name + " failed: " + sqlite3_errmsg(handle_);
    if (is_io && number != 0) text += std::string(" (") + std::strerror(number) + ")";
    return {ErrorCode::failure, std::move(text), {}};
}

std::string jsonText(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

Json jsonFromText(std::string_view text) {
    Json json = parseStrictJson(text);
    return json.is_discarded() ? Json() : std::move(json);
}

std::string damageRemedy(const std::filesystem::path& file) {
    std::string remedy = "nothing was changed; replace it with a backup";
    if (file.filename().string() != kDatabaseName) return remedy;
    const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
    return remedy +
           ", or copy its readable rows to a new data folder with 'seedbed db export FOLDER --data " +
           folder.string() + "'";
}

}  // namespace seedbed
