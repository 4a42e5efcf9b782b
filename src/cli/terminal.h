// What the terminal on standard output is like.
#pragma once

#include "report/words/text_style.h"

namespace mazurka {

// Colours and its width, if standard output is a terminal; else no colours, and 100 columns.
// NO_COLOR in the environment means no colours (no-color.org).
TextStyle terminal_style();

}  // namespace mazurka
