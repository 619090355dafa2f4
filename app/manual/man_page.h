#pragma once
// The manual page as scdoc text: a template with the prose, filled in with what the program knows of itself.

#include "app/manual/command_spec.h"
#include "core/base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace lacuna::ui {

// Lines of the template that are replaced:
//   @synopsis@    a line for the program and for each verb
//   @options@     the options of the program without a verb
//   @verb NAME@   heading and call of a verb; its options come after the prose that follows, before the next
//                 such line or heading
// A verb that the template does not have is added after the last one, with what --help says. Error: the
// template has a verb that the program does not have.
Result<std::string> manualPage(std::string_view page, const std::vector<CommandSpec>& commands);

} // namespace lacuna::ui
