// The rows of signals in the table of operations.
#pragma once

#include "kinds/signals/signals.h"
#include "objects/kind_row.h"
#include "objects/op_row.h"
#include "objects/world.h"

namespace mazurka {

inline constexpr OpRow kSignalRows[] = {
    {.kind = OpKind::SignalSend,
     .name = "send signal",
     .apply = on_signals::send,
     .accesses = on_signals::send_accesses,
     .blocks = When::never(),
     .several = When::never(),
     .brings_signals = on_signals::send_brings,
     .order = Order::Send},
    {.kind = OpKind::SignalAction,
     .name = "signal action",
     .apply = on_signals::set_action,
     .accesses = on_signals::action_accesses,
     .blocks = When::never(),
     .several = When::never(),
     .brings_signals = on_signals::action_brings,
     .order = Order::Nothing},
    {.kind = OpKind::SignalMask,
     .name = "signal mask",
     .apply = on_signals::set_mask,
     .accesses = on_signals::mask_accesses,
     .blocks = When::never(),
     .several = When::never(),
     .brings_signals = on_signals::mask_brings,
     .order = Order::Nothing},
    {.kind = OpKind::SignalLook,
     .name = "pending signals",
     .apply = on_signals::look,
     .accesses = no_accesses,
     .blocks = When::never(),
     .several = When::never(),
     .order = Order::Nothing},
    {.kind = OpKind::SignalPause,
     .name = "pause",
     .enabled = on_signals::pause_enabled,
     .apply = on_signals::pause,
     .accesses = no_accesses,
     .blocks = When::always(),
     .several = When::never(),
     .interrupted = Interrupted::No,
     .order = Order::Nothing},
    {.kind = OpKind::SignalWait,
     .name = "wait for signal",
     .enabled = on_signals::wait_enabled,
     .apply = on_signals::wait,
     .accesses = on_signals::process_accesses,
     .blocks = When::without(kTry | kTimed),
     .several = When::never(),
     .interrupted = Interrupted::Fails,
     .order = Order::Nothing},
    {.kind = OpKind::SignalCancel,
     .name = "cancel timer",
     .apply = on_signals::cancel,
     .accesses = on_signals::process_accesses,
     .blocks = When::never(),
     .several = When::never(),
     .order = Order::Nothing},
};

}  // namespace mazurka
