// SPDX-License-Identifier: GPL-3.0-or-later
// A file of edits that could not be written before the window was closed, for its next start.
#pragma once

#include <filesystem>
#include <vector>

#include "ui/models/editor.hpp"

namespace seedbed::ui {

// Appends to the file, which is made with its folder. False: it cannot be written, and they are lost. Thread: any.
bool keepUnsavedEdits(const std::filesystem::path& file, const std::filesystem::path& data_folder, const std::vector<Editor::Wish>& wishes);
// The edits of this data folder, which are taken out of the file; those of others stay. A damaged file is none.
std::vector<Editor::Wish> readUnsavedEdits(const std::filesystem::path& file, const std::filesystem::path& data_folder);

}  // namespace seedbed::ui
