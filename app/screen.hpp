// SPDX-License-Identifier: Apache-2.0
// A terminal for pictures and single keys: raw input and the alternate screen until destruction. Writes to
// the terminal itself, not to the filtered stdout.
#pragma once

#include <memory>
#include <string>

#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/env/render.hpp"

namespace seedbed::app {

struct ScreenSize {
    int columns = 0, rows = 0;
};

class Screen {
public:
    // `act` is one of the keys 0 to 9; see digit().
    enum class Key {
        none,
        space,
        left,
        right,
        up,
        down,
        faster,
        slower,
        greedy,
        restart,
        quit,
        take,
        inspect,
        branch,
        close,
        next,
        save,
        act
    };

    // error: usage, if standard input or output is not a terminal.
    static Result<Screen> open();
    Screen(Screen&&) noexcept;
    ~Screen();

    // At least 20 x 8; 80 x 24 if unknown.
    ScreenSize size() const;
    // Whether the terminal shows 24-bit colours (COLORTERM); otherwise 256 are used.
    bool hasTrueColour() const { return true_colour_; }
    // Replaces the contents; lines are separated by "\n" and cut by the caller.
    void show(const std::string& text);
    // Waits up to `ms` for a key. Key::none: no key was pressed, or one without a meaning.
    Key key(int ms);
    // The digit of the last key, if it was `act`.
    int digit() const { return digit_; }

private:
    struct Impl;
    explicit Screen(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
    bool true_colour_ = false;
    int digit_ = 0;
};

// Two pixels per character as half blocks, one line per two rows of pixels; the height should be even.
std::string pictureText(const Picture& picture, bool true_colour);

}  // namespace seedbed::app
