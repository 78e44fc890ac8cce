// SPDX-License-Identifier: GPL-3.0-or-later
// Finds environment classes in a Python file by parsing its text. Nothing is executed.
#pragma once

#include <QList>
#include <QString>

namespace seedbed::ui {

struct PythonArgument {
    QString name{}, default_value{};  // as written in Python; "" if it has none
    bool operator==(const PythonArgument&) const = default;
};

struct PythonClass {
    QString name{};
    QString sentence{};                 // first line of its documentation
    QList<PythonArgument> arguments{};  // arguments of its constructor, or of that of a base class in the
                                        // file
};

// Finds the top-level classes that define reset and step, or inherit them from a class in the file. A base
// class from another file is assumed to define them if its name contains "Env". Names that begin with _ are
// skipped. The result is a guess: strings that look like code are treated as code.
QList<PythonClass> environmentClasses(const QString& text);

}  // namespace seedbed::ui
