// SPDX-License-Identifier: GPL-3.0-or-later
// The start page: what can be trained, as cards; one click trains.
#include <QHBoxLayout>
#include <QJsonObject>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "ui/models/launcher.hpp"
#include "ui/views/page.hpp"

namespace seedbed::ui {
namespace {

class StartPage : public Page {
public:
    explicit StartPage(const Services& services) : services_(services) {
        auto* layout = new QVBoxLayout(this);
        layout->addWidget(new QLabel(tr("What shall be learnt?"), this));
        auto* train = new QPushButton(tr("Train CartPole"), this);
        train->setObjectName(QStringLiteral("train-cartpole"));
        connect(train, &QPushButton::clicked, this, [this] {
            services_.launcher->train({QStringLiteral("cartpole")}, this, [this](const QList<RunId>& runs, const QString& error) {
                if (!error.isEmpty()) services_.navigator->complain(error);
                if (!runs.isEmpty()) services_.navigator->showRun(runs.first());
            });
        });
        layout->addWidget(train, 0, Qt::AlignLeft);
        layout->addStretch(1);
    }
    void open(const PageRequest&) override {}

private:
    Services services_;
};

SEEDBED_REGISTER_PAGE(start,
                      {.order = 10, .title = QT_TRANSLATE_NOOP("Page", "&Start"), .icon = "start", .make = [](const Services& s) -> Page* {
                           return new StartPage(s);
                       }});

}  // namespace
}  // namespace seedbed::ui
