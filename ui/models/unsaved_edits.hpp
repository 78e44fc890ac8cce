// SPDX-License-Identifier: GPL-3.0-or-later
// The file of edits that could not be written before the window closed.
#pragma once

#include <filesystem>
#include <vector>

#include "ui/models/editor.hpp"

namespace seedbed::ui {

// Reads the edits of this data folder, oldest first. Damaged lines are skipped. Thread: any, one at a time.
std::vector<Editor::Request> readUnsavedEdits(const std::filesystem::path& file,
                                              const std::filesystem::path& data_folder);
// Replaces the edits of this data folder and syncs the file; edits of other data folders are kept. An empty
// file is removed. error: the file is unchanged.
Result<> replaceUnsavedEdits(const std::filesystem::path& file, const std::filesystem::path& data_folder,
                             const std::vector<Editor::Request>& requests);

}  // namespace seedbed::ui
