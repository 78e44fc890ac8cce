// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/library/device_list.hpp"

#include <algorithm>

#include <QDateTime>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QLocale>
#include <QProcess>
#include <QRegularExpression>
#include <QSaveFile>

#include "ui/models/catalogue.hpp"
#include "ui/models/launcher.hpp"
#include "ui/models/run_store.hpp"
#include "ui/models/text/number_text.hpp"

namespace seedbed::ui {
namespace {

constexpr int kMeasureNice = 10;
constexpr int kMostPresets = 3;
const QString kSmallNet = QStringLiteral("mlp64"), kSmallRows = QStringLiteral("256");

// Splits "NVIDIA H200 (driver 1, 2), 2.0 GiB" at the commas outside parentheses.
QStringList splitFacts(const QString& text) {
    QStringList parts{QString()};
    int depth = 0;
    for (const QChar letter : text) {
        depth += letter == QLatin1Char('(') ? 1 : letter == QLatin1Char(')') ? -1 : 0;
        if (letter == QLatin1Char(',') && depth == 0) parts += QString();
        else parts.last() += letter;
    }
    for (QString& part : parts) part = part.trimmed();
    return parts;
}

// The part in parentheses of "vulkan:0 (llvmpipe, software)".
QString detailsOf(const QString& description) {
    const qsizetype begin = description.indexOf(QLatin1String(" (")),
                    end = description.lastIndexOf(QLatin1Char(')'));
    return begin < 0 || end < begin ? QString() : description.mid(begin + 2, end - begin - 2);
}

LibraryDevice namedDevice(const QString& id, const QString& description) {
    LibraryDevice device{.id = id, .title = id, .facts = {}, .checks = {}, .problem = {}};
    if (const QString details = detailsOf(description); !details.isEmpty()) {
        device.facts = splitFacts(details);
        device.title = device.facts.takeFirst();
    }
    return device;
}

LibraryDevice processor(const QJsonObject& report) {
    const QString name = report[QStringLiteral("processor")].toString();
    LibraryDevice cpu{.id = QStringLiteral("cpu"),
                      .title = name.isEmpty() ? DeviceList::tr("Processor") : name,
                      .facts = {},
                      .checks = {},
                      .problem = {}};
    cpu.facts += DeviceList::tr("%n core(s)", nullptr, report[QStringLiteral("cores")].toInt());
    cpu.facts +=
        DeviceList::tr("instruction set %1").arg(report[QStringLiteral("instruction_set")].toString());
    const QJsonObject memory = report[QStringLiteral("memory")].toObject();
    const auto bytes = [&](const char* key) {
        return QLocale().formattedDataSize(memory[QLatin1String(key)].toInteger(), 1);
    };
    cpu.facts +=
        DeviceList::tr("%1 of %2 memory available").arg(bytes("available_bytes"), bytes("total_bytes"));
    return cpu;
}

LibraryDevice::Check checkOf(const QString& engine, const QJsonObject& json) {
    const QString error = json[QStringLiteral("error")].toString();
    if (!error.isEmpty()) return {engine, DeviceList::tr("wrong results: %1").arg(error), false};
    const double worst = std::max(json[QStringLiteral("forward_error")].toDouble(),
                                  json[QStringLiteral("gradient_error")].toDouble());
    return {engine,
            DeviceList::tr("results agree with double precision (largest error %1)").arg(shortNumber(worst)),
            true};
}

// The networks of `seedbed bench gpu` that are shown.
QString netTitle(const QString& id) {
    if (id == kSmallNet) return DeviceList::tr("small network (64 × 64)");
    if (id == QLatin1String("lstm")) return DeviceList::tr("recurrent network (LSTM)");
    if (id == QLatin1String("mlp2048")) return DeviceList::tr("wide network (2048 × 2048)");
    if (id == QLatin1String("nature")) return DeviceList::tr("Nature CNN (84 × 84 pictures)");
    if (id == QLatin1String("impala-deep")) return DeviceList::tr("deep IMPALA CNN (84 × 84 pictures)");
    return id;
}

QJsonObject readObject(const std::filesystem::path& path) {
    QFile file(QString::fromStdString(path.string()));
    return file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.readAll()).object() : QJsonObject();
}

}  // namespace

