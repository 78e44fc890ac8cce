// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/play/player_client.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <deque>

#include <QJsonDocument>
#include <QPointer>
#include <QProcess>
#include <QThread>
#include <QTimer>

#include "core/base/mutex.hpp"
#include "core/base/os/processes.hpp"
#include "core/base/thread.hpp"
#include "core/control/player_view.hpp"
#include "ui/models/launcher.hpp"

namespace seedbed::ui {
namespace {

constexpr auto kFrameInterval = std::chrono::milliseconds(15);
constexpr int kPlayerNiceness = 10;
constexpr auto kSavingInterval = std::chrono::milliseconds(100);
// While it saves time, a frame that took 1 ms is shown for kPausePerCost ms, divided by the cores.
constexpr int kPausePerCost = 300;
constexpr auto kMaxPause = std::chrono::milliseconds(1000);  // slower pictures would look frozen
constexpr qint64 kFirstMs = 1000;                            // no time is saved before, while a page opens
// Time for a player process to exit before it is killed: normally, and while the window closes. It has no
// data to save.
constexpr auto kExitTimeout = std::chrono::milliseconds(1000),
               kShutdownExitTimeout = std::chrono::milliseconds(200);

PlayerAbout aboutOf(const Json& hello) {
    PlayerAbout about;
    const auto text = [&](const char* key) {
        return QString::fromStdString(hello.value(key, Json()).is_string() ? hello[key].get<std::string>()
                                                                           : "");
    };
    about.env = text("env");
    about.title = text("title");
    about.engine = text("engine");
    if (auto spaces = spacesFromJson(hello.value("spaces", Json::object()))) {
        about.actions = std::move(spaces->actions);
        about.observations = std::move(spaces->obs);
        about.has_mask = spaces->has_mask;
    }
    if (hello.value("rate", Json()).is_number()) about.rate = hello["rate"].get<double>();
    if (hello.value("max_envs", Json()).is_number_integer()) about.max_envs = hello["max_envs"].get<int>();
    if (hello.value("agents", Json()).is_number_integer()) about.agents = hello["agents"].get<int>();
    if (hello.value("pid", Json()).is_number_integer()) about.process = hello["pid"].get<qint64>();
    about.has_policy = hello.value("policy", Json(true)) == true;
    about.is_replay = hello.contains("replay") && !hello["replay"].is_null();
    if (hello.value("rest", Json()).is_array())
        for (const Json& word : hello["rest"])
            if (word.is_number()) about.rest.push_back(word.get<double>());
    const auto numbers = [&](const char* key, std::size_t count, const auto& take) {
        const Json rows = hello.value(key, Json::array());
        for (const Json& row : rows.is_array() ? rows : Json::array())
            if (row.is_array() && row.size() == count &&
                std::all_of(row.begin(), row.end(), [](const Json& word) { return word.is_number(); }))
                take(row.get<std::vector<double>>());
    };
    numbers("areas", 5, [&](const std::vector<double>& row) {
        about.areas.push_back(
            {static_cast<int>(row[0]), {row[1] - row[3] / 2, row[2] - row[4] / 2, row[3], row[4]}});
    });
    numbers("seat_colours", 3, [&](const std::vector<double>& row) {
        const auto part = [&](std::size_t i) { return static_cast<int>(std::clamp(row[i], 0.0, 255.0)); };
        about.seat_colours.emplace_back(part(0), part(1), part(2));
    });
    if (const Json settings = hello.value("settings", Json()); settings.is_object())
        if (const Json sticky = settings.value("sticky_actions", Json()); sticky.is_number())
            about.sticky = sticky.get<double>();
    about.idle_waits = text("idle") == QLatin1String("wait");
    if (hello.value("run", Json()).is_number_integer()) about.run = hello["run"].get<qint64>();
    return about;
}

PlayerStatus statusOf(const Json& json) {
    PlayerStatus status;
    status.waiting = json.value("state", Json()) == "waiting";
    const auto textOf = [](const Json& from) {
        const Json when = from.is_object() ? from.value("when", Json()) : Json();
        return when.is_string() ? QString::fromStdString(when.get<std::string>()) : QString();
    };
    status.stopped_by = textOf(json.value("stopped_by", Json()));
    for (const Json& each : json.value("breaks", Json::array()))
        if (each.is_object() && each.value("break", Json()).is_number_integer())
            status.breaks.push_back({each["break"].get<int>(), textOf(each)});
    for (const Json& seat : json.value("seats", Json::array()))
        if (seat.is_object() && seat.value("env", Json()).is_number_integer() &&
            seat.value("agent", Json()).is_number_integer())
            status.seats.push_back({seat["env"].get<int>(), seat["agent"].get<int>()});
    status.branches = static_cast<int>(json.value("branches", Json::array()).size());
    if (json.value("envs", Json()).is_number_integer()) status.envs = json["envs"].get<int>();
    return status;
}

}  // namespace

QStringList PlayerSource::arguments() const {
    QStringList words;
    if (!file.isEmpty()) words << QStringLiteral("replay") << file;
    else words << QStringLiteral("play") << policy;
    const bool plays = file.isEmpty() && replay.isEmpty();
    if (follow && plays) words << QStringLiteral("--follow");
    if (!replay.isEmpty() && file.isEmpty()) words << QStringLiteral("--replay") << replay;
    if (sample && plays) words << QStringLiteral("--sample");
    if (!env_of.isEmpty() && plays) words << QStringLiteral("--env-of") << env_of;
    else if (!env.isEmpty() && plays) words << QStringLiteral("--env") << env;
    if (!against.isEmpty() && plays) words << QStringLiteral("--against") << against;
    if (envs > 1 && plays) words << QStringLiteral("--envs") << QString::number(envs);
    if (seed != 1 && plays) words << QStringLiteral("--seed") << QString::number(seed);
    if (speed != 1) words << QStringLiteral("--speed") << QString::number(speed);
    return words;
}

// The thread that communicates with the player. Only the newest frame is kept for the window.
struct PlayerClient::Connection {
    Mutex mutex;
    StoppableConditionVariable changed;
    struct Request {
        std::string verb;
        Json fields;
        Accepted accepted;
    };
    std::deque<Request> requests SEEDBED_GUARDED_BY(mutex);
    std::shared_ptr<const PlayerFrame> frame SEEDBED_GUARDED_BY(mutex);
    std::shared_ptr<const Inspection> inspection SEEDBED_GUARDED_BY(mutex);
    bool inspect SEEDBED_GUARDED_BY(mutex) = false;  // requested by the window
    bool delivery_posted SEEDBED_GUARDED_BY(mutex) =
        false;  // a call that shows `frame` is already queued for the window
    bool saving SEEDBED_GUARDED_BY(mutex) = false;   // the window saves time
    bool pausing SEEDBED_GUARDED_BY(mutex) = false;  // and wants no frame now
    NamedThread thread;                              // last: uses the members above

