// SPDX-License-Identifier: GPL-3.0-or-later
// The database as the window sees it: a thread looks for changes and publishes unchanging lists of runs;
// questions are answered by another. The GUI thread never touches SQLite.
#pragma once

#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

#include <QObject>
#include <QString>

#include "core/store/store_reader.hpp"
#include "ui/models/background.hpp"

namespace seedbed::ui {

// Whether the database can be read at the moment, and what the user is told when not.
struct StoreState {
    enum class Kind : std::uint8_t {
        opening,      // not looked yet
        ready,        //
        empty,        // there is no database yet: nothing was trained here
        disappeared,  // there was one, and it or its folder is gone
        locked,       // another program holds it
        failed,       // damaged, of a newer version, not readable
    };

    Kind kind = Kind::opening;
    QString text;  // cause and what to do; "" when ready, opening or empty

    bool operator==(const StoreState&) const = default;
};

// All runs in order of ids, the bin included, and beside them what a filter looks at.
using RunSnapshot = std::shared_ptr<const std::vector<RunRecord>>;
using SearchTexts = std::shared_ptr<const std::vector<QString>>;

// Thread: GUI. Signals come on the GUI thread. Whatever goes wrong is a state; the store keeps trying and
// keeps what it last knew.
class RunStore : public QObject {
    Q_OBJECT
public:
    // poll_ms: how often the database is asked whether it changed; reading takes at most a tenth of one core.
    explicit RunStore(std::filesystem::path data_folder, int poll_ms = 100, QObject* parent = nullptr);
    ~RunStore() override;

    const std::filesystem::path& folder() const { return folder_; }
    const StoreState& state() const { return state_; }
    // Never null.
    const RunSnapshot& runs() const { return runs_; }
    const SearchTexts& searchTexts() const { return search_texts_; }
    const QueueState& queue() const { return queue_; }
    // Null when there is no such run. Valid until the next change.
    const RunRecord* find(RunId run) const;
    // Raised whenever something was committed; charts compare it to know whether they are up to date.
    std::int64_t changes() const { return changes_; }

    // work(StoreReader&) -> Result<T> on a reading thread, then then(Result<T>) here; see Background::run for
    // `context` and `key`. The error is the store's when the database cannot be opened.
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

    // Looks now instead of at the next poll, e.g. after an edit.
    void refresh();

Q_SIGNALS:
    void runsChanged();
    void queueChanged();
    void stateChanged();
    // Anything at all was committed: runs, points, episodes, events.
    void changed();

private:
    struct Poller;
    struct Publication;
    void publish(const Publication& publication);

    std::filesystem::path folder_;
    StoreState state_;
    RunSnapshot runs_;
    SearchTexts search_texts_;
    QueueState queue_;
    std::int64_t changes_ = 0;

    std::function<Result<StoreReader*>(const std::stop_token&)> reader_;  // on the reading thread
    std::unique_ptr<Poller> poller_;
    Background readers_;  // joined first
};

}  // namespace seedbed::ui
