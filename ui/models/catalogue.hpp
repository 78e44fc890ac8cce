// SPDX-License-Identifier: GPL-3.0-or-later
// What can be trained here: environments, presets, how long they take on this computer, and its devices.
#pragma once

#include <optional>

#include <QImage>
#include <QList>
#include <QMap>
#include <QObject>
#include <QString>
#include <QStringList>

class QJsonObject;
class QProcess;

namespace seedbed::ui {

class Launcher;

struct EnvInfo {
    QString id, title, sentence, difficulty;  // difficulty: easy, medium, hard
    QString upstream;
    QStringList aliases;
    std::optional<double> solved, random_return;
    std::optional<double> reference_score;
    QString reference_agent;
};

struct PresetInfo {
    QString name, title, when_to_use, env, algo, source;
    qint64 steps = 0;
    double expected_score = 0, reference_score = 0;
};

// Minutes until the preset's score on this computer: quickest seed at the highest measured speed, median,
// slowest seed at the lowest.
struct Estimate {
    double low_minutes = 0, middle_minutes = 0,
           high_minutes = 0;           // all 0: no result was recorded for the preset
    double low_sps = 0, high_sps = 0;  // agent decisions per second
    qint64 steps = 0;                  // the preset's budget
};

struct DeviceInfo {
    QString id, name;
    std::optional<qint64> free_bytes;
};

// Thread: the window's.
class Catalogue : public QObject {
    Q_OBJECT

public:
    explicit Catalogue(Launcher& launcher, QObject* parent = nullptr);
    ~Catalogue() override;

    // Reads environments and presets; takes milliseconds. Returns "" or what is wrong (the rest is still
    // there).
    QString load();
    // Sorted: easy ones first, then by title.
    const QList<EnvInfo>& environments() const { return environments_; }
    const EnvInfo* environment(const QString& id) const;
    QList<const PresetInfo*> presetsOf(const QString& env) const;
    // nullptr when the environment has none.
    const PresetInfo* defaultPreset(const QString& env) const;
    std::optional<Estimate> estimate(const QString& preset) const;
    // Of the resources, or drawn by the environment; null when neither can be had.
    QImage picture(const QString& env) const;
    const QString& resources() const { return resources_; }

    // Asks for what was measured before, then measures the rest in a process of lowest priority, which
    // stopMeasuring() ends.
    void measure();
    void stopMeasuring();
    bool isMeasuring() const { return measuring_ != nullptr; }

    // Empty until the machine's report has come; asks for it when `fresh` or never asked.
    const QList<DeviceInfo>& devices(bool fresh = false);
    const QStringList& algorithms() const { return algorithms_; }

Q_SIGNALS:
    void estimatesChanged();
    void devicesChanged();

private:
    void addEstimate(const QJsonObject& line);
    void measureRest();

    Launcher& launcher_;
    QString resources_;
    QList<EnvInfo> environments_;
    QList<PresetInfo> presets_;
    QMap<QString, QString> default_presets_;
    QMap<QString, Estimate> estimates_;
    QList<DeviceInfo> devices_;
    QStringList algorithms_;
    bool asked_devices_ = false;
    QProcess* measuring_ = nullptr;
};

// "about 2 to 4 min", "less than 10 s": for cards and forms. "" when unknown.
QString minutesText(const Estimate& estimate);
QString secondsText(double seconds);

}  // namespace seedbed::ui
