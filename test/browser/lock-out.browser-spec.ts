import { consoleTests } from './harness/console-tests.js';

const here = consoleTests();

describe('after five wrong passwords', () => {
  it('the right one is refused too, and the page says for how long', async () => {
    here.visit.expects(/^(401|429) \/admin\/v1\/login$/);
    await here.page.goto('/admin/');
    for (let wrong = 1; wrong <= 5; wrong++) await here.visit.signIn(`wrong ${wrong}`);
    const refused = here.visit.answerTo('POST', '/admin/v1/login');
    await here.visit.signIn();
    expect((await refused).status()).toBe(429);
    const alert = here.page.getByRole('alert');
    await expect(alert.getByText('rate_limit_exceeded').waitFor()).resolves.toBeUndefined();
    expect(await here.page.getByRole('button', { name: 'Sign out' }).isVisible()).toBe(false);
  });
});
