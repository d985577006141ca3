// Places that the reader wants to find again, as long as the page is open.

import { say } from './notice.js';
import { now, set } from './store.js';

export function bookmark() {
  const { run, at, marks } = now;
  if (!run || marks.some((mark) => mark.run === run.id && mark.at === at)) return;
  set({ marks: [...marks, { run: run.id, at, title: `${run.title}, position ${at}` }] });
  say('Bookmarked: see “Runs”.');
}

export function unmark(mark) {
  set({ marks: now.marks.filter((other) => other !== mark) });
}
