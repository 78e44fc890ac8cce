// SPDX-License-Identifier: Apache-2.0
#include "app/screen.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <utility>

#include <poll.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "app/terminal.hpp"

namespace seedbed::app {
namespace {

constexpr ScreenSize kUnknown{80, 24}, kSmallest{20, 8};
constexpr std::pair<std::string_view, Screen::Key> kScreenKeys[] = {
    {"\x1b[C", Screen::Key::right}, {"\x1b[D", Screen::Key::left}, {" ", Screen::Key::space},
    {"+", Screen::Key::faster},     {"-", Screen::Key::slower},    {"g", Screen::Key::greedy},
    {"r", Screen::Key::restart},    {"q", Screen::Key::quit},      {"\x1b[A", Screen::Key::up},
    {"\x1b[B", Screen::Key::down},  {"t", Screen::Key::take},      {"i", Screen::Key::inspect},
    {"b", Screen::Key::branch},     {"x", Screen::Key::close},     {"\t", Screen::Key::next},
    {"s", Screen::Key::save}};

// The index of the colour in the 6 x 6 x 6 cube of the 256 colours.
int cubeIndex(const std::uint8_t* rgb) {
    const auto level = [](int value) { return (value * 5 + 127) / 255; };
    return 16 + 36 * level(rgb[0]) + 6 * level(rgb[1]) + level(rgb[2]);
}

// `layer`: 38 for the character, 48 for its background.
std::string colour(int layer, const std::uint8_t* rgb, bool true_colour) {
    const std::string begin = "\x1b[" + std::to_string(layer);
    if (!true_colour) return begin + ";5;" + std::to_string(cubeIndex(rgb)) + "m";
    return begin + ";2;" + std::to_string(rgb[0]) + ";" + std::to_string(rgb[1]) + ";" +
           std::to_string(rgb[2]) + "m";
}

}  // namespace

struct Screen::Impl {
    termios before{};
    std::string pending;  // keys that were read together and not returned yet
};

Screen::Screen(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {
    const char* colours = std::getenv("COLORTERM");
    true_colour_ =
        colours != nullptr && (std::strcmp(colours, "truecolor") == 0 || std::strcmp(colours, "24bit") == 0);
}
Screen::Screen(Screen&&) noexcept = default;

Result<Screen> Screen::open() {
    auto impl = std::make_unique<Impl>();
    if (::isatty(STDIN_FILENO) == 0 || ::isatty(STDOUT_FILENO) == 0 ||
        ::tcgetattr(STDIN_FILENO, &impl->before) != 0)
        return fail(ErrorCode::usage, "this command needs a terminal; with --json it prints the decisions");
    termios raw = impl->before;
    raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);  // Ctrl-C remains a signal
    raw.c_cc[VSUSP] = _POSIX_VDISABLE;                     // Ctrl-Z would leave the picture on the screen
    ::tcsetattr(STDIN_FILENO, TCSANOW, &raw);
    (void)writeBytes(STDOUT_FILENO, "\x1b[?1049h\x1b[?25l");
    return Screen(std::move(impl));
}

Screen::~Screen() {
    if (!impl_) return;
    (void)writeBytes(STDOUT_FILENO, "\x1b[0m\x1b[?25h\x1b[?1049l");
    ::tcsetattr(STDIN_FILENO, TCSANOW, &impl_->before);
}

ScreenSize Screen::size() const {
    winsize size{};
    if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0)
        return kUnknown;
    return {std::max<int>(size.ws_col, kSmallest.columns), std::max<int>(size.ws_row, kSmallest.rows)};
}

void Screen::show(const std::string& text) {
    std::string output = "\x1b[H";
    for (const char letter : text) {
        if (letter == '\n') output += "\x1b[0m\x1b[K\r\n";
        else output += letter;
    }
    (void)writeBytes(STDOUT_FILENO, output + "\x1b[0m\x1b[K\x1b[J");
}

Screen::Key Screen::key(int ms) {
    std::string& pending = impl_->pending;
    pollfd input{STDIN_FILENO, POLLIN, 0};
    if (pending.empty() && ::poll(&input, 1, ms) > 0) {
        char bytes[64];
        const ssize_t count = ::read(STDIN_FILENO, bytes, sizeof bytes);
        if (count == 0) return Key::quit;  // the terminal was closed
        pending.assign(bytes, static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
    }
    if (pending.empty()) return Key::none;
    for (const auto& [text, key] : kScreenKeys) {
        if (!pending.starts_with(text)) continue;
        pending.erase(0, text.size());
        return key;
    }
    const char letter = pending.front();
    pending.erase(0, 1);
    if (letter < '0' || letter > '9') return Key::none;
    digit_ = letter - '0';
    return Key::act;
}

std::string pictureText(const Picture& picture, bool true_colour) {
    const auto pixel = [&](int x, int y) {
        return picture.rgb.data() +
               3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(picture.width) +
                    static_cast<std::size_t>(x));
    };
    std::string text;
    for (int y = 0; y + 1 < picture.height; y += 2) {
        if (y > 0) text += "\x1b[0m\n";
        std::string before;
        for (int x = 0; x < picture.width; ++x) {
            const std::string colours =
                colour(38, pixel(x, y), true_colour) + colour(48, pixel(x, y + 1), true_colour);
            if (colours != before) text += colours;
            before = colours;
            text += "▀";
        }
    }
    return text + "\x1b[0m";
}

}  // namespace seedbed::app
