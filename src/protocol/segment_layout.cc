// Nothing to run: the compiler checks that the fields of the shared segment follow each other
// without gaps, so that segment.h describes each of its bytes.
#include "protocol/layout.h"
#include "protocol/segment.h"

namespace mazurka {

MAZURKA_FOLLOWS(Segment, magic, version);
MAZURKA_FOLLOWS(Segment, version, size_of_world);
MAZURKA_FOLLOWS(Segment, size_of_world, control);
MAZURKA_FOLLOWS(Segment, control, batch);
MAZURKA_FOLLOWS(Segment, batch, plan);
MAZURKA_FOLLOWS(Segment, plan, log);
MAZURKA_FOLLOWS(Segment, log, text_count);
MAZURKA_FOLLOWS(Segment, text_count, kept_text_count);
MAZURKA_FOLLOWS(Segment, kept_text_count, module_count);
MAZURKA_FOLLOWS(Segment, module_count, unmodelled_count);
MAZURKA_FOLLOWS(Segment, unmodelled_count, sem_set_count);
MAZURKA_FOLLOWS(Segment, sem_set_count, shared_file_count);
MAZURKA_FOLLOWS(Segment, shared_file_count, descriptor_count);
MAZURKA_FOLLOWS(Segment, descriptor_count, queue_count);
MAZURKA_FOLLOWS(Segment, queue_count, annotated_count);
MAZURKA_FOLLOWS(Segment, annotated_count, annotated_code_count);
MAZURKA_FOLLOWS(Segment, annotated_code_count, socket_count);
MAZURKA_FOLLOWS(Segment, socket_count, file_count);
MAZURKA_FOLLOWS(Segment, file_count, opened_count);
MAZURKA_FOLLOWS(Segment, opened_count, closed_count);
MAZURKA_FOLLOWS(Segment, closed_count, private_file_count);
MAZURKA_FOLLOWS(Segment, private_file_count, file_name_count);
MAZURKA_FOLLOWS(Segment, file_name_count, file_text_count);
MAZURKA_FOLLOWS(Segment, file_text_count, directory_count);
MAZURKA_FOLLOWS(Segment, directory_count, mapped_count);
MAZURKA_FOLLOWS(Segment, mapped_count, scanned_count);
MAZURKA_FOLLOWS(Segment, scanned_count, site_count);
MAZURKA_FOLLOWS(Segment, site_count, older_code_count);
MAZURKA_FOLLOWS(Segment, older_code_count, canary);
MAZURKA_FOLLOWS(Segment, canary, processes);
MAZURKA_FOLLOWS(Segment, processes, places);
MAZURKA_FOLLOWS(Segment, places, shared_memories);
MAZURKA_FOLLOWS(Segment, shared_memories, shared_files);
MAZURKA_FOLLOWS(Segment, shared_files, sem_sets);
MAZURKA_FOLLOWS(Segment, sem_sets, descriptors);
MAZURKA_FOLLOWS(Segment, descriptors, queues);
MAZURKA_FOLLOWS(Segment, queues, sockets);
MAZURKA_FOLLOWS(Segment, sockets, files);
MAZURKA_FOLLOWS(Segment, files, opened);
MAZURKA_FOLLOWS(Segment, opened, closed);
MAZURKA_FOLLOWS(Segment, closed, file_memories);
MAZURKA_FOLLOWS(Segment, file_memories, private_files);
MAZURKA_FOLLOWS(Segment, private_files, file_names);
MAZURKA_FOLLOWS(Segment, file_names, file_name_table);
MAZURKA_FOLLOWS(Segment, file_name_table, told_names);
MAZURKA_FOLLOWS(Segment, told_names, directories);
MAZURKA_FOLLOWS(Segment, directories, mapped);
MAZURKA_FOLLOWS(Segment, mapped, file_text);
MAZURKA_FOLLOWS(Segment, file_text, modules);
MAZURKA_FOLLOWS(Segment, modules, unmodelled);
MAZURKA_FOLLOWS(Segment, unmodelled, names);
MAZURKA_FOLLOWS(Segment, names, world);
MAZURKA_FOLLOWS(Segment, world, plans);
MAZURKA_FOLLOWS(Segment, plans, logs);
MAZURKA_FOLLOWS(Segment, logs, prefix);
MAZURKA_FOLLOWS(Segment, prefix, planned_sleep);
MAZURKA_FOLLOWS(Segment, planned_sleep, planned_blocks);
MAZURKA_FOLLOWS(Segment, planned_blocks, planned_block_accesses);
MAZURKA_FOLLOWS(Segment, planned_block_accesses, free_run);
MAZURKA_FOLLOWS(Segment, free_run, steps);
MAZURKA_FOLLOWS(Segment, steps, enabled);
MAZURKA_FOLLOWS(Segment, enabled, accesses);
MAZURKA_FOLLOWS(Segment, accesses, settings);
MAZURKA_FOLLOWS(Segment, settings, creations);
MAZURKA_FOLLOWS(Segment, creations, logged_threads);
MAZURKA_FOLLOWS(Segment, logged_threads, races);
MAZURKA_FOLLOWS(Segment, races, guards);
MAZURKA_FOLLOWS(Segment, guards, known_words);
MAZURKA_FOLLOWS(Segment, known_words, annotated);
MAZURKA_FOLLOWS(Segment, annotated, annotated_code);
MAZURKA_FOLLOWS(Segment, annotated_code, older_code);
MAZURKA_FOLLOWS(Segment, older_code, scanned);
MAZURKA_FOLLOWS(Segment, scanned, sites);
MAZURKA_FOLLOWS(Segment, sites, loop);
MAZURKA_FOLLOWS(Segment, loop, watch);
MAZURKA_FOLLOWS(Segment, watch, frames);
MAZURKA_FOLLOWS(Segment, frames, text);
MAZURKA_FOLLOWS(Segment, text, kept_text);
MAZURKA_FOLLOWS(Segment, kept_text, last_canary);

}  // namespace mazurka
