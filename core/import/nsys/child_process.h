#pragma once
// One child process, started without a shell and in a process group of its own, with nothing on its standard
// input. The end of what it writes is kept, the whole group is killed when the caller loses interest.

#include "core/base/result.h"

#include <functional>
#include <string>
#include <vector>

namespace lacuna::nsys {

struct ChildEnd {
    bool wasStopped = false; // by keepGoing
    int exitCode = 0;        // 128 + signal when a signal ended it
    std::string lastOutput;  // both streams, at most the last 4 KiB
};

// arguments[0] is the program's path. keepGoing is asked at least every 50 ms; false ends the group at once.
// Blocks until the child is gone. An error: it could not be started.
Result<ChildEnd> runChild(const std::vector<std::string>& arguments, const std::function<bool()>& keepGoing);

} // namespace lacuna::nsys
