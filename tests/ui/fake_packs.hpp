// SPDX-License-Identifier: Apache-2.0
// Resources with one small pack that is installed without a network, from the test's own package index.
#pragma once

#include <QCoreApplication>
#include <QDir>
#include <QProcess>
#include <QString>
#include <QTemporaryDir>
#include <QTest>

#include <gtest/gtest.h>

namespace seedbed::testing {

// Sets environment variables of this process, which child processes inherit; the destructor restores them.
class FakePacks {
public:
    // source: SEEDBED_SOURCE_DIR.
    explicit FakePacks(const char* source)
        : script_(QLatin1String(source) + QStringLiteral("/tests/ui/fake_pack.py")) {
        const QString site = packagesOfTests();
        QProcess make;
        make.start(QStringLiteral("python3"), {script_, folder_.path(), site});
        EXPECT_TRUE(make.waitForFinished() && make.exitCode() == 0)
            << make.readAllStandardError().toStdString();
        set("SEEDBED_RESOURCES", folder_.filePath(QStringLiteral("resources")));
        set("SEEDBED_PYTHON", {});
        set("PIP_CONFIG_FILE", QStringLiteral("/dev/null"));
        useWheels();
    }
    ~FakePacks() {
        for (const auto& [name, value] : before_.asKeyValueRange()) put(name.constData(), value);
        index_.kill();
        index_.waitForFinished();
    }

    // Whether packs can be installed and their environments run on this machine.
    static bool hasPip() {
        QProcess pip;
        pip.start(QStringLiteral("python3"), {QStringLiteral("-I"), QStringLiteral("-m"),
                                              QStringLiteral("pip"), QStringLiteral("--version")});
        return pip.waitForFinished() && pip.exitCode() == 0;
    }
    // Packages (NumPy) of the Python environment that tests/export creates.
    static QString packagesOfTests() {
        const QDir lib(QCoreApplication::applicationDirPath() + QStringLiteral("/../export_python/lib"));
        const QStringList pythons = lib.entryList({QStringLiteral("python3*")});
        return pythons.isEmpty()
                   ? QString()
                   : QDir::cleanPath(lib.filePath(pythons.first() + QStringLiteral("/site-packages")));
    }
    static QString pythonOfTests() {
        return QDir::cleanPath(QCoreApplication::applicationDirPath() +
                               QStringLiteral("/../export_python/bin/python"));
    }

    // Installations succeed.
    void useWheels() {
        set("PIP_NO_INDEX", QStringLiteral("1"));
        set("PIP_FIND_LINKS", folder_.filePath(QStringLiteral("wheels")));
    }
    // Installations never finish.
    void stall() {
        index_.start(QStringLiteral("python3"),
                     {script_, folder_.path(), QString(), QStringLiteral("--stall")});
        ASSERT_TRUE(index_.waitForReadyRead());
        useIndex(QString::fromUtf8(index_.readLine().trimmed()));
    }
    // Behaves as if there were no network.
    void disconnect() { useIndex(QStringLiteral("http://127.0.0.1:9/simple")); }
    void set(const char* name, const QString& value) {
        if (!before_.contains(name)) before_[name] = qgetenv(name);
        put(name, value.isNull() ? QByteArray() : value.toUtf8());
    }

private:
    static void put(const char* name, const QByteArray& value) {
        if (value.isNull()) qunsetenv(name);
        else qputenv(name, value);
    }
    void useIndex(const QString& address) {
        set("PIP_NO_INDEX", QStringLiteral("0"));
        set("PIP_FIND_LINKS", QStringLiteral(""));
        set("PIP_INDEX_URL", address);
        set("PIP_RETRIES", QStringLiteral("0"));
    }

    const QString script_;
    QTemporaryDir folder_;
    QProcess index_;
    QMap<QByteArray, QByteArray> before_;
};

}  // namespace seedbed::testing
