// SPDX-License-Identifier: Apache-2.0
// seedbed watch: shows a policy or a recorded game in the terminal, for computers without a window. A player
// process plays; keys become its requests.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>
#include <utility>

#include <unistd.h>

#include "app/command.hpp"
#include "app/frame_text.hpp"
#include "app/interrupt.hpp"
#include "app/match_players.hpp"
#include "app/policy_options.hpp"
#include "app/screen.hpp"
#include "core/base/text.hpp"
#include "core/control/launch.hpp"
#include "core/control/player_view.hpp"
#include "core/control/protocol.hpp"
#include "core/play/player_action.hpp"

namespace seedbed::app {
namespace {

constexpr int kPlayerStartMs = 60'000;
constexpr int kPlayerExitMs = 2'000;
constexpr int kPlayerDeathMs = 200;
constexpr int kPollMs = 30;  // between checks for a frame or a key
constexpr int kTextLines = 9;
constexpr const char* kKeys =
    "q quit  space pause  left/right step  +/- speed  t take over  i inspect  b branch  x close branch  tab "
    "next ";
constexpr const char* kMoreKeys = "  s save  g greedy/sampled  r restart";

struct WatchOptions {
    std::string name, kind;
    RivalOptions rival;
    bool follow = false, greedy = false, sample = false;
    std::uint64_t seed = 1;
    double speed = 1;
    std::vector<std::string> conditions;  // that pause the player
    bool inspects = false;                // --json: with inspections
    std::filesystem::path save = "watch.gif";
};

bool isReplayFile(const WatchOptions& options) {
    return std::filesystem::path(options.name).extension() == ".replay";
}

// The command line of the player, without a viewer's options.
std::vector<std::string> playerArguments(const WatchOptions& options) {
    if (isReplayFile(options)) return {"replay", options.name};
    std::vector<std::string> arguments{"play", options.name, "--seed", std::to_string(options.seed)};
    if (options.follow) arguments.emplace_back("--follow");
    if (options.sample) arguments.emplace_back("--sample");
    if (!options.kind.empty()) arguments.insert(arguments.end(), {"--replay", options.kind});
    const RivalOptions& rival = options.rival;
    if (!rival.against.empty())
        arguments.insert(arguments.end(), {"--against", rival.against, "--seat", std::to_string(rival.seat)});
    if (!rival.env.empty()) arguments.insert(arguments.end(), {"--env", rival.env});
    if (!rival.env_of.empty()) arguments.insert(arguments.end(), {"--env-of", rival.env_of});
    return arguments;
}

// The message of a player that has exited.
Error reasonOf(ChildProcess& player, const ExitStatus& status) {
    std::string text;
    char bytes[4096];
    for (ssize_t count = 0; (count = ::read(player.error().get(), bytes, sizeof bytes)) > 0;)
        text.append(bytes, static_cast<std::size_t>(count));
    while (!text.empty() && text.back() == '\n') text.pop_back();
    if (text.starts_with("seedbed: ")) text.erase(0, 9);
    ErrorCode code = ErrorCode::failure;
    for (const ErrorCode known : {ErrorCode::usage, ErrorCode::config, ErrorCode::device})
        if (exitCode(known) == status.code) code = known;
    return {code, text.empty() ? "the player " + status.text() : text, {}};
}

struct Player {
    ChildProcess process;
    PlayerView view;
};

Result<Player> startPlayer(const WatchOptions& options, const Context& context, const std::stop_token& stop) {
    SEEDBED_ASSIGN(const std::filesystem::path program, ownProgram());
    const std::filesystem::path socket = playerSocket(context.data_folder, ::getpid());
    std::vector<std::string> arguments{program.string()};
    for (const std::string& argument : playerArguments(options)) arguments.push_back(argument);
    char speed[32];
    std::snprintf(speed, sizeof speed, "%g", options.speed);
    arguments.insert(arguments.end(), {"--speed", speed, "--with-viewer", "--quiet", "--socket",
                                       socket.string(), "--data", context.data_folder.string()});
    SEEDBED_ASSIGN(ChildProcess process, ChildProcess::start({.arguments = std::move(arguments),
                                                              .output = ChildOptions::Stream::null,
                                                              .error = ChildOptions::Stream::pipe}));
    const Deadline end = deadlineIn(kPlayerStartMs);
    while (true) {
        auto view = PlayerView::connect(socket, stop);
        if (view) return Player{std::move(process), std::move(*view)};
        SEEDBED_ASSIGN(const auto exited, process.wait(stop, deadlineIn(kPollMs)));
        if (exited) return tl::unexpected<Error>(reasonOf(process, *exited));
        if (stop.stop_requested()) return fail(ErrorCode::interrupted, "interrupted");
        if (deadlineIn(0) > end) return tl::unexpected<Error>(std::move(view).error());
    }
}

// The state of the terminal view.
struct Viewer {
    PlayerView& view;
    const Spaces& spaces;
    PlayerFrame shown{};
    std::optional<Inspection> inspection{};
    std::filesystem::path save;  // absolute
    int agents = 1;              // seats of a game
    bool inspects = false, has_seat = false;
    std::optional<std::pair<int, int>> wanted{};  // environment and agent, until a frame has them in focus
    int seat = 0;                                 // the agent that the person plays
    int rows = 1;                                 // for which a key is held
    std::string message{};

