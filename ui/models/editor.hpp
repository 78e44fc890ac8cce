// SPDX-License-Identifier: GPL-3.0-or-later
// What the user changes about runs: names, tags, notes, stars, archive, bin; written on a thread of its own,
// with undo and redo.
#pragma once

#include <atomic>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include <QObject>
#include <QString>
#include <QUndoStack>

#include "core/store/store.hpp"
#include "ui/models/background.hpp"
#include "ui/models/run_store.hpp"

namespace seedbed::ui {

// Thread: GUI. Every edit is one step on the stack, however many runs it changes. What a step takes back is
// what it found in the database when it was written, so steps may follow each other faster than the list of
// runs.
class Editor : public QObject {
    Q_OBJECT
public:
    // The store is asked whether there is anything to do, and is refreshed after an edit. Both must outlive
    // the editor; clear the stack before it goes. `unsaved`: a file that keeps what could not be written
    // before the end (empty: none). What it holds is written now, and leaves the file when all of it is
    // committed; or it is left there for another start.
    enum class Earlier : std::uint8_t { write, leave };
    Editor(RunStore& store, QUndoStack& stack, std::filesystem::path unsaved = {},
           Earlier earlier = Earlier::write, QObject* parent = nullptr);
    // Waits until everything is written, or for a second when another program holds the database: what is
    // left then is kept in the file.
    ~Editor() override;

    // What a run should become; fields that are not set stay.
    struct Wish {
        RunId run = 0;
        RunEdit edit{};
        std::optional<std::vector<std::string>> tags{};  // all of them, instead of edit's
    };

    void rename(RunId run, const QString& name);
    void setNotes(RunId run, const QString& notes);
    void setStar(const std::vector<RunId>& runs, bool star);
    void setArchived(const std::vector<RunId>& runs, bool archived);
    void setInBin(const std::vector<RunId>& runs, bool in_trash);
    void addTag(const std::vector<RunId>& runs, const QString& tag);
    void removeTag(const std::vector<RunId>& runs, const QString& tag);
    // All tags of a run, as a comma separated text.
    void setTags(RunId run, const QString& tags);

    bool busy() const { return writer_.busy(); }

Q_SIGNALS:
    // What could not be written, and why; nothing was changed.
    void failed(const QString& text);
    void written();

private:
    friend class EditCommand;
    struct Step;
    // Of the writing thread.
    struct Writing;

    void push(std::vector<Wish> wishes, const QString& what);
    void write(const std::shared_ptr<Step>& step, bool forward);
    void answered(const std::shared_ptr<Step>& step, bool forward, const Result<>& result);

    RunStore& store_;
    QUndoStack& stack_;
    std::filesystem::path unsaved_;
    std::shared_ptr<Writing> writing_;
    Background writer_;
};

}  // namespace seedbed::ui
