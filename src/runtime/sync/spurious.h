// What may fail or wake up for no reason, when the user asks for that (--spurious): whether it does
// is a toss, so often in each thread at most, and no other model knows of it.
#pragma once

#include "execution/channel_options.h"
#include "runtime/core/runtime.h"

namespace mazurka {

// Whether this call does so now, which is an outcome. `object`: what reports say it of.
bool happens_for_no_reason(ObjectId object, UnaskedOption what, Call call);

}  // namespace mazurka
