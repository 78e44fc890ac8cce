// SPDX-License-Identifier: GPL-3.0-or-later
// The computer's devices as `seedbed doctor` reports them, and their measured speeds.
#pragma once

#include <filesystem>
#include <optional>

#include <QJsonObject>
#include <QList>
#include <QObject>
#include <QString>
#include <QStringList>

class QProcess;

namespace seedbed::ui {

class Catalogue;
class Launcher;
class RunStore;

struct LibraryDevice {
    QString id;         // "cpu", "vulkan:0"; "" if it cannot be used
    QString title;      // its name
    QStringList facts;  // cores, memory, driver, ...
    struct Check {
        QString engine, sentence;  // whether its results are right
        bool ok = true;
    };
    QList<Check> checks;  // one per engine
    QString problem;      // why it cannot be used; ""
};

// From the output of `seedbed doctor --json`.
QList<LibraryDevice> libraryDevices(const QJsonObject& report);

// A line of a measurement with `seedbed bench gpu`.
struct DeviceSpeed {
    QString engine, net;  // the network as a phrase
    double decisions_per_s = 0;
    std::optional<double> train_gflops{};
};
struct DeviceMeasurement {
    double time = 0;  // seconds since 1970
    QString version;
    QList<DeviceSpeed> speeds;
    QString problem;    // of an engine that could not be measured; ""
    bool busy = false;  // other programs slowed it down
};

// Thread: GUI. A measurement ends with this object, and when a run begins to train.
class DeviceList : public QObject {
    Q_OBJECT

public:
    // `file`: stores the measurements. `catalogue` may be null.
    DeviceList(Launcher& launcher, RunStore& store, Catalogue* catalogue, std::filesystem::path file,
               QObject* parent = nullptr);
    ~DeviceList() override;

    // Queries the devices and the stored speeds of presets; changed() follows.
    void refresh();
    bool isRefreshing() const { return waiting_ > 0; }
    // Why the devices are unknown; "".
    const QString& problem() const { return problem_; }
    const QList<LibraryDevice>& devices() const { return devices_; }
    std::optional<DeviceMeasurement> measurement(const LibraryDevice& device) const;
    // The presets with the most decisions per second: title and number, at most three.
    const QList<std::pair<QString, double>>& fastestPresets() const { return fastest_; }

    // Why no measurement can start now; "" if it can.
    QString refusal() const;
    // Starts `seedbed bench gpu` at low priority, unless there is a refusal().
    void measure(const QString& device);
    void cancel();
    // The device that is measured; "".
    const QString& measured() const { return measuring_; }
    // The part of the measurement in progress, and its number for its engine; "" before the first.
    struct Stage {
        QString text;
        int number = 0, count = 0;
    };
    const Stage& stage() const { return stage_; }
    // The sentence about the last measurement of a device that did not succeed, or "".
    QString note(const QString& device) const { return device == noted_ ? note_ : QString(); }

Q_SIGNALS:
    void changed();

private:
    void readPresets(const QJsonArray& lines);
    void finish(const QString& note);
    void readStages();
    // Returns a note, or "".
    QString store(const QString& device, const QJsonObject& reply);

    Launcher& launcher_;
    RunStore& store_;
    Catalogue* catalogue_;
    std::filesystem::path file_;
    QList<LibraryDevice> devices_;
    QList<std::pair<QString, double>> fastest_;
    QJsonObject measurements_;  // by device
    int waiting_ = 0;           // commands that have not replied
    QProcess* process_ = nullptr;
    QByteArray messages_;  // of the measurement
    Stage stage_;
    QString problem_, measuring_, noted_, note_;
};

}  // namespace seedbed::ui
