// SPDX-License-Identifier: Apache-2.0
// Standard streams of commands. Names, notes, events and messages may be imported, so the streams replace
// everything that could control a terminal.
#pragma once

namespace seedbed::app {

// From here on, stdout and stderr pass printable text, line breaks and tabs only; see printableText(). Call
// once, at the start of main.
void filterStandardStreams();

// Erases the current line of the terminal, for lines of progress.
void eraseLine();

}  // namespace seedbed::app
