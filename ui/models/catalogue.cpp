// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/catalogue.hpp"

#include <algorithm>
#include <cmath>
#include <csignal>

#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLocale>
#include <QProcess>

#include "core/base/os/paths.hpp"
#include "core/config/presets.hpp"
#include "core/config/resources.hpp"
#include "core/env/env_registry.hpp"
#include "core/env/render.hpp"
#include "ui/models/launcher.hpp"
#include "ui/models/text/core_text.hpp"

namespace seedbed::ui {
namespace {

QString text(const std::string& s) { return QString::fromStdString(s); }

int rank(const QString& difficulty) {
    return difficulty == QLatin1String("easy") ? 0 : difficulty == QLatin1String("medium") ? 1 : 2;
}

EnvInfo describe(const EnvEntry& entry) {
    const EnvSpec spec = entry.spec(entry.params->defaults()).value();
    EnvInfo info;
    info.id = text(entry.id);
    info.title = coreText(spec.title);
    info.sentence = coreText(spec.sentence);
    info.difficulty = text(spec.difficulty);
    info.upstream = text(spec.upstream);
    for (const std::string& alias : entry.aliases) info.aliases += text(alias);
    info.solved = spec.solved;
    // Games are scored against an opponent: what random actions earn against each other does not compare.
    if (spec.agents == 1) info.random_return = spec.random_return;
    // The reference score is the best published one.
    for (const ReferenceScore& reference : spec.references)
        if (!info.reference_score || reference.score > *info.reference_score) {
            info.reference_score = reference.score;
            info.reference_agent = text(reference.agent);
        }
    return info;
}

}  // namespace

Catalogue::Catalogue(Launcher& launcher, QObject* parent) : QObject(parent), launcher_(launcher) {}

Catalogue::~Catalogue() { stopMeasuring(); }

QString Catalogue::load() {
    environments_.clear();
    presets_.clear();
    default_presets_.clear();
    for (const std::string& id : envRegistry().ids()) environments_ += describe(*envRegistry().find(id));
    std::stable_sort(environments_.begin(), environments_.end(), [](const EnvInfo& a, const EnvInfo& b) {
        return std::pair(rank(a.difficulty), a.title.toLower()) <
               std::pair(rank(b.difficulty), b.title.toLower());
    });
    const auto resources = resourcesFolder();
    if (!resources) return text(resources.error().text());
    resources_ = text(resources->string());
    RealFileSystem files;
    const auto folders = userFolders({});
    std::vector<Path> places{*resources / "presets"};
    if (folders) places.push_back(folders->config / "presets");
    auto library = PresetLibrary::load(files, places);
    QString problem;
    if (!library) {
        // If the user's own presets contain errors, only these presets are disabled.
        problem = text(library.error().text());
        library = PresetLibrary::load(files, {places.front()});
        if (!library) return problem;
    }
    for (const Preset* p : library->all()) {
        PresetInfo info{.name = text(p->name),
                        .title = coreText(p->title),
                        .when_to_use = coreText(p->when_to_use),
                        .env = text(p->env),
                        .algo = text(p->algo()),
                        .source = coreText(p->source),
                        .steps = p->budget_steps,
                        .expected_score = p->expected_score,
                        .reference_score = p->reference_score,
                        .is_measured = p->isMeasured(),
                        .best_score = p->best_score};
        if (library->defaultFor(p->env) == p) default_presets_[info.env] = info.name;
        if (!algorithms_.contains(info.algo)) algorithms_ += info.algo;
        presets_ += std::move(info);
    }
    return problem;
}

const EnvInfo* Catalogue::environment(const QString& id) const {
    for (const EnvInfo& env : environments_)
        if (env.id == id) return &env;
    return nullptr;
}

QList<const PresetInfo*> Catalogue::presetsOf(const QString& env) const {
    QList<const PresetInfo*> found;
    for (const PresetInfo& preset : presets_)
        if (preset.env == env) found += &preset;
    return found;
}

const PresetInfo* Catalogue::defaultPreset(const QString& env) const {
    const QString name = default_presets_.value(env);
    for (const PresetInfo& preset : presets_)
        if (preset.name == name) return &preset;
    return nullptr;
}

bool Catalogue::hasGoal(const PresetInfo& preset) const {
    const EnvInfo* env = environment(preset.env);
    if (!preset.is_measured || preset.best_score) return false;
    return env == nullptr || !env->random_return || preset.expected_score > *env->random_return;
}

std::optional<double> Catalogue::goalOf(const QString& env) const {
    if (const EnvInfo* known = environment(env); known != nullptr && known->solved) return known->solved;
    const PresetInfo* preset = defaultPreset(env);
    const bool is_goal = preset != nullptr && (hasGoal(*preset) || preset->best_score);
    return is_goal ? std::optional(preset->expected_score) : std::nullopt;
}

std::optional<Estimate> Catalogue::estimate(const QString& preset) const {
    const auto known = estimates_.find(preset);
    return known == estimates_.end() ? std::nullopt : std::optional(*known);
}

QImage Catalogue::picture(const QString& env) const {
    if (QImage image(QStringLiteral("%1/gallery/%2.png").arg(resources_, env)); !image.isNull()) return image;
    const EnvEntry* entry = envRegistry().find(env.toStdString());
    if (entry == nullptr) return {};
    const auto batch = entry->makeLocal(entry->params->defaults(), 1);
    if (!batch) return {};
    Rng rng(1, RngPurpose::play);
    (*batch)->reset(0, rng);
    Scene scene;
    (*batch)->draw(0, scene);
    const PictureSize size = fittingSize(scene, 240, 240);
    const Picture picture = render(scene, size.width, size.height);
    return QImage(picture.rgb.data(), picture.width, picture.height, 3 * picture.width, QImage::Format_RGB888)
        .copy();
}

void Catalogue::addEstimate(const QJsonObject& line) {
    Estimate estimate;
    const QJsonArray minutes = line[QStringLiteral("minutes")].toArray(),
                     sps = line[QStringLiteral("sps")].toArray();
    if (minutes.size() == 3) {
        estimate.low_minutes = minutes[0].toDouble();
        estimate.middle_minutes = minutes[1].toDouble();
        estimate.high_minutes = minutes[2].toDouble();
    }
    estimate.low_sps = sps[0].toDouble();
    estimate.high_sps = sps[1].toDouble();
    estimate.steps = line[QStringLiteral("steps")].toInteger();
    estimates_[line[QStringLiteral("preset")].toString()] = estimate;
}

void Catalogue::measure() {
    launcher_.ask({QStringLiteral("calibrate"), QStringLiteral("--cached")}, this,
                  [this](const CommandReply& reply) {
                      for (const QJsonValue& line : reply.json.array()) addEstimate(line.toObject());
                      Q_EMIT estimatesChanged();
                      measures_ = reply.ok();
                      measureMissing();
                  });
}

void Catalogue::setTraining(bool training) {
    if (std::exchange(training_, training) == training) return;
    if (training) stopMeasuring();
    else measureMissing();
}

void Catalogue::measureMissing() {
    if (measuring_ != nullptr || !measures_ || training_) return;
    QStringList names;
    for (const EnvInfo& env : environments_)
        if (const PresetInfo* preset = defaultPreset(env.id);
            preset != nullptr && !estimates_.contains(preset->name))
            names += preset->name;
    if (names.isEmpty()) return;
    measuring_ = new QProcess(this);
    runInBackground(*measuring_, 19);
    measuring_->setProgram(launcher_.program());
    measuring_->setArguments(
        QStringList{QStringLiteral("calibrate"), QStringLiteral("--json"), QStringLiteral("--quiet")} +
        names);
    measuring_->setStandardInputFile(QProcess::nullDevice());
    measuring_->setStandardErrorFile(QProcess::nullDevice());
    connect(measuring_, &QProcess::readyReadStandardOutput, this, [this] {
        while (measuring_->canReadLine())
            addEstimate(QJsonDocument::fromJson(measuring_->readLine()).object());
        Q_EMIT estimatesChanged();
    });
    const auto over = [this] {
        if (measuring_ == nullptr) return;
        measuring_->deleteLater();
        measuring_ = nullptr;
    };
    connect(measuring_, &QProcess::finished, this, over);
    connect(
        measuring_, &QProcess::errorOccurred, this,
        [over](QProcess::ProcessError error) {
            if (error == QProcess::FailedToStart) over();
        },
        Qt::QueuedConnection);
    measuring_->start(QIODevice::ReadOnly);
}

void Catalogue::stopMeasuring() {
    if (measuring_ == nullptr) return;
    measuring_->disconnect(this);
    connect(measuring_, &QProcess::finished, measuring_, &QObject::deleteLater);
    measuring_->kill();
    measuring_ = nullptr;
}

const QList<DeviceInfo>& Catalogue::devices(bool fresh) {
    if (fresh || !asked_devices_) {
        asked_devices_ = true;
        launcher_.ask({QStringLiteral("doctor")}, this, [this](const CommandReply& reply) {
            const QJsonArray list = reply.json.object()[QStringLiteral("devices")].toArray();
            if (list.isEmpty()) return;
            devices_.clear();
            for (const QJsonValue& value : list) {
                const QJsonObject device = value.toObject();
                const QJsonValue free = device[QStringLiteral("free_bytes")];
                devices_ += {.id = device[QStringLiteral("id")].toString(),
                             .name = device[QStringLiteral("name")].toString(),
                             .free_bytes = free.isNull() ? std::nullopt : std::optional(free.toInteger())};
            }
            Q_EMIT devicesChanged();
        });
    }
    return devices_;
}

QString secondsText(double seconds) {
    const QLocale locale;
    if (seconds < 1)
        return Catalogue::tr("less than 1 s");  // starting the process takes longer than the
                                                // training
    if (seconds < 10) return Catalogue::tr("%1 s").arg(locale.toString(seconds, 'f', 0));
    if (seconds < 90) return Catalogue::tr("%1 s").arg(locale.toString(std::round(seconds / 5) * 5, 'f', 0));
    if (seconds < 90 * 60)
        return Catalogue::tr("%1 min").arg(locale.toString(std::round(seconds / 60), 'f', 0));
    if (seconds < 48 * 3600)
        return Catalogue::tr("%1 h").arg(locale.toString(seconds / 3600, 'f', seconds < 10 * 3600 ? 1 : 0));
    return Catalogue::tr("%1 days").arg(locale.toString(seconds / 86400, 'f', 0));
}

QString minutesText(const Estimate& estimate) {
    if (estimate.middle_minutes <= 0) return {};
    const QString low = secondsText(60 * estimate.low_minutes),
                  high = secondsText(60 * estimate.high_minutes);
    if (estimate.low_minutes < 1.0 / 60 && low != high) return Catalogue::tr("up to %1").arg(high);
    if (estimate.high_minutes < 1.0 / 60) return high;
    return low == high ? Catalogue::tr("about %1").arg(low)
                       : Catalogue::tr("%1 to %2", "a span of time").arg(low, high);
}

}  // namespace seedbed::ui
