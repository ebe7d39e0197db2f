import { webhooks } from './webhooks.js';

describe('what the document says of webhooks', () => {
  it('names the time-out that is set', () => {
    const { post } = webhooks(7_500)['event'] as { post: { description: string } };
    expect(post.description).toContain('Answer 2xx within 7.5 s.');
  });
});