    // The error of a request is shown; a player that has exited is noticed by the next frame().
    std::optional<Json> ask(const char* verb, const Json& fields = Json::object()) {
        auto reply = view.ask(verb, fields);
        message = reply ? "" : reply.error().text();
        if (!reply) return std::nullopt;
        return std::move(*reply);
    }
};

void takeOrRelease(Viewer& viewer) {
    if (viewer.has_seat) {
        viewer.has_seat = !viewer.ask("release").has_value();
        return;
    }
    const auto reply = viewer.ask("act", {{"agent", viewer.shown.focus_agent}});
    if (!reply) return;
    viewer.has_seat = true;
    viewer.seat = reply->value("agent", 0);
    // Terminals repeat a key that is held down, but report no release.
    const double rate = viewer.view.about().value("rate", 30.0);
    viewer.rows = reply->value("idle", "") == "wait" ? 1 : std::max(1, static_cast<int>(rate / 5));
}

// The next seat of the game in focus; after the last one, the first seat of the next game.
void focusOnNext(Viewer& viewer) {
    PlayerFrame& frame = viewer.shown;
    const int agent = (frame.focus_agent + 1) % viewer.agents;
    const int env = agent != 0 ? frame.focus : (frame.focus + 1) % static_cast<int>(frame.cells.size());
    if (!viewer.ask("focus", {{"env", env}, {"agent", agent}})) return;
    frame.focus = env;
    frame.focus_agent = agent;
    viewer.wanted = {env, agent};
}

// Frames that were published before a request for the focus was applied do not take it back: keys refer to
// the new seat.
void showNext(Viewer& viewer, PlayerFrame frame) {
    viewer.shown = std::move(frame);
    if (!viewer.wanted) return;
    const auto [env, agent] = *viewer.wanted;
    PlayerFrame& shown = viewer.shown;
    if ((shown.focus == env && shown.focus_agent == agent) ||
        static_cast<std::size_t>(env) >= shown.cells.size()) {
        viewer.wanted.reset();
        return;
    }
    shown.focus = env;
    shown.focus_agent = agent;
}

// Gives an action for the seat that the person plays.
void act(Viewer& viewer, const Json& action) {
    viewer.ask("act", {{"agent", viewer.seat}, {"action", action}, {"rows", viewer.rows}});
}

// Key 0 to 9: a choice, or a tenth of the range of the first continuous word.
void actByDigit(Viewer& viewer, int digit) {
    if (!viewer.has_seat || viewer.spaces.actions.empty()) return;
    const ActionLeaf& leaf = viewer.spaces.actions[0];
    Json action = digit;
    if (leaf.kind == ActionLeaf::Kind::box) {
        const auto nothing = defaultAction(viewer.spaces);
        action = nothing ? Json(*nothing) : Json::array();
        action[0] = leaf.low[0] + (leaf.high[0] - leaf.low[0]) * digit / 9;
    } else if (viewer.spaces.actionWords() > 1) {
        action = {{leaf.name, digit}};
    }
    act(viewer, action);
}

// An arrow key: the choice whose name contains the direction. Returns whether it exists.
bool actByDirection(Viewer& viewer, const std::string& direction) {
    if (!viewer.has_seat || viewer.spaces.actions.size() != 1) return false;
    const std::vector<std::string>& labels = viewer.spaces.actions[0].labels;
    for (std::size_t i = 0; i < labels.size(); ++i) {
        if (lowered(labels[i]).find(direction) == std::string::npos) continue;
        act(viewer, i);
        return true;
    }
    return false;
}

void toggleInspection(Viewer& viewer) {
    viewer.inspects = !viewer.inspects;
    viewer.inspection.reset();
    if (const auto result = viewer.view.inspect(viewer.inspects); !result)
        viewer.message = result.error().text();
}

void request(Viewer& viewer, const Screen& screen, Screen::Key key) {
    const PlayerFrame& frame = viewer.shown;
    const float speed = frame.speed == 0 ? 1000 : frame.speed;  // 0: as fast as possible
    switch (key) {
        case Screen::Key::space: viewer.ask(frame.paused || frame.finished ? "resume" : "pause"); return;
        case Screen::Key::right:
            if (!actByDirection(viewer, "right")) viewer.ask("step", {{"count", 1}});
            return;
        case Screen::Key::left:
            if (!actByDirection(viewer, "left")) viewer.ask("step", {{"count", -1}});
            return;
        case Screen::Key::up: actByDirection(viewer, "up"); return;
        case Screen::Key::down: actByDirection(viewer, "down"); return;
        case Screen::Key::faster: viewer.ask("speed", {{"times", std::min(1000.0F, speed * 2)}}); return;
        case Screen::Key::slower: viewer.ask("speed", {{"times", std::max(0.125F, speed / 2)}}); return;
        case Screen::Key::greedy: viewer.ask("select", {{"greedy", !frame.greedy}}); return;
        case Screen::Key::restart: viewer.ask("restart"); return;
        case Screen::Key::take: takeOrRelease(viewer); return;
        case Screen::Key::inspect: toggleInspection(viewer); return;
        case Screen::Key::save:
            if (viewer.ask("record", {{"file", viewer.save.string()}})) viewer.message = "saving ...";
            return;
        case Screen::Key::branch: viewer.ask("branch"); return;
        case Screen::Key::close: viewer.ask("close", {{"cell", frame.focus}}); return;
        case Screen::Key::next: focusOnNext(viewer); return;
        case Screen::Key::act: actByDigit(viewer, screen.digit()); return;
        default: return;
    }
}

// At most four games next to each other, the one in focus among them.
Picture gamesPicture(const PlayerFrame& frame, int columns, int rows) {
    constexpr int kMost = 4;
    const int count = std::min<int>(kMost, static_cast<int>(frame.cells.size()));
    const int first = std::clamp(frame.focus - count + 1, 0, static_cast<int>(frame.cells.size()) - count);
    const int gap = count > 1 ? 1 : 0;
    const PictureSize size = fittingSize(frame.cells[0].scene, columns / count - gap, rows);
    const int height = size.height + size.height % 2;
    Picture all{count * (size.width + gap), height, {}};
    all.rgb.resize(static_cast<std::size_t>(all.width) * static_cast<std::size_t>(height) * 3);
    for (int i = 0; i < count; ++i) {
        const Picture one =
            render(frame.cells[static_cast<std::size_t>(first + i)].scene, size.width, height);
        for (int y = 0; y < height; ++y)
            std::copy_n(one.rgb.begin() + 3 * y * size.width, 3 * size.width,
                        all.rgb.begin() + 3 * (y * all.width + i * (size.width + gap)));
    }
    return all;
}

std::string seatText(int seat, int agents) {
    return "seat " + std::to_string(seat + 1) + " of " + std::to_string(agents);
}

std::string keysText(const Viewer& viewer) {
    if (!viewer.message.empty()) return printableText(viewer.message);
    const bool has_seats = viewer.agents > 1;
    if (!viewer.has_seat) return kKeys + std::string(has_seats ? "seat or game" : "game") + kMoreKeys;
    std::string text = "you play" + (has_seats ? " " + seatText(viewer.seat, viewer.agents) : "") +
                       "; t return the seat  space pause ";
    const ActionLeaf& leaf = viewer.spaces.actions[0];
    if (leaf.kind == ActionLeaf::Kind::box) return text + " 0 to 9: lowest to highest";
    for (int i = 0; i < std::min(leaf.n, 10); ++i)
        text += " " + std::to_string(i) + " " + printableText(choiceName(leaf, i));
    return text;
}

std::string screenText(const Viewer& viewer, const Screen& screen) {
    const Json& about = viewer.view.about();
    std::string title = printableText(about.value("title", about.value("env", "")));
    if (viewer.agents > 1) title += ", " + seatText(viewer.shown.focus_agent, viewer.agents);
    const bool is_replay = !about.value("replay", Json()).is_null();
    const ScreenSize size = screen.size();
    std::vector<std::string> lines;
    if (viewer.inspection) lines = inspectionLines(*viewer.inspection, viewer.spaces, size.columns);
    const int text_lines =
        std::min(kTextLines + static_cast<int>(lines.size()), size.rows - 3) - static_cast<int>(lines.size());
    const std::vector<std::string> frame_lines =
        frameLines(viewer.shown, title, viewer.spaces, is_replay, size.columns, std::max(1, text_lines));
    lines.insert(lines.begin(), frame_lines.begin(), frame_lines.end());
    const int rows = std::max(1, size.rows - static_cast<int>(lines.size()) - 1);
    std::string text =
        pictureText(gamesPicture(viewer.shown, size.columns, 2 * rows), screen.hasTrueColour());
    for (const std::string& line : lines) text += "\n" + line;
    return text + "\n" + keysText(viewer).substr(0, static_cast<std::size_t>(size.columns));
}

// Events that the user should read.
void readEvents(Viewer& viewer, const std::vector<Json>& events) {
    for (const Json& event : events) {
        const std::string name = event.value("event", "");
        if (name == "break") viewer.message = "stopped: " + event.value("when", "");
        else if (name == "recorded") viewer.message = "saved " + event.value("file", "");
        else if (event.contains("text")) viewer.message = event.value("text", "");
    }
}

Result<int> showFrames(PlayerView& view, const Spaces& spaces, const std::filesystem::path& save,
                       const std::stop_token& stop) {
    SEEDBED_ASSIGN(Screen screen, Screen::open());
    Viewer viewer{.view = view,
                  .spaces = spaces,
                  .save = std::filesystem::absolute(save),
                  .agents = std::max(1, view.about().value("agents", 1))};
    while (!stop.stop_requested()) {
        SEEDBED_ASSIGN(const auto events, view.events());  // notices that the player exited
        readEvents(viewer, events);
        SEEDBED_ASSIGN(auto inspection, view.inspection());
        if (inspection) viewer.inspection = std::move(*inspection);
        SEEDBED_ASSIGN(auto frame, view.frame());
        if (frame) showNext(viewer, std::move(*frame));
        const bool has_frame = static_cast<std::size_t>(viewer.shown.focus) < viewer.shown.cells.size();
        if (has_frame && (frame || inspection || !events.empty())) screen.show(screenText(viewer, screen));
        const Screen::Key key = screen.key(kPollMs);
        if (key == Screen::Key::quit) return kOk;
        if (key == Screen::Key::none || !has_frame) continue;
        request(viewer, screen, key);
        screen.show(screenText(viewer, screen));
    }
    return kInterrupted;
}

// The condition that paused the player, or null.
Json firedCondition(const std::vector<Json>& events) {
    for (const Json& event : events)
        if (event.value("event", "") == "break") return event;
    return {};
}

Result<int> printFired(const Json& fired) {
    printJson({{"stopped_by", fired.value("when", "")}, {"row", fired.value("row", 0)}});
    return kOk;
}

// Prints the decisions of the agent in focus whose reward is known, until a replay has finished or
// stdout is closed.
Result<int> printEachDecision(PlayerView& view, const std::stop_token& stop) {
    std::uint64_t next = 0;
    while (!stop.stop_requested()) {
        SEEDBED_ASSIGN(const auto events, view.events());  // notices that the player exited
        const Json fired = firedCondition(events);
        SEEDBED_ASSIGN(const auto frame, view.frame());
        if (!frame && fired.is_null()) {
            ::usleep(kPollMs * 1000);
            continue;
        }
        if (!frame) return printFired(fired);
        if (!frame->trace.empty() && frame->trace.front().row > next)
            return fail("decisions were lost, because the player is too fast; choose a lower --speed");
        for (const PlayerRecord& record : frame->trace) {
            if (record.row < next || !record.decided || std::isnan(record.reward)) continue;
            printJson(recordJson(record));
            next = record.row + 1;
        }
        std::fflush(stdout);
        if (std::ferror(stdout) != 0 || frame->finished) return kOk;
        if (!fired.is_null()) return printFired(fired);
    }
    return kInterrupted;
}

// The next frame.
Result<> awaitFrame(PlayerView& view, PlayerFrame& frame, Deadline end, const std::stop_token& stop) {
    while (true) {
        if (stop.stop_requested()) return fail(ErrorCode::interrupted, "interrupted");
        if (deadlineIn(0) > end) return fail("the player does not respond");
        SEEDBED_ASSIGN(auto newer, view.frame());
        if (newer) {
            frame = std::move(*newer);
            return {};
        }
        ::usleep(1000);
    }
}

// Waits for a row of this generation and for its inspection.
Result<> awaitRow(PlayerView& view, std::uint32_t generation, std::uint64_t row, PlayerFrame& frame,
                  Inspection& inspection, const std::stop_token& stop) {
    const Deadline end = deadlineIn(kPlayerStartMs);
    while (frame.generation != generation || frame.row < row) SEEDBED_TRY(awaitFrame(view, frame, end, stop));
    while (inspection.generation != generation || inspection.row != frame.row) {
        if (stop.stop_requested()) return fail(ErrorCode::interrupted, "interrupted");
        if (deadlineIn(0) > end) return fail("the player sends no inspections");
        SEEDBED_ASSIGN(auto looked, view.inspection());
        if (looked) inspection = std::move(*looked);
        else ::usleep(1000);
    }
    return {};
}

// The condition that paused the player in `row`, or null.
Result<Json> conditionOf(PlayerView& view, std::uint64_t row) {
    while (true) {
        SEEDBED_ASSIGN(const Json reply, view.ask("status"));
        const Json status = reply.value("status", Json::object());
        // The status follows the frame.
        if (status.value("row", std::uint64_t{0}) >= row) return status.value("stopped_by", Json());
        ::usleep(1000);
    }
}

// Steps the player row by row, so that each decision has its inspection.
Result<int> printInspected(PlayerView& view, const std::stop_token& stop) {
    PlayerFrame frame;
    Inspection inspection;
    SEEDBED_TRY(awaitFrame(view, frame, deadlineIn(kPlayerStartMs), stop));
    const std::uint32_t generation = frame.generation + 1;
    SEEDBED_ASSIGN([[maybe_unused]] const Json paused, view.ask("pause"));
    SEEDBED_TRY(view.inspect(true));
    SEEDBED_ASSIGN([[maybe_unused]] const Json restarted, view.ask("restart"));
    Json decision;
    for (std::uint64_t row = 0; !stop.stop_requested(); ++row) {
        if (row > 0) {
            SEEDBED_ASSIGN([[maybe_unused]] const Json stepped, view.ask("step", {{"count", 1}}));
        }
        SEEDBED_TRY(awaitRow(view, generation, row, frame, inspection, stop));
        for (const PlayerRecord& record : frame.trace) {
            if (record.row + 1 != row || !record.decided) continue;
            Json json = recordJson(record);
            json["inspection"] = decision;
            printJson(json);
            std::fflush(stdout);
        }
        decision = toJson(inspection);
        if (std::ferror(stdout) != 0 || frame.finished) return kOk;
        if (row == 0) continue;
        SEEDBED_ASSIGN(const Json fired, conditionOf(view, row));
        if (!fired.is_null()) return printFired(fired);
        SEEDBED_ASSIGN([[maybe_unused]] const auto events, view.events());  // notices that the player exited
    }
    return kInterrupted;
}

Result<int> watch(const WatchOptions& options, const Context& context) {
    if (options.inspects && !context.json)
        return fail(ErrorCode::usage, "--inspect needs --json; in the terminal, the key i shows inspections");
    // Before the player starts, which may take a second.
    if (!context.json && (::isatty(STDIN_FILENO) == 0 || ::isatty(STDOUT_FILENO) == 0))
        return fail(ErrorCode::usage, "this command needs a terminal; with --json it prints the decisions");
    if (isReplayFile(options) &&
        (options.follow || options.sample || !options.kind.empty() || !options.rival.against.empty() ||
         !options.rival.env.empty() || !options.rival.env_of.empty()))
        return fail(
            ErrorCode::usage,
            "a recorded game cannot be combined with --follow, --sample, --replay, --against or --env");
    Interrupt interrupt("");
    RealFileSystem files;
    SEEDBED_TRY(makeFolders(files, controlFolder(context.data_folder)));
    SEEDBED_ASSIGN(Player player, startPlayer(options, context, interrupt.token()));
    SEEDBED_ASSIGN(const Spaces spaces, spacesFromJson(player.view.about().value("spaces", Json::object())));
    for (const std::string& condition : options.conditions) {
        SEEDBED_ASSIGN([[maybe_unused]] const Json added, player.view.ask("break", {{"when", condition}}));
    }
    auto result = !context.json      ? showFrames(player.view, spaces, options.save, interrupt.token())
                  : options.inspects ? printInspected(player.view, interrupt.token())
                                     : printEachDecision(player.view, interrupt.token());
    if (!result) {
        // The connection ends slightly before the process, which may have printed the reason.
        SEEDBED_ASSIGN(const auto exited, player.process.wait({}, deadlineIn(kPlayerDeathMs)));
        if (exited) return tl::unexpected<Error>(reasonOf(player.process, *exited));
    }
    (void)player.process.signal(SIGTERM);  // a request would not be sent after Ctrl-C
    (void)player.process.wait({}, deadlineIn(kPlayerExitMs));
    return result;
}

SEEDBED_REGISTER_COMMAND(
    watch,
    {.id = "watch",
     .summary = "Watch a policy, two players or a recorded game in the terminal",
     .examples = {"seedbed watch 3", "seedbed watch 3 --follow", "seedbed watch games.replay",
                  "seedbed watch 3 --against tracker", "seedbed watch 3 --json | head",
                  "seedbed watch 3 --break 'value < 0.2'",
                  "seedbed watch 3 --json --inspect --break 'reward > 0'"},
     .define = [](CLI::App& cli) -> Action {
         auto options = std::make_shared<WatchOptions>();
         addPlayerOptions(cli, options->name, options->rival);
         addActionOptions(cli, options->greedy, options->sample, options->seed);
         cli.add_flag("--follow", options->follow, "Always use the newest weights of a run in progress");
         cli.add_option("--replay", options->kind, "Show an evaluation episode stored with the checkpoint")
             ->check(CLI::IsMember({"best", "median", "worst"}));
         cli.add_option("--speed", options->speed, "Speed as a multiple of real time; 0: as fast as possible")
             ->check(CLI::Range(0.0, 1000.0))
             ->capture_default_str();
         cli.add_option("--break", options->conditions,
                        "Pause (with --json: stop) when this condition holds, such as 'value < 0.2'")
             ->type_name("CONDITION")
             ->take_all();
         cli.add_option("--save", options->save,
                        "File that the key s writes: the last 30 seconds as .gif or .mp4, or the finished "
                        "episodes as .replay")
             ->type_name("FILE")
             ->check(notEmpty())
             ->capture_default_str();
         cli.add_flag("--inspect", options->inspects,
                      "With --json: print the network's inputs, saliency and recurrent state");
         return [options](const Context& context) { return watch(*options, context); };
     }});

}  // namespace
}  // namespace seedbed::app
