// SPDX-License-Identifier: GPL-3.0-or-later
// A file that is written whole or not at all.
#pragma once

#include <QByteArray>
#include <QString>

#include "core/base/error.hpp"

namespace seedbed::ui {

// error: failure, a sentence that names the file and the reason; what was there before is then still there.
// May wait for the disk, so the GUI thread leaves it to Background. Thread: any.
Result<> writeFile(const QString& name, const QByteArray& bytes);

}  // namespace seedbed::ui
