import { ReplyShare } from './reply-share.js';

describe('the messages of a project that wait for their replies', () => {
  it('are a quarter of all connections at most, and the others are refused for now', () => {
    const share = new ReplyShare();
    const places = Array.from({ length: 250 }, () => share.enter('prj_1'));
    const refusal = { code: 'rate_limit_exceeded', details: { retryAfter: expect.any(Number) } };
    expect(() => share.enter('prj_1')).toThrow(expect.objectContaining(refusal));
    places[0]?.leave();
    share.enter('prj_1');
    expect(() => share.enter('prj_1')).toThrow(expect.objectContaining(refusal));
  });

  it('leave those of other projects alone', () => {
    const share = new ReplyShare();
    for (const project of ['prj_1', 'prj_2', 'prj_3']) for (let n = 0; n < 250; n++) share.enter(project);
    expect(() => share.enter('prj_4')).not.toThrow();
  });
});
