// Crashes of the program: a thread that dies stands before an operation that ends its process.
#pragma once

namespace mazurka {

// Catches the signals that end a process. Called once, before the program's own code.
void catch_crashes();

}  // namespace mazurka
