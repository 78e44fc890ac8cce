// SPDX-License-Identifier: GPL-3.0-or-later
// The services passed to every page; created by app/gui, or by tests if the tested page needs them.
#pragma once

class QUndoGroup;
class QUndoStack;

namespace seedbed::ui {

class Catalogue;
class Editor;
class EnvPictures;
class Launcher;
class LeagueList;
class Navigator;
class OwnEnvironments;
class PackList;
class PopulationList;
class RunStore;
class Settings;
class Theme;

// All services must outlive every page. Null only in tests that do not use them. Thread: GUI.
struct Services {
    RunStore* runs = nullptr;               // snapshots of the database
    Editor* editor = nullptr;               // the user's edits, undoable
    Launcher* launcher = nullptr;           // runs seedbed processes
    Catalogue* catalogue = nullptr;         // environments, presets, devices
    PackList* packs = nullptr;              // third-party environments
    LeagueList* leagues = nullptr;          // leagues and their matches
    PopulationList* populations = nullptr;  // population-based training
    OwnEnvironments* own = nullptr;         // the user's own environments
    EnvPictures* pictures = nullptr;        // animations of external environments
    Settings* settings = nullptr;           // settings of the window
    Theme* theme = nullptr;                 // colours and icons
    Navigator* navigator = nullptr;         // opens other pages
    QUndoStack* undo = nullptr;             // steps that act on every page
    QUndoGroup* undo_group = nullptr;       // of `undo` and the steps of single pages; see OwnUndo
};

}  // namespace seedbed::ui
