// SPDX-License-Identifier: GPL-3.0-or-later
// What the user changes about runs: names, tags, notes, stars, archive, bin; written on a thread of its own, with undo and redo.
#pragma once

#include <filesystem>
#include <vector>

#include <QObject>
#include <QString>
#include <QUndoStack>

#include "core/store/store.hpp"
#include "ui/models/background.hpp"
#include "ui/models/run_store.hpp"

namespace seedbed::ui {

// Thread: GUI. Every edit is one step on the stack, however many runs it changes.
class Editor : public QObject {
    Q_OBJECT
public:
    // The store tells what was there before, and is refreshed after an edit. Both must outlive the editor; clear the stack before it goes.
    Editor(RunStore& store, QUndoStack& stack, QObject* parent = nullptr);
    // Waits until everything is written.
    ~Editor() override;

    void rename(RunId run, const QString& name);
    void setNotes(RunId run, const QString& notes);
    void setStar(const std::vector<RunId>& runs, bool star);
    void setArchived(const std::vector<RunId>& runs, bool archived);
    void setInBin(const std::vector<RunId>& runs, bool in_bin);
    void addTag(const std::vector<RunId>& runs, const QString& tag);
    void removeTag(const std::vector<RunId>& runs, const QString& tag);
    // All tags of a run, as a comma separated text.
    void setTags(RunId run, const QString& tags);

    bool busy() const { return writer_.busy(); }

Q_SIGNALS:
    // What could not be written, and why; nothing was changed.
    void failed(const QString& text);
    void written();

public:
    struct Change {
        RunId run = 0;
        RunEdit before, after;
    };

private:
    friend class EditCommand;
    void push(std::vector<Change> changes, const QString& what);
    template <class MakeChange>
    void change(const std::vector<RunId>& runs, const QString& what, const MakeChange& make);
    void write(const std::vector<Change>& changes, bool forward);

    RunStore& store_;
    QUndoStack& stack_;
    Background writer_;
};

}  // namespace seedbed::ui
