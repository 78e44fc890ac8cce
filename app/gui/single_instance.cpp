// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/single_instance.hpp"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QLocalSocket>

namespace seedbed {
namespace {

constexpr int kTimeoutMs = 500;

}  // namespace

SingleInstance::SingleInstance(const UserFolders& folders) {
    std::error_code error;
    const auto folder = std::filesystem::weakly_canonical(folders.data, error);
    const QByteArray name = QByteArray::fromStdString((error ? folders.data : folder).string());
    const QString hash =
        QString::fromLatin1(QCryptographicHash::hash(name, QCryptographicHash::Sha256).toHex().left(16));
    path_ = QString::fromStdString(folders.runtime.string()) + QStringLiteral("/window-") + hash;
}

bool SingleInstance::showOther(const QString& file) const {
    QLocalSocket socket;
    socket.connectToServer(path_);
    if (!socket.waitForConnected(kTimeoutMs)) return false;
    socket.write("show " + file.toUtf8().toBase64() + "\n");
    socket.waitForBytesWritten(kTimeoutMs);
    // A connection alone does not prove that the window is responsive, so this waits for an answer.
    const bool answered = socket.waitForReadyRead(4 * kTimeoutMs) && socket.readAll().startsWith("shown");
    return answered;
}

void SingleInstance::listen(std::function<void(const QString&)> on_show) {
    const QString folder = QFileInfo(path_).path();
    QDir().mkpath(folder);
    QFile::setPermissions(folder, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    server_.setSocketOptions(QLocalServer::UserAccessOption);
    if (!server_.listen(path_)) {
        QLocalServer::removeServer(path_);  // nothing answered, so a killed window left the socket
        if (!server_.listen(path_)) return;
    }
    QObject::connect(&server_, &QLocalServer::newConnection, &server_, [this, on_show = std::move(on_show)] {
        while (QLocalSocket* socket = server_.nextPendingConnection()) {
            QObject::connect(socket, &QLocalSocket::disconnected, socket, &QObject::deleteLater);
            QObject::connect(socket, &QLocalSocket::readyRead, socket, [socket, on_show] {
                if (!socket->canReadLine()) return socket->abort();
                const QByteArray line = socket->readLine();
                if (!line.startsWith("show ")) return socket->abort();
                on_show(QString::fromUtf8(QByteArray::fromBase64(line.mid(5).trimmed())));
                socket->write("shown\n");
                socket->disconnectFromServer();
            });
        }
    });
}

}  // namespace seedbed
