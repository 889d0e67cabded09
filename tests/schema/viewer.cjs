// viewer.cjs: a reader of traces that is not ours reads what `trace --format chrome` writes.
// SPDX-License-Identifier: GPL-3.0-or-later
//
// node viewer.cjs TRACE...   (where @tracerbench/trace-model 8.0.0 is installed)
//
// The reader sorts the events, joins each B with its E to one complete event (and throws where there is none),
// and finds the parent of each in its thread. It must find what a plain count of the file finds: as many
// slices, processes and threads of those names, and each slice inside its parent.
'use strict';
const fs = require('fs');
const { buildModel } = require('@tracerbench/trace-model');

const count = (events, phase) => events.filter((event) => event.ph === phase).length;
let failed = false;

function check(good, file, ...what) {
  if (!good) {
    console.log(`${file}: ${what.join(' ')}`);
    failed = true;
  }
}

for (const file of process.argv.slice(2)) {
  const trace = JSON.parse(fs.readFileSync(file, 'utf8'));
  const begun = count(trace.traceEvents, 'B');
  const model = buildModel(trace);
  const slices = model.events.filter((event) => event.isComplete());
  const names = trace.traceEvents.filter((event) => event.name === 'process_name').map((event) => event.args.name);
  check(slices.length === begun && begun > 0, file, `${begun} slices begin, the reader has ${slices.length}`);
  check(count(model.events, 'B') + count(model.events, 'E') === 0, file, 'half slices are left');
  check(model.processes.map((p) => p.name).sort().join() === names.sort().join(), file, 'processes', names.join());
  for (const thread of model.processes.flatMap((p) => p.threads)) {
    check(thread.name !== '' || thread.events.length === 0, file, 'a thread without a name', thread.id);
  }
  let inside = 0;
  for (const slice of slices.filter((event) => event.parent !== undefined)) {
    inside++;
    check(slice.start >= slice.parent.start && slice.end <= slice.parent.end, file, 'not inside', slice.name);
  }
  console.log(`${file}: ${slices.length} slices, ${inside} inside others, ${model.processes.length} processes`);
}
process.exit(failed ? 1 : 0);
