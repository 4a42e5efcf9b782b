// Which descriptors of this process lead to descriptions that have a model
// (kinds/channels/description.h). The table is in the segment: it survives an exec, and the forking
// process writes what its child gets.
#pragma once

#include "runtime/core/runtime.h"

namespace mazurka {

// The description behind a descriptor of this process, or kNoObject: it has no model, and is the
// kernel's alone.
ObjectId description_of(int fd);
// The same, also where that leads to a message queue or a timer: they can be waited for by poll;
// not to a file.
ObjectId pollable_description_of(int fd);
// The same, also if somebody outside of the program has the other end.
ObjectId any_description_of(int fd);

void add_descriptor(int fd, ObjectId description, bool closes_on_exec);
void set_closes_on_exec(int fd, bool closes);

// Before the kernel closes or replaces the descriptor: an operation, if it is the last of this
// process that leads there.
void close_descriptor(int fd, Call call);
// Before an exec: the same for all that it closes.
void close_on_exec(Call call);
// The one with the smallest number from `from` on, of this process; nullptr if there is none.
const DescriptorRecord* next_descriptor(int from);
// Requires that the child has been created in the world.
void copy_descriptors_for_fork(ProcessId parent, ProcessId child);

// What somebody outside of the program, or a call without a model, does to it is not known: from
// now on it has no model. `why` is named in the report.
void give_up_model(ObjectId description, const char* why, Call call);

// O_NONBLOCK: an operation where others may see it.
void set_nonblocking(int fd, bool wanted, Call call);

// fcntl for a descriptor that any_description_of knows.
int control_descriptor(int fd, int command, long argument, Call call);

// Calls f(DescriptorRecord&) for each descriptor of this process.
template <typename F>
void each_descriptor(F&& f) {
  Segment& s = segment();
  for (uint32_t i = 0; i < s.descriptor_count; ++i) {
    if (s.descriptors[i].process == current_process()) f(s.descriptors[i]);
  }
}

// --- making descriptions

struct NewChannel {
  Channel::Form form = Channel::Form::Pipe;
  uint16_t slots = kPipePages;
  bool is_socket = false;
  bool never_ends = false;
  bool is_internet = false;
  int64_t count = 0;
};
// How many of them this thread has made now: "pipe 1", "socket 2". Executions begin here at the
// latest.
uint32_t next_number();
// What this thread makes, by that number.
ObjectId named_object(const char* kind, uint32_t number, const char* part, ObjectKind object_kind);
ObjectId make_channel(const char* kind, uint32_t number, const char* part,
                      const NewChannel& wanted);
ObjectId make_description(const char* kind, uint32_t number, const char* part, ObjectId reads,
                          ObjectId writes);
// Opens what was just made. An operation where the process has other threads: which descriptors are
// free depends on those.
void open_descriptions(ObjectId first, ObjectId second, Call call);

}  // namespace mazurka
