import Sequencer from '@jest/test-sequencer';

/** These start processes and browsers: how long a file takes does not show in its size. */
const STARTING = /\/test\/(journeys|cli|runtime|faults)\//;

/** The longest files come first, so that none is left alone at the end, also where no run before has measured them. */
export default class LongestFirst extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    if (sorted.some(({ duration }) => duration !== undefined)) return sorted;
    const isStarting = ({ path }) => STARTING.test(path);
    return [...sorted.filter(isStarting), ...sorted.filter((test) => !isStarting(test))];
  }
}
