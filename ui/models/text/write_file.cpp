// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/text/write_file.hpp"

#include <QSaveFile>

namespace seedbed::ui {

Result<> writeFile(const QString& name, const QByteArray& bytes) {
    QSaveFile file(name);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !file.commit())
        return fail("'" + name.toStdString() + "' cannot be written: " + file.errorString().toStdString());
    return {};
}

}  // namespace seedbed::ui
