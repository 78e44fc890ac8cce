// SPDX-License-Identifier: GPL-3.0-or-later
// The dialog for one of the user's own environments: a class in a Python file, or an id that a module
// registers, with arguments. Runs `seedbed env check`, shows an animation, and opens the form for a new run.
// Python code is executed only by worker processes.
#pragma once

#include <optional>

#include "ui/models/packs/own_environments.hpp"
#include "ui/models/packs/python_classes.hpp"
#include "ui/views/page.hpp"

class QComboBox;
class QFormLayout;
class QJsonObject;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QTableWidget;

namespace seedbed::ui {

struct CommandReply;
class MovingPicture;

class OwnEnvPage : public Page {
    Q_OBJECT

public:
    explicit OwnEnvPage(const Services& services);
    ~OwnEnvPage() override;
    void open(const std::any& link) override;
    // The environment as entered; its id is "" if something is missing.
    OwnEnvironment environment() const;

private:
    QWidget* makeForm();
    QWidget* makeArguments();
    QWidget* makeResult();
    QLayout* makeButtons();
    QPushButton* makeButton(const char* id, const QString& text, void (OwnEnvPage::*clicked)());
    void chooseFile();
    void fileChanged();
    void classChanged();
    void choicesChanged();
    void showArguments(const std::vector<std::pair<QString, QString>>& values);
    void addArgument(const QString& name, const QString& value, const QString& default_value);
    void fitArguments();
    bool isFile() const;
    // Stores the environment. If that fails, shows the error and returns false.
    bool remember();
    void dropResult();
    void check();
    void checked(const CommandReply& reply);
    void showFindings(const QJsonObject& report);
    void watch();
    void train();
    void copyCommand();
    void forget();
    void growWindow();

    Services services_;
    QString stored_title_;     // stored title of the environment that is being edited
    bool is_editing_ = false;  // opened for an environment in the gallery, whose file may change
    EnvChoice shown_;          // the environment of the current check and its result
    QList<PythonClass> classes_;
    quint64 ticket_ = 0;  // ticket of the running check; 0: none
    bool filling_ = false;

    QFormLayout* form_ = nullptr;
    QComboBox *source_ = nullptr, *class_ = nullptr;
    QLineEdit *file_ = nullptr, *id_ = nullptr, *title_ = nullptr;
    QWidget *file_row_ = nullptr, *arguments_part_ = nullptr;
    QLabel *note_ = nullptr, *verdict_ = nullptr;
    QTableWidget *arguments_ = nullptr, *findings_ = nullptr;
    MovingPicture* picture_ = nullptr;
    QProgressBar* progress_ = nullptr;
    QPushButton *check_ = nullptr, *watch_ = nullptr, *train_ = nullptr, *copy_ = nullptr, *forget_ = nullptr;
};

}  // namespace seedbed::ui
