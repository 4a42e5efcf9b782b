// What execve would make of a file: whether it can be run, and whether our runtime will be in it.
#pragma once

namespace mazurka {

enum class Image {
  Dynamic,   // the dynamic linker will load us
  Static,    // will run outside our control; so will a setuid program
  NotKnown,  // no format that we know: execve says ENOEXEC, or it runs outside our control
};

// `error`: an errno value where execve would refuse the file for sure; the image means nothing
// then.
struct ImageCheck {
  int error;
  Image image;
};

// `path` is relative to the directory `fd`; empty: the file that `fd` itself is open on.
ImageCheck check_image(int fd, const char* path);

}  // namespace mazurka
