# The queue broken on purpose: each mutant differs from sim/engine in one line, and the queue's test must notice.
# The program itself must pass first, so that a mutant does not fail for another reason.
cmake_minimum_required(VERSION 3.25)
set(flags -std=c17 -O1 -w -ffp-contract=off -D_POSIX_C_SOURCE=200809L -I${SOURCE}/include -I${SOURCE}/sim -I${SOURCE}/tests)
file(MAKE_DIRECTORY ${BUILD})
set(engine queue chain)
set(objects "")

function(compile source object)
  execute_process(COMMAND ${CC} ${flags} -c ${source} -o ${object} RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${source} does not compile")
  endif()
endfunction()

# Links the given objects of the engine to the test and runs it; the result is 0 when the test passes.
function(run program out)
  execute_process(COMMAND ${CC} ${ARGN} ${objects} ${CMOCKA} -o ${program} RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${program} does not link")
  endif()
  execute_process(COMMAND ${program} RESULT_VARIABLE result TIMEOUT 20 OUTPUT_FILE ${program}.out ERROR_FILE ${program}.err)
  set(${out} "${result}" PARENT_SCOPE)
endfunction()

# A mutant: in sim/engine/<file>.c the text `from`, which must stand there exactly once, becomes `to`.
function(mutant name file from to)
  file(READ ${SOURCE}/sim/engine/${file}.c text)
  string(FIND "${text}" "${from}" first)
  string(FIND "${text}" "${from}" last REVERSE)
  if(first EQUAL -1 OR NOT first EQUAL last)
    message(FATAL_ERROR "mutant ${name}: its text is not in ${file}.c, or not just once: ${from}")
  endif()
  string(REPLACE "${from}" "${to}" text "${text}")
  file(WRITE ${BUILD}/${name}.c "${text}")
  compile(${BUILD}/${name}.c ${BUILD}/${name}.o)
  set(other ${engine})
  list(REMOVE_ITEM other ${file})
  run(${BUILD}/${name} result ${BUILD}/${name}.o ${BUILD}/${other}.o)
  if(result EQUAL 0)
    message(SEND_ERROR "mutant ${name} was not noticed: ${from} -> ${to}")
  else()
    message(STATUS "${name}: noticed (${result})")
  endif()
endfunction()

foreach(source sim/base/arena tests/support/heap tests/unit/engine/rig tests/unit/engine/test_queue)
  get_filename_component(name ${source} NAME)
  compile(${SOURCE}/${source}.c ${BUILD}/${name}.o)
  list(APPEND objects ${BUILD}/${name}.o)
endforeach()
foreach(name ${engine})
  compile(${SOURCE}/sim/engine/${name}.c ${BUILD}/${name}.o)
endforeach()
run(${BUILD}/unbroken result ${BUILD}/queue.o ${BUILD}/chain.o)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "the unbroken queue does not pass: ${result}; see ${BUILD}/unbroken.out")
endif()

# What a queue must not do: forget to purge, reorder equals, fire what was cancelled, keep it beyond the bound, take an empty
# bucket for a full one, lose events.
mutant(purge_never queue [[if (queue->held <= 2 * queue->live + QUEUE_SLACK)]] [[if (queue->held >= queue->live)]])
mutant(equals_reordered queue [[place[-1].key > event.key; place--]] [[place[-1].key >= event.key; place--]])
mutant(stale_fired queue [[while (!event_is_live(event->payload, check));]] [[while (false);]])
mutant(stale_kept queue [[if (event_is_live(queue->bottom[i].payload, generation))]] [[if (true)]])
mutant(bit_not_cleared queue [[words[slot / 64] &= ~(UINT64_C(1) << (slot % 64));]] [[]])
mutant(tail_loses_one queue [[size_t i = queue->tail; i < end; i++]] [[size_t i = queue->tail + 1; i < end; i++]])
# What would go wrong in silence, but for the asserts and the heap beside it.
mutant(purge_when_popping_only queue [[assert(queue->live > 0);
    queue->live--;
    queue_purge(queue, generation);]] [[queue->live--;]])
mutant(equals_cut_apart queue [[while (cut > 0 && bottom[cut - 1].key == bottom[cut].key)]] [[while (false)]])
mutant(window_too_wide queue [[queue->limit = queue->origin | mask_below(level);]]
                             [[queue->limit = queue->origin | mask_below(level) << 1;]])
mutant(limit_outside_window queue [[if (key > queue->limit)]] [[if (key >= queue->limit)]])
mutant(origin_stays_behind queue [[queue->origin = queue->limit = chain]] [[queue->limit = chain]])
mutant(classes_seen_as_equal chain [[return differences;]] [[return differences & ~UINT64_C(1);]])
mutant(second_chunk_skipped_into chain [[(chunk == chain->first ? skip : 0)]] [[skip]])
mutant(cursor_one_short queue [[queue->fifo_read == chunk->entries + CHUNK_ENTRIES]]
                              [[queue->fifo_read == chunk->entries + CHUNK_ENTRIES - 1]])
mutant(fifo_overtakes_bottom queue [[queue->head != queue->tail ? queue->bottom]]
                                   [[queue->fifo.first == NULL ? queue->bottom]])
mutant(fifo_left_behind queue [[while (queue->fifo.first != NULL)]] [[while (false)]])
mutant(fifo_from_the_start queue [[queue->fifo.first == NULL)
        return;
    size_t skip = (size_t)(queue->fifo_read - queue->fifo.first->entries);]] [[queue->fifo.first == NULL)
        return;
    size_t skip = 0;]])
mutant(first_word_overlooked queue [[unsigned word = 0;
    while]] [[unsigned word = 1;
    while]])
