// SPDX-License-Identifier: GPL-3.0-or-later
// The right end of the menu bar: the field that opens the command palette, and the bell with what happened to
// runs.
#pragma once

#include <QDateTime>
#include <QIcon>
#include <QList>
#include <QPushButton>
#include <QToolButton>

class QMenu;

namespace seedbed::ui {

class Theme;

// Looks like a search field; a click opens the command palette, where the text is typed. Thread: GUI.
class SearchButton : public QPushButton {
    Q_OBJECT

public:
    SearchButton(const Theme& theme, const QString& shortcut, QWidget* parent = nullptr);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QIcon icon_;
    QString shortcut_;
};

// Keeps the newest messages about runs; a dot marks unread ones. Thread: GUI.
class Bell : public QToolButton {
    Q_OBJECT

public:
    explicit Bell(const Theme& theme, QWidget* parent = nullptr);

    void add(const QString& text, qlonglong run);
    int unread() const { return unread_; }

Q_SIGNALS:
    void runSelected(qlonglong run);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    struct Notice {
        QString text;
        qlonglong run;
        QDateTime time;
    };
    void fillMenu();
    void describe();

    QMenu* menu_;
    QList<Notice> notices_;  // newest first
    int unread_ = 0;
};

}  // namespace seedbed::ui
