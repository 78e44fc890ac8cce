// SPDX-License-Identifier: GPL-3.0-or-later
// Writes files atomically.
#pragma once

#include <QByteArray>
#include <QString>

#include "core/base/error.hpp"

namespace seedbed::ui {

// Writes the whole file or leaves the old one unchanged. Blocks while writing to the disk, so call it through
// Background. error: names the file and the reason. Thread: any.
Result<> writeFile(const QString& name, const QByteArray& bytes);

}  // namespace seedbed::ui
