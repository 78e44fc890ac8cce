// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/editor.hpp"

#include <algorithm>
#include <chrono>

#include <QStringList>
#include <QUndoCommand>

#include "core/store/database.hpp"
#include "core/store/store_reader.hpp"
#include "ui/models/unsaved_edits.hpp"

namespace seedbed::ui {
namespace {

// Time limit for waiting for another program's lock while the window closes.
constexpr std::chrono::milliseconds kShutdownTimeout{1000};

struct Change {
    RunId run = 0;
    RunEdit before, after;
};

bool has(const std::vector<std::string>& tags, const std::string& tag) {
    return std::find(tags.begin(), tags.end(), tag) != tags.end();
}

// Computes the changes that the request makes to a run; false if there are none.
bool changeOf(const Editor::Request& request, const RunRecord& run, Change& change) {
    change.run = run.id;
    bool any = false;
    const auto field = [&](const auto& wanted, const auto& is, auto RunEdit::*member) {
        if (!wanted || *wanted == is) return;
        change.before.*member = is;
        change.after.*member = *wanted;
        any = true;
    };
    field(request.edit.name, run.name, &RunEdit::name);
    field(request.edit.notes, run.notes, &RunEdit::notes);
    field(request.edit.star, run.star, &RunEdit::star);
    field(request.edit.archived, run.archived, &RunEdit::archived);
    field(request.edit.in_trash, run.in_trash, &RunEdit::in_trash);
    auto add = request.edit.add_tags, remove = request.edit.remove_tags;
    if (request.tags) {
        add = *request.tags;
        remove = run.tags;
        std::erase_if(remove, [&](const std::string& tag) { return has(*request.tags, tag); });
    }
    std::erase_if(add, [&](const std::string& tag) { return has(run.tags, tag); });
    std::erase_if(remove, [&](const std::string& tag) { return !has(run.tags, tag); });
    change.after.add_tags = change.before.remove_tags = add;
    change.after.remove_tags = change.before.add_tags = remove;
    return any || !add.empty() || !remove.empty();
}

}  // namespace

// One step of the undo stack. `changes` belongs to the writing thread.
struct Editor::Step {
    std::vector<Request> requests;
    std::optional<std::vector<Change>> changes;  // set once written
    bool kept = false;  // read from the file of an earlier window; stays in the file until it is written
    // Used by the GUI thread:
    QUndoCommand* command = nullptr;  // set while the step is on the stack
    bool no_effect = false;           // writing failed; undo and redo do nothing
    bool skip = false;                // undo and redo do not write to the database
};

class EditCommand : public QUndoCommand {
public:
    EditCommand(Editor& editor, std::shared_ptr<Editor::Step> step, const QString& what)
        : QUndoCommand(what), editor_(editor), step_(std::move(step)) {
        step_->command = this;
    }
    ~EditCommand() override { step_->command = nullptr; }

    void redo() override { move(true); }
    void undo() override { move(false); }

private:
    void move(bool forward) {
        if (!step_->no_effect && !step_->skip) editor_.write(step_, forward);
    }

    Editor& editor_;
    std::shared_ptr<Editor::Step> step_;
};

struct Editor::Writing {
    std::filesystem::path folder;
    std::atomic<bool> closing{false};
    std::vector<Request> unsaved;  // not written because the database was locked while closing or while
                                   // replaying the file
    std::filesystem::path file;
    std::vector<Request> left;  // edits that stay in the file for a later session
    int kept = 0;               // steps from the file that have not been attempted yet

    // Writes all changes, or none on failure.
    Result<> write(Step& step, bool forward) {
        // Store::open() would create a missing database.
        std::error_code ignored;
        if (!std::filesystem::exists(folder / kDatabaseName, ignored))
            return fail("there is no database in '" + folder.string() + "'");
        bool gave_up = false;
        const auto keep_waiting = [&](std::chrono::milliseconds waited) {
            gave_up = waited > std::chrono::seconds(30) ||
                      (closing && (!unsaved.empty() || waited > kShutdownTimeout));
            return !gave_up;
        };
        const Result<> written = [&]() -> Result<> {
            SEEDBED_ASSIGN(Store store, Store::open(folder, keep_waiting));
            if (!step.changes) {
                SEEDBED_ASSIGN(StoreReader reader, StoreReader::open(folder, keep_waiting));
                std::vector<Change> changes;
                for (const Request& request : step.requests) {
                    SEEDBED_ASSIGN(const RunRecord run, reader.run(request.run));
                    if (Change change; changeOf(request, run, change)) changes.push_back(std::move(change));
                }
                SEEDBED_TRY(apply(store, changes, true));
                step.changes = std::move(changes);
                return {};
            }
            return apply(store, *step.changes, forward);
        }();
        if (!written && gave_up && (closing || step.kept)) keep(step, forward);
        if (step.kept && --kept == 0) (void)keepUnsaved();
        step.kept = false;
        return written;
    }

    // Rewrites the file: an edit is removed once it is committed or permanently rejected.
    Result<> keepUnsaved() const {
        std::vector<Request> all = left;
        all.insert(all.end(), unsaved.begin(), unsaved.end());
        return replaceUnsavedEdits(file, folder, all);
    }

    static Result<> apply(Store& store, const std::vector<Change>& changes, bool forward) {
        for (std::size_t i = 0; i < changes.size(); ++i) {
            const Result<> edited =
                store.edit(changes[i].run, forward ? changes[i].after : changes[i].before);
            if (edited) continue;
            for (std::size_t k = 0; k < i; ++k)
                (void)store.edit(changes[k].run, forward ? changes[k].before : changes[k].after);
            return edited;
        }
        return {};
    }

