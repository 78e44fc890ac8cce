// SPDX-License-Identifier: Apache-2.0
// Standard streams of commands. Names, notes, events and messages may be imported, so the streams replace
// anything that could control a terminal.
#pragma once

#include <string_view>

namespace seedbed::app {

// After this call, stdout and stderr pass only printable text, line breaks and tabs; see printableText().
// Call once, at the start of main.
void filterStandardStreams();

// Writes all bytes unfiltered. Returns false if the descriptor cannot be written.
bool writeBytes(int descriptor, std::string_view bytes);

// Erases the current line of the terminal, for progress lines.
void eraseLine();

}  // namespace seedbed::app
