// SPDX-License-Identifier: GPL-3.0-or-later
// The start page: the gallery of environments and the form for a new run.
#include <QHideEvent>
#include <QStackedLayout>
#include <QTimer>

#include "ui/models/catalogue.hpp"
#include "ui/models/launcher.hpp"
#include "ui/models/run_store.hpp"
#include "ui/views/dashboard/dashboard_link.hpp"
#include "ui/views/page.hpp"
#include "ui/views/start/customize_view.hpp"
#include "ui/views/start/gallery_view.hpp"
#include "ui/views/start/start_link.hpp"

namespace seedbed::ui {
namespace {

class StartPage : public Page {
    Q_OBJECT

public:
    explicit StartPage(const Services& services) : services_(services), layout_(new QStackedLayout(this)) {
        gallery_ = new GalleryView(services, this);
        layout_->addWidget(gallery_);
        connect(gallery_, &GalleryView::trainRequested, this, &StartPage::train);
        connect(gallery_, &GalleryView::customizeRequested, this, &StartPage::customize);
        addNamedAction(QStringLiteral("search"), tr("Search this page"), QStringLiteral("Ctrl+F"), [this] {
            if (layout_->currentWidget() == gallery_) gallery_->focusSearch();
            else form_->focusSearch();
        });
        addNamedAction(QStringLiteral("copy-command"), tr("Copy as command"), QStringLiteral("Ctrl+Shift+C"),
                       [this] {
                           if (inForm()) form_->copyCommand();
                       });
        addNamedAction(QStringLiteral("reset-field"), tr("Reset setting"), QStringLiteral("Ctrl+Backspace"),
                       [this] {
                           if (inForm()) form_->resetField();
                       });
        addNamedAction(QStringLiteral("reset-all"), tr("Reset all settings"),
                       QStringLiteral("Ctrl+Shift+Backspace"), [this] {
                           if (inForm()) form_->resetAll();
                       });
        addNamedAction(QStringLiteral("train"), tr("Train with these settings"),
                       QStringLiteral("Ctrl+Return"), [this] {
                           if (inForm()) form_->train();
                       });
        addNamedAction(QStringLiteral("back"), tr("Back to the gallery"), QStringLiteral("Alt+Left"),
                       [this] { showGallery(); });
    }

    void open(const std::any& link) override {
        const auto* wanted = std::any_cast<StartLink>(&link);
        if (wanted == nullptr) return;
        if (wanted->new_run) customize(*wanted->new_run);
        if (wanted->search.isEmpty()) return;
        if (form_ == nullptr || form_->form().env().isEmpty())
            customize({.env = QStringLiteral("cartpole"), .preset = {}, .settings = {}});
        layout_->setCurrentWidget(form_);
        form_->search(wanted->search);
    }

    QVariantMap saveState() const override {
        QVariantMap state{{QStringLiteral("gallery"), gallery_->saveState()}};
        if (form_ != nullptr && !form_->env().isEmpty()) {
            state[QStringLiteral("form")] = form_->saveState();
            state[QStringLiteral("in_form")] = inForm();
        }
        return state;
    }

    void restoreState(const QVariantMap& state) override {
        gallery_->restoreState(state[QStringLiteral("gallery")].toMap());
        const QVariantMap form = state[QStringLiteral("form")].toMap();
        if (form.isEmpty()) return;
        makeForm();
        form_->restoreState(form);
        if (state[QStringLiteral("in_form")].toBool()) layout_->setCurrentWidget(form_);
    }

protected:
    // The next visit begins with a new search.
    void hideEvent(QHideEvent* event) override {
        Page::hideEvent(event);
        if (!event->spontaneous()) gallery_->clearSearch();
    }

private:
    bool inForm() const { return form_ != nullptr && layout_->currentWidget() == form_; }

    void showGallery() {
        ++visit_;
        layout_->setCurrentWidget(gallery_);
    }

    void makeForm() {
        if (form_ != nullptr) return;
        form_ = new CustomizeView(services_, this);
        layout_->addWidget(form_);
        connect(form_, &CustomizeView::closed, this, [this] { showGallery(); });
        connect(form_, &CustomizeView::trainRequested, this,
                [this](const QStringList& arguments) { train(arguments, {}); });
    }

    void customize(const NewRunRequest& request) {
        ++visit_;
        makeForm();
        form_->open(request);
        layout_->setCurrentWidget(form_);
        form_->focusSearch();
    }

    // card: the card in the gallery; "" for the form.
    void train(const QStringList& arguments, const QString& card) {
        // Measuring would compete with training.
        services_.catalogue->stopMeasuring();
        setStarting(card, true);
        services_.launcher->train(arguments, this, [this, card, visit = visit_](const Queued& queued) {
            setStarting(card, false);
            services_.runs->refresh();
            if (!queued.error.isEmpty()) services_.navigator->showProblem(queued.error);
            if (queued.runs.isEmpty()) return;
            // Show the run unless the user has moved on in the meantime.
            if (isVisible() && visit == visit_) {
                showGallery();
                services_.navigator->open(DashboardLink{queued.runs.first()});
            }
            showQueuedRuns(queued);
        });
    }

    void setStarting(const QString& card, bool starting) {
        if (!card.isEmpty()) gallery_->setStarting(card, starting);
        else if (form_ != nullptr) form_->setStarting(starting);
    }

    // Reports whether the runs must wait for other runs.
    void showQueuedRuns(const Queued& queued) {
        int live = 0;
        for (const RunRecord& run : *services_.runs->runs())
            live += isLive(run.status) && !queued.runs.contains(run.id);
        const int count = static_cast<int>(queued.runs.size());
        const QString seed = queued.seeds.size() == 1 ? tr("Seed %1: ").arg(queued.seeds.first()) : QString();
        const QueueState& queue = services_.runs->queue();
        if (live >= queue.at_a_time)
            services_.navigator->showStatus(
                seed +
                tr("%n run(s) queued behind other runs. Set how many train at a time on the queue page.", "",
                   count));
        else services_.navigator->showStatus(seed + tr("%n run(s) queued", "", count));
    }

    Services services_;
    QStackedLayout* layout_;
    GalleryView* gallery_;
    CustomizeView* form_ = nullptr;
    int visit_ = 0;  // changes whenever the user opens the gallery or a form
};

SEEDBED_REGISTER_PAGE(start, {.order = 10,
                              .title = QT_TRANSLATE_NOOP("Page", "&Start"),
                              .icon = "start",
                              .make = [](const Services& s) -> Page* { return new StartPage(s); }});

}  // namespace
}  // namespace seedbed::ui

#include "start_page.moc"
