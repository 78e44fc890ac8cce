// SPDX-License-Identifier: GPL-3.0-or-later
// Environments, presets with estimates of their training time on this computer, and the computer's devices.
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
    bool is_measured = true;             // whether a result is recorded
    std::optional<double> best_score{};  // score of the recorded result, if it misses the goal
};

// Minutes until a run reaches the preset's score on this computer. low: the fastest seed at the highest
// measured speed; middle: the median; high: the slowest seed at the lowest speed.
struct Estimate {
    double low_minutes = 0, middle_minutes = 0,
           high_minutes = 0;           // all 0 if no result is recorded for the preset
    double low_sps = 0, high_sps = 0;  // agent decisions per second
    qint64 steps = 0;                  // the preset's budget
};

struct DeviceInfo {
    QString id, name;
    std::optional<qint64> free_bytes;
};

// Thread: GUI.
class Catalogue : public QObject {
    Q_OBJECT

public:
    explicit Catalogue(Launcher& launcher, QObject* parent = nullptr);
    ~Catalogue() override;

    // Reads environments and presets, which takes milliseconds. Returns an error message, or "". After an
    // error, the remaining entries are usable.
    QString load();
    // Sorted by difficulty (easy first), then by title.
    const QList<EnvInfo>& environments() const { return environments_; }
    const EnvInfo* environment(const QString& id) const;
    QList<const PresetInfo*> presetsOf(const QString& env) const;
    // nullptr if the environment has no preset.
    const PresetInfo* defaultPreset(const QString& env) const;
    // Whether the preset's score is a goal: it was measured and is above that of random play.
    bool hasGoal(const PresetInfo& preset) const;
    // The mean return to reach: that of the environment, else that of its default preset.
    std::optional<double> goalOf(const QString& env) const;
    std::optional<Estimate> estimate(const QString& preset) const;
    // The environment's picture, from the resources or rendered by it; null if it has none.
    QImage picture(const QString& env) const;
    const QString& resources() const { return resources_; }

    // Reads earlier measurements, then measures the remaining presets in a lowest-priority process until
    // stopMeasuring(), and while nothing trains.
    void measure();
    void stopMeasuring();
    // Measuring stops when runs begin to train, and continues when the last one has ended.
    void setTraining(bool training);
    bool isMeasuring() const { return measuring_ != nullptr; }

    // Empty until `seedbed doctor` has replied. Starts that command on the first call and if `fresh` is set.
    const QList<DeviceInfo>& devices(bool fresh = false);
    const QStringList& algorithms() const { return algorithms_; }

Q_SIGNALS:
    void estimatesChanged();
    void devicesChanged();

private:
    void addEstimate(const QJsonObject& line);
    void measureMissing();

    Launcher& launcher_;
    QString resources_;
    QList<EnvInfo> environments_;
    QList<PresetInfo> presets_;
    QMap<QString, QString> default_presets_;
    QMap<QString, Estimate> estimates_;
    QList<DeviceInfo> devices_;
    QStringList algorithms_;
    bool asked_devices_ = false;
    bool measures_ = false;  // measure() has read the earlier measurements
    bool training_ = false;
    QProcess* measuring_ = nullptr;
};

// "about 2 to 4 min", "less than 10 s"; "" if unknown.
QString minutesText(const Estimate& estimate);
QString secondsText(double seconds);

}  // namespace seedbed::ui
