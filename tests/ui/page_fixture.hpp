// SPDX-License-Identifier: Apache-2.0
// Pages with real services on a data folder of the test, and a navigator that records links.
#pragma once

#include <cmath>
#include <cstdlib>
#include <memory>
#include <numbers>

#include <QApplication>
#include <QPixmap>
#include <QUndoGroup>
#include <QUndoStack>

#include "tests/ui/models/ui_fixture.hpp"
#include "ui/models/editor.hpp"
#include "ui/models/launcher.hpp"
#include "ui/models/settings.hpp"
#include "ui/views/page.hpp"
#include "ui/views/start/start_link.hpp"
#include "ui/views/theme.hpp"

namespace seedbed::testing {

class RememberingNavigator : public ui::Navigator {
public:
    void openPage(const QString& page, const std::any& link) override {
        page_ = page;
        link_ = link;
    }
    void showStatus(const QString& text) override { status = text; }
    void showUndo(const QString& text) override { undoable = text; }
    void showProblem(const QString& text) override { problem = text; }

    // The link that was opened last; nullptr if it is not of this type.
    template <class Link>
    const Link* opened() const {
        return page_ == QLatin1String(Link::kPage) ? std::any_cast<Link>(&link_) : nullptr;
    }
    const QString& page() const { return page_; }
    void clear() {
        page_.clear();
        link_.reset();
        status.clear();
        problem.clear();
    }

    QString status, undoable, problem;

private:
    QString page_;
    std::any link_;
};

class PageTest : public UiTest {
protected:
    PageTest() : settings(userFolders("/nonexistent").value(), true) {}

    // Call after creating runs, so that the first poll finds them.
    ui::Services& services() {
        if (!runs_) {
            runs_ = std::make_unique<ui::RunStore>(folder(), 20);
            editor_ = std::make_unique<ui::Editor>(*runs_, undo);
            launcher_ = std::make_unique<ui::Launcher>(
                QApplication::applicationDirPath() + QStringLiteral("/seedbed"),
                QString::fromStdString(folder().string()));
            services_.runs = runs_.get();
            services_.editor = editor_.get();
            services_.launcher = launcher_.get();
            services_.settings = &settings;
            services_.theme = &theme;
            services_.navigator = &navigator;
            services_.undo = &undo;
            services_.undo_group = &undo_group;
            undo_group.setActiveStack(&undo);
        }
        return services_;
    }
    // Closes the services in the same order as the window. Pages must be destroyed first.
    void closeServices() {
        undo.clear();
        launcher_.reset();
        editor_.reset();
        runs_.reset();
    }
    ui::RunStore& store() { return *services().runs; }

    std::unique_ptr<ui::Page> makePage(const QString& id, QSize size = {1400, 900}) {
        for (const ui::PageEntry& entry : ui::pageRegistry())
            if (entry.id == id) {
                std::unique_ptr<ui::Page> page(entry.make(services()));
                page->resize(size);
                page->show();
                return page;
            }
        ADD_FAILURE() << "no page " << id.toStdString();
        return nullptr;
    }

    // Saves a picture to the folder $SEEDBED_PICTURES, if set.
    static void picture(QWidget& widget, const char* name) {
        if (const char* to = std::getenv("SEEDBED_PICTURES"))
            widget.grab().save(QStringLiteral("%1/%2.png").arg(QLatin1String(to), QLatin1String(name)));
    }

    // A typical learning curve: a rise with noise.
    static std::function<double(int)> learning(double top, double rate, unsigned seed) {
        return [=](int i) {
            const double noise = std::sin(i * 12.9898 + seed * 78.233) * 43758.5453;
            return top * (1 - std::exp(-rate * i)) * (0.8 + 0.4 * (noise - std::floor(noise)));
        };
    }

    ui::Settings settings;
    ui::Theme theme;
    RememberingNavigator navigator;
    QUndoGroup undo_group;
    QUndoStack undo{&undo_group};

private:
    std::unique_ptr<ui::RunStore> runs_;
    std::unique_ptr<ui::Editor> editor_;
    std::unique_ptr<ui::Launcher> launcher_;
    ui::Services services_;
};

}  // namespace seedbed::testing
