import Sequencer from '@jest/test-sequencer';

/** These files start processes and browsers, so their size does not show how long they take. */
const STARTING = /\/test\/(journeys|cli|runtime|faults)\//;

/** Puts the longest files first, even without measured times, so that no long file runs alone at the end. */
export default class LongestFirst extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    if (sorted.some(({ duration }) => duration !== undefined)) return sorted;
    const isStarting = ({ path }) => STARTING.test(path);
    return [...sorted.filter(isStarting), ...sorted.filter((test) => !isStarting(test))];
  }
}
