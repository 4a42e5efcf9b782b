// The rows of files, their locks, names and data in the tables of operations and of kinds.
#pragma once

#include "kinds/files/file_lock.h"
#include "kinds/files/file_use.h"
#include "objects/kind_row.h"
#include "objects/op_row.h"
#include "objects/world.h"

namespace mazurka {

inline constexpr KindRow kFileKinds[] = {
    {.kind = ObjectKind::File,
     .name = "file",
     .make = state_of<&Object::file>,
     .commute = on_file::commute,
     .state = on_file::state},
    {.kind = ObjectKind::FileName,
     .name = "file name",
     .make = state_of<&Object::file_name>,
     .state = on_files::name_state},
    {.kind = ObjectKind::FileData,
     .name = "contents of a file",
     .make = state_of<&Object::file_data>,
     .state = on_files::data_state},
};

inline constexpr OpRow kFileRows[] = {
    {.kind = OpKind::FileLock,
     .name = "lock file",
     .object = ObjectKind::File,
     .enabled = on_file::lock_enabled,
     .apply = on_file::lock,
     .accesses = on_file::lock_accesses,
     .blocks = When::without(kTry | kTimed),
     .several = When::never(),
     .interrupted = Interrupted::Restarts,
     .order = Order::FileLock},
    {.kind = OpKind::FileUnlock,
     .name = "unlock file",
     .object = ObjectKind::File,
     .apply = on_file::unlock,
     .accesses = on_file::unlock_accesses,
     .blocks = When::never(),
     .several = When::never(),
     .order = Order::Nothing},
    {.kind = OpKind::FileLook,
     .name = "look at locks",
     .object = ObjectKind::File,
     .apply = on_file::look,
     .accesses = on_file::look_accesses,
     .blocks = When::never(),
     .several = When::never(),
     .order = Order::Nothing},
    {.kind = OpKind::FileForget,
     .name = "close",
     .object = ObjectKind::File,
     .apply = on_file::forget,
     .accesses = on_file::forget_accesses,
     .blocks = When::never(),
     .several = When::never(),
     .order = Order::Nothing},
    {.kind = OpKind::FileUse,
     .name = "use file",
     .apply = on_files::use,
     .accesses = on_files::use_accesses,
     .blocks = When::never(),
     .several = When::never(),
     .mentioned = on_files::use_mentions,
     .order = Order::Nothing},
};

}  // namespace mazurka
