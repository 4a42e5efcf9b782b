// The rows of channels, descriptions, message queues and timers in the tables of words.
#pragma once

#include "objects/kind_words.h"
#include "objects/op_words.h"

namespace mazurka {

namespace channel_words {

TypeFunction channel_type;
ValueFunction channel_value, description_value, queue_value, timer_value;

OutcomeFunction way;
NoteFunction written, sent;
WhyFunction channel_is_empty, channel_is_full, none_is_ready, no_such_message, queue_is_full,
    timer_is_not_set;

}  // namespace channel_words

inline constexpr KindWords kChannelKindWords[] = {
    {.kind = ObjectKind::Channel,
     .type = channel_words::channel_type,
     .value = channel_words::channel_value},
    {.kind = ObjectKind::Description, .value = channel_words::description_value},
    {.kind = ObjectKind::Queue, .value = channel_words::queue_value},
    {.kind = ObjectKind::Timer, .value = channel_words::timer_value},
};

inline constexpr OpWords kChannelWords[] = {
    {.kind = OpKind::ChannelRead,
     .outcome = channel_words::way,
     .why = channel_words::channel_is_empty},
    {.kind = OpKind::ChannelWrite,
     .outcome = channel_words::way,
     .note = channel_words::written,
     .why = channel_words::channel_is_full},
    {.kind = OpKind::DescriptionOpen},
    {.kind = OpKind::DescriptionClose},
    {.kind = OpKind::DescriptionSet},
    {.kind = OpKind::Poll, .about = About::FirstPart, .why = channel_words::none_is_ready},
    {.kind = OpKind::QueueSend, .note = channel_words::sent, .why = channel_words::queue_is_full},
    {.kind = OpKind::QueueReceive, .why = channel_words::no_such_message},
    {.kind = OpKind::QueueGet},
    {.kind = OpKind::QueueSet},
    {.kind = OpKind::QueueRemove},
    {.kind = OpKind::TimerRead, .why = channel_words::timer_is_not_set},
    {.kind = OpKind::TimerSet},
    {.kind = OpKind::TimerGet},
};

}  // namespace mazurka
