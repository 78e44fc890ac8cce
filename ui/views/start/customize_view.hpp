// SPDX-License-Identifier: GPL-3.0-or-later
// The form of a new run: preset, algorithm, every setting at three levels, seeds and grids, what it needs,
// and the command that does the same.
#pragma once

#include <QTimer>
#include <QVariantMap>
#include <QWidget>

#include "ui/models/config_form.hpp"
#include "ui/views/navigator.hpp"
#include "ui/views/services.hpp"

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QTreeView;
class QVBoxLayout;

namespace seedbed::ui {

class SettingDelegate;
class SettingsCommand;

class CustomizeView : public QWidget {
    Q_OBJECT

public:
    explicit CustomizeView(const Services& services, QWidget* parent = nullptr);
    ~CustomizeView() override;
    void open(const NewRunRequest& request);
    const QString& env() const { return env_; }
    // The whole form as it is; see Page.
    QVariantMap handOver() const;
    void takeOver(const QVariantMap& state);
    const ConfigForm& form() const { return *form_; }
    // As `seedbed queue add` takes them.
    QStringList trainArguments() const;
    void focusSearch();
    void search(const QString& words);
    // Both take what is being typed into account; a value that is refused stops them.
    void copyCommand();
    void train();
    void resetField();
    void resetAll();
    // While the runs are put into the queue nothing more can be started.
    void setStarting(bool starting);

Q_SIGNALS:
    void closed();
    void trainWanted(const QStringList& arguments);

private:
    QWidget* makeTop();
    QWidget* makeSide();
    void reload();
    void showTitle();
    void showField(const QString& key);
    void showDevices();
    void checkSoon();
    void check();
    void measureSpeed();
    void showNeed();
    void showCurrent();
    bool commitEditor();
    void showProblem();
    void spread();
    QString gridProblem() const;
    void remember();
    void apply(const QString& env, const QMap<QString, std::optional<QString>>& texts);
    friend class SettingsCommand;

    Services services_;
    ConfigForm* form_;
    ConfigFormFilter* filter_;
    QTreeView* tree_;
    SettingDelegate* delegate_;
    QLabel *title_, *detail_, *memory_, *time_, *problem_;
    QLabel *field_note_,
        *line_note_;  // what is wrong, beside where it was typed: in the form; in seeds or grid
    QComboBox *preset_, *algo_, *level_, *device_;
    QLineEdit *search_, *name_, *seeds_, *grid_;
    QCheckBox* changed_only_;
    QPushButton *train_, *reset_, *reset_all_;
    QTimer check_soon_;
    QString env_;                                      // whose form this is
    std::vector<std::pair<QString, QString>> wanted_;  // to be set when the description has come
    RunId like_ = 0;  // the run whose settings the form begins with; 0: the preset's
    std::vector<std::pair<QString, QString>> base_;  // they
    bool base_is_new_ = false;
    // What is wrong, by what found it: the description, a value that was refused, seeds or grid, the dry run.
    QString load_problem_, field_problem_, line_problem_, check_problem_;
    QString edited_key_, field_problem_key_;  // whose value is edited, and was refused
    QMap<QString, QString> changes_;          // of the form, as they are on the undo stack
    bool loading_ = false;                    // the form changes by program
    bool starting_ = false;
    quint64 load_ticket_ = 0, check_ticket_ = 0, speed_ticket_ = 0;
    qint64 memory_bytes_ = 0, steps_ = 0;
    double sps_ = 0;
};

// How many seeds "1..5" or "1,2,7" name; 0 for a text that is neither.
int countSeeds(const QString& text);
// How many combinations "algo.gamma=0.9,0.99 run.threads=1,2" names; 0 for a text that is none.
int countGrid(const QString& text);

}  // namespace seedbed::ui
