// SPDX-License-Identifier: GPL-3.0-or-later
// Edits as commands on an undo stack.
#include "ui/models/editor.hpp"

#include <algorithm>

#include <QStringList>
#include <QUndoCommand>

#include "core/store/database.hpp"

namespace seedbed::ui {

class EditCommand : public QUndoCommand {
public:
    EditCommand(Editor& editor, std::vector<Editor::Change> changes, const QString& what)
        : QUndoCommand(what), editor_(editor), changes_(std::move(changes)) {}

    void redo() override { editor_.write(changes_, true); }
    void undo() override { editor_.write(changes_, false); }

private:
    Editor& editor_;
    std::vector<Editor::Change> changes_;
};

namespace {

// All of them or, when one is refused, none.
Result<> writeAll(const std::filesystem::path& folder, const std::vector<Editor::Change>& changes, bool forward) {
    // Opening would make what is gone.
    std::error_code ignored;
    if (!std::filesystem::exists(folder / kDatabaseName, ignored)) return fail("there is no database in '" + folder.string() + "'");
    SEEDBED_ASSIGN(Store store, Store::open(folder));
    for (std::size_t i = 0; i < changes.size(); ++i) {
        const Result<> edited = store.edit(changes[i].run, forward ? changes[i].after : changes[i].before);
        if (edited) continue;
        for (std::size_t k = 0; k < i; ++k) (void)store.edit(changes[k].run, forward ? changes[k].before : changes[k].after);
        return edited;
    }
    return {};
}

}  // namespace

Editor::Editor(RunStore& store, QUndoStack& stack, QObject* parent)
    : QObject(parent), store_(store), stack_(stack), writer_(QStringLiteral("ui-edit"), 1, false) {}

Editor::~Editor() { writer_.drain(); }

void Editor::push(std::vector<Change> changes, const QString& what) {
    if (!changes.empty()) stack_.push(new EditCommand(*this, std::move(changes), what));
}

void Editor::write(const std::vector<Change>& changes, bool forward) {
    writer_.run(
        this, QString(),
        [folder = store_.folder(), changes, forward](const std::stop_token&) { return writeAll(folder, changes, forward); },
        [this](const Result<>& result) {
            store_.refresh();
            if (result) {
                Q_EMIT written();
            } else {
                // The stack no longer tells what is in the database.
                stack_.clear();
                Q_EMIT failed(tr("The change was not saved: %1").arg(QString::fromStdString(result.error().text())));
            }
        });
}

// make(run, change) fills in what the run becomes and what it was; false: nothing to do.
template <class MakeChange>
void Editor::change(const std::vector<RunId>& runs, const QString& what, const MakeChange& make) {
    std::vector<Change> changes;
    for (const RunId id : runs) {
        const RunRecord* run = store_.find(id);
        Change change{id, {}, {}};
        if (run != nullptr && make(*run, change)) changes.push_back(std::move(change));
    }
    push(std::move(changes), what);
}

void Editor::rename(RunId id, const QString& name) {
    change({id}, tr("Rename"), [&](const RunRecord& run, Change& change) {
        change.before.name = run.name, change.after.name = name.trimmed().toStdString();
        return change.before.name != change.after.name;
    });
}

void Editor::setNotes(RunId id, const QString& notes) {
    change({id}, tr("Edit notes"), [&](const RunRecord& run, Change& change) {
        change.before.notes = run.notes, change.after.notes = notes.toStdString();
        return change.before.notes != change.after.notes;
    });
}

void Editor::setStar(const std::vector<RunId>& runs, bool star) {
    change(runs, star ? tr("Star") : tr("Take star away"), [&](const RunRecord& run, Change& change) {
        change.before.star = run.star, change.after.star = star;
        return run.star != star;
    });
}

void Editor::setArchived(const std::vector<RunId>& runs, bool archived) {
    change(runs, archived ? tr("Archive") : tr("Take out of the archive"), [&](const RunRecord& run, Change& change) {
        change.before.archived = run.archived, change.after.archived = archived;
        return run.archived != archived;
    });
}

void Editor::setInBin(const std::vector<RunId>& runs, bool in_bin) {
    change(runs, in_bin ? tr("Move to the bin") : tr("Take out of the bin"), [&](const RunRecord& run, Change& change) {
        change.before.in_bin = run.in_bin, change.after.in_bin = in_bin;
        return run.in_bin != in_bin;
    });
}

void Editor::addTag(const std::vector<RunId>& runs, const QString& tag) {
    const std::string text = tag.trimmed().toStdString();
    change(runs, tr("Add tag"), [&](const RunRecord& run, Change& change) {
        change.before.remove_tags = change.after.add_tags = {text};
        return !text.empty() && std::find(run.tags.begin(), run.tags.end(), text) == run.tags.end();
    });
}

void Editor::removeTag(const std::vector<RunId>& runs, const QString& tag) {
    const std::string text = tag.trimmed().toStdString();
    change(runs, tr("Remove tag"), [&](const RunRecord& run, Change& change) {
        change.before.add_tags = change.after.remove_tags = {text};
        return std::find(run.tags.begin(), run.tags.end(), text) != run.tags.end();
    });
}

void Editor::setTags(RunId id, const QString& tags) {
    std::vector<std::string> wanted;
    for (const QString& tag : tags.split(QLatin1Char(','), Qt::SkipEmptyParts))
        if (!tag.trimmed().isEmpty()) wanted.push_back(tag.trimmed().toStdString());
    change({id}, tr("Edit tags"), [&](const RunRecord& run, Change& change) {
        for (const std::string& tag : wanted)
            if (std::find(run.tags.begin(), run.tags.end(), tag) == run.tags.end()) change.after.add_tags.push_back(tag);
        for (const std::string& tag : run.tags)
            if (std::find(wanted.begin(), wanted.end(), tag) == wanted.end()) change.after.remove_tags.push_back(tag);
        change.before.add_tags = change.after.remove_tags, change.before.remove_tags = change.after.add_tags;
        return !change.after.add_tags.empty() || !change.after.remove_tags.empty();
    });
}

}  // namespace seedbed::ui
