// Opens the user's browser at an address that nobody else may know.
//
// What a process was started with can be read by every user of the machine. So the browser is given
// a file that leads to the address, and that only its owner can read.
#pragma once

#include <string>

namespace mazurka {

class BrowserDoor {
 public:
  // Does nothing where there is no display or no browser, or where no file can be made: the address
  // is in the terminal.
  void open(const std::string& address);
  // The file is gone then.
  ~BrowserDoor();

 private:
  bool write(const std::string& address);

  std::string folder_;
  std::string file_;
};

}  // namespace mazurka