    void keep(const Step& step, bool forward) {
        if (!step.changes) {
            if (forward) unsaved.insert(unsaved.end(), step.requests.begin(), step.requests.end());
            return;
        }
        for (const Change& change : *step.changes)
            unsaved.push_back({change.run, forward ? change.after : change.before, {}});
    }
};

Editor::Editor(RunStore& store, QUndoStack& stack, std::filesystem::path unsaved, Earlier earlier,
               QObject* parent)
    : QObject(parent),
      store_(store),
      stack_(stack),
      unsaved_(std::move(unsaved)),
      writing_(std::make_shared<Writing>()),
      writer_(QStringLiteral("ui-edit"), 1, false) {
    writing_->folder = store_.folder();
    writing_->file = unsaved_;
    if (unsaved_.empty()) return;
    std::vector<Request> requests = readUnsavedEdits(unsaved_, writing_->folder);
    if (earlier == Earlier::leave) {
        writing_->left = std::move(requests);
        return;
    }
    writing_->kept = static_cast<int>(requests.size());
    // One step per run, so that a deleted run does not block the others.
    for (Request& request : requests) {
        auto step = std::make_shared<Step>();
        step->requests = {std::move(request)};
        step->kept = true;
        write(step, true);
    }
}

Editor::~Editor() {
    writing_->closing = true;
    writer_.drain();
    if (writing_->unsaved.empty() || (!unsaved_.empty() && writing_->keepUnsaved())) return;
    qWarning(
        "%zu edits were not saved: another program has locked the database, and they cannot be kept in '%s' "
        "either",
        writing_->unsaved.size(), unsaved_.c_str());
}

void Editor::push(std::vector<Request> requests, const QString& what) {
    // Drops edits without effect, which is possible only while no write is pending.
    std::erase_if(requests, [&](const Request& request) {
        const RunRecord* run = store_.find(request.run);
        Change change;
        return run == nullptr || (!busy() && !changeOf(request, *run, change));
    });
    if (requests.empty()) return;
    auto step = std::make_shared<Step>();
    step->requests = std::move(requests);
    stack_.push(new EditCommand(*this, std::move(step), what));
}

void Editor::write(const std::shared_ptr<Step>& step, bool forward) {
    writer_.run(
        this, QString(),
        [writing = writing_, step, forward](const std::stop_token&) {
            return writing->write(*step, forward);
        },
        [this, step, forward](const Result<>& result) { finished(step, forward, result); });
}

void Editor::finished(const std::shared_ptr<Step>& step, bool forward, const Result<>& result) {
    store_.refresh();
    if (result) {
        Q_EMIT written();
        return;
    }
    // Makes the stack match the database. A step that is not on top stays on the stack but has no effect.
    if (step->command != nullptr) {
        const int index = stack_.index();
        if (forward) {
            step->no_effect = true;
            step->command->setObsolete(true);
            if (index > 0 && stack_.command(index - 1) == step->command) stack_.undo();
        } else if (index < stack_.count() && stack_.command(index) == step->command) {
            step->skip = true;
            stack_.redo();
            step->skip = false;
        }
    }
    Q_EMIT failed(tr("The change was not saved: %1").arg(QString::fromStdString(result.error().text())));
}

namespace {

std::vector<Editor::Request> forAll(const std::vector<RunId>& runs, const RunEdit& edit) {
    std::vector<Editor::Request> requests;
    for (const RunId run : runs) requests.push_back({run, edit, {}});
    return requests;
}

}  // namespace

void Editor::rename(RunId id, const QString& name) {
    RunEdit edit;
    edit.name = name.trimmed().toStdString();
    if (!edit.name->empty())
        if (const Result<> valid = checkRunName(*edit.name); !valid) {
            Q_EMIT failed(
                tr("The change was not saved: %1").arg(QString::fromStdString(valid.error().text())));
            return;
        }
    push(forAll({id}, edit), tr("Rename"));
}

void Editor::setNotes(RunId id, const QString& notes) {
    RunEdit edit;
    edit.notes = notes.toStdString();
    push(forAll({id}, edit), tr("Edit notes"));
}

void Editor::setStar(const std::vector<RunId>& runs, bool star) {
    RunEdit edit;
    edit.star = star;
    push(forAll(runs, edit), star ? tr("Star") : tr("Remove star"));
}

void Editor::setArchived(const std::vector<RunId>& runs, bool archived) {
    RunEdit edit;
    edit.archived = archived;
    push(forAll(runs, edit), archived ? tr("Archive") : tr("Restore from the archive"));
}

void Editor::setTrashed(const std::vector<RunId>& runs, bool in_trash) {
    RunEdit edit;
    edit.in_trash = in_trash;
    push(forAll(runs, edit), in_trash ? tr("Move to trash") : tr("Restore from trash"));
}

void Editor::addTag(const std::vector<RunId>& runs, const QString& tag) {
    if (tag.trimmed().isEmpty()) return;
    RunEdit edit;
    edit.add_tags = {tag.trimmed().toStdString()};
    push(forAll(runs, edit), tr("Add tag"));
}

void Editor::removeTag(const std::vector<RunId>& runs, const QString& tag) {
    RunEdit edit;
    edit.remove_tags = {tag.trimmed().toStdString()};
    push(forAll(runs, edit), tr("Remove tag"));
}

void Editor::setTags(RunId id, const QString& tags) {
    Request request{id, {}, std::vector<std::string>()};
    for (const QString& tag : tags.split(QLatin1Char(','), Qt::SkipEmptyParts))
        if (!tag.trimmed().isEmpty() && !has(*request.tags, tag.trimmed().toStdString()))
            request.tags->push_back(tag.trimmed().toStdString());
    push({std::move(request)}, tr("Edit tags"));
}

}  // namespace seedbed::ui
