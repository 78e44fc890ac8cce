// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the database for the window. One thread polls for changes and publishes immutable lists of runs;
// another thread executes queries. The GUI thread never uses SQLite.
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

#include <QObject>
#include <QString>

#include "core/store/store_reader.hpp"
#include "ui/models/background.hpp"

namespace seedbed::ui {

// Whether the database is readable, and the message for the user if it is not.
struct StoreState {
    enum class Kind : std::uint8_t {
        opening,      // not polled yet
        ready,        //
        empty,        // no database exists yet
        disappeared,  // the database or its folder was removed
        locked,       // locked by another program
        failed,       // damaged, of a newer version, or not readable
    };

    Kind kind = Kind::opening;
    QString text;  // cause and what to do; "" if ready, opening or empty

    bool operator==(const StoreState&) const = default;
};

// All runs sorted by id, including trashed runs, and their search strings (searchTextOf) in the same order.
using RunSnapshot = std::shared_ptr<const std::vector<RunRecord>>;
using SearchTexts = std::shared_ptr<const std::vector<QString>>;

// How long a view of a run that trains may wait between two reads: a long training changes slowly.
std::chrono::milliseconds readPause(const RunRecord& run);

// Thread: GUI; signals are emitted there. Errors are reported as states: the store retries and keeps the last
// known data.
class RunStore : public QObject {
    Q_OBJECT
public:
    // Poll interval while curves of running runs are visible.
    static constexpr int kLiveMs = 100;
    // Polling uses at most a tenth of one core.
    explicit RunStore(std::filesystem::path data_folder, int poll_ms = kLiveMs, QObject* parent = nullptr);
    ~RunStore() override;

    const std::filesystem::path& folder() const { return folder_; }
    const StoreState& state() const { return state_; }
    // Never null.
    const RunSnapshot& runs() const { return runs_; }
    const SearchTexts& searchTexts() const { return search_texts_; }
    const QueueState& queue() const { return queue_; }
    // Null if there is no such run. Valid until the next change.
    const RunRecord* find(RunId run) const;
    // Whether any run trains now.
    bool isTraining() const;
    // The run that a person chose last on any page, 0 if none: pages opened without a link show it.
    RunId chosen() const { return find(chosen_) != nullptr ? chosen_ : 0; }
    void setChosen(RunId run) { chosen_ = run; }
    // Number of changes to the database since the start; charts use it to check whether they are up to date.
    std::int64_t changes() const { return changes_; }

    // Runs work(StoreReader&) -> Result<T> on the reading thread, then then(Result<T>) here; see
    // Background::run for `context` and `key`. error: from the store if the database cannot be opened.
    template <class Work, class Then>
    void read(QObject* context, const QString& key, Work work, Then then) {
        using Value = std::invoke_result_t<Work&, StoreReader&>;
        readers_.run(
            context, key,
            [this, work = std::move(work)](const std::stop_token& stop) mutable -> Value {
                Result<StoreReader*> reader = reader_(stop);
                if (!reader) return tl::unexpected<Error>(reader.error());
                return work(**reader);
            },
            std::move(then));
    }
    bool reading() const { return readers_.busy(); }

    // Polls now and, for a second, more often, for example after an edit or the start of a run.
    void refresh();
    // A shorter interval applies at once. Polling slows down training on all cores, so it should be as rare
    // as the visible page permits.
    void setPollInterval(int poll_ms);

Q_SIGNALS:
    void runsChanged();
    void queueChanged();
    void stateChanged();
    // Emitted after a commit of runs, points, episodes or events.
    void changed();

private:
    struct Poller;
    struct Publication;
    void publish(const Publication& publication);

    std::filesystem::path folder_;
    RunId chosen_ = 0;
    StoreState state_;
    RunSnapshot runs_;
    SearchTexts search_texts_;
    QueueState queue_;
    std::int64_t changes_ = 0;

    std::function<Result<StoreReader*>(const std::stop_token&)> reader_;  // called on the reading thread
    std::unique_ptr<Poller> poller_;
    Background readers_;  // declared last, so that its threads are joined first
};

}  // namespace seedbed::ui
