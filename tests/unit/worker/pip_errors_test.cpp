// SPDX-License-Identifier: Apache-2.0
// Failures of pip, recognised from the output of pip 23 and 25.
#include "core/worker/pip_errors.hpp"

#include <gtest/gtest.h>

namespace seedbed {
namespace {

TEST(PipErrors, NameTheCauseAndTheRemedy) {
    struct Case {
        const char* output;
        ErrorCode code;
        const char* cause;
        const char* remedy;
    };
    const Case cases[] = {
        {"Collecting beta==2.1\nERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE. If "
         "you "
         "have updated the package versions, please update the hashes. Otherwise, examine the package "
         "contents "
         "carefully; someone may have tampered with them.\n    beta==2.1 from file:///w/b.whl (from "
         "-r requirements.txt (line 2)):\n        Expected sha256 00\n             Got        11\n",
         ErrorCode::failure, "'beta==2.1'", "try again"},
        {"ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device\n",
         ErrorCode::disk_full, "the disk is full", "free some space"},
        {"WARNING: Retrying (Retry(total=0)) after connection broken by 'NewConnectionError('<x>: Failed to "
         "establish a new connection: [Errno -3] Temporary failure in name resolution')'\nERROR: Could not "
         "find "
         "a version that satisfies the requirement numpy==2.0 (from versions: none)\nERROR: No matching "
         "distribution found for numpy==2.0\n",
         ErrorCode::failure, "could not be reached", "Connect and try again"},
        {"ERROR: Could not find a version that satisfies the requirement numpy==9.0 (from versions: "
         "1.0)\nERROR: "
         "No matching distribution found for numpy==9.0\n",
         ErrorCode::failure, "no file of numpy==9.0", "mirror"},
        {"WARNING: x SSLError(SSLCertVerificationError(1, '[SSL: CERTIFICATE_VERIFY_FAILED]\n",
         ErrorCode::failure, "certificate", "check the clock"},
        {"Traceback\nKeyError: 3\n", ErrorCode::failure, "KeyError: 3", "pip failed"},
        {"", ErrorCode::failure, "pip failed", ""},
    };
    for (const Case& c : cases) {
        const Error error = explainPipFailure(c.output);
        EXPECT_EQ(error.code, c.code) << c.output;
        EXPECT_NE(error.message.find(c.cause), std::string::npos) << error.message;
        EXPECT_NE(error.message.find(c.remedy), std::string::npos) << error.message;
    }
}

}  // namespace
}  // namespace seedbed
