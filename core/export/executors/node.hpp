// SPDX-License-Identifier: Apache-2.0
// Executor `node`: runs a web page's module and the page's own loader in Node.js.
#pragma once

#include "core/export/target.hpp"

namespace seedbed {

// error: parity if the page's comparison with its golden vectors and recorded environment fails.
Result<std::unique_ptr<Executor>> openNode(const ExecutorRequest& request);

}  // namespace seedbed