QList<LibraryDevice> libraryDevices(const QJsonObject& report) {
    QList<LibraryDevice> usable{processor(report)}, others;
    for (const QJsonValue& value : report[QStringLiteral("engines")].toArray()) {
        const QString engine = value[QLatin1String("id")].toString();
        // These engines exist to check others.
        if (engine == QLatin1String("check") || engine == QLatin1String("reference")) continue;
        if (!value[QLatin1String("available")].toBool())
            others += {.id = {},
                       .title = DeviceList::tr("Engine %1").arg(engine),
                       .facts = {},
                       .checks = {},
                       .problem = value[QLatin1String("reason")].toString()};
        for (const QJsonValue& check : value[QLatin1String("checks")].toArray()) {
            const QString id = check[QLatin1String("device")].toString(),
                          description = check[QLatin1String("description")].toString();
            auto device = std::find_if(usable.begin(), usable.end(),
                                       [&](const LibraryDevice& known) { return known.id == id; });
            if (device == usable.end()) device = usable.insert(usable.end(), namedDevice(id, description));
            const QString details = id == QLatin1String("cpu") ? detailsOf(description) : QString();
            device->checks +=
                checkOf(details.isEmpty() ? engine : QStringLiteral("%1 (%2)").arg(engine, details),
                        check.toObject());
        }
        for (const QJsonValue& text : value[QLatin1String("unusable")].toArray()) {
            const QString all = text.toString();
            const qsizetype end = all.lastIndexOf(QLatin1String("): "));
            LibraryDevice device = namedDevice({}, all.left(end + 1));
            if (device.title.isEmpty()) device.title = DeviceList::tr("Engine %1").arg(engine);
            device.problem = end < 0 ? all : all.mid(end + 3);
            others += device;
        }
    }
    return usable + others;
}

DeviceList::DeviceList(Launcher& launcher, RunStore& store, Catalogue* catalogue, std::filesystem::path file,
                       QObject* parent)
    : QObject(parent), launcher_(launcher), store_(store), catalogue_(catalogue), file_(std::move(file)) {
    measurements_ = readObject(file_);
    connect(&store_, &RunStore::runsChanged, this, [this] {
        if (process_ != nullptr && store_.isTraining())
            finish(tr("The measurement was stopped because a run began to train."));
    });
}

DeviceList::~DeviceList() {
    blockSignals(true);
    cancel();
}

void DeviceList::refresh() {
    if (waiting_ > 0) return;
    waiting_ = 2;
    launcher_.ask({QStringLiteral("doctor")}, this, [this](const CommandReply& reply) {
        --waiting_;
        // It also fails if a device computes wrong results, and then reports the devices.
        const QJsonObject report = reply.json.object();
        const bool known = report.contains(QStringLiteral("engines"));
        problem_ = known ? QString() : reply.error;
        if (known) devices_ = libraryDevices(report);
        Q_EMIT changed();
    });
    launcher_.ask({QStringLiteral("calibrate"), QStringLiteral("--cached")}, this,
                  [this](const CommandReply& reply) {
                      --waiting_;
                      readPresets(reply.json.array());
                      Q_EMIT changed();
                  });
    Q_EMIT changed();
}

void DeviceList::readPresets(const QJsonArray& lines) {
    fastest_.clear();
    for (const QJsonValue& line : lines) {
        const QString env = line[QLatin1String("env")].toString();
        const EnvInfo* known = catalogue_ != nullptr ? catalogue_->environment(env) : nullptr;
        const QJsonValue sps = line[QLatin1String("sps")];
        fastest_.emplaceBack(known != nullptr ? known->title : env,
                             (sps[0].toDouble() + sps[1].toDouble()) / 2);
    }
    std::sort(fastest_.begin(), fastest_.end(),
              [](const auto& a, const auto& b) { return a.second > b.second; });
    if (fastest_.size() > kMostPresets) fastest_.resize(kMostPresets);
}

std::optional<DeviceMeasurement> DeviceList::measurement(const LibraryDevice& device) const {
    const QJsonObject stored = measurements_[device.id].toObject();
    // The number of a device may belong to another one later.
    if (stored.isEmpty() || stored[QStringLiteral("title")].toString() != device.title) return std::nullopt;
    DeviceMeasurement measurement;
    measurement.time = stored[QStringLiteral("time")].toDouble();
    measurement.busy = stored[QStringLiteral("busy")].toBool();
    measurement.version = stored[QStringLiteral("version")].toString();
    for (const QJsonValue& each : stored[QStringLiteral("devices")].toArray()) {
        if (const QString error = each[QLatin1String("error")].toString(); !error.isEmpty())
            measurement.problem = error;
        // Small networks are measured with fewer rows, and without training.
        const double small_us = each[QLatin1String("latency_us")][kSmallNet][kSmallRows].toDouble();
        if (small_us > 0)
            measurement.speeds += {.engine = each[QLatin1String("engine")].toString(),
                                   .net = netTitle(kSmallNet),
                                   .decisions_per_s = 1e6 * kSmallRows.toDouble() / small_us};
        for (const QJsonValue& rate : each[QLatin1String("rates")].toArray())
            measurement.speeds += {.engine = each[QLatin1String("engine")].toString(),
                                   .net = netTitle(rate[QLatin1String("net")].toString()),
                                   .decisions_per_s = rate[QLatin1String("forward_rows_per_s")].toDouble(),
                                   .train_gflops = rate[QLatin1String("train_gflops")].toDouble()};
    }
    return measurement;
}

