// SPDX-License-Identifier: GPL-3.0-or-later
// The form for a new run: preset, algorithm, settings at three levels, seeds and grids; shows the required
// memory and time, and copies the equivalent command.
#pragma once

#include <QVariantMap>
#include <QWidget>

#include "ui/models/config_form.hpp"
#include "ui/views/navigator.hpp"
#include "ui/views/own_undo.hpp"
#include "ui/views/services.hpp"
#include "ui/views/start/start_link.hpp"

class QCheckBox;
class QComboBox;
class QLabel;
class QLayout;
class QLineEdit;
class QPushButton;
class QVBoxLayout;

namespace seedbed::ui {

class RunEstimate;
class SettingList;
class SettingsCommand;
class ValueList;

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
    // These two functions first commit typed values, and do nothing if a value is rejected.
    void copyCommand();
    void train();
    void resetField();
    void resetAll();
    // Disables training while runs are being queued.
    void setStarting(bool starting);

Q_SIGNALS:
    void closed();
    void trainRequested(const QStringList& arguments);

private:
    QWidget* makeTop();
    QWidget* makeSide();
    QWidget* makeRunFields();
    void reload();
    void recommend();
    void showTitle();
    void showMore();
    void showGrid();
    void vary(const QString& key, const QStringList& values);
    void showDevices();
    void scheduleCheck();
    void updateEstimates();
    void connectForm();
    QLayout* makeForm();
    bool commitEditor();
    void updateProblems();
    void recordChanges();
    void apply(const QString& env, const QMap<QString, std::optional<QString>>& texts);
    friend class SettingsCommand;

    Services services_;
    OwnUndo* undo_;
    ConfigForm* form_;
    ConfigFormFilter* filter_;
    SettingList* settings_;
    ValueList* algos_;  // the algorithms that are tried
    QLabel *title_, *preset_note_, *runs_, *memory_, *time_, *problem_;
    QLabel *field_note_,
        *line_note_;  // errors in the form; errors in seeds or grid
    QComboBox *preset_, *algo_, *level_, *device_;
    QLineEdit *search_, *name_, *seeds_;
    QLineEdit* grid_;  // contains the values of all varied settings
    QCheckBox* changed_only_;
    QPushButton *train_, *vary_algo_, *reset_all_, *grid_as_text_;
    QString env_;                                      // environment of the form
    std::vector<std::pair<QString, QString>> wanted_;  // settings to apply when the form is loaded
    QString why_;                                      // the reason for the recommendation
    RunId like_ = 0;                                   // the copied run; 0 if the form starts from a preset
    QString init_from_;                                // the policy with the initial weights; "": none
    std::vector<std::pair<QString, QString>> base_;    // the settings of run `like_`
    bool base_is_new_ = false;
    // Errors by source: loading the form, a rejected value, seeds or grid; see also RunEstimate::problem().
    QString load_problem_, field_problem_, line_problem_;
    QString algo_id_;                 // the algorithm of the form
    QMap<QString, QString> changes_;  // the form's changes when last recorded on the undo stack
    bool loading_ = false;            // the program, not the user, is changing the form
    bool starting_ = false;
    quint64 load_ticket_ = 0;
    RunEstimate* estimate_;
};

}  // namespace seedbed::ui
