// SPDX-License-Identifier: GPL-3.0-or-later
// The export dialog: formats, contents and folder. Runs `seedbed export` and shows its verification.
#pragma once

#include <vector>

#include "ui/models/export_targets.hpp"
#include "ui/models/launcher.hpp"
#include "ui/views/page.hpp"

class QCheckBox;
class QComboBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QScrollArea;
class QTableWidget;
class QVBoxLayout;

namespace seedbed::ui {

class ExportPage : public Page {
    Q_OBJECT

public:
    explicit ExportPage(const Services& services);
    ~ExportPage() override;
    void open(const std::any& link) override;

    // Arguments of the export command for the current choices, for Launcher::run.
    QStringList arguments() const;

private:
    struct Format {
        QString target;
        QCheckBox* box = nullptr;
        QStringList options;  // ids
    };
    struct Option {
        ExportOptionInfo info;
        QWidget* widget = nullptr;  // QCheckBox, QComboBox or QLineEdit by kind
    };

    void showTargets(const QList<ExportTargetInfo>& targets);
    void addOption(const ExportOptionInfo& info);
    static QStringList argumentsOf(const Option& option);
    bool applies(const Option& option) const;
    QWidget* makeForms();
    QWidget* makeInside();
    QWidget* makeFolder();
    QWidget* makeResult();
    void openImported();
    void listCheckpoints();
    void suggestFolder();
    void choicesChanged();
    void start();
    void finished(const CommandReply& reply);
    void showProof(const QJsonObject& parity);
    void showVerdict(const QString& text, bool bad);
    void growWindow();

    Services services_;
    RunId run_ = 0;
    QString imported_;    // the name of an imported policy, instead of a run
    quint64 ticket_ = 0;  // ticket of the running export; 0 for none
    QString written_;     // folder of the last export

    std::vector<Format> targets_;
    std::vector<Option> options_;  // options of all targets, each id once
    QVBoxLayout* formats_ = nullptr;
    QFormLayout* contents_ = nullptr;
    QComboBox* weights_ = nullptr;
    QLineEdit* folder_ = nullptr;
    QLabel *subject_ = nullptr, *note_ = nullptr, *verdict_ = nullptr;
    QScrollArea* scroll_ = nullptr;
    QTableWidget* proof_ = nullptr;
    QProgressBar* progress_ = nullptr;
    QPushButton *export_ = nullptr, *show_ = nullptr;
};

}  // namespace seedbed::ui