QString DeviceList::refusal() const {
    if (process_ != nullptr) return tr("Another device is being measured.");
    if (store_.isTraining())
        return tr("A run is training, and a measurement would disturb it. Measure when it has ended.");
    if (catalogue_ != nullptr && catalogue_->isMeasuring())
        return tr("The speeds of presets are being measured. Try again in about a minute.");
    return {};
}

void DeviceList::measure(const QString& device) {
    noted_ = device;
    note_ = refusal();
    if (!note_.isEmpty()) {
        Q_EMIT changed();
        return;
    }
    measuring_ = device;
    stage_ = {};
    messages_.clear();
    process_ = new QProcess(this);
    runInBackground(*process_, kMeasureNice);
    process_->setProgram(launcher_.program());
    process_->setArguments({QStringLiteral("bench"), QStringLiteral("gpu"), QStringLiteral("--device"),
                            device, QStringLiteral("--seconds"), QStringLiteral("0.3"),
                            QStringLiteral("--json")});
    process_->setStandardInputFile(QProcess::nullDevice());
    connect(process_, &QProcess::readyReadStandardError, this, &DeviceList::readStages);
    connect(process_, &QProcess::finished, this, [this, device] {
        const QByteArray output = process_->readAllStandardOutput();
        readStages();
        const QString messages = QString::fromUtf8(messages_ + process_->readAllStandardError());
        const QJsonObject reply = QJsonDocument::fromJson(output.left(output.indexOf('\n'))).object();
        if (reply.contains(QStringLiteral("devices"))) finish(store(device, reply));
        else
            finish(tr("The measurement failed: %1")
                       .arg(reply[QStringLiteral("error")].toString(plainMessages(messages))));
    });
    connect(
        process_, &QProcess::errorOccurred, this,
        [this](QProcess::ProcessError error) {
            if (error == QProcess::FailedToStart)
                finish(tr("The measurement could not be started: %1").arg(process_->errorString()));
        },
        Qt::QueuedConnection);
    process_->start(QIODevice::ReadOnly);
    Q_EMIT changed();
}

// "measuring native on cpu: mlp64 (4 of 6)"; other messages are kept.
void DeviceList::readStages() {
    static const QRegularExpression line(
        QStringLiteral("^measuring (\\S+) on \\S+: (\\S+) \\((\\d+) of (\\d+)\\)\\s*$"));
    process_->setReadChannel(QProcess::StandardError);
    while (process_->canReadLine()) {
        const QByteArray text = process_->readLine();
        const auto match = line.match(QString::fromUtf8(text));
        if (!match.hasMatch()) messages_ += text;
        else
            stage_ = {tr("%1, engine %2").arg(netTitle(match.captured(2)), match.captured(1)),
                      match.captured(3).toInt(), match.captured(4).toInt()};
    }
    Q_EMIT changed();
}

void DeviceList::cancel() {
    if (process_ != nullptr) finish({});
}

void DeviceList::finish(const QString& note) {
    if (process_ == nullptr) return;
    process_->disconnect(this);
    if (process_->state() == QProcess::NotRunning) process_->deleteLater();
    else {
        connect(process_, &QProcess::finished, process_, &QObject::deleteLater);
        process_->kill();
    }
    process_ = nullptr;
    measuring_.clear();
    note_ = note;
    Q_EMIT changed();
}

QString DeviceList::store(const QString& device, const QJsonObject& reply) {
    const auto known = std::find_if(devices_.begin(), devices_.end(),
                                    [&](const LibraryDevice& each) { return each.id == device; });
    if (known == devices_.end()) return {};
    const bool busy = reply[QStringLiteral("busy")].toBool();
    if (const auto before = measurement(*known); busy && before && !before->busy)
        return tr("Other programs used %1 cores during the measurement, so the earlier result was kept. "
                  "Measure "
                  "again when the computer is idle.")
            .arg(shortNumber(reply[QStringLiteral("other_cores")].toDouble()));
    measurements_[device] = QJsonObject{{QStringLiteral("title"), known->title},
                                        {QStringLiteral("time"), QDateTime::currentSecsSinceEpoch()},
                                        {QStringLiteral("version"), reply[QStringLiteral("version")]},
                                        {QStringLiteral("busy"), busy},
                                        {QStringLiteral("devices"), reply[QStringLiteral("devices")]}};
    std::error_code error;
    std::filesystem::create_directories(file_.parent_path(), error);
    QSaveFile file(QString::fromStdString(file_.string()));
    // It is shown until the window closes, even if it cannot be stored.
    if (file.open(QIODevice::WriteOnly)) {
        file.write(QJsonDocument(measurements_).toJson(QJsonDocument::Compact));
        file.commit();
    }
    return {};
}

}  // namespace seedbed::ui
