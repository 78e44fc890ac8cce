// SPDX-License-Identifier: GPL-3.0-or-later
// The library: everything that can play, and the devices of this computer.
#include <QAction>
#include <QCoreApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QStackedWidget>
#include <QTabBar>
#include <QVBoxLayout>

#include "ui/views/library/devices_view.hpp"
#include "ui/views/library/library_link.hpp"
#include "ui/views/library/policies_view.hpp"
#include "ui/views/page.hpp"
#include "ui/views/page_parts.hpp"
#include "ui/views/page_stack.hpp"
#include "ui/views/start/start_link.hpp"
#include "ui/views/style/tokens.hpp"
#include "ui/views/theme.hpp"

namespace seedbed::ui {
namespace {

class LibraryPage : public Page {
    Q_DECLARE_TR_FUNCTIONS(seedbed::ui::LibraryPage)

public:
    explicit LibraryPage(const Services& services) : services_(services) {
        auto* layout = new QVBoxLayout(this);
        auto* top = new QHBoxLayout;
        top->addWidget(pageTitle(tr("Library"), this));
        top->addSpacing(2 * kGrid);
        tabs_ = new QTabBar(this);
        tabs_->setObjectName(QStringLiteral("library-views"));
        tabs_->setDrawBase(false);
        tabs_->setExpanding(false);
        tabs_->setAccessibleName(tr("Views of the library"));
        tabs_->addTab(tr("&Policies"));
        tabs_->addTab(tr("&Devices"));
        top->addWidget(tabs_);
        top->addStretch(1);
        layout->addLayout(top);
        auto* stack = new PageStack(this);
        policies_ = new PoliciesView(services_, stack);
        devices_ = new DevicesView(services_, stack);
        stack->addWidget(policies_);
        stack->addWidget(devices_);
        layout->addWidget(stack, 1);
        connect(tabs_, &QTabBar::currentChanged, stack, &QStackedWidget::setCurrentIndex);
        makeActions();
    }

    // Policies may have been imported on the command line since the last visit.
    void open(const std::any& link) override {
        const auto* wanted = std::any_cast<LibraryLink>(&link);
        if (wanted != nullptr) {
            tabs_->setCurrentIndex(wanted->devices ? kDevices : kPolicies);
            policies_->select(wanted->policy);
        }
        policies_->refresh();
        if (wanted != nullptr && !wanted->file.isEmpty()) policies_->importFrom(wanted->file);
        if (tabs_->currentIndex() == kPolicies) policies_->focusFilter();
        else tabs_->setFocus();
    }

    QVariantMap saveState() const override {
        return {{QStringLiteral("view"), tabs_->currentIndex()},
                {QStringLiteral("filter"), policies_->filterText()},
                {QStringLiteral("order"), policies_->order()},
                {QStringLiteral("policy"), policies_->selected()}};
    }

    void restoreState(const QVariantMap& state) override {
        policies_->select(state[QStringLiteral("policy")].toString());
        policies_->setOrder(state[QStringLiteral("order")].toInt());
        policies_->setFilterText(state[QStringLiteral("filter")].toString());
        tabs_->setCurrentIndex(state[QStringLiteral("view")].toInt());
    }

private:
    enum View : int { kPolicies, kDevices };

    void makeActions() {
        const auto add = [this](const char* id, const char* icon, const QString& text, const char* key,
                                std::function<void()> done) {
            QAction* action = addNamedAction(QLatin1String(id), text, QLatin1String(key), std::move(done));
            if (icon != nullptr) action->setIcon(services_.theme->icon(QLatin1String(icon)));
            return action;
        };
        PoliciesView& view = *policies_;
        view.setActions(
            {.watch = add("library-watch", "watch", tr("Watch"), "W", [&view] { view.watch(); }),
             .duel = add("library-duel", "duel", tr("Duel…"), "D", [&view] { view.duel(); }),
             .export_it = add("library-export", "export", tr("Export…"), "E", [&view] { view.exportIt(); }),
             .train =
                 add("library-train", "start", tr("Train from this…"), "T", [&view] { view.trainFrom(); }),
             .copy = add("library-copy", "copy", tr("Copy command"), "Ctrl+Shift+C",
                         [&view] { view.copyCommand(); }),
             .rename = add("library-rename", nullptr, tr("Rename…"), "F2", [&view] { view.askForName(); }),
             .remove = add("library-remove", "bin", tr("Remove…"), "Del", [&view] { view.askToRemove(); }),
             .import_file = add("library-import-file", nullptr, tr("Import a file with weights…"), "Ctrl+I",
                                [&view] { view.import(false); }),
             .import_folder = add("library-import-folder", nullptr, tr("Import a folder…"), "Ctrl+Shift+I",
                                  [&view] { view.import(true); }),
             .start = add("library-start", "start", tr("Train an agent"), "Ctrl+N",
                          [this] { services_.navigator->open(StartLink{}); })});
        add("library-refresh", nullptr, tr("Reload the library"), "F5", [this] {
            policies_->refresh();
            if (tabs_->currentIndex() == kDevices) devices_->refresh();
        });
        add("library-devices", nullptr, tr("Show the devices of this computer"), "",
            [this] { tabs_->setCurrentIndex(kDevices); });
    }

    Services services_;
    QTabBar* tabs_ = nullptr;
    PoliciesView* policies_ = nullptr;
    DevicesView* devices_ = nullptr;
};

SEEDBED_REGISTER_PAGE(library, {.order = 58,
                                .title = QT_TRANSLATE_NOOP("Page", "Li&brary"),
                                .icon = "library",
                                .make = [](const Services& s) -> Page* { return new LibraryPage(s); }});

}  // namespace
}  // namespace seedbed::ui
