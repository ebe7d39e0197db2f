import { startupBanner } from './startup-banner.js';

const made = {
  projectId: 'prj_01J9Z3K8Q4T6V8X0A2C4E6G8J0',
  projectName: 'default',
  apiKey: 'sk_0123456789abcdefghijklmnop',
  adminPassword: 'correct horse',
};
const curlOf = (address: string) => /curl -sS (\S+)/.exec(startupBanner(made, address))?.[1];

describe('the banner of a first start', () => {
  const shown = (chosen: object) => startupBanner({ ...made, ...chosen }, 'http://127.0.0.1:3000');

  it('shows what was made, and says that it is not shown again', () => {
    for (const text of [made.apiKey, made.adminPassword, 'not shown again']) expect(shown({})).toContain(text);
  });

  it('names the setting of a secret that was preset, and its request takes the key from there', () => {
    expect(shown({ apiKey: null })).toMatch(/API key +as set in BOOTSTRAP_API_KEY\n.*correct horse/);
    expect(shown({ apiKey: null })).toContain('-H "Authorization: Bearer $BOOTSTRAP_API_KEY"');
    expect(shown({ adminPassword: null })).toMatch(/Admin password +as set in ADMIN_PASSWORD\n/);
    expect(shown({ apiKey: null, adminPassword: null })).not.toContain('not shown again');
  });
});

describe('the curl line of a first start', () => {
  it('has an address that no shell takes for a pattern', () => {
    expect(curlOf('http://[::1]:3000')).toBe("'http://[::1]:3000/v1/messages'");
    expect(curlOf('http://[fe80::1%eth0]:3000')).toBe("'http://[fe80::1%eth0]:3000/v1/messages'");
  });

  it('has a key, so that it may be pasted twice', () => {
    expect(startupBanner(made, 'http://127.0.0.1:3000')).toContain("-H 'Idempotency-Key: first-message' -d");
  });

  it('has any other address as it is', () => {
    expect(curlOf('http://127.0.0.1:3000')).toBe('http://127.0.0.1:3000/v1/messages');
  });
});
