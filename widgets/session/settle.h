#pragma once

namespace lacuna::ui {

// How long a range, or a text that is being typed, rests before what follows from it is made anew.
inline constexpr int kSettleMs = 150;

} // namespace lacuna::ui