    void deliver(const QPointer<PlayerClient>& client, std::function<void(PlayerClient&)> what) {
        QMetaObject::invokeMethod(
            client.data(),
            [client, this, what = std::move(what)] {
                if (client && client->connection_.get() == this) what(*client);
            },
            Qt::QueuedConnection);
    }

    void deliverMessage(const QPointer<PlayerClient>& client, const std::string& text) {
        deliver(client, [text = QString::fromStdString(text)](PlayerClient& to) { Q_EMIT to.message(text); });
    }
    void deliverEvent(const QPointer<PlayerClient>& client, const Json& event) {
        const Json kind = event.value("event", Json()), status = event.value("status", Json());
        if (kind == "status" && status.is_object())
            return deliver(client, [status = statusOf(status)](PlayerClient& to) { to.setStatus(status); });
        const auto text = [&](const char* key) {
            const Json value = event.value(key, Json());
            return value.is_string() ? value.get<std::string>() : std::string();
        };
        if (kind == "recorded")
            return deliver(client, [file = QString::fromStdString(text("file"))](PlayerClient& to) {
                Q_EMIT to.recorded(file);
            });
        if (!text("text").empty()) deliverMessage(client, text("text"));
    }

    Result<> serve(const QPointer<PlayerClient>& client, const std::filesystem::path& socket,
                   const std::stop_token& stop) {
        SEEDBED_ASSIGN(PlayerView view, PlayerView::connect(socket, stop));
        deliver(client, [about = aboutOf(view.about())](PlayerClient& to) {
            to.about_ = about;
            to.setState(State::playing);
        });
        bool inspecting = false;
        while (!stop.stop_requested()) {
            std::deque<Request> taken;
            bool wanted = false, pauses = false;
            {
                MutexLock lock(mutex);
                changed.waitFor(lock, stop, saving ? kSavingInterval : kFrameInterval,
                                [this]() SEEDBED_REQUIRES(mutex) { return !requests.empty(); });
                taken.swap(requests);
                wanted = inspect;
                pauses = pausing;
            }
            for (Request& request : taken) {
                const auto reply = view.ask(request.verb, request.fields);
                if (!reply) deliverMessage(client, reply.error().message);
                else if (request.accepted)
                    deliver(client, [accepted = std::move(request.accepted),
                                     json = QByteArray::fromStdString(reply->dump())](PlayerClient&) {
                        accepted(QJsonDocument::fromJson(json).object());
                    });
            }
            if (std::exchange(inspecting, wanted) != wanted)
                if (const auto done = view.inspect(wanted); !done)
                    deliverMessage(client, done.error().message);
            SEEDBED_ASSIGN(const std::vector<Json> events, view.events());
            for (const Json& event : events) deliverEvent(client, event);
            if (pauses) continue;  // decoding frames costs time, too
            SEEDBED_ASSIGN(auto newest, view.frame());
            SEEDBED_ASSIGN(auto inspected, view.inspection());
            if (!newest && !inspected) continue;
            bool post = false;
            {
                const MutexLock lock(mutex);
                if (newest) frame = std::make_shared<const PlayerFrame>(std::move(*newest));
                if (inspected) inspection = std::make_shared<const Inspection>(std::move(*inspected));
                if (!frame) continue;
                post = !std::exchange(delivery_posted, true);
            }
            if (post) deliver(client, [](PlayerClient& to) { to.deliverFrame(); });
        }
        return {};
    }
};

PlayerClient::PlayerClient(QString program, QString data_folder, QObject* parent)
    : QObject(parent), program_(std::move(program)), data_folder_(std::move(data_folder)) {
    pace_.setSingleShot(true);
    connect(&pace_, &QTimer::timeout, this, &PlayerClient::keepPace);
}

PlayerClient::~PlayerClient() {
    releaseProcess();
    // Waits without the event loop, which may already have ended.
    const auto until = std::chrono::steady_clock::now() + kShutdownExitTimeout;
    for (QProcess* process : findChildren<QProcess*>(Qt::FindDirectChildrenOnly)) {
        process->disconnect();
        const auto left =
            std::chrono::duration_cast<std::chrono::milliseconds>(until - std::chrono::steady_clock::now())
                .count();
        if (process->state() != QProcess::NotRunning &&
            !process->waitForFinished(std::max<int>(0, static_cast<int>(left))))
            process->kill();
        delete process;  // waits for a killed process
    }
}

void PlayerClient::deliverFrame() {
    Connection* const connection = connection_.get();
    // A person who plays needs every frame.
    if (!frame_) {
        played_.start();
        if (process_ != nullptr) lowerPriority(*process_, kPlayerNiceness);
    }
    bool saves = saves_time_ && status_.seats.empty() && played_.hasExpired(kFirstMs);
    {
        const MutexLock lock(connection->mutex);
        frame_ = connection->frame;
        saves = saves && !frame_->paused;
        inspection_ = connection->inspect ? connection->inspection : nullptr;
        connection->delivery_posted = false;
        connection->saving = connection->pausing = saves;
    }
    frame_started_ = std::chrono::steady_clock::now();
    cpu_before_frame_ = cpuSecondsOfThread();
    Q_EMIT frameChanged();
    if (connection_.get() != connection) return;
    if (saves) pace_.start(kSavingInterval);
    else askForPace(std::chrono::milliseconds(0));
}

// Frames that would be dropped are not made, either.
void PlayerClient::askForPace(std::chrono::milliseconds pause) {
    if (std::chrono::abs(pause - asked_pace_) * 4 <= asked_pace_) return;
    asked_pace_ = pause;
    ask(QStringLiteral("pace"), {{QStringLiteral("ms"), static_cast<int>(pause.count())}});
}

// Requests the next frame when the share of this thread's time since the last one is small enough: time of
// its picture, and of everything else that the window does.
void PlayerClient::keepPace() {
    if (!connection_) return;
    using std::chrono::milliseconds;
    const double used_ms = 1000 * (cpuSecondsOfThread() - cpu_before_frame_);
    const auto pause =
        std::min(kMaxPause, milliseconds(std::lround(used_ms * kPausePerCost / QThread::idealThreadCount())));
    const auto passed =
        std::chrono::duration_cast<milliseconds>(std::chrono::steady_clock::now() - frame_started_);
    if (passed < pause) return pace_.start(pause - passed);
    askForPace(pause);
    const MutexLock lock(connection_->mutex);
    connection_->pausing = false;
}

void PlayerClient::releaseProcess() {
    pace_.stop();
    connection_.reset();  // joins the thread; its waits end with the stop request
    QProcess* process = std::exchange(process_, nullptr);
    if (process == nullptr) return;
    process->disconnect();
    if (process->state() == QProcess::NotRunning) return process->deleteLater();
    connect(process, &QProcess::finished, process, &QObject::deleteLater);
    QTimer::singleShot(kExitTimeout, process,
                       &QProcess::kill);  // because a suspended or hanging process does not react to SIGTERM
    process->terminate();
}

void PlayerClient::setState(State state, const QString& problem) {
    state_ = state;
    problem_ = problem;
    Q_EMIT stateChanged();
}

void PlayerClient::setStatus(const PlayerStatus& status) {
    if (status == status_) return;
    status_ = status;
    Q_EMIT statusChanged();
}

void PlayerClient::open(const PlayerSource& source) {
    releaseProcess();
    source_ = source;
    frame_.reset();
    asked_pace_ = std::chrono::milliseconds(0);
    inspection_.reset();
    output_.clear();
    errors_.clear();
    reason_.clear();
    about_ = {};
    process_ = new QProcess(this);
    runInBackground(*process_, 0);  // the first picture comes soon, also while all cores train
    process_->setProgram(program_);
    process_->setArguments(source.arguments() + QStringList{QStringLiteral("--with-viewer"),
                                                            QStringLiteral("--json"),
                                                            QStringLiteral("--data"), data_folder_});
    process_->setStandardInputFile(QProcess::nullDevice());
    connect(process_, &QProcess::readyReadStandardOutput, this, &PlayerClient::readOutput);
    connect(process_, &QProcess::readyReadStandardError, this,
            [this] { errors_ = (errors_ + process_->readAllStandardError()).right(10'000); });
    connect(process_, &QProcess::finished, this, &PlayerClient::finished);
    connect(
        process_, &QProcess::errorOccurred, this,
        [this](QProcess::ProcessError error) {
            if (error != QProcess::FailedToStart || process_ == nullptr) return;
            const QString reason = process_->errorString();
            releaseProcess();
            setState(
                State::ended,
                tr("%1 could not be started: %2. Is Seedbed installed completely?").arg(program_, reason));
        },
        Qt::QueuedConnection);
    setState(State::starting);
    setStatus({});
    process_->start(QIODevice::ReadOnly);
}

void PlayerClient::close() {
    releaseProcess();
    frame_.reset();
    inspection_.reset();
    if (state_ != State::closed) setState(State::closed);
    setStatus({});
}

// Parses JSON lines. The first one with a socket contains the address to connect to.
void PlayerClient::readOutput() {
    output_ += process_->readAllStandardOutput();
    for (qsizetype end = output_.indexOf('\n'); end >= 0; end = output_.indexOf('\n')) {
        const QJsonObject line = QJsonDocument::fromJson(output_.left(end)).object();
        output_.remove(0, end + 1);
        if (line.contains(QStringLiteral("error"))) reason_ = line[QStringLiteral("error")].toString();
        const QString socket = line[QStringLiteral("socket")].toString();
        if (socket.isEmpty() || connection_) continue;
        connection_ = std::make_unique<Connection>();
        inspect(inspect_);
        const QPointer<PlayerClient> self(this);
        Connection* connection = connection_.get();
        connection_->thread = NamedThread(
            "player view",
            [connection, self, path = std::filesystem::path(socket.toStdString())](
                const std::stop_token& stop) { return connection->serve(self, path, stop); },
            [](const std::string&, const Error&) {});  // errors are ignored: the process itself reports why
                                                       // it exited
    }
}

void PlayerClient::finished() {
    readOutput();
    errors_ += process_->readAllStandardError();
    const bool crashed = process_->exitStatus() == QProcess::CrashExit;
    const int code = process_->exitCode();
    QStringList lines = QString::fromUtf8(errors_).trimmed().split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    QString problem = !reason_.isEmpty() ? reason_ : lines.isEmpty() ? QString() : lines.last();
    if (problem.startsWith(QLatin1String("seedbed: "))) problem.remove(0, 9);
    if (crashed || problem.isEmpty())
        problem = crashed
                      ? tr("The player stopped unexpectedly. Training is not affected; restart the player.")
                      : tr("The player exited with code %1. Training is not affected; restart the player.")
                            .arg(code);
    releaseProcess();
    setState(State::ended, problem);
}

void PlayerClient::ask(const QString& verb, const QJsonObject& fields, Accepted accepted) {
    if (!connection_) return;
    Json json = Json::object();
    if (!fields.isEmpty())
        json = Json::parse(QJsonDocument(fields).toJson(QJsonDocument::Compact).toStdString());
    const MutexLock lock(connection_->mutex);
    if (verb != QLatin1String("pace")) connection_->saving = connection_->pausing = false;  // show the effect
    connection_->requests.push_back({verb.toStdString(), std::move(json), std::move(accepted)});
    connection_->changed.notifyAll();
}

void PlayerClient::inspect(bool on) {
    inspect_ = on;
    if (!on) inspection_.reset();
    if (!connection_) return;
    const MutexLock lock(connection_->mutex);
    connection_->inspect = on;
    if (!on) connection_->inspection.reset();
}

}  // namespace seedbed::ui
