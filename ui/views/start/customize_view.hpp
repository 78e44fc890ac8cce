// SPDX-License-Identifier: GPL-3.0-or-later
// The form for a new run: preset, algorithm, settings at three levels, seeds and grids; shows the required
// memory and time, and copies the equivalent command.
#pragma once

#include <QVariantMap>
#include <QWidget>

#include "ui/models/config_form.hpp"
#include "ui/views/navigator.hpp"
#include "ui/views/services.hpp"
#include "ui/views/start/start_link.hpp"

class QCheckBox;
class QComboBox;
class QLabel;
class QLayout;
class QLineEdit;
class QPushButton;
class QTreeView;
class QVBoxLayout;

namespace seedbed::ui {

class RunEstimate;
class SettingDelegate;
class SettingsCommand;

class CustomizeView : public QWidget {
    Q_OBJECT

public:
    explicit CustomizeView(const Services& services, QWidget* parent = nullptr);
    ~CustomizeView() override;
    void open(const NewRunRequest& request);
    const QString& env() const { return env_; }
    // See Page.
    QVariantMap saveState() const;
    void restoreState(const QVariantMap& state);
    const ConfigForm& form() const { return *form_; }
    // Arguments for `seedbed queue add`.
    QStringList trainArguments() const;
    void focusSearch();
    void search(const QString& words);
    // These two functions first commit an open editor, and do nothing if its value is rejected.
    void copyCommand();
    void train();
    void resetField();
    void addToGrid();
    void resetAll();
    // Disables training while runs are being queued.
    void setStarting(bool starting);

Q_SIGNALS:
    void closed();
    void trainRequested(const QStringList& arguments);

private:
    QWidget* makeTop();
    QWidget* makeSide();
    void reload();
    void recommend();
    void showTitle();
    void showField(const QString& key);
    void showDevices();
    void scheduleCheck();
    void updateEstimates();
    void connectForm();
    void connectTree();
    QLayout* makeForm();
    void clearRejected();
    void updateDetail();
    bool commitEditor();
    void updateProblems();
    void expandSections();
    void recordChanges();
    void apply(const QString& env, const QMap<QString, std::optional<QString>>& texts);
    friend class SettingsCommand;

    Services services_;
    ConfigForm* form_;
    ConfigFormFilter* filter_;
    QTreeView* tree_;
    SettingDelegate* delegate_;
    QLabel *title_, *detail_, *preset_note_, *memory_, *time_, *problem_;
    QLabel *field_note_,
        *line_note_;  // errors in the form; errors in seeds or grid
    QComboBox *preset_, *algo_, *level_, *device_;
    QLineEdit *search_, *name_, *seeds_, *grid_;
    QCheckBox* changed_only_;
    QPushButton *train_, *vary_, *reset_, *reset_all_;
    QString env_;                                      // environment of the form
    std::vector<std::pair<QString, QString>> wanted_;  // settings to apply when the form is loaded
    QString why_;                                      // the reason for the recommendation
    RunId like_ = 0;                                   // the copied run; 0 if the form starts from a preset
    std::vector<std::pair<QString, QString>> base_;    // the settings of run `like_`
    bool base_is_new_ = false;
    // Errors by source: loading the form, a rejected value, seeds or grid; see also RunEstimate::problem().
    QString load_problem_, field_problem_, line_problem_;
    QString edited_key_, field_problem_key_;  // setting being edited, and setting whose value was rejected
    QMap<QString, QString> changes_;          // the form's changes when last recorded on the undo stack
    bool loading_ = false;                    // the program, not the user, is changing the form
    bool starting_ = false;
    quint64 load_ticket_ = 0;
    RunEstimate* estimate_;
};

}  // namespace seedbed::ui
