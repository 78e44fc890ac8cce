// SPDX-License-Identifier: GPL-3.0-or-later
// The user's edits to runs: names, tags, notes, stars, archive, trash. Writes on its own thread, with undo
// and redo.
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

// Thread: GUI. An edit to any number of runs is one step on the stack. Undo restores the values that the
// database contained when the step was written, so a step may be created before the list of runs is up to
// date.
class Editor : public QObject {
    Q_OBJECT
public:
    // `store` and `stack` must outlive the editor; clear the stack before destroying it. `unsaved`: a file
    // for edits that could not be written before the window closed (empty: none). `earlier`: whether to write
    // the edits in that file now (they are removed from it once committed) or leave them for a later session.
    enum class Earlier : std::uint8_t { write, leave };
    Editor(RunStore& store, QUndoStack& stack, std::filesystem::path unsaved = {},
           Earlier earlier = Earlier::write, QObject* parent = nullptr);
    // Waits until everything is written, but at most one second for another program's lock. Remaining edits
    // are saved to the file.
    ~Editor() override;

    // The new values of a run; unset fields are kept.
    struct Request {
        RunId run = 0;
        RunEdit edit{};
        std::optional<std::vector<std::string>> tags{};  // replaces all tags; tags in `edit` are ignored
    };

    void rename(RunId run, const QString& name);
    void setNotes(RunId run, const QString& notes);
    void setStar(const std::vector<RunId>& runs, bool star);
    void setArchived(const std::vector<RunId>& runs, bool archived);
    void setTrashed(const std::vector<RunId>& runs, bool in_trash);
    void addTag(const std::vector<RunId>& runs, const QString& tag);
    void removeTag(const std::vector<RunId>& runs, const QString& tag);
    // Replaces all tags with those of a comma-separated list.
    void setTags(RunId run, const QString& tags);

    bool busy() const { return writer_.busy(); }

Q_SIGNALS:
    // Emitted if an edit could not be written; nothing was changed. `text`: the cause.
    void failed(const QString& text);
    void written();

private:
    friend class EditCommand;
    struct Step;
    // State of the writing thread.
    struct Writing;

    void push(std::vector<Request> requests, const QString& what);
    void write(const std::shared_ptr<Step>& step, bool forward);
    void finished(const std::shared_ptr<Step>& step, bool forward, const Result<>& result);

    RunStore& store_;
    QUndoStack& stack_;
    std::filesystem::path unsaved_;
    std::shared_ptr<Writing> writing_;
    Background writer_;
};

}  // namespace seedbed::ui
