// SPDX-License-Identifier: Apache-2.0
// Fills the template of web pages, which the build makes (web/CMakeLists.txt), with a policy.
#pragma once

#include <string>
#include <vector>

#include "core/export/target.hpp"

namespace seedbed {

inline constexpr const char* kPageName = "page.html";

// The page without golden vectors. error: config if the environment cannot run in a page; failure if this
// installation lacks the template.
Result<std::string> webPage(const PolicyModel& model, const TargetOptions& options);
// Adds the golden vectors, unless they are larger than a megabyte.
Result<> addGoldenToPage(const PolicyModel& model, const GoldenVectors& golden,
                         std::vector<ExportFile>& files);

}  // namespace seedbed
