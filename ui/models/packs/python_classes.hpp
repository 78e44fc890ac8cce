// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the classes of environments in a Python file by reading its text. Nothing is executed.
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
    QList<PythonArgument> arguments{};  // of its constructor, or that of a base class in the file
};

// The classes at the top level of the file that have reset and step, themselves or from a base class: one in
// the file, or one of another file whose name contains "Env". Names that begin with _ are left out. The
// result is a guess: strings that look like code count as code.
QList<PythonClass> environmentClasses(const QString& text);

}  // namespace seedbed::ui
