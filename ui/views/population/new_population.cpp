// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/population/new_population.hpp"

#include <optional>

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QPushButton>
#include <QSpinBox>
#include <QThread>
#include <QVBoxLayout>

#include "ui/models/catalogue.hpp"
#include "ui/models/text/core_text.hpp"
#include "ui/views/population/lineage_view.hpp"
#include "ui/views/text_colour.hpp"

namespace seedbed::ui {
namespace {

// Settings that most algorithms have and that can change during a run.
constexpr const char* kMutable[] = {"algo.learning_rate", "algo.entropy_cost"};

// Accepts the separators of the locale and of the command line.
std::optional<double> realFrom(const QString& text) {
    bool ok = false;
    const double in_locale = QLocale().toDouble(text.trimmed(), &ok);
    if (ok) return in_locale;
    const double plain = text.trimmed().toDouble(&ok);
    return ok ? std::optional(plain) : std::nullopt;
}

QLineEdit* namedLine(QWidget* parent, const char* id, const QString& name, const QString& text = {}) {
    auto* line = new QLineEdit(text, parent);
    line->setObjectName(QLatin1String(id));
    line->setAccessibleName(name);
    return line;
}

QSpinBox* namedSpin(QWidget* parent, const char* id, const QString& name, int low, int value) {
    auto* box = new QSpinBox(parent);
    box->setObjectName(QLatin1String(id));
    box->setAccessibleName(name);
    box->setRange(low, 256);
    box->setValue(value);
    return box;
}

}  // namespace

NewPopulationDialog::NewPopulationDialog(const Services& services, QWidget* parent)
    : QDialog(parent),
      preset_(new QComboBox(this)),
      setting_(new QComboBox(this)),
      low_(namedLine(this, "population-low", tr("Lowest value"), QStringLiteral("1e-4"))),
      high_(namedLine(this, "population-high", tr("Highest value"), QStringLiteral("1e-2"))),
      steps_(namedLine(this, "population-steps", tr("Steps of each member"))),
      name_(namedLine(this, "population-name", tr("Name"))),
      log_(new QCheckBox(tr("&Logarithmic"), this)),
      members_(namedSpin(this, "population-members", tr("Members"), 2, 8)),
      jobs_(namedSpin(this, "population-jobs", tr("Members that train at the same time"), 1, 1)) {
    setAttribute(Qt::WA_DeleteOnClose);
    setObjectName(QStringLiteral("new-population"));
    setWindowTitle(tr("New population"));
    auto* layout = new QVBoxLayout(this);
    auto* text = new QLabel(tr("A population looks for a good value of a setting while it trains: after "
                               "every round, the worst members become copies of the best ones with changed "
                               "values. It continues when the window is closed."),
                            this);
    text->setWordWrap(true);
    setTextColour(text, *services.theme, TextColour::quiet);
    layout->addWidget(text);
    auto* form = new QFormLayout;
    addFields(services, *form);
    layout->addLayout(form);
    auto* box = new QDialogButtonBox(this);
    start_ = box->addButton(tr("Start the population"), QDialogButtonBox::AcceptRole);
    start_->setObjectName(QStringLiteral("accept"));
    start_->setDefault(true);
    box->addButton(tr("Cancel"), QDialogButtonBox::RejectRole);
    connect(box, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(box, &QDialogButtonBox::rejected, this, &QDialog::reject);
    layout->addWidget(box);
    for (QLineEdit* line : {low_, high_, steps_})
        connect(line, &QLineEdit::textChanged, this, &NewPopulationDialog::updateButton);
    updateButton();
}

void NewPopulationDialog::addFields(const Services& services, QFormLayout& form) {
    preset_->setObjectName(QStringLiteral("population-preset"));
    preset_->setAccessibleName(tr("Preset"));
    if (services.catalogue != nullptr)
        for (const EnvInfo& env : services.catalogue->environments())
            for (const PresetInfo* preset : services.catalogue->presetsOf(env.id))
                preset_->addItem(preset->title, preset->name);
    preset_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    preset_->setMinimumContentsLength(30);
    form.addRow(tr("&Preset"), preset_);
    setting_->setObjectName(QStringLiteral("population-setting"));
    setting_->setAccessibleName(tr("Setting that differs between members"));
    for (const char* key : kMutable) setting_->addItem(settingTitle(QLatin1String(key)), QLatin1String(key));
    form.addRow(tr("&Setting"), setting_);
    auto* range = new QHBoxLayout;
    range->addWidget(low_);
    range->addWidget(new QLabel(tr("to", "a range of values"), this));
    range->addWidget(high_);
    log_->setObjectName(QStringLiteral("population-log"));
    log_->setChecked(true);
    range->addWidget(log_);
    auto* label = new QLabel(tr("&Range"), this);
    label->setBuddy(low_);
    form.addRow(label, range);
    form.addRow(tr("&Members"), members_);
    jobs_->setMaximum(std::max(1, QThread::idealThreadCount()));
    form.addRow(tr("At the same &time"), jobs_);
    steps_->setPlaceholderText(tr("those of the preset"));
    form.addRow(tr("S&teps of each member"), steps_);
    name_->setPlaceholderText(tr("optional"));
    form.addRow(tr("&Name"), name_);
}

PopulationPlan NewPopulationDialog::plan() const {
    PopulationPlan plan{.preset = preset_->currentData().toString(),
                        .name = name_->text().trimmed(),
                        .members = members_->value(),
                        .jobs = jobs_->value(),
                        .mutate = {}};
    plan.mutate =
        QStringLiteral("%1=%2..%3%4")
            .arg(setting_->currentData().toString(), QString::number(realFrom(low_->text()).value_or(0)),
                 QString::number(realFrom(high_->text()).value_or(0)),
                 log_->isChecked() ? QStringLiteral(":log") : QString());
    if (const auto steps = realFrom(steps_->text())) plan.steps = static_cast<qint64>(*steps);
    return plan;
}

void NewPopulationDialog::updateButton() {
    const auto low = realFrom(low_->text()), high = realFrom(high_->text());
    const bool has_steps = steps_->text().trimmed().isEmpty() || realFrom(steps_->text()).value_or(0) >= 1;
    start_->setEnabled(preset_->count() > 0 && low && high && *low < *high && has_steps);
}

}  // namespace seedbed::ui
