// SPDX-License-Identifier: GPL-3.0-or-later
// Links between pages, and messages to the user; the main window implements it.
#pragma once

#include <any>

#include <QString>

namespace seedbed::ui {

// Thread: GUI.
class Navigator {
public:
    virtual ~Navigator() = default;
    // Shows the page registered as `page` and passes it `link`: a struct that the page defines, or nothing.
    // Unknown ids do nothing.
    virtual void openPage(const QString& page, const std::any& link = {}) = 0;
    // Shows the page `Link::kPage`. Each page defines its link in its own header, for example
    // watch/watch_link.hpp.
    template <class Link>
    void open(const Link& link) {
        openPage(QString::fromLatin1(Link::kPage), link);
    }
    // Shows a confirmation in the status bar for a few seconds.
    virtual void showStatus(const QString& text) = 0;
    // The same with a button that undoes the newest edit of Services::undo.
    virtual void showUndo(const QString& text) = 0;
    // Shows an error (cause, saved work, remedy) in a bar until the user closes it.
    virtual void showProblem(const QString& text) = 0;
};

}  // namespace seedbed::ui
