// SPDX-License-Identifier: GPL-3.0-or-later
// What every page is given. app/gui makes it all; tests pass what their page needs.
#pragma once

class QUndoStack;

namespace seedbed::ui {

class Catalogue;
class Editor;
class Launcher;
class Navigator;
class RunStore;
class Settings;
class Theme;

// All outlive every page. Null only in tests whose page does not use it. Thread: the window's.
struct Services {
    RunStore* runs = nullptr;        // snapshots of the database
    Editor* editor = nullptr;        // the user's edits, undoable
    Launcher* launcher = nullptr;    // seedbed processes
    Catalogue* catalogue = nullptr;  // environments, presets, settings, this machine
    Settings* settings = nullptr;    // what the window remembers
    Theme* theme = nullptr;          // colours and icons
    Navigator* navigator = nullptr;  // to other pages
    QUndoStack* undo = nullptr;      // of all edits
};

}  // namespace seedbed::ui
