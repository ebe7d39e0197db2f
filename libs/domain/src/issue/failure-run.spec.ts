import { afterFailure, afterSuccess, isAlarming, NO_FAILURES, type FailureRun } from './failure-run.js';

const failure = (at: number) => ({ at, beganAt: at - 1, cause: { code: `at ${at}`, message: 'It failed.' } });
const failedAt = (run: FailureRun, ...times: readonly number[]) =>
  times.reduce((before, at) => afterFailure(before, failure(at)), run);

describe('failures in a row', () => {
  it('are an alarm from the third on, with the times of the first and the third', () => {
    expect(isAlarming(failedAt(NO_FAILURES, 10, 20))).toBe(false);
    const run = failedAt(NO_FAILURES, 10, 20, 30, 40);
    expect(isAlarming(run)).toBe(true);
    expect(run).toMatchObject({ counted: 4, lastAt: 40, overSince: null });
    expect(run.alarm).toEqual({ at: 30, since: 9, countedBefore: 0, cause: failure(30).cause });
  });
  it('are over with a success', () => {
    const run = afterSuccess(failedAt(NO_FAILURES, 10, 20, 30), 35);
    expect(isAlarming(run)).toBe(false);
    expect(run).toMatchObject({ alarm: { at: 30 }, overSince: 35, counted: 3 });
  });
  it('that are fewer than three leave the alarm before them as it was over', () => {
    const run = afterSuccess(failedAt(afterSuccess(failedAt(NO_FAILURES, 10, 20, 30), 35), 40, 50), 60);
    expect(run).toMatchObject({ alarm: { at: 30 }, overSince: 35, counted: 5, inARow: 0 });
  });
  it('begin anew after a success', () => {
    const run = failedAt(afterSuccess(failedAt(NO_FAILURES, 10, 20), 25), 30, 40, 50);
    expect(run.alarm).toMatchObject({ at: 50, since: 29, countedBefore: 2 });
  });
  it('that never were stay the same object', () => expect(afterSuccess(NO_FAILURES, 10)).toBe(NO_FAILURES));
});
